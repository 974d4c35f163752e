import type { IEntry } from './entry';
import type { ISelection } from './selection';
import { follow, NOTHING, select } from './selection';

interface ISeen {
  /** Newest first. */
  readonly entries: readonly IEntry[];
  readonly activeCellId: string | null;
  /** The run that the live connection tells of; null when it tells of none. */
  readonly liveId: string | null;
}

/** Remembers what was seen of a notebook, and so knows what is new. */
export class Chooser {
  get selection(): ISelection {
    return this._selection;
  }

  /** Take what is seen now and say what to show. */
  look({ entries, activeCellId, liveId }: ISeen): ISelection {
    this._selection = select(this._selection, {
      entries,
      activeCellId,
      moved: activeCellId !== this.activeCellId,
      fresh: this.fresh(entries, liveId)
    });
    this.entries = entries;
    this.activeCellId = activeCellId;
    this.known ??= new Set();
    for (const entry of entries) {
      if (isTold(entry, liveId)) {
        this.known.add(entry.id);
      }
    }
    return this._selection;
  }

  /** Show a run that the user names; null: what the active cell has. */
  choose(id: string | null): void {
    this._selection = id === null ? follow(this) : { id, why: 'chosen' };
  }

  /** Forget the notebook. */
  clear(): void {
    this._selection = NOTHING;
    this.known = null;
    this.entries = [];
  }

  private fresh(
    [newest]: readonly IEntry[],
    liveId: string | null
  ): string | null {
    if (!newest || this.known?.has(newest.id) === true) {
      return null;
    }
    // What is there when a notebook is opened is not new, unless it runs.
    return isTold(newest, liveId) &&
      (this.known !== null || newest.state === 'running')
      ? newest.id
      : null;
  }

  entries: readonly IEntry[] = [];
  activeCellId: string | null = null;
  private known: Set<string> | null = null;
  private _selection = NOTHING;
}

/**
 * Whether a run is told by the notebook or its kernel. One that only the list
 * of the server has is an old one, or its kernel is about to tell it.
 */
function isTold(entry: IEntry, liveId: string | null): boolean {
  return entry.own || entry.id === liveId;
}
