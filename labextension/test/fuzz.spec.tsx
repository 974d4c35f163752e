import { Widget } from '@lumino/widgets';
import { flushSync } from 'react-dom';
import { afterAll, describe, expect, it, vi } from 'vitest';

import { parseProfile } from '../src/parse';
import { MIME_TYPE } from '../src/mime';
import { ProfileRenderer } from '../src/renderer';
import { check, harmless } from './fuzz/check';
import { ATTACKS } from './fuzz/mutate';
import { damaged, makePayload, SEEDS, SOURCE } from './fuzz/payload';
import { makeCell, trans } from './stage';

// The build of React that users have, which is several times faster.
vi.hoisted(() => {
  vi.stubEnv('NODE_ENV', 'production');
});
vi.mock('react/jsx-dev-runtime', async () => {
  const { Fragment, jsx } = await import('react/jsx-runtime');
  return { Fragment, jsxDEV: jsx };
});
vi.mock('../src/confirm', () => ({ confirmChange: vi.fn() }));

const { cell } = makeCell(SOURCE);

afterAll(() => {
  vi.unstubAllEnvs();
});

/** Draw the card in its output, as the notebook does, and look at it. */
function checkCard(payload: unknown): void {
  const setData = vi.fn();
  const renderer = new ProfileRenderer({ trans, findCell: () => cell });
  const data = { [MIME_TYPE]: payload as never };
  void renderer.renderModel({ data, metadata: {}, trusted: false, setData });
  flushSync(() => {
    Widget.attach(renderer, document.body);
  });
  check(renderer.node);
  renderer.dispose();
  expect(setData).not.toHaveBeenCalled();
}

describe('the check', () => {
  it('sees what was taken for HTML, and what is empty', () => {
    for (const attack of ATTACKS.slice(0, 4)) {
      const node = document.createElement('template');
      node.innerHTML = attack;
      const drawn = document.createElement('div');
      drawn.append('text', node.content);
      expect(() => {
        check(drawn);
      }).toThrow();
    }
    expect(() => {
      check(document.createElement('div'));
    }).toThrow();
  });
});

describe('the card of a payload damaged in any way', () => {
  it('has a button and a diff when the payload is whole', () => {
    const finding = parseProfile(makePayload(), trans).profile?.findings[0];
    expect(finding?.fix?.edits).toHaveLength(1);
    checkCard(makePayload());
  });

  it.each(SEEDS)(
    'is drawn as text, or refused with a sentence (seed %i)',
    async seed => {
      await harmless(async () => {
        for await (const { payload } of damaged(seed)) {
          checkCard(payload);
        }
      });
    },
    60_000
  );
});
