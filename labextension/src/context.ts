import type { TranslationBundle } from '@jupyterlab/translation';
import { createContext, useContext } from 'react';

import type { ICell } from './cell';
import type { IDiffRow } from './diff';

/** What a card is given by the application around it. */
export interface ICardHost {
  readonly trans: TranslationBundle;
  /** The cell that the profile is about; null where there is none. */
  readonly cell: ICell | null;
  /** Ask whether a change from an untrusted output may be made. */
  readonly confirm: (
    title: string,
    rows: readonly IDiffRow[]
  ) => Promise<boolean>;
}

/** Gives the host to every part of a card. */
export const HostContext = createContext<ICardHost | null>(null);

/** The host of the card that a component is part of. */
export function useHost(): ICardHost {
  const host = useContext(HostContext);
  if (host === null) {
    throw new Error('A part of the card was drawn outside of a card.');
  }
  return host;
}
