import { YCodeCell } from '@jupyter/ydoc';
import { nullTranslator } from '@jupyterlab/translation';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import type { Mock } from 'vitest';
import { vi } from 'vitest';

import { Card } from '../src/card';
import type { ICell, ICodeCell } from '../src/cell';
import { LiveCell } from '../src/cell';
import { parseProfile } from '../src/parse';
import type { Session } from '../src/try/kernel';
import { Tries } from '../src/try/tries';
import { TriesContext } from '../src/try/usefindings';
import profile from './profile.json';

/** Words as they stand in the sources. */
export const trans = nullTranslator.load('jupyter_mlprof');

/** A fresh copy of the stored profile, for a test to change. */
export function makeProfile(): typeof profile {
  return structuredClone(profile);
}

interface IStagedCell {
  readonly cell: LiveCell;
  readonly shared: YCodeCell;
  readonly widget: ICodeCell & {
    readOnly: boolean;
    readonly model: { trusted: boolean };
  };
  readonly focus: Mock;
}

/** A cell on a real shared model, as JupyterLab's code cell has it. */
export function makeCell(
  source = profile.cell.source,
  session: Session | null = null
): IStagedCell {
  const shared = YCodeCell.create();
  shared.setSource(source);
  shared.clearUndoHistory();
  if (shared.undoManager) {
    // Else steps within half a second would count as one anyway.
    shared.undoManager.captureTimeout = 0;
  }
  const focus = vi.fn();
  const widget = {
    model: { sharedModel: shared, trusted: true, outputs: noOutputs() },
    readOnly: false,
    isDisposed: false,
    editor: { focus, revealPosition: vi.fn(), setCursorPosition: vi.fn() }
  };
  return { shared, focus, widget, cell: new LiveCell(widget, true, session) };
}

function noOutputs(): ICodeCell['model']['outputs'] {
  return { length: 0, get: vi.fn(), set: vi.fn() };
}

/** Draw the card of what an output holds; `confirm` answers for the user. */
export function draw(
  payload: unknown,
  cell: ICell | null = null,
  confirm = vi.fn(() => Promise.resolve(true)),
  tries = new Tries()
): HTMLElement {
  const node = document.createElement('div');
  const parsed = parseProfile(payload, trans);
  act(() => {
    createRoot(node).render(
      <TriesContext.Provider value={tries}>
        <Card parsed={parsed} host={{ trans, cell, confirm }} />
      </TriesContext.Provider>
    );
  });
  return node;
}

/** Click the first button of a card and let everything that follows happen. */
export async function clickApply(card: HTMLElement): Promise<void> {
  await act(async () => {
    card.querySelector('button')?.click();
    await Promise.resolve();
  });
}

/** What the first finding of a card says about its fix. */
export function status(card: HTMLElement): string | null | undefined {
  return card.querySelector('[role=status]')?.textContent;
}
