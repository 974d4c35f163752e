import type { IEntry } from './entry';
import { isOf } from './entry';

/** Which run is shown, and why this one. */
export interface ISelection {
  readonly id: string | null;
  /** It is the newest of the active cell, of the notebook, just began, or was chosen. */
  readonly why: 'cell' | 'newest' | 'new' | 'chosen';
}

/** The selection before anything is known. */
export const NOTHING: ISelection = { id: null, why: 'newest' };

interface IView {
  /** Newest first. */
  readonly entries: readonly IEntry[];
  readonly activeCellId: string | null;
  /** Whether another cell became the active one. */
  readonly moved: boolean;
  /** A run that has just begun or ended; null when there is none. */
  readonly fresh: string | null;
}

/** What to show next: a new run, else what the user chose, else what the active cell has. */
export function select(before: ISelection, view: IView): ISelection {
  const { entries, fresh, moved } = view;
  if (fresh !== null) {
    return { id: fresh, why: 'new' };
  }
  const stays = entries.some(entry => entry.id === before.id);
  if (stays && (before.why === 'chosen' || (before.why === 'new' && !moved))) {
    return before;
  }
  return follow(view);
}

/** The newest run of the active cell; where it has none, that of the notebook. */
export function follow({
  entries,
  activeCellId
}: Pick<IView, 'entries' | 'activeCellId'>): ISelection {
  const own = entries.find(entry => isOf(entry, activeCellId));
  return own
    ? { id: own.id, why: 'cell' }
    : { id: entries[0]?.id ?? null, why: 'newest' };
}
