import { CallTree } from './calltree';
import type { CellProfile, FunctionTime, LineTime } from './schema';
import type { ISpan } from './span';

/** The parts of a profile that know when they ran. */
export type Timed = Pick<
  CellProfile,
  'lines' | 'functions' | 'flame' | 'spans' | 'duration_s'
>;

/** What of these parts lies inside a span. */
export type Within = Pick<CellProfile, 'lines' | 'functions' | 'flame'>;

/** Time seen at one node of the call tree with one set of lines. */
interface ISample {
  readonly node: number;
  readonly lines: readonly number[];
  readonly seconds: number;
}

/** Whether a profile tells when its stacks ran, so that a span can filter it. */
export function hasTimes({ spans }: Pick<CellProfile, 'spans'>): boolean {
  return spans.step_s > 0 && spans.samples.length > 0;
}

/**
 * The part of a profile inside a span; null and a span over the whole cell
 * leave it as it is.
 *
 * A function that was too cheap to be kept in the call tree counts here as time
 * of the one that called it. Calls were counted for the whole cell only, so in
 * a part of it they are unknown.
 */
export function within(profile: Timed, span: ISpan | null): Within {
  const { lines, functions, flame } = profile;
  if (span === null || isWhole(span, profile.duration_s)) {
    return { lines, functions, flame };
  }
  const tree = new CallTree(flame);
  const samples = samplesWithin(profile, span);
  for (const { node, seconds } of samples) {
    tree.add(node, seconds);
  }
  return {
    lines: sumLines(samples, lines),
    functions: functionTimes(tree),
    flame: tree.used()
  };
}

function isWhole({ from, to }: ISpan, duration: number): boolean {
  return !(from > 0 || to < duration);
}

/** The samples that lie in a span, one partly inside in proportion. */
function samplesWithin(
  { spans, duration_s: duration }: Timed,
  { from, to }: ISpan
): ISample[] {
  const { step_s: step, line_sets: sets, samples } = spans;
  const found: ISample[] = [];
  for (const [index, node, set, wall] of step > 0 ? samples : []) {
    const start = index * step;
    // What was seen in the step in which the cell ended came before that.
    const last = start < duration && duration < start + step;
    const end = last ? duration : start + step;
    const inside = Math.min(to, end) - Math.max(from, start);
    const seconds = wall * Math.min(1, inside / (end - start));
    if (inside > 0 && seconds > 0) {
      found.push({ node, lines: sets[set] ?? [], seconds });
    }
  }
  return found;
}

/** Sum the time of each line; `whole` tells how many samples a second stand for. */
function sumLines(
  samples: readonly ISample[],
  whole: readonly LineTime[]
): LineTime[] {
  const sums = new Map<number, number>();
  for (const { lines, seconds } of samples) {
    for (const line of new Set(lines)) {
      sums.set(line, (sums.get(line) ?? 0) + seconds);
    }
  }
  const known = new Map(whole.map(line => [line.line, line]));
  return [...sums]
    .sort(([left], [right]) => left - right)
    .map(([line, wall_s]) => ({
      line,
      wall_s,
      samples: scaled(known.get(line), wall_s)
    }));
}

function scaled(whole: LineTime | undefined, seconds: number): number {
  const part = whole ? (whole.samples * seconds) / whole.wall_s : NaN;
  return Number.isFinite(part) ? Math.max(1, Math.round(part)) : 1;
}

function functionTimes(tree: CallTree): FunctionTime[] {
  return tree
    .frames()
    .sort(
      (left, right) =>
        right.self_s - left.self_s || right.total_s - left.total_s
    )
    .map(({ frame, self_s, total_s }) => ({
      ...frame,
      self_s,
      total_s,
      calls: null,
      callers: null
    }));
}
