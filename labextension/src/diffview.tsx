import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';

import type { IDiffRow } from './diff';
import { revealHidden } from './diff';

interface IDiffProps {
  readonly rows: readonly IDiffRow[];
  // Not from the host: the dialog draws a diff outside of any card.
  readonly trans: TranslationBundle;
}

/** Removed and added lines, readable without colour. */
export function Diff({ rows, trans }: IDiffProps): ReactElement {
  return (
    <pre className="jp-MlprofDiff" aria-label={trans.__('Suggested change')}>
      {rows.map((row, index) => (
        <DiffRow key={index} row={row} />
      ))}
    </pre>
  );
}

function DiffRow({ row }: { readonly row: IDiffRow }): ReactElement {
  const Tag = row.sign === '-' ? 'del' : 'ins';
  return (
    <Tag className="jp-MlprofDiff-row">
      <span className="jp-MlprofDiff-line">{row.line}</span>
      <span className="jp-MlprofDiff-text">
        {`${row.sign} ${revealHidden(row.text)}`}
      </span>
    </Tag>
  );
}
