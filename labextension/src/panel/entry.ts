import type { Parsed } from '../parse';
import type { IRunSummary } from '../server/runs';

/** One run of a cell of the notebook, as the list shows it. */
export interface IEntry {
  readonly id: string;
  /** The cells that hold it in their outputs, its own first, or else the cell that ran. */
  readonly cellIds: readonly string[];
  /** Whether the first of these cells holds it in its output. */
  readonly own: boolean;
  readonly executionCount: number | null;
  readonly name: string | null;
  readonly title: string;
  /** Seconds since 1970; NaN when not known. */
  readonly startedAt: number;
  /** Seconds; null when not known. */
  readonly duration: number | null;
  readonly state: 'running' | 'ended' | 'killed';
  /** What the output holds; null for a run that only the server knows. */
  readonly parsed: Parsed | null;
}

/** A run that is not, or not yet, in an output of the notebook. */
export function runEntry(
  id: string,
  state: IEntry['state'],
  run: Pick<
    IRunSummary,
    'cellId' | 'executionCount' | 'name' | 'title' | 'startedAt' | 'durationS'
  >
): IEntry {
  return {
    id,
    cellIds: run.cellId === null ? [] : [run.cellId],
    own: false,
    executionCount: run.executionCount,
    name: run.name,
    title: run.title,
    startedAt: run.startedAt,
    duration: run.durationS,
    state,
    parsed: null
  };
}

/** Merge runs by their ids, the first one given counts, newest first. */
export function merge(...lists: readonly (readonly IEntry[])[]): IEntry[] {
  const known = new Map<string, IEntry>();
  for (const entry of lists.flat()) {
    if (!known.has(entry.id)) {
      known.set(entry.id, entry);
    }
  }
  return [...known.values()].sort((left, right) => age(right) - age(left) || 0);
}

/** Whether a run is one of this cell. */
export function isOf(entry: IEntry, cellId: string | null): boolean {
  return cellId !== null && entry.cellIds.includes(cellId);
}

/** The runs of the same cell that began before this one, newest first. */
export function earlier(
  entry: IEntry,
  entries: readonly IEntry[]
): readonly IEntry[] {
  const place = entries.indexOf(entry);
  return entries.filter(
    (other, index) =>
      index > place &&
      other.state !== 'running' &&
      other.cellIds.some(cellId => isOf(entry, cellId))
  );
}

function age({ startedAt }: IEntry): number {
  return Number.isFinite(startedAt) ? startedAt : -Number.MAX_VALUE;
}
