import { isKnown } from './numbers';
import type { CellProfile, FunctionTime } from './schema';
import { sameLines } from './samelines';

export type { IFigure } from './comparefigures';
export { compareFigures } from './comparefigures';

/** The parts of a profile that are compared with those of another. */
export type Comparable = Pick<
  CellProfile,
  'duration_s' | 'cpu_s' | 'memory' | 'steps' | 'split' | 'lines' | 'functions'
> & { readonly cell: Pick<CellProfile['cell'], 'source'> };

/** Something whose time changed, in seconds; null where it was not there. */
export interface IChange {
  readonly label: string;
  /** File of a function; the empty text for a line. */
  readonly file: string;
  /** Its line after; null when it went. */
  readonly line: number | null;
  /** Its line before; null when it is new. */
  readonly lineBefore: number | null;
  readonly before: number | null;
  readonly after: number | null;
}

/** A change counts from this share of the longer run on, ... */
const LEAST_SHARE = 0.01;
/** ... from so many seconds on, ... */
const LEAST_S = 0.01;
/** ... and from this share of the dearer side on: timings scatter. */
const LEAST_CHANGE = 0.1;

/** The lines whose time changed notably, the greatest change first. */
export function compareLines(before: Comparable, after: Comparable): IChange[] {
  const sources = [before.cell.source, after.cell.source] as const;
  const [old, now] = sources.map(source => source.split('\n'));
  const same = sources.includes('') ? null : sameLines(...sources);
  const left = new Map(before.lines.map(line => [line.line, line.wall_s]));
  const rows: IChange[] = after.lines.map(({ line, wall_s }) => {
    // Without a source there is only the number to go by.
    const earlier = (same ? same.get(line) : line) ?? null;
    const before = left.get(earlier ?? NaN) ?? null;
    left.delete(earlier ?? NaN);
    const label = now?.[line - 1]?.trim() ?? '';
    return {
      label,
      file: '',
      line,
      lineBefore: earlier,
      before,
      after: wall_s
    };
  });
  const inverse = new Map([...(same ?? [])].map(([line, was]) => [was, line]));
  for (const [line, seconds] of left) {
    const later = (same ? inverse.get(line) : line) ?? null;
    const label = old?.[line - 1]?.trim() ?? '';
    rows.push({
      label,
      file: '',
      line: later,
      lineBefore: line,
      before: seconds,
      after: null
    });
  }
  return notable(rows, before, after);
}

/**
 * The functions whose own time changed notably, the greatest change first.
 * They are matched by name and file, for their lines move.
 */
export function compareFunctions(
  before: Comparable,
  after: Comparable
): IChange[] {
  const old = byName(before.functions);
  const now = byName(after.functions);
  const rows = [...new Set([...now.keys(), ...old.keys()])].map(key => {
    const [was, is] = [old.get(key), now.get(key)];
    return {
      label: (is ?? was)?.name ?? '',
      file: (is ?? was)?.file ?? '',
      line: is?.line ?? null,
      lineBefore: was?.line ?? null,
      before: was?.self_s ?? null,
      after: is?.self_s ?? null
    };
  });
  return notable(rows, before, after);
}

/** Functions by name and file; where several have both in common, their sum. */
function byName(
  functions: readonly FunctionTime[]
): Map<string, Pick<FunctionTime, 'name' | 'file' | 'line' | 'self_s'>> {
  const found = new Map<string, FunctionTime>();
  for (const item of functions.filter(one => isKnown(one.self_s))) {
    const key = JSON.stringify([item.name, item.file]);
    const known = found.get(key);
    const self_s = (known?.self_s ?? 0) + item.self_s;
    found.set(key, { ...(known ?? item), self_s });
  }
  return found;
}

function notable(
  rows: readonly IChange[],
  before: Comparable,
  after: Comparable
): IChange[] {
  const longer = Math.max(before.duration_s || 0, after.duration_s || 0);
  const least = Math.max(LEAST_S, LEAST_SHARE * longer);
  return rows
    .filter(row => {
      const dearer = Math.max(row.before ?? 0, row.after ?? 0);
      return size(row) >= least && size(row) >= LEAST_CHANGE * dearer;
    })
    .sort((left, right) => size(right) - size(left));
}

function size({ before, after }: IChange): number {
  return Math.abs((after ?? 0) - (before ?? 0));
}
