import { CodeCell } from '@jupyterlab/cells';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { Widget } from '@lumino/widgets';

import type { ICell } from './cell';
import { LiveCell } from './cell';
import type { Session } from './try/kernel';

/**
 * Find the cell that an output belongs to.
 *
 * An output shown on its own has no cell around it; then the visible notebooks
 * are searched for the cell id that the profile holds. That id comes from the
 * payload, so such a cell is never taken as trusted.
 */
export function findCell(
  output: Widget,
  cellId: string | null,
  tracker: INotebookTracker
): ICell | null {
  for (let widget = output.parent; widget !== null; widget = widget.parent) {
    if (widget instanceof CodeCell) {
      return new LiveCell(widget, true, sessionOf(widget, tracker));
    }
  }
  return cellId === null ? null : findById(cellId, tracker);
}

function findById(cellId: string, tracker: INotebookTracker): ICell | null {
  const found: LiveCell[] = [];
  tracker.forEach(panel => {
    for (const cell of panel.isVisible ? panel.content.widgets : []) {
      if (cell instanceof CodeCell && cell.model.id === cellId) {
        found.push(new LiveCell(cell, false, panel.sessionContext));
      }
    }
  });
  const [only, ...others] = found;
  return only && others.length === 0 ? only : null;
}

/** The session of the notebook that a cell is in; a console has cells, too. */
function sessionOf(cell: CodeCell, tracker: INotebookTracker): Session | null {
  let session: Session | null = null;
  tracker.forEach(panel => {
    if (panel.content.widgets.includes(cell)) {
      session = panel.sessionContext;
    }
  });
  return session;
}
