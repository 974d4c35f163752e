import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import { Signal } from '@lumino/signaling';

/** Changes that come within this time are told together. */
const DELAY_MS = 80;

/**
 * Follows the notebook that is in use: which it is, its cells and their
 * outputs, the active cell, its place and its kernel. Nothing is followed
 * until it is started.
 */
export class NotebookWatch implements IDisposable {
  constructor(private readonly tracker: INotebookTracker) {}

  /** Something changed; told a little later, and once for many changes. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get notebook(): NotebookPanel | null {
    return this._notebook;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  start(): void {
    if (this.started || this._isDisposed) {
      return;
    }
    this.started = true;
    this.tracker.currentChanged.connect(this.follow);
    // A notebook may be open already: in Notebook 7 it always is.
    this.follow();
  }

  stop(): void {
    this.started = false;
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.tracker.currentChanged.disconnect(this.follow);
    this.leave();
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this.stop();
    this._isDisposed = true;
    Signal.clearData(this);
  }

  private readonly follow = (): void => {
    const { currentWidget } = this.tracker;
    // While the last one closes it is still the current one.
    const next = currentWidget?.isDisposed ? null : currentWidget;
    if (next !== this._notebook) {
      this.leave();
      this._notebook = next;
      this.signals(next).forEach(signal => signal.connect(this.tell));
    }
    this.tell();
  };

  private leave(): void {
    this.signals(this._notebook).forEach(signal =>
      signal.disconnect(this.tell)
    );
    this._notebook = null;
  }

  private signals(notebook: NotebookPanel | null): ISignal<unknown, unknown>[] {
    if (notebook === null) {
      return [];
    }
    const { content, context, sessionContext } = notebook;
    return [
      content.modelChanged,
      content.modelContentChanged,
      content.activeCellChanged,
      context.pathChanged,
      sessionContext.kernelChanged,
      sessionContext.statusChanged,
      notebook.disposed
    ];
  }

  private readonly tell = (): void => {
    if (this._notebook?.isDisposed) {
      this._notebook = null;
    }
    // Not put off by what follows: a cell may print for hours.
    this.timer ||= window.setTimeout(() => {
      this.timer = 0;
      this._changed.emit();
    }, DELAY_MS);
  };

  private readonly _changed = new Signal<this, void>(this);
  private _notebook: NotebookPanel | null = null;
  private _isDisposed = false;
  private started = false;
  private timer = 0;
}
