import { createContext, useContext, useSyncExternalStore } from 'react';

import type { SectionStore } from './sectionstore';

/** What the parts of the panel are given besides the host of cards. */
export interface IPanelHost {
  /** Put the cursor at a line of the cell; null where the cell is not open. */
  readonly reveal: ((line: number) => void) | null;
  readonly sections: SectionStore;
  /** The run that is shown. */
  readonly subject: string;
}

/** Gives the host to every part of the panel. */
export const PanelContext = createContext<IPanelHost | null>(null);

/** The host of the panel that a component is part of. */
export function usePanel(): IPanelHost {
  const host = useContext(PanelContext);
  if (host === null) {
    throw new Error('A part of the panel was drawn outside of it.');
  }
  return host;
}

/** Whether a part of the panel is open, which is remembered. */
export function useOpen(name: string): boolean {
  const { sections } = usePanel();
  return useSyncExternalStore(sections.subscribe, () => sections.isOpen(name));
}
