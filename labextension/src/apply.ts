import { useState } from 'react';

import type { ICell } from './cell';
import { useHost } from './context';
import { hashSource } from './edits';
import { applyFix } from './offer';
import type { Fix } from './schema';

interface IApply {
  readonly apply: () => Promise<void>;
  /** Hash of the source that applying made; null before. */
  readonly appliedHash: string | null;
  /** Sentence that says why the last attempt failed. */
  readonly problem: string | null;
}

/** Apply a fix under a title, and remember what came of it. */
export function useApply(cell: ICell, fix: Fix, title: string): IApply {
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
