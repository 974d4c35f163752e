import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { allThatPay } from '../src/allthatpay';
import { hashSource } from '../src/edits';
import { parseProfile } from '../src/parse';
import type { Trial } from '../src/schema';
import { readTrial } from '../src/trial';
import { briefly, driftText, trialFigures } from '../src/trialwords';
import { draw, makeCell, trans } from './stage';
import { makeTrial, makeTried } from './trystage';

describe('a trial in a profile', () => {
  it('is read as it is', () => {
    expect(readTrial(makeTrial())).toEqual(makeTrial());
  });

  it.each([
    null,
    undefined,
    7,
    'pays',
    [],
    {},
    { verdict: 'PAYS' },
    { verdict: ['pays'] },
    { verdict: '' },
    { verdict: 'constructor' }
  ])('is none in %j', value => {
    expect(readTrial(value)).toBeNull();
  });

  it.each([
    ['text', 7, ''],
    ['text', 'x'.repeat(9_000), `${'x'.repeat(600)}…`],
    ['pairs', -1, 0],
    ['pairs', 1.5, 0],
    ['took_s', -1, null],
    ['took_s', Infinity, null],
    ['steps', '8', null],
    ['compared', NaN, 0],
    ['memory_change_bytes', 1e308, null],
    ['speedup', { low: 3, middle: 2, high: 4 }, null],
    ['speedup', { low: 0, middle: 2, high: 4 }, null],
    ['speedup', { low: 1, middle: 2, high: null }, null],
    ['speedup', [1, 2, 3], null],
    ['drift', 'loss', null],
    ['drift', {}, { name: '', relative: null, same_code: null }]
  ])('has for %s %j what is sound', (key, value, read) => {
    const trial = readTrial({ ...makeTrial(), [key]: value });
    expect(trial?.[key as keyof Trial]).toEqual(read);
  });
});

describe('the words of a trial', () => {
  it('give its figures, and the speed-up once', () => {
    const others = [
      'whole cell 12.4 s → 4.3 s',
      'later steps 3.4x as fast',
      '120 MB more memory',
      '5 pairs of runs',
      'took 21.4 s'
    ];
    expect(trialFigures(makeTrial(), trans)).toEqual(others);
    expect(trialFigures(makeTrial({ text: 'Pays.' }), trans)).toEqual([
      '2.9x faster (2.7x to 3.1x)',
      ...others
    ]);
  });

  it.each([
    [0.5, 0.5, 0.8, '2x slower (1.3x to 2x)'],
    [0.97, 1.01, 1.05, '1x as fast (0.97x to 1.1x)'],
    [1.2, 1.3, 1.4, '1.3x faster (1.2x to 1.4x)']
  ])('say of %j, %j, %j that it is %s', (low, middle, high, words) => {
    const trial = makeTrial({ text: '', speedup: { low, middle, high } });
    expect(trialFigures(trial, trans)[0]).toBe(words);
  });

  it('say after how many steps a run was stopped, and that memory is the same', () => {
    const trial = makeTrial({
      steps: 20,
      memory_change_bytes: 0,
      steady: null
    });
    expect(trialFigures(trial, trans).slice(0, 2)).toEqual([
      'whole cell 12.4 s → 4.3 s, worked out from 20 steps',
      'the same memory'
    ]);
    const less = makeTrial({ memory_change_bytes: -5_000_000 });
    expect(trialFigures(less, trans)[2]).toBe('5 MB less memory');
  });

  it.each([
    [null, 'same result: 14 variables compared, none differs'],
    [[0, 0], 'same result: 14 variables compared, none differs'],
    [
      [0.1, 0.1],
      'same result: 14 variables compared, none differs more than between two runs of the original'
    ],
    [
      [1e-7, 0],
      'same result: 14 variables compared, none differs by more than rounding'
    ],
    [
      [0.02, 0.001],
      'result: 14 variables compared; loss differs most, by 2 %; between two runs of the original by 0.1 %'
    ],
    [
      [null, 0],
      'result: 14 variables compared; loss is of another size or not finite'
    ]
  ])('say of a drift of %j: %s', (values, words) => {
    const [relative = null, same_code = null] = values ?? [];
    const drift = values && { name: 'loss', relative, same_code };
    expect(driftText(makeTrial({ drift }), trans)).toBe(words);
  });

  it('say nothing of what was not compared', () => {
    expect(driftText(makeTrial({ compared: 0 }), trans)).toBeNull();
  });

  it.each([
    ['pays', 'tried: 2.9x faster'],
    ['does-not-pay', 'tried: does not pay'],
    ['cannot-tell', 'tried: cannot tell'],
    ['refused', 'not tried']
  ] as const)('say of %s behind the title: %s', (verdict, words) => {
    expect(briefly(makeTrial({ verdict }), trans)).toBe(words);
    const card = draw(makeTried(makeTrial({ verdict })));
    const head = card.querySelector('.jp-MlprofFinding-tried');
    expect(head?.textContent.trim()).toBe(words);
    expect(head?.querySelector('svg')?.getAttribute('aria-hidden')).toBe(
      'true'
    );
  });

  it('stand beside the finding where there is no cell, too', () => {
    const card = draw(makeTried(makeTrial()));
    expect(card.querySelector('button')).toBeNull();
    expect(card.querySelector('.jp-MlprofTrial')?.textContent).toBe(
      ' Pays: 2.9x faster (2.71x to 3.10x); same result in 14 variables.' +
        'whole cell 12.4 s → 4.3 s · later steps 3.4x as fast · ' +
        '120 MB more memory · 5 pairs of runs · took 21.4 s' +
        'same result: 14 variables compared, none differs more than between two runs of the original'
    );
    expect(card.querySelectorAll('.jp-MlprofTrial')).toHaveLength(1);
  });

  it('are there for a verdict without a text', () => {
    const bare = { verdict: 'does-not-pay' } as Trial;
    const card = draw(makeTried(bare));
    expect(card.querySelector('.jp-MlprofTrial')?.textContent).toBe(
      ' It does not pay.'
    );
  });
});

type Edit = readonly [start: number, end: number, text: string];

function paying(...fixes: (readonly Edit[])[]) {
  const trials = fixes.map(() => makeTrial());
  const profile = makeTried(...trials);
  fixes.forEach((edits, index) => {
    Object.assign(profile.findings[index] ?? {}, {
      fix: {
        source_sha256: hashSource(profile.cell.source),
        edits: edits.map(([start, end, text]) => ({ start, end, text }))
      }
    });
  });
  return profile;
}

function together(profile: object) {
  return allThatPay(parseProfile(profile, trans).profile?.findings ?? []);
}

describe('Apply all that pay', () => {
  const LOADER: Edit = [308, 308, ', num_workers=6'];
  const LOSSES: Edit = [485, 504, 'losses.append(loss.detach())'];

  it('makes the changes in one step, whatever their order', async () => {
    const { cell, shared } = makeCell();
    const before = shared.getSource();
    const card = draw(paying([LOSSES], [LOADER]), cell);
    const [all] = card.querySelectorAll('button');
    expect(all?.textContent).toBe('Apply all that pay');
    await act(async () => {
      all?.click();
      await Promise.resolve();
    });
    expect(shared.getSource()).toContain('num_workers=6)');
    expect(shared.getSource()).toContain('loss.detach()');
    expect(card.querySelector('[role=status]')?.textContent).toMatch(
      /^Applied/
    );
    act(() => {
      shared.undo();
    });
    expect(shared.getSource()).toBe(before);
  });

  it('asks first where the output is not trusted', async () => {
    const { cell, shared, widget } = makeCell();
    widget.model.trusted = false;
    const confirm = vi.fn(() => Promise.resolve(false));
    const card = draw(paying([LOADER], [LOSSES]), cell, confirm);
    await act(async () => {
      card.querySelector('button')?.click();
      await Promise.resolve();
    });
    expect(confirm).toHaveBeenCalledExactlyOnceWith(
      'Apply all that pay',
      expect.objectContaining({ length: 4 })
    );
    expect(shared.getSource()).not.toContain('num_workers');
  });

  it('is off, with the reason, when the cell has changed', () => {
    const { cell, shared } = makeCell();
    const card = draw(paying([LOADER], [LOSSES]), cell);
    act(() => {
      shared.updateSource(0, 0, '\n');
    });
    expect(card.querySelector('button')?.disabled).toBe(true);
    expect(card.querySelector('[role=status]')?.textContent).toMatch(
      /^The cell has changed/
    );
  });

  it('does once what two fixes want alike', () => {
    const IMPORT: Edit = [9, 9, 'import math\n'];
    expect(together(paying([IMPORT, LOADER], [IMPORT, LOSSES]))?.edits).toEqual(
      [IMPORT, LOADER, LOSSES].map(([start, end, text]) => ({
        start,
        end,
        text
      }))
    );
  });

  it.each([
    ['one overlaps another', paying([LOSSES], [[490, 495, 'x']])],
    ['two stand at one place', paying([LOADER], [[308, 308, ', x=1']])],
    ['one touches another', paying([LOSSES], [[504, 504, ';']])],
    ['only one pays', makeTried(makeTrial())],
    [
      'another does not pay',
      makeTried(makeTrial(), makeTrial({ verdict: 'does-not-pay' }))
    ],
    ['none was tried', makeTried()]
  ])('is not there when %s', (_, profile) => {
    expect(together(profile)).toBeNull();
    const card = draw(profile, makeCell().cell);
    expect(card.querySelector('button')?.textContent).toBe('Apply');
  });

  it('is not there for fixes of two sources', () => {
    const profile = paying([LOADER], [LOSSES]);
    Object.assign(profile.findings[1]?.fix ?? {}, {
      source_sha256: 'a'.repeat(64)
    });
    expect(together(profile)).toBeNull();
  });
});
