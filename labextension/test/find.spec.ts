import type { INotebookTracker } from '@jupyterlab/notebook';
import { Panel, Widget } from '@lumino/widgets';
import { CodeCell } from '@jupyterlab/cells';
import { describe, expect, it, vi } from 'vitest';

import { findCell } from '../src/find';
import { makeCell } from './stage';

// The real one needs an editor, which jsdom cannot lay out.
vi.mock('@jupyterlab/cells', async () => {
  const { Panel: Base } = await import('@lumino/widgets');
  return {
    CodeCell: class extends Base {
      model: object = {};
    }
  };
});

function codeCell(id: string): CodeCell & Panel {
  const CellClass = CodeCell as unknown as new () => CodeCell & Panel;
  const { model } = makeCell(`# ${id}`).widget;
  return Object.assign(new CellClass(), { model: { ...model, id } });
}

/** A tracker of notebooks that hold cells with these ids. */
function tracking(
  ...notebooks: { visible: boolean; ids: string[] }[]
): INotebookTracker {
  const panels = notebooks.map(({ visible, ids }) => ({
    isVisible: visible,
    content: { widgets: ids.map(codeCell) }
  }));
  return {
    forEach: (visit: (panel: unknown) => void) => {
      panels.forEach(visit);
    }
  } as unknown as INotebookTracker;
}

describe('findCell', () => {
  it('finds the cell around the output, and extends its trust to it', () => {
    const output = new Widget();
    const area = new Panel();
    const cell = codeCell('mine');
    area.addWidget(output);
    cell.addWidget(area);
    const found = findCell(output, 'other', tracking());
    expect(found?.source).toBe('# mine');
    expect(found?.trusted).toBe(true);
  });

  it('finds the cell of an output on its own by its id, without trust', () => {
    const tracker = tracking({ visible: true, ids: ['a', 'b'] });
    const found = findCell(new Widget(), 'b', tracker);
    expect(found?.source).toBe('# b');
    expect(found?.trusted).toBe(false);
  });

  it.each([
    ['no notebook has it', 'c', [{ visible: true, ids: ['a'] }]],
    ['its notebook is hidden', 'a', [{ visible: false, ids: ['a'] }]],
    ['it is not the only one', 'a', [{ visible: true, ids: ['a', 'a'] }]],
    ['the profile has no id', null, [{ visible: true, ids: ['a'] }]]
  ])('finds none when %s', (_, id, notebooks) => {
    expect(findCell(new Widget(), id, tracking(...notebooks))).toBeNull();
  });
});
