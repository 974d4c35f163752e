import type { NotebookPanel } from '@jupyterlab/notebook';

import type { ICell, ICodeCell } from '../cell';
import { LiveCell } from '../cell';
import { sameLines } from '../samelines';
import type { IEntry } from './entry';

/** Finds the cells that runs are of, in the notebook that is open. */
export class CellFinder {
  /** The cell of a run; null when it is not in the notebook any more. */
  find(notebook: NotebookPanel, { cellIds, own }: IEntry): ICell | null {
    const widget = widgetOf(notebook, cellIds);
    if (widget === null) {
      return null;
    }
    // Made once for each cell, since those who draw it listen to it.
    const cache = own ? this.owners : this.others;
    let cell = cache.get(widget);
    if (cell === undefined) {
      // An id comes from the run, so by it no cell is taken as trusted.
      cell = new LiveCell(widget, own, notebook.sessionContext);
      cache.set(widget, cell);
    }
    return cell;
  }

  private readonly owners = new WeakMap<ICodeCell, ICell>();
  private readonly others = new WeakMap<ICodeCell, ICell>();
}

/** Put the cursor at a line of the cell of a run, wherever the notebook is scrolled. */
export async function revealLine(
  notebook: NotebookPanel,
  { cellIds }: IEntry,
  line: number
): Promise<void> {
  const { content } = notebook;
  const index = indexOf(notebook, cellIds);
  const widget = content.widgets[index];
  if (widget === undefined) {
    return;
  }
  content.activeCellIndex = index;
  await content.scrollToItem(index, 'smart');
  await widget.ready;
  content.mode = 'edit';
  new LiveCell(widget as unknown as ICodeCell, false).reveal(line);
}

/** Where a line of the source that ran is now; about there if it is gone. */
export function lineNow(ran: string, now: string, line: number): number {
  if (ran === now || ran === '') {
    return line;
  }
  const same = sameLines(now, ran);
  for (let above = line; above > 0; above -= 1) {
    const found = same.get(above);
    if (found !== undefined) {
      return found + (line - above);
    }
  }
  return line;
}

function widgetOf(
  notebook: NotebookPanel,
  cellIds: readonly string[]
): ICodeCell | null {
  const widget = notebook.content.widgets[indexOf(notebook, cellIds)];
  // By its type and not by its class: another build may have made it.
  return widget?.model.type === 'code'
    ? (widget as unknown as ICodeCell)
    : null;
}

function indexOf(notebook: NotebookPanel, cellIds: readonly string[]): number {
  const { widgets } = notebook.content;
  const places = cellIds.map(cellId =>
    widgets.findIndex(cell => cell.model.id === cellId)
  );
  return places.find(place => place >= 0) ?? -1;
}
