import type { ReactElement, ReactNode } from 'react';

import type { ICell } from './cell';
import { useHost } from './context';
import { Diff } from './diffview';
import type { CardFinding } from './finding';
import type { Fix } from './schema';
import { TryButton } from './try/button';
import { TryProgress } from './try/progress';
import { useTry } from './try/usetry';
import { useOffer } from './useoffer';

interface IFixProps {
  readonly cell: ICell;
  readonly fix: Fix;
  readonly profileId: string;
  readonly finding: CardFinding;
  /** What is said between the change and its buttons. */
  readonly children: ReactNode;
  readonly evidence: ReactNode;
}

/** The change that a finding offers, with the buttons that make and try it. */
export function FixView(props: IFixProps): ReactElement {
  const { cell, fix, profileId, finding, children, evidence } = props;
  const { trans } = useHost();
  const { title } = finding;
  const { apply, offer, words } = useOffer(cell, fix, title);
  const attempt = useTry({ cell, offer, profileId, finding });
  return (
    <div className="jp-MlprofFix">
      {offer.rows.length > 0 && <Diff rows={offer.rows} trans={trans} />}
      {children}
      <div className="jp-MlprofFix-actions">
        <button
          type="button"
          className="jp-MlprofButton"
          aria-label={trans.__('Apply: %1', title)}
          disabled={offer.refusal !== null}
          onClick={() => void apply()}
        >
          {trans.__('Apply')}
        </button>
        <TryButton attempt={attempt} title={title} />
        <span className="jp-MlprofFix-status" role="status">
          {attempt.running ? attempt.words : (words ?? attempt.words)}
        </span>
        <TryProgress attempt={attempt} title={title} />
        {evidence}
      </div>
    </div>
  );
}
