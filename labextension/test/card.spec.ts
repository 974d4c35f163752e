import { describe, expect, it } from 'vitest';

import { draw, makeProfile } from './stage';

function texts(card: HTMLElement, selector: string): (string | null)[] {
  return [...card.querySelectorAll(selector)].map(node => node.textContent);
}

describe('Card', () => {
  const card = draw(makeProfile());

  it('begins with the verdict', () => {
    expect(card.querySelector('section')?.ariaLabel).toBe('ML profile');
    expect(card.querySelector('strong')?.textContent).toBe(
      '71 % of 12.4 s waited for the DataLoader: one process loads while 7 cores idle.'
    );
  });

  it('says where the time went, in the bar and under it', () => {
    const legend =
      'data 8.81 s (71 %) · optimizer 402 ms (3.2 %) · other 3.2 s (26 %)';
    expect(texts(card, '.jp-MlprofBar-legend')).toEqual([legend]);
    const bar = card.querySelector('[role=img]');
    expect(bar?.getAttribute('aria-label')).toBe(
      `Where the time went: ${legend}`
    );
    expect(bar?.children).toHaveLength(3);
  });

  it('gives the figures in one line', () => {
    expect(texts(card, '.jp-MlprofCard-figures')).toEqual([
      '12.4 s wall · 13 s CPU · peak memory 1.23 GB · 400 optimizer steps · run before 31 s · profiling 2.3 % of a core'
    ]);
  });

  it('opens only the first finding and folds the fourth away', () => {
    const findings = [...card.querySelectorAll('.jp-MlprofFinding')];
    expect(findings.map(node => node.hasAttribute('open'))).toEqual([
      true,
      false,
      false,
      false
    ]);
    expect(findings[3]?.parentElement?.textContent).toMatch(/^1 more finding/);
    expect(texts(card, '.jp-MlprofFinding-gain')).toEqual([
      '1.9x to 2.6x faster',
      '1.3x to 1.4x less memory',
      '1x faster',
      '1x to 1.5x faster'
    ]);
  });

  it('shows the evidence with its threshold and source', () => {
    expect(texts(card, '.jp-MlprofEvidence li').slice(0, 2)).toEqual([
      'wait share: 71 % (threshold 10 %), PyTorch performance tuning guide',
      'fetch time: 8.1 s'
    ]);
  });

  it('gives advice but no button where there is no cell', () => {
    expect(card.textContent).toContain('Workers load the next batches');
    expect(card.querySelector('button')).toBeNull();
    expect(card.querySelector('.jp-MlprofDiff')).toBeNull();
  });

  it('lists the dearest lines with their source', () => {
    const [first] = texts(card, '.jp-MlprofLines tbody tr');
    expect(first).toBe('11for images, labels in loader:8.83 s71 %');
  });

  it('lists functions, curves and what was measured', () => {
    expect(texts(card, '.jp-MlprofFunctions tbody tr')[0]).toBe(
      'FakeImages.__getitem__cell, line 45.2 s8.1 s12,800'
    );
    expect(card.querySelector('svg')?.getAttribute('aria-label')).toMatch(
      /^Memory of the kernel: 80\d MB at the start, at most 1.2\d GB/
    );
    expect(texts(card, '.jp-MlprofCollectors tbody tr')[3]).toBe(
      'gpuunavailable: no NVIDIA driver was found0 s'
    );
    expect(card.textContent).toContain('Left out to save room: flame nodes');
  });
});

describe('Card of a profile with little in it', () => {
  it('says so in sentences', () => {
    const card = draw({ schema_version: 1 });
    expect(card.textContent).toContain('The profile holds no verdict.');
    expect(card.textContent).toContain('unknown wall');
    expect(card.textContent).toContain('No line was seen running');
    expect(card.textContent).toContain('No function was seen running');
    expect(card.textContent).toContain('too short for a timeline');
  });

  it('names the run, and tells no run before where there was none', () => {
    const profile = { ...makeProfile(), name: 'baseline', previous: null };
    const card = draw(profile);
    expect(card.querySelector('section')?.ariaLabel).toBe(
      'ML profile: baseline'
    );
    expect(card.textContent).not.toContain('run before');
  });
});
