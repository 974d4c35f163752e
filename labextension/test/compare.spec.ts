import { describe, expect, it } from 'vitest';

import type { Comparable } from '../src/compare';
import { compareFigures, compareFunctions, compareLines } from '../src/compare';
import { sameLines } from '../src/samelines';

function makeProfile(changes: Partial<Comparable> = {}): Comparable {
  return {
    duration_s: 10,
    cpu_s: 12,
    memory: {
      start_bytes: 1,
      peak_bytes: 2e9,
      peak_t_s: 3,
      end_bytes: 1,
      limit_bytes: null,
      holders: []
    },
    steps: { count: 100, seconds: [0.05, 0.15], optimizer_s: 1 },
    split: [
      { part: 'data', seconds: 6 },
      { part: 'other', seconds: 4 }
    ],
    lines: [],
    functions: [],
    cell: { source: '' },
    ...changes
  };
}

function withLines(source: string, ...seconds: number[]): Comparable {
  const lines = seconds.map((wall_s, index) => ({
    line: index + 1,
    wall_s,
    samples: 1
  }));
  return makeProfile({ cell: { source }, lines });
}

function withFunctions(
  ...functions: [name: string, file: string, line: number, self: number][]
): Comparable {
  return makeProfile({
    functions: functions.map(([name, file, line, self_s]) => ({
      name,
      file,
      line,
      self_s,
      total_s: 9,
      calls: null,
      callers: null
    }))
  });
}

describe('compareFigures', () => {
  it('puts the figures beside each other', () => {
    const after = makeProfile({
      duration_s: 4,
      steps: { count: 100, seconds: [0.025], optimizer_s: 1 },
      split: [{ part: 'data', seconds: 0 }]
    });
    const rows = compareFigures(makeProfile(), after);
    expect(rows.map(row => [row.label, row.unit, row.better])).toEqual([
      ['Wall time', 's', 'less'],
      ['CPU time', 's', 'less'],
      ['Peak memory', 'bytes', 'less'],
      ['Optimizer steps', 'steps/s', 'more'],
      ['Waiting for data', 's', 'less']
    ]);
    expect(rows.map(row => [row.before, row.after, row.ratio])).toEqual([
      [10, 4, 0.4],
      [12, 12, 1],
      [2e9, 2e9, 1],
      [10, 40, 4],
      [6, 0, 0]
    ]);
  });

  it('leaves out what neither knows, and makes no ratio of what one lacks', () => {
    const none = { memory: null, steps: null, split: [], cpu_s: NaN };
    const rows = compareFigures(makeProfile(none), makeProfile(none));
    expect(rows.map(row => row.key)).toEqual(['wall']);
    const one = compareFigures(makeProfile(none), makeProfile());
    expect(one.find(row => row.key === 'peak')).toMatchObject({
      before: null,
      after: 2e9,
      ratio: null
    });
    expect(one.find(row => row.key === 'cpu')?.before).toBeNull();
  });

  it('counts steps in the same way on both sides', () => {
    const counted = makeProfile({
      steps: { count: 50, seconds: [], optimizer_s: 1 }
    });
    const row = compareFigures(makeProfile(), counted)[3];
    expect([row?.before, row?.after]).toEqual([10, 5]);
  });
});

describe('sameLines', () => {
  function pairs(before: string[], after: string[]) {
    const found = sameLines(before.join('\n'), after.join('\n'));
    return [...found].sort(([left], [right]) => left - right);
  }

  it('follows lines past what was put between them', () => {
    expect(pairs(['a', 'b', 'a'], ['new', 'a', 'b', 'x', 'a'])).toEqual([
      [2, 1],
      [3, 2],
      [5, 3]
    ]);
  });

  it('follows lines that moved or were indented', () => {
    expect(pairs(['a', 'b', 'c'], ['b', '  c', 'a'])).toEqual([
      [1, 2],
      [2, 3],
      [3, 1]
    ]);
  });

  it('takes a line edited in place for the same', () => {
    expect(
      pairs(['a', 'load(1)', 'b', 'c'], ['c', 'a', 'load(2)', 'b'])
    ).toEqual([
      [1, 4],
      [2, 1],
      [3, 2],
      [4, 3]
    ]);
  });

  it('does not guess where more lines came than went', () => {
    expect(pairs(['a', 'x', 'b'], ['a', 'y', 'z', 'b'])).toEqual([
      [1, 1],
      [4, 3]
    ]);
  });

  it('bears sources with very many lines', () => {
    const many = (name: string) =>
      Array.from({ length: 5_000 }, (_, line) => `${name}${line}`);
    const found = sameLines(
      ['top', ...many('a'), 'moved'].join('\n'),
      ['top', 'moved', ...many('b')].join('\n')
    );
    expect(found.get(1)).toBe(1);
    expect(found.get(2)).toBe(5_002);
  });
});

describe('compareLines', () => {
  it('gives what changed, the greatest change first', () => {
    const rows = compareLines(
      withLines('import os\nload()\nstep()\nsame()', 0.02, 6, 3, 1),
      withLines('import os\n\nstep()\nload(4)\nsame()', 0.01, 0, 2.5, 2, 1)
    );
    expect(rows).toEqual([
      // Edited and moved at once: two different lines.
      expect.objectContaining({ label: 'load()', before: 6, after: null }),
      expect.objectContaining({ label: 'load(4)', before: null, after: 2 }),
      {
        label: 'step()',
        file: '',
        line: 3,
        lineBefore: 3,
        before: 3,
        after: 2.5
      }
    ]);
  });

  it('joins a line with what it was before it moved or was edited', () => {
    const rows = compareLines(
      withLines('first()\nload(1)\nmid()\nlast()', 1, 6, 0, 3),
      withLines('last()\nfirst()\nload(2)\nmid()', 1, 1, 2)
    );
    expect(rows).toEqual([
      {
        label: 'load(2)',
        file: '',
        line: 3,
        lineBefore: 2,
        before: 6,
        after: 2
      },
      { label: 'last()', file: '', line: 1, lineBefore: 4, before: 3, after: 1 }
    ]);
  });

  it('tells where a line without time now stands', () => {
    const rows = compareLines(withLines('a()\nb()', 5), withLines('b()\na()'));
    expect(rows).toMatchObject([{ label: 'a()', line: 2, lineBefore: 1 }]);
  });

  it('goes by the number where a source was left out', () => {
    const rows = compareLines(withLines('', 1, 5), withLines('a()\nb()', 1, 2));
    expect(rows).toEqual([
      { label: 'b()', file: '', line: 2, lineBefore: 2, before: 5, after: 2 }
    ]);
  });

  it('passes over what is within the scatter of timings', () => {
    const before = withLines('a\nb', 5, 0.001);
    expect(compareLines(before, withLines('a\nb', 5.4, 0.05))).toEqual([]);
  });
});

describe('compareFunctions', () => {
  it('matches by name and file, wherever the line is', () => {
    const rows = compareFunctions(
      withFunctions(
        ['load', 'a.py', 1, 5],
        ['load', 'b.py', 1, 1],
        ['gone', 'a.py', 9, 2],
        ['nan', 'a.py', 9, NaN]
      ),
      withFunctions(
        ['load', 'a.py', 7, 1],
        ['load', 'b.py', 1, 1],
        ['__proto__', 'a.py', 3, 3]
      )
    );
    expect(rows).toEqual([
      {
        label: 'load',
        file: 'a.py',
        line: 7,
        lineBefore: 1,
        before: 5,
        after: 1
      },
      {
        label: '__proto__',
        file: 'a.py',
        line: 3,
        lineBefore: null,
        before: null,
        after: 3
      },
      {
        label: 'gone',
        file: 'a.py',
        line: null,
        lineBefore: 9,
        before: 2,
        after: null
      }
    ]);
  });

  it('adds up functions of one name in one file', () => {
    const rows = compareFunctions(
      withFunctions(['<lambda>', 'a.py', 1, 1], ['<lambda>', 'a.py', 2, 1]),
      withFunctions(['<lambda>', 'a.py', 1, 0.5])
    );
    expect(rows).toMatchObject([{ before: 2, after: 0.5 }]);
  });
});
