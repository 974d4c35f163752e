import { describe, expect, it } from 'vitest';

import type { Timed } from '../src/within';
import { hasTimes, within } from '../src/within';

/** main calls fit, which calls itself once; then main calls save. 3.5 seconds. */
function makeTimed(): Timed {
  const frame = (name: string, line: number) => ({ name, file: 'a.py', line });
  return {
    duration_s: 3.5,
    lines: [
      { line: 2, wall_s: 2, samples: 100 },
      { line: 3, wall_s: 1.5, samples: 75 },
      { line: 7, wall_s: 3.5, samples: 175 }
    ],
    functions: [
      {
        name: 'fit',
        file: 'a.py',
        line: 5,
        self_s: 2,
        total_s: 2,
        calls: 9,
        callers: null
      }
    ],
    flame: {
      frames: [frame('main', 1), frame('fit', 5), frame('save', 9)],
      nodes: [
        [-1, 0, 3.5],
        [0, 1, 2],
        [1, 1, 1],
        [0, 2, 1.5]
      ]
    },
    spans: {
      step_s: 1,
      line_sets: [
        [2, 7],
        [3, 7]
      ],
      samples: [
        [0, 1, 0, 1],
        [1, 2, 0, 1],
        [2, 3, 1, 1],
        [3, 3, 1, 0.5]
      ]
    }
  };
}

function names({ functions }: ReturnType<typeof within>) {
  return functions.map(
    one => [one.name, one.self_s, one.total_s, one.calls] as const
  );
}

describe('within', () => {
  it('is the profile itself without a span, or with one over all of it', () => {
    const profile = makeTimed();
    for (const span of [null, { from: 0, to: 4 }, { from: NaN, to: NaN }]) {
      const part = within(profile, span);
      expect(part.lines).toBe(profile.lines);
      expect(part.functions).toBe(profile.functions);
      expect(part.flame).toBe(profile.flame);
    }
  });

  it('sums the lines of the samples inside', () => {
    expect(within(makeTimed(), { from: 1, to: 3 }).lines).toEqual([
      { line: 2, wall_s: 1, samples: 50 },
      { line: 3, wall_s: 1, samples: 50 },
      { line: 7, wall_s: 2, samples: 100 }
    ]);
  });

  it('counts a sample partly inside in proportion', () => {
    const { lines } = within(makeTimed(), { from: 0.75, to: 1.5 });
    expect(lines).toEqual([
      { line: 2, wall_s: 0.75, samples: 38 },
      { line: 7, wall_s: 0.75, samples: 38 }
    ]);
  });

  it('spreads the last sample over what the cell filled of its step', () => {
    const { lines } = within(makeTimed(), { from: 3.25, to: 9 });
    expect(lines.map(line => line.wall_s)).toEqual([0.25, 0.25]);
  });

  it('keeps the nodes and frames that ran, with valid parents', () => {
    expect(within(makeTimed(), { from: 2, to: 3 }).flame).toEqual({
      frames: [
        { name: 'main', file: 'a.py', line: 1 },
        { name: 'save', file: 'a.py', line: 9 }
      ],
      nodes: [
        [-1, 0, 1],
        [0, 1, 1]
      ]
    });
  });

  it('gives each node the time below it', () => {
    const { flame } = within(makeTimed(), { from: 0, to: 2.5 });
    expect(flame.nodes).toEqual([
      [-1, 0, 2.5],
      [0, 1, 2],
      [1, 1, 1],
      [0, 2, 0.5]
    ]);
  });

  it('counts recursion once, and knows no calls of a part', () => {
    expect(names(within(makeTimed(), { from: 0, to: 2.5 }))).toEqual([
      ['fit', 2, 2, null],
      ['save', 0.5, 0.5, null],
      ['main', 0, 2.5, null]
    ]);
  });

  it('counts a function once that stands at several places', () => {
    const profile = makeTimed();
    // save calls main, which is on the stack, and fit, which is not.
    profile.flame.nodes.push([3, 0, 1], [3, 1, 1]);
    profile.spans.samples = [
      [0, 4, 0, 1],
      [1, 5, 0, 1],
      [2, 1, 0, 1]
    ];
    expect(names(within(profile, { from: 0, to: 3.25 }))).toEqual([
      ['fit', 2, 2, null],
      ['main', 1, 3, null],
      ['save', 0, 2, null]
    ]);
  });

  it('holds nothing where nothing ran, or nothing tells when', () => {
    const profile = makeTimed();
    const empty = {
      lines: [],
      functions: [],
      flame: { frames: [], nodes: [] }
    };
    expect(within(profile, { from: 8, to: 9 })).toEqual(empty);
    expect(within(profile, { from: 2, to: 1 })).toEqual(empty);
    profile.spans.step_s = NaN;
    expect(hasTimes(profile)).toBe(false);
    expect(within(profile, { from: 1, to: 2 })).toEqual(empty);
  });

  it('ignores indices that are out of range', () => {
    const profile = makeTimed();
    profile.spans.samples.push(
      [1, 99, 99, 1],
      [1, -7, -7, 1],
      [1, 0.5, 0.5, 1],
      [-5, 1, 0, 1],
      [1e300, 1, 0, 1],
      [1, 1, 0, NaN],
      [1, 1, 0, -3]
    );
    expect(within(profile, { from: 1, to: 2 })).toEqual(
      within(makeTimed(), { from: 1, to: 2 })
    );
  });

  it('passes over damaged nodes, so that no path has a circle', () => {
    const profile = makeTimed();
    profile.flame.nodes = [
      [2, 0, 1], // its parent comes after it: a root
      [0, 77, 1], // no such frame: its time goes to node 0
      [1, 1, 1], // its parent is damaged: hangs on node 0
      [3, 2, 1], // its own parent: a root
      [-9, 2, 1]
    ];
    profile.spans.samples = [
      [1, 1, 0, 0.25],
      [1, 2, 0, 0.25],
      [1, 3, 0, 0.25],
      [1, 4, 0, 0.25]
    ];
    const part = within(profile, { from: 1, to: 2 });
    expect(part.flame.nodes).toEqual([
      [-1, 0, 0.5],
      [0, 1, 0.25],
      [-1, 2, 0.25],
      [-1, 2, 0.25]
    ]);
    expect(names(part)).toEqual([
      ['save', 0.5, 0.5, null],
      ['main', 0.25, 0.5, null],
      ['fit', 0.25, 0.25, null]
    ]);
  });

  it('bears a tree that is one long path, and one that is all roots', () => {
    const profile = makeTimed();
    const size = 50_000;
    for (const parent of [(node: number) => node - 1, () => -1]) {
      profile.flame.nodes = Array.from({ length: size }, (_, node) => [
        parent(node),
        node % 3,
        1
      ]);
      profile.spans.samples = profile.flame.nodes.map((_, node) => [
        1,
        node,
        0,
        1
      ]);
      const { functions } = within(profile, { from: 1, to: 2 });
      const own = functions.reduce((sum, one) => sum + one.self_s, 0);
      expect(own).toBe(size);
    }
  });
});
