import { describe, expect, it, vi } from 'vitest';

import { MAX_ITEMS, MAX_TEXT } from '../src/guards';
import { parseProfile } from '../src/parse';
import { draw, makeCell, makeProfile, trans } from './stage';

const ATTACK =
  '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';

type Change = (value: unknown, key: string) => unknown;

/** A copy of a JSON value with every leaf changed. */
function deepMap(value: unknown, change: Change, key = ''): unknown {
  if (Array.isArray(value)) {
    return value.map(item => deepMap(item, change, key));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        deepMap(item, change, name)
      ])
    );
  }
  return change(value, key);
}

/** The stored profile, cut down where more of the same tells nothing. */
function smallProfile(): ReturnType<typeof makeProfile> {
  const profile = makeProfile();
  profile.findings.splice(2);
  profile.functions.splice(1);
  profile.lines.splice(1);
  profile.collectors.splice(1);
  profile.timeline.t_s.splice(3);
  profile.timeline.series.splice(1);
  profile.timeline.series[0]?.values.splice(3);
  return profile;
}

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) {
    value = level % 2 ? [value] : { fields: value };
  }
  return value;
}

function expectHarmless(card: HTMLElement): void {
  expect(card.querySelector('script, img, iframe, style, a')).toBeNull();
  for (const node of card.querySelectorAll('*')) {
    const handlers = node.getAttributeNames().filter(name => /^on/i.test(name));
    expect(handlers).toEqual([]);
  }
}

describe('parseProfile', () => {
  it('keeps what the stored profile holds', () => {
    const stored = makeProfile();
    const { profile } = parseProfile(stored, trans);
    expect(profile?.verdict).toEqual(stored.verdict);
    expect(profile?.lines).toEqual(stored.lines);
    expect(profile?.findings.map(finding => finding.fix)).toEqual(
      stored.findings.map(finding => finding.fix)
    );
  });

  it('refuses a newer schema with a sentence', () => {
    expect(parseProfile({ schema_version: 2 }, trans).refusal).toBe(
      'This profile was written by a newer jupyter_mlprof (schema 2); update the extension to see it.'
    );
  });

  it.each([null, undefined, 7, 'text', [], {}, { schema_version: '1' }])(
    'refuses %j',
    value => {
      expect(parseProfile(value, trans).refusal).toMatch(/not a profile/);
    }
  );

  it('cuts long texts and long lists', () => {
    const long = 'x'.repeat(1_000_000);
    const { profile } = parseProfile(
      {
        ...makeProfile(),
        verdict: { rule: '', text: long },
        functions: Array.from({ length: 100_000 }, () => ({ name: long })),
        findings: Array.from({ length: 100_000 }, () => ({ title: long }))
      },
      trans
    );
    expect(profile?.verdict.text).toHaveLength(MAX_TEXT + 1);
    expect(profile?.functions).toHaveLength(MAX_ITEMS);
    expect(profile?.findings).toHaveLength(50);
  });
});

describe('a hostile payload', () => {
  it('is shown as text, whatever its strings hold', () => {
    const kept = new Set(['source_sha256', 'state', 'part', 'metric']);
    const payload = deepMap(makeProfile(), (value, key) =>
      typeof value === 'string' && !kept.has(key) ? ATTACK : value
    );
    const card = draw(payload, makeCell().cell);
    expectHarmless(card);
    expect(card.querySelector('strong')?.textContent).toBe(ATTACK);
    expect(card.textContent.split(ATTACK).length).toBeGreaterThan(20);
    expect('pwned' in window).toBe(false);
  });

  it.each([null, 'text', -1, 1e308, true, [], {}, [[]], nested(5_000)])(
    'may hold anything in any place (case %#)',
    junk => {
      const stored = smallProfile();
      const wholly = deepMap(stored, () => junk) as object;
      expectHarmless(draw({ ...wholly, schema_version: 1 }, makeCell().cell));
      for (const key of Object.keys(stored)) {
        const payload = { ...stored, [key]: junk, schema_version: 1 };
        expectHarmless(draw(payload, makeCell().cell));
      }
    }
  );

  it('may lack any key at any depth', () => {
    const keys = new Set<string>();
    deepMap(smallProfile(), (_, key) => keys.add(key));
    for (const missing of keys) {
      const text = JSON.stringify(smallProfile(), (key, value: unknown) =>
        key === missing && key !== 'schema_version' ? undefined : value
      );
      expectHarmless(draw(JSON.parse(text), makeCell().cell));
    }
  });

  it('draws a sentence when drawing itself fails', () => {
    const silent = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const { cell } = makeCell();
    const broken = Object.create(cell, {
      source: {
        get: () => {
          throw new Error('gone');
        }
      }
    }) as typeof cell;
    expect(draw(makeProfile(), broken).textContent).toMatch(
      /^This profile could not be drawn/
    );
    silent.mockRestore();
  });
});
