import type { ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { afterAll, describe, expect, it, vi } from 'vitest';

import { timelineColumns, totalColumns } from '../src/charts/columns';
import { arrange, boxColumns } from '../src/charts/icicle';
import { compareFigures, compareFunctions, compareLines } from '../src/compare';
import { HostContext } from '../src/context';
import { CompareView } from '../src/panel/compareview';
import { PanelContext } from '../src/panel/context';
import { ProfileView } from '../src/panel/profileview';
import { SectionStore } from '../src/panel/sectionstore';
import type { CardProfile, Parsed } from '../src/parse';
import { parseProfile } from '../src/parse';
import { within } from '../src/within';
import { check, harmless } from './fuzz/check';
import { damaged, makePayload, SEEDS, SOURCE } from './fuzz/payload';
import type { Random } from './fuzz/random';
import { makeCell, trans } from './stage';

// The build of React that users have, which is several times faster.
vi.hoisted(() => {
  vi.stubEnv('NODE_ENV', 'production');
});
vi.mock('react/jsx-dev-runtime', async () => {
  const { Fragment, jsx } = await import('react/jsx-runtime');
  return { Fragment, jsxDEV: jsx };
});
// jsdom has no canvas: what charts do with data is asked of their functions.
vi.mock('../src/charts/shown', () => ({
  whenShown: () => Promise.resolve(false)
}));

const { cell } = makeCell(SOURCE);
const sections = new SectionStore(null);
for (const name of ['functions', 'memory', 'steps', 'measurement']) {
  sections.toggle(name);
}

afterAll(() => {
  vi.unstubAllEnvs();
});

/** Draw a part of the panel and look at it. */
function checkPart(part: ReactElement, look = check): void {
  const node = document.createElement('div');
  const root = createRoot(node);
  const host = { trans, cell, confirm: () => Promise.resolve(false) };
  flushSync(() => {
    root.render(
      <HostContext.Provider value={host}>
        <PanelContext.Provider
          value={{ sections, reveal: () => undefined, subject: '' }}
        >
          {part}
        </PanelContext.Provider>
      </HostContext.Provider>
    );
  });
  look(node);
  flushSync(() => {
    root.unmount();
  });
}

/** A part of the profile inside a span must be as sound as a whole one. */
function checkSpan(profile: CardProfile, random: Random): void {
  const times = [0, 1.5, -1, 1e9, NaN, 12.4 * random.next()];
  const span = { from: random.pick(times), to: random.pick(times) };
  const { lines, functions, flame } = within(profile, span);
  flame.nodes.forEach(([parent, frame], node) => {
    expect(parent).toBeGreaterThanOrEqual(-1);
    expect(parent).toBeLessThan(node);
    expect(flame.frames[frame]).toBeDefined();
  });
  boxColumns(arrange(flame), profile.duration_s);
  expect(functions.length).toBeLessThanOrEqual(5_000);
  expect(lines.length).toBeLessThanOrEqual(5_000);
}

function checkComparison(before: CardProfile, after: CardProfile): void {
  expect(compareFigures(before, after).length).toBeLessThanOrEqual(5);
  compareLines(before, after);
  compareFunctions(before, after);
  timelineColumns(after.timeline);
  totalColumns(after.timeline);
}

function checkPanel(
  parsed: Parsed,
  whole: Parsed & { readonly profile: CardProfile },
  random: Random
): void {
  const { profile } = parsed;
  if (profile === null) {
    expect(parsed.refusal).toMatch(/\.$/);
    checkPart(<CompareView before={parsed} after={whole.profile} />);
    return;
  }
  checkPart(<ProfileView profile={profile} />);
  checkSpan(profile, random);
  checkComparison(whole.profile, profile);
  checkComparison(profile, whole.profile);
  if (random.below(8) === 0) {
    checkPart(<CompareView before={parsed} after={whole.profile} />);
    checkPart(<CompareView before={whole} after={profile} />);
  }
}

describe('the panel of a payload damaged in any way', () => {
  const whole = parseProfile(makePayload(), trans) as Parsed & {
    readonly profile: CardProfile;
  };

  it('shows every part when the payload is whole', () => {
    const { profile } = whole;
    expect(profile.flame.nodes).toHaveLength(4);
    expect(profile.spans.samples).toHaveLength(4);
    checkPart(<ProfileView profile={profile} />, drawn => {
      check(drawn);
      const folds = [...drawn.querySelectorAll('[data-section]')];
      expect(folds.length).toBeGreaterThan(5);
      expect(folds.every(fold => fold.children.length === 2)).toBe(true);
    });
  });

  it.each(SEEDS)(
    'is drawn as text, or a sentence says why not (seed %i)',
    async seed => {
      await harmless(async () => {
        for await (const { payload, random } of damaged(seed)) {
          checkPanel(parseProfile(payload, trans), whole, random);
        }
      });
    },
    60_000
  );
});
