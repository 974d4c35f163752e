import { matchInOrder } from './lcs';

/**
 * Which line of a cell became which: line numbers of the source before, by
 * those of the source after.
 *
 * Lines are matched by their text, indentation aside: first in order, then
 * those that moved, then those that were edited in place.
 */
export function sameLines(before: string, after: string): Map<number, number> {
  const old = trimmed(before);
  const now = trimmed(after);
  const pairs = new Pairs();
  const inOrder = matchInOrder(old, now);
  for (const [left, right] of inOrder) {
    pairs.add(left, right);
  }
  matchMoved(old, now, pairs);
  matchEdited(old, now, [...inOrder, [old.length, now.length]], pairs);
  return new Map([...pairs.old].map(([right, left]) => [right + 1, left + 1]));
}

function trimmed(source: string): string[] {
  return source.split('\n').map(line => line.trim());
}

/** Indices that belong together, known from both sides. */
class Pairs {
  readonly old = new Map<number, number>();
  readonly now = new Map<number, number>();

  add(left: number, right: number): void {
    this.old.set(right, left);
    this.now.set(left, right);
  }
}

function matchMoved(
  old: readonly string[],
  now: readonly string[],
  pairs: Pairs
): void {
  const free = new Map<string, number[]>();
  old.forEach((text, left) => {
    if (text !== '' && !pairs.now.has(left)) {
      const places = free.get(text) ?? [];
      places.push(left);
      free.set(text, places);
    }
  });
  now.forEach((text, right) => {
    const left = pairs.old.has(right) ? undefined : free.get(text)?.shift();
    if (left !== undefined) {
      pairs.add(left, right);
    }
  });
}

/** Match what stands between lines in order, where as many came as went. */
function matchEdited(
  old: readonly string[],
  now: readonly string[],
  inOrder: readonly (readonly [number, number])[],
  pairs: Pairs
): void {
  let [lastLeft, lastRight] = [-1, -1];
  for (const [left, right] of inOrder) {
    const went = between(
      lastLeft,
      left,
      index => old[index] !== '' && !pairs.now.has(index)
    );
    const came = between(
      lastRight,
      right,
      index => now[index] !== '' && !pairs.old.has(index)
    );
    went.forEach((index, place) => {
      const other = came[place];
      if (other !== undefined && went.length === came.length) {
        pairs.add(index, other);
      }
    });
    [lastLeft, lastRight] = [left, right];
  }
}

function between(
  from: number,
  to: number,
  keep: (index: number) => boolean
): number[] {
  const indices: number[] = [];
  for (let index = from + 1; index < to; index += 1) {
    if (keep(index)) {
      indices.push(index);
    }
  }
  return indices;
}
