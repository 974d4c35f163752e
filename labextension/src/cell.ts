import type { CodeCell } from '@jupyterlab/cells';
import type { CodeEditor } from '@jupyterlab/codeeditor';

import { fields } from './guards';
import { MIME_TYPE } from './mime';
import type { TextEdit } from './schema';
import type { ICellKernel, Session } from './try/kernel';
import { CellKernel } from './try/kernel';
import type { Bundle } from './try/outcome';

type IOutput = Parameters<CodeCell['model']['outputs']['set']>[1];

/** A cell whose source a fix may change. */
export interface ICell {
  readonly source: string;
  readonly trusted: boolean;
  readonly readOnly: boolean;
  readonly kernel: ICellKernel;
  /** Put what the kernel sent for a profile into the output that holds it. */
  renew(profileId: string, bundle: Bundle): void;
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
    readonly outputs: Pick<
      CodeCell['model']['outputs'],
      'get' | 'length' | 'set'
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
   * @param session Of the notebook around it; null where none is known.
   */
  constructor(
    private readonly cell: ICodeCell,
    private readonly own: boolean,
    session: Session | null = null
  ) {
    this.kernel = new CellKernel(session);
  }

  readonly kernel: ICellKernel;

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

  /**
   * JupyterLab does the same for a profile that was shown since the page was
   * loaded; then there is nothing left to do.
   */
  renew(profileId: string, bundle: Bundle): void {
    if (this.cell.isDisposed) {
      return;
    }
    const { outputs } = this.cell.model;
    for (let index = 0; index < outputs.length; index += 1) {
      const output = outputs.get(index).toJSON();
      const held = fields(output.data)[MIME_TYPE];
      const isOld = JSON.stringify(held) !== JSON.stringify(bundle[MIME_TYPE]);
      if (fields(held).id === profileId && isOld) {
        outputs.set(index, { ...output, data: bundle } as IOutput);
      }
    }
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
