import type { JupyterFrontEnd } from '@jupyterlab/application';
import { CodeCell } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';

/** A code cell and the notebook that it is in. */
export interface IPlace {
  readonly panel: NotebookPanel;
  readonly cell: CodeCell;
}

/** The active cell of the notebook in front, if it is one with code. */
export function activeCell({ currentWidget }: INotebookTracker): IPlace | null {
  const cell = currentWidget?.content.activeCell;
  return currentWidget && cell instanceof CodeCell
    ? { panel: currentWidget, cell }
    : null;
}

/** The cell whose menu is open: a right click in an editor activates none. */
export function clickedCell(
  app: JupyterFrontEnd,
  tracker: INotebookTracker
): IPlace | null {
  const node = app.contextMenuHitTest(({ classList }) =>
    classList.contains('jp-CodeCell')
  );
  const cellIn = ({ content }: NotebookPanel) =>
    content.widgets.find(widget => widget.node === node);
  const panel = tracker.find(one => cellIn(one) !== undefined);
  const cell = panel && cellIn(panel);
  return panel && cell instanceof CodeCell ? { panel, cell } : null;
}
