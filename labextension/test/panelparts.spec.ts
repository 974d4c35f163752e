import { describe, expect, it } from 'vitest';

import { clock, entryLabel } from '../src/panel/labels';
import { earlier, merge } from '../src/panel/entry';
import type { IEntry } from '../src/panel/entry';
import { lineNow } from '../src/panel/place';
import { titleOf } from '../src/panel/title';
import { parseProfile } from '../src/parse';
import { makeProfile, trans } from './stage';

function entry(id: string, more: Partial<IEntry> = {}): IEntry {
  return {
    id,
    cellIds: ['one'],
    own: false,
    executionCount: 7,
    name: null,
    title: 'train()',
    startedAt: new Date(2026, 10, 30, 12, 3).getTime() / 1000,
    duration: 12.4,
    state: 'ended',
    parsed: null,
    ...more
  };
}

describe('the label of a run', () => {
  const now = new Date(2026, 10, 30, 18);

  it('is short and tells which it is', () => {
    const time = clock(entry('a').startedAt);
    expect(entryLabel(entry('a'), trans)).toBe(
      `In [7] train() · ${time} · 12.4 s`
    );
    const odd = { executionCount: null, title: '', startedAt: NaN };
    expect(entryLabel(entry('a', { ...odd, duration: null }), trans)).toBe(
      'In [ ]'
    );
    expect(
      entryLabel(entry('a', { name: 'base', state: 'killed' }), trans)
    ).toBe(`In [7] base · ${time} · kernel died`);
    expect(entryLabel(entry('a', { state: 'running' }), trans)).toBe(
      `In [*] train() · ${time} · running`
    );
  });

  it('cuts long titles', () => {
    const label = entryLabel(entry('a', { title: 'x'.repeat(99) }), trans);
    expect(label).toContain(`${'x'.repeat(39)}…`);
  });

  it('has the day where that is not today', () => {
    const seconds = (...day: [number, number, number, number, number]) =>
      new Date(...day).getTime() / 1000;
    expect(clock(seconds(2026, 10, 30, 12, 3), now)).toBe('12:03');
    expect(clock(seconds(2026, 10, 29, 0, 3), now)).toMatch(/29/);
    expect(clock(NaN, now)).toBe('');
    expect(clock(1e300, now)).toBe('');
  });
});

describe('titleOf', () => {
  it.each([
    ['%%mlprof\n# note\n\n  train()\nmore()', 'train()'],
    ['!ls\n?x\n%time', ''],
    ['', '']
  ])('finds the first line of code in %j', (source, title) => {
    expect(titleOf(source)).toBe(title);
  });
});

describe('runs', () => {
  it('are merged by id, the newest first and those without a time last', () => {
    const old = entry('old', { startedAt: 1 });
    const ours = entry('both', { startedAt: 2, own: true });
    const theirs = entry('both', { startedAt: 2 });
    const odd = entry('odd', { startedAt: NaN });
    expect(merge([odd, ours], [old, theirs])).toEqual([ours, old, odd]);
  });

  it('are compared with earlier ones of the same cell that ended', () => {
    const runs = merge([
      entry('a', { startedAt: 4 }),
      entry('b', { startedAt: 3, cellIds: ['other'] }),
      entry('c', { startedAt: 2, state: 'running' }),
      entry('d', { startedAt: 1 })
    ]);
    const [newest, , , oldest] = runs;
    expect(newest && earlier(newest, runs)).toEqual([oldest]);
    expect(oldest && earlier(oldest, runs)).toEqual([]);
  });
});

describe('lineNow', () => {
  const ran = 'a\nb\nc\nd';

  it.each([
    ['a\nb\nc\nd', 3, 3],
    ['x\na\nb\nc\nd', 3, 4],
    ['c\na\nb\nd', 3, 1],
    ['', 3, 3]
  ])('finds in %j line %i at %i', (now, line, place) => {
    expect(lineNow(ran, now, line)).toBe(place);
  });

  it('stays where nothing is known of what ran', () => {
    expect(lineNow('', 'a\nb', 2)).toBe(2);
  });
});

describe('the call tree in a payload', () => {
  const frames = [{ name: 'f', file: '<cell>', line: 1 }];
  const parse = (nodes: unknown, samples: unknown = []) => {
    const flame = { frames, nodes };
    const spans = { step_s: 1, line_sets: [[1]], samples };
    const payload = { ...makeProfile(), flame, spans };
    const { profile } = parseProfile(payload, trans);
    return profile ?? { flame: null, spans: null };
  };

  it('is kept when it is one', () => {
    const nodes = [
      [-1, 0, 2],
      [0, 0, 1]
    ];
    expect(parse(nodes).flame).toEqual({ frames, nodes });
  });

  it.each([
    [[[0, 0, 1]]],
    [[[-2, 0, 1]]],
    [[[-1, 1, 1]]],
    [[[-1, 0, -1]]],
    [[[-1, 0, 'x']]],
    [[[-1, 0, 1], null]],
    ['junk']
  ])('is left out as a whole for the nodes %j', nodes => {
    expect(parse(nodes).flame?.nodes).toEqual([]);
  });

  it('has samples of its own nodes and lines only', () => {
    const samples = [
      [0, 0, 0, 1],
      [1, 9, 9, 1],
      [-1, 0, 0, 1],
      [2, 0, 0, -1],
      'junk'
    ];
    expect(parse([[-1, 0, 2]], samples).spans?.samples).toEqual([
      [0, 0, 0, 1],
      [1, -1, -1, 1]
    ]);
  });
});
