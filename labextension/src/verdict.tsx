import type { ReactElement } from 'react';

import { useHost } from './context';
import type { Verdict } from './schema';

/** What bounds the cell, in one sentence. */
export function VerdictView({
  verdict
}: {
  readonly verdict: Verdict;
}): ReactElement {
  const { trans } = useHost();
  return (
    <p className="jp-MlprofCard-verdict">
      <strong>
        {verdict.text || trans.__('The profile holds no verdict.')}
      </strong>
    </p>
  );
}
