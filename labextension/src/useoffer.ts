import { useMemo, useSyncExternalStore } from 'react';

import { useApply } from './apply';
import type { ICell } from './cell';
import { useHost } from './context';
import { hashSource } from './edits';
import type { IOffer } from './offer';
import { makeOffer } from './offer';
import type { Fix } from './schema';

interface IFollowed {
  readonly offer: IOffer;
  readonly apply: () => Promise<void>;
  /** What there is to say about applying: that it is done, or why it cannot be. */
  readonly words: string | null;
}

/** Follow a cell, and say what a fix would do to it as it is. */
export function useOffer(cell: ICell, fix: Fix, title: string): IFollowed {
  const { trans } = useHost();
  const source = useSyncExternalStore(cell.subscribe, () => cell.source);
  const { readOnly } = cell;
  const offer = useMemo(
    () => makeOffer({ source, readOnly }, fix, trans),
    [source, readOnly, fix, trans]
  );
  const { apply, appliedHash, problem } = useApply(cell, fix, title);
  const applied = appliedHash !== null && appliedHash === hashSource(source);
  const done = trans.__('Applied. Ctrl+Z in the cell undoes it.');
  return { offer, apply, words: applied ? done : (offer.refusal ?? problem) };
}
