import type { CodeCell } from '@jupyterlab/cells';
import type { CodeEditor } from '@jupyterlab/codeeditor';

import type { TextEdit } from './schema';

/** A cell whose source a fix may change. */
export interface ICell {
  readonly source: string;
  readonly trusted: boolean;
  readonly readOnly: boolean;
  /** Make all edits as one step of the editor's history; they must be sound. */
  edit(edits: readonly TextEdit[]): void;
  /** Put the cursor into the cell's editor. */
  focus(): void;
  /** Put the cursor at the start of a line, counted from 1, and show it. */
  reveal(line: number): void;
  /** Call back when the source changed; returns how to stop that. */
  readonly subscribe: (callback: () => void) => () => void;
}

/** The parts of JupyterLab's code cell that are used here. */
export interface ICodeCell {
  readonly model: Pick<CodeCell['model'], 'trusted'> & {
    readonly sharedModel: Pick<
      CodeCell['model']['sharedModel'],
      'changed' | 'getSource' | 'getMetadata' | 'transact' | 'updateSource'
    >;
  };
  readonly readOnly: boolean;
  readonly isDisposed: boolean;
  /** Null while the cell is scrolled far out of sight. */
  readonly editor: Pick<
    CodeEditor.IEditor,
    'focus' | 'revealPosition' | 'setCursorPosition'
  > | null;
}

/** A cell that is open in the application. */
export class LiveCell implements ICell {
  /**
   * @param cell JupyterLab's cell.
   * @param own Whether the output is the cell's own, so that the trust in the
   * cell extends to it.
   */
  constructor(
    private readonly cell: ICodeCell,
    private readonly own: boolean
  ) {}

  get source(): string {
    return this.cell.model.sharedModel.getSource();
  }

  get trusted(): boolean {
    return this.own && this.cell.model.trusted;
  }

  get readOnly(): boolean {
    const editable = this.cell.model.sharedModel.getMetadata('editable');
    return this.cell.isDisposed || this.cell.readOnly || editable === false;
  }

  edit(edits: readonly TextEdit[]): void {
    const { sharedModel } = this.cell.model;
    sharedModel.transact(() => {
      // Offsets count in the source before the change, so the last goes first.
      for (const { start, end, text } of [...edits].reverse()) {
        sharedModel.updateSource(start, end, text);
      }
    });
  }

  focus(): void {
    this.cell.editor?.focus();
  }

  reveal(line: number): void {
    const last = this.source.split('\n').length;
    const position = {
      line: Math.min(Math.max(line, 1), last) - 1,
      column: 0
    };
    const { editor } = this.cell;
    editor?.focus();
    editor?.setCursorPosition(position);
    editor?.revealPosition(position);
  }

  /** An arrow function, because React wants the same one at each drawing. */
  readonly subscribe = (callback: () => void): (() => void) => {
    const { changed } = this.cell.model.sharedModel;
    changed.connect(callback);
    return () => {
      changed.disconnect(callback);
    };
  };
}
