/** Above so many comparisons only common heads and tails are matched. */
const MOST = 4_000_000;

/**
 * Match the items of two lists, keeping their order: pairs of indices whose
 * items are equal, as many as possible.
 */
export function matchInOrder(
  before: readonly string[],
  after: readonly string[]
): [number, number][] {
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before[head] === after[head]) {
    head += 1;
  }
  let tail = 0;
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) {
    tail += 1;
  }
  const middle = longest(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail)
  );
  return [
    ...range(head).map((at): [number, number] => [at, at]),
    ...middle.map(([old, now]): [number, number] => [old + head, now + head]),
    ...range(tail).map((at): [number, number] => [
      before.length - tail + at,
      after.length - tail + at
    ])
  ];
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** Longest common subsequence, by the usual table. */
function longest(
  before: readonly string[],
  after: readonly string[]
): [number, number][] {
  const width = after.length + 1;
  if (before.length * after.length > MOST) {
    return [];
  }
  // Cell [i, j]: how many pairs the items from i and from j on make.
  const table = new Uint32Array((before.length + 1) * width);
  const at = (old: number, now: number) => table[old * width + now] ?? 0;
  for (let old = before.length - 1; old >= 0; old -= 1) {
    for (let now = after.length - 1; now >= 0; now -= 1) {
      table[old * width + now] =
        before[old] === after[now]
          ? at(old + 1, now + 1) + 1
          : Math.max(at(old + 1, now), at(old, now + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let old = 0, now = 0; old < before.length && now < after.length;) {
    if (before[old] === after[now]) {
      pairs.push([old, now]);
      old += 1;
      now += 1;
    } else if (at(old + 1, now) >= at(old, now + 1)) {
      old += 1;
    } else {
      now += 1;
    }
  }
  return pairs;
}
