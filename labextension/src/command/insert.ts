import type { CodeEditor } from '@jupyterlab/codeeditor';

import { LiveCell } from '../cell';
import type { ICodeCell } from '../cell';
import { MAGIC_LINE } from './magicline';

/** A code cell whose editor, when it is drawn, has a cursor. */
export interface IEditedCell extends ICodeCell {
  readonly editor:
    | (NonNullable<ICodeCell['editor']> &
        Pick<CodeEditor.IEditor, 'getSelections' | 'setSelections'>)
    | null;
}

/** Put the magic at the head of a cell; the cursor stays on what it was on. */
export function insertMagic(cell: IEditedCell): void {
  const selections = cell.editor?.getSelections() ?? [];
  const edit = { start: 0, end: 0, text: MAGIC_LINE };
  new LiveCell(cell, true).edit([edit]);
  cell.editor?.setSelections(
    selections.map(selection => ({
      ...selection,
      start: below(selection.start),
      end: below(selection.end)
    }))
  );
}

function below({ line, column }: CodeEditor.IPosition): CodeEditor.IPosition {
  return { line: line + 1, column };
}
