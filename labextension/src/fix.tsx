import type { ReactElement, ReactNode } from 'react';
import { useMemo, useState, useSyncExternalStore } from 'react';

import type { ICell } from './cell';
import { useHost } from './context';
import { Diff } from './diffview';
import { hashSource } from './edits';
import { applyFix, makeOffer } from './offer';
import type { Fix } from './schema';

interface IFixProps {
  readonly cell: ICell;
  readonly fix: Fix;
  readonly title: string;
  /** What is said between the change and its button. */
  readonly children: ReactNode;
  readonly evidence: ReactNode;
}

/** The change that a finding offers, with the button that makes it. */
export function FixView(props: IFixProps): ReactElement {
  const { cell, fix, title, children, evidence } = props;
  const { trans } = useHost();
  const source = useSyncExternalStore(cell.subscribe, () => cell.source);
  const { readOnly } = cell;
  const offer = useMemo(
    () => makeOffer({ source, readOnly }, fix, trans),
    [source, readOnly, fix, trans]
  );
  const { apply, appliedHash, problem } = useApply(props);
  const applied = appliedHash !== null && appliedHash === hashSource(source);
  const done = trans.__('Applied. Ctrl+Z in the cell undoes it.');
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
        <span className="jp-MlprofFix-status" role="status">
          {applied ? done : (offer.refusal ?? problem)}
        </span>
        {evidence}
      </div>
    </div>
  );
}

interface IApply {
  readonly apply: () => Promise<void>;
  /** Hash of the source that applying made; null before. */
  readonly appliedHash: string | null;
  /** Sentence that says why the last attempt failed. */
  readonly problem: string | null;
}

function useApply({ cell, fix, title }: IFixProps): IApply {
  const host = useHost();
  const [appliedHash, setAppliedHash] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const apply = async (): Promise<void> => {
    setProblem(null);
    try {
      const outcome = await applyFix(host, fix, title);
      if (outcome === 'applied') {
        setAppliedHash(hashSource(cell.source));
      } else if (outcome !== 'cancelled') {
        setProblem(outcome.refusal);
      }
    } catch (reason) {
      console.error('Failed to apply a suggestion of jupyter_mlprof.', reason);
      setProblem(host.trans.__('The change could not be made.'));
    }
  };
  return { apply, appliedHash, problem };
}
