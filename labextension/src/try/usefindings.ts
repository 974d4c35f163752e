import {
  createContext,
  useContext,
  useMemo,
  useSyncExternalStore
} from 'react';

import type { CardFinding } from '../finding';
import type { CardProfile } from '../parse';
import { keyOf } from './request';
import { newer, Tries } from './tries';

/** Those of this page: every card and the panel tell of the same ones. */
export const TriesContext = createContext(new Tries());

/** The tries of fixes, in whichever card. */
export function useTries(): Tries {
  return useContext(TriesContext);
}

/** The findings of a profile, those that were tried since as the kernel has them now. */
export function useFindings({
  findings,
  id: profileId
}: Pick<CardProfile, 'findings' | 'id'>): readonly CardFinding[] {
  const tries = useTries();
  const { ended } = useSyncExternalStore(tries.subscribe, tries.get);
  return useMemo(
    () =>
      findings.map(finding => {
        const { number } = finding;
        return newer(finding, ended.get(keyOf({ profileId, number })));
      }),
    [ended, findings, profileId]
  );
}
