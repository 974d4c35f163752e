import type { ReactElement } from 'react';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, it, vi } from 'vitest';

import type { ICell } from '../src/cell';
import { HostContext } from '../src/context';
import { CompareView } from '../src/panel/compareview';
import { PanelContext } from '../src/panel/context';
import { LiveView } from '../src/panel/liveview';
import { ProfileView } from '../src/panel/profileview';
import { Section } from '../src/panel/section';
import { SectionStore } from '../src/panel/sectionstore';
import type { CardProfile } from '../src/parse';
import { parseProfile } from '../src/parse';
import { liveRun } from './panelstage';
import { makeCell, makeProfile, trans } from './stage';

// Charts draw on a canvas, which jsdom has none of; here they say what they are given.
vi.mock('../src/charts/timelinechart', () => ({
  TimelineChart: ({ onSpan }: { onSpan: (span: object) => void }) => (
    <button
      className="brush"
      onClick={() => {
        onSpan({ from: 1, to: 3 });
      }}
    />
  )
}));
vi.mock('../src/charts/flamechart', () => ({
  FlameChart: ({ onFrame }: { onFrame: (frame: object) => void }) => (
    <button
      className="frame"
      onClick={() => {
        onFrame({ name: 'f', file: '<cell>', line: 4 });
      }}
    />
  )
}));
vi.mock('../src/charts/memorychart', () => ({ MemoryChart: () => null }));
vi.mock('../src/charts/stepschart', () => ({ StepsChart: () => null }));
vi.mock('../src/charts/comparechart', () => ({ CompareChart: () => null }));

interface IDrawn {
  readonly node: HTMLElement;
  readonly reveal: ReturnType<typeof vi.fn>;
  readonly sections: SectionStore;
  /** Draw another part in its place, for a run of that id. */
  readonly again: (part: ReactElement, subject: string) => void;
}

function drawPart(part: ReactElement, cell: ICell | null = null): IDrawn {
  const node = document.createElement('div');
  document.body.append(node);
  const reveal = vi.fn();
  const sections = new SectionStore(null);
  const host = { trans, cell, confirm: () => Promise.resolve(true) };
  const root = createRoot(node);
  const again = (next: ReactElement, subject: string): void => {
    act(() => {
      root.render(
        <HostContext.Provider value={host}>
          <PanelContext.Provider value={{ sections, reveal, subject }}>
            {next}
          </PanelContext.Provider>
        </HostContext.Provider>
      );
    });
  };
  again(part, '');
  return { node, reveal, sections, again };
}

type Change = (profile: ReturnType<typeof makeProfile>) => void;

/** The stored profile, with what it lacks: steps, holders and when lines ran. */
function parsed(change: Change = () => undefined): CardProfile {
  const stored = makeProfile();
  change(stored);
  const { profile } = parseProfile(
    {
      ...stored,
      steps: { count: 4, seconds: [0.4, 0.1, 0.2, 0.1], optimizer_s: 0.4 },
      memory: {
        ...stored.memory,
        holders: [{ name: 'losses', bytes: 2e8, type: 'list of 400' }]
      },
      spans: {
        step_s: 1,
        line_sets: [[11], [11, 14]],
        samples: [
          [1, 0, 0, 0.9],
          [2, 0, 1, 0.5],
          [8, 0, 1, 0.7]
        ]
      }
    },
    trans
  );
  if (profile === null) {
    throw new Error('The stored profile is not one.');
  }
  return profile;
}

function click(node: HTMLElement, selector: string, place = 0): void {
  act(() => {
    const target = node.querySelectorAll<HTMLElement>(selector)[place];
    if (!target) {
      throw new Error(`There is no ${selector} to click.`);
    }
    target.click();
  });
}

function open(node: HTMLElement, name: string): void {
  click(node, `[data-section=${name}] button`);
}

function textOf(node: HTMLElement, selector: string): string {
  return node.querySelector(selector)?.textContent ?? '';
}

function textsOf(node: HTMLElement, selector: string): string[] {
  return [...node.querySelectorAll(selector)].map(one => one.textContent);
}

describe('a profile in the panel', () => {
  it('begins with verdict, bar and figures, and opens three sections', () => {
    const { node } = drawPart(<ProfileView profile={parsed()} />);
    expect(textOf(node, '.jp-MlprofCard-verdict')).toMatch(/^71 % of 12.4 s/);
    expect(node.querySelector('.jp-MlprofBar')).not.toBeNull();
    expect(textOf(node, '.jp-MlprofCard-figures')).toMatch(/^12.4 s wall/);
    const heads = [...node.querySelectorAll('h3 button')].map(button => [
      button.textContent,
      button.getAttribute('aria-expanded')
    ]);
    expect(heads).toEqual([
      ['Findings4', 'true'],
      ['Timeline', 'true'],
      ['Lines', 'true'],
      ['Functions', 'false'],
      ['Memory', 'false'],
      ['Steps', 'false'],
      ['Measurement', 'false']
    ]);
    expect(node.querySelector('.jp-MlprofHolders')).toBeNull();
  });

  it('shows each line of the cell with its time, and goes to it', () => {
    const { node, reveal } = drawPart(<ProfileView profile={parsed()} />);
    const lines = textsOf(node, '.jp-MlprofSource-line');
    expect(lines).toHaveLength(17);
    expect(lines[10]).toBe('line 11118.83 s71 %for images, labels in loader:');
    expect(lines[2]).toBe('line 33import torch');
    click(node, '.jp-MlprofSource-line', 10);
    expect(reveal).toHaveBeenCalledWith(11);
  });

  it('moves from line to line by the arrow keys', () => {
    const { node } = drawPart(<ProfileView profile={parsed()} />);
    const rows = node.querySelectorAll<HTMLElement>('.jp-MlprofSource-line');
    const press = (key: string) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true });
      act(() => {
        document.activeElement?.dispatchEvent(event);
      });
    };
    const place = () =>
      [...rows].indexOf(document.activeElement as HTMLElement);
    const tabbable = () => [...rows].filter(row => row.tabIndex === 0);
    act(() => rows[0]?.focus());
    press('ArrowDown');
    press('ArrowDown');
    expect(place()).toBe(2);
    expect(tabbable()).toEqual([rows[2]]);
    press('End');
    expect(place()).toBe(16);
    press('ArrowDown');
    expect(place()).toBe(16);
    press('Home');
    press('ArrowUp');
    expect(place()).toBe(0);
  });

  it('says when the cell has changed, or its source was left out', () => {
    const { cell, shared } = makeCell();
    const { node } = drawPart(<ProfileView profile={parsed()} />, cell);
    expect(node.textContent).not.toContain('has changed');
    act(() => {
      shared.setSource('other');
    });
    expect(textOf(node, '[data-section=lines]')).toContain(
      'The cell has changed since this run: shown as it ran.'
    );
    const bare = parsed(profile => {
      profile.cell.source = '';
    });
    const without = drawPart(<ProfileView profile={bare} />).node;
    expect(textOf(without, '[data-section=lines]')).toContain(
      'made without the source'
    );
    // The cell still reads as it did: its own text serves.
    const still = drawPart(<ProfileView profile={bare} />, makeCell().cell);
    expect(textOf(still.node, '.jp-MlprofSource')).toContain('import torch');
  });

  it('shows the whole of another run that takes its place', () => {
    const { node, again } = drawPart(<ProfileView profile={parsed()} />);
    click(node, '.brush');
    const chart = node.querySelector('.brush');
    const other = parsed(stored => {
      stored.id = 'f'.repeat(32);
    });
    again(<ProfileView profile={other} />, other.id);
    expect(node.querySelector('.jp-MlprofChip')).toBeNull();
    // The chart is the same one, which is quicker than a new one.
    expect(node.querySelector('.brush')).toBe(chart);
  });

  it('draws the part of another run that failed of this one', () => {
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    const Failing = (): ReactElement => {
      throw new Error('no');
    };
    const { node, again } = drawPart(
      <Section name="lines" title="Lines">
        <Failing />
      </Section>
    );
    expect(textOf(node, '.jp-MlprofFold-body')).toMatch(/could not be drawn/);
    again(
      <Section name="lines" title="Lines">
        fine
      </Section>,
      'other'
    );
    expect(textOf(node, '.jp-MlprofFold-body')).toBe('fine');
    errors.mockRestore();
  });

  it('shows a part of its time, and all of it again', () => {
    const { node } = drawPart(<ProfileView profile={parsed()} />);
    click(node, '.brush');
    expect(textOf(node, '.jp-MlprofChip')).toContain('1 s to 3 s of 12.4 s');
    const lines = textsOf(node, '.jp-MlprofSource-line');
    expect(lines[10]).toContain('1.4 s70 %');
    expect(lines[13]).toContain('500 ms25 %');
    expect(lines[12]).not.toContain('%');
    click(node, '.jp-MlprofChip-clear');
    expect(textsOf(node, '.jp-MlprofSource-line')[10]).toContain('8.83 s71 %');
  });

  it('sorts functions, and goes to those of the cell', () => {
    const { node, reveal } = drawPart(<ProfileView profile={parsed()} />);
    open(node, 'functions');
    const names = () => textsOf(node, '.jp-MlprofCalls-name');
    expect(names()[0]).toBe('FakeImages.__getitem__');
    click(node, '.jp-MlprofSort', 2);
    expect(names()[0]).toMatch(/^a_function_with_quite/);
    expect(names().at(-1)).toBe('default_collate');
    expect(
      [...node.querySelectorAll('.jp-MlprofCalls th')].map(th =>
        th.getAttribute('aria-sort')
      )
    ).toEqual([null, 'none', 'none', 'descending']);
    click(node, 'button.jp-MlprofCalls-name');
    expect(reveal).toHaveBeenLastCalledWith(4);
    expect(textOf(node, '[data-section=functions]')).toContain(
      'Calls were counted from 0 s to 4.2 s: cut'
    );
    click(node, 'input[type=radio]', 1);
    click(node, '.frame');
    expect(reveal).toHaveBeenCalledTimes(2);
  });

  it('shows no column of calls where none were counted', () => {
    const profile = parsed(({ functions }) => {
      functions.forEach(item => Object.assign(item, { calls: null }));
    });
    const { node } = drawPart(<ProfileView profile={profile} />);
    open(node, 'functions');
    expect(textsOf(node, '.jp-MlprofCalls th')).toEqual([
      'Function',
      'Self ▾',
      'Total'
    ]);
  });

  it('tells memory, steps and where it ran', () => {
    const { node } = drawPart(<ProfileView profile={parsed()} />);
    ['memory', 'steps', 'measurement'].forEach(name => {
      open(node, name);
    });
    expect(textOf(node, '[data-section=memory]')).toMatch(
      /Grew by .* from .* to .*\. Peak 1.23 GB after/
    );
    expect(textOf(node, '.jp-MlprofHolders tbody')).toBe(
      'losseslist of 400200 MB'
    );
    expect(textOf(node, '[data-section=steps]')).toContain(
      '4 steps · 400 ms in the optimizer · median 150 ms · slowest 400 ms (number 1) · first 400 ms'
    );
    expect(textOf(node, '[data-section=measurement]')).toContain(
      'Python 3.11.7 · Linux-6.18-x86_64 · 8 cores'
    );
  });

  it('says how and where a cell ended early', () => {
    const profile = parsed(stored => {
      Object.assign(stored, {
        outcome: 'killed',
        error: { type: 'Killed', message: 'The kernel died.', line: 14 }
      });
    });
    const { node, reveal } = drawPart(<ProfileView profile={profile} />);
    expect(textOf(node, '.jp-MlprofOutcome')).toBe('line 14loss.backward()');
    click(node, '.jp-MlprofOutcome button');
    expect(reveal).toHaveBeenCalledWith(14);
  });

  it.each([
    [{ type: 'ValueError', message: 'no', line: null }, 'ValueError: no'],
    [null, 'Ended by an error after 12.4 s.']
  ])('says why a cell ended with the error %j', (error, sentence) => {
    const profile = parsed(stored => {
      Object.assign(stored, { outcome: 'error', error });
    });
    const { node } = drawPart(<ProfileView profile={profile} />);
    expect(textOf(node, '.jp-MlprofOutcome')).toBe(sentence);
  });

  it('says in sentences what it does not hold', () => {
    const { profile } = parseProfile({ schema_version: 1 }, trans);
    const { node } = drawPart(<ProfileView profile={profile ?? parsed()} />);
    ['functions', 'memory', 'steps'].forEach(name => {
      open(node, name);
    });
    for (const sentence of [
      'The profile holds no verdict.',
      'Nothing worth changing was found.',
      'No line was seen running here',
      'No function was seen running.',
      'Memory was not measured.',
      'No step of an optimizer was seen.'
    ]) {
      expect(node.textContent).toContain(sentence);
    }
  });
});

describe('a section', () => {
  it('that fails leaves the others', () => {
    const silent = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const Broken = (): ReactElement => {
      throw new Error('no');
    };
    const { node } = drawPart(
      <>
        <Section name="lines" title="Lines">
          <Broken />
        </Section>
        <Section name="timeline" title="Timeline">
          <p>here</p>
        </Section>
      </>
    );
    expect(textOf(node, '[data-section=lines]')).toContain(
      'This part could not be drawn'
    );
    expect(textOf(node, '[data-section=timeline]')).toContain('here');
    silent.mockRestore();
  });

  it('is remembered', async () => {
    const kept = { open: { lines: false, memory: true, functions: 'junk' } };
    const db = {
      fetch: vi.fn(() => Promise.resolve(kept)),
      save: vi.fn(() => Promise.resolve())
    };
    const store = new SectionStore(db as never);
    store.toggle('timeline');
    await store.load();
    expect(
      ['findings', 'timeline', 'lines', 'memory', 'functions'].map(name =>
        store.isOpen(name)
      )
    ).toEqual([true, false, false, true, false]);
    store.toggle('functions');
    expect(db.save.mock.lastCall).toEqual([
      'jupyter-mlprof:panel',
      {
        open: { lines: false, memory: true, timeline: false, functions: true }
      }
    ]);
  });
});

describe('two profiles side by side', () => {
  const before = { profile: parsed(), refusal: null };
  const after = parsed(profile => {
    profile.id = 'f'.repeat(32);
    profile.duration_s = 4;
    Object.assign(profile.lines[0] ?? {}, { wall_s: 0.5 });
  });

  it('shows figures, bars and what changed', () => {
    const { node, reveal } = drawPart(
      <CompareView before={before} after={after} />
    );
    expect(textsOf(node, 'tbody tr')[0]).toBe('Wall time12.4 s4 s0.32x');
    expect(node.querySelectorAll('.jp-MlprofBar')).toHaveLength(2);
    const line = textOf(node, '[data-section=compare-lines] tbody tr');
    expect(line).toBe(
      'for images, labels in loader:line 118.83 s500 ms−8.33 s'
    );
    click(node, '[data-section=compare-lines] tbody button');
    expect(reveal).toHaveBeenCalledWith(11);
    expect(textOf(node, '[data-section=compare-functions]')).toContain(
      'No function changed notably.'
    );
  });

  it('says what is missing of the earlier one', () => {
    const refusal = 'There is no such run.';
    expect(
      drawPart(<CompareView before={null} after={after} />).node.textContent
    ).toBe('Loading the earlier profile …');
    expect(
      drawPart(
        <CompareView before={{ profile: null, refusal }} after={after} />
      ).node.textContent
    ).toBe(refusal);
  });
});

describe('a cell that runs', () => {
  it('is told with its line, its verdict so far and its lines', () => {
    const { cell } = makeCell('%%mlprof\ntrain(model)');
    const { node, reveal } = drawPart(
      <LiveView run={liveRun(1, 'one')} ticking={false} />,
      cell
    );
    expect(textOf(node, '.jp-MlprofLive-state')).toBe('Running for 2.5 s');
    expect(textOf(node, '.jp-MlprofLineButton')).toBe('line 2train(model)');
    click(node, '.jp-MlprofLineButton');
    expect(reveal).toHaveBeenCalledWith(2);
    expect(textOf(node, '[role=status]')).toMatch(/^So far 80 %/);
    expect(textsOf(node, '.jp-MlprofSource-line')[1]).toBe(
      'line 222 s80 %train(model)'
    );
    expect(node.textContent).not.toContain('has changed');
  });

  it.each([
    ['ended', 'Ended after 2.5 s; its profile is on its way …'],
    ['gone', 'The kernel died after 2.5 s; what was seen until then is on']
  ] as const)('says that it is %s', (state, sentence) => {
    const run = liveRun(1, 'one', { state });
    const { node } = drawPart(<LiveView run={run} ticking={false} />);
    expect(node.textContent).toContain(sentence);
    expect(node.querySelector('.jp-MlprofLineButton')).toBeNull();
  });

  it('counts its time only while it is looked at', () => {
    vi.useFakeTimers();
    let seconds = 1;
    const run = liveRun(1, 'one', { elapsed: () => seconds });
    const { node } = drawPart(<LiveView run={run} ticking />);
    seconds = 7;
    act(() => {
      vi.advanceTimersByTime(600);
    });
    expect(textOf(node, '.jp-MlprofLive-state')).toBe('Running for 7 s');
    const { node: still } = drawPart(<LiveView run={run} ticking={false} />);
    const timers = vi.getTimerCount();
    expect(timers).toBe(1);
    seconds = 9;
    act(() => {
      vi.advanceTimersByTime(600);
    });
    expect(textOf(still, '.jp-MlprofLive-state')).toBe('Running for 7 s');
    vi.useRealTimers();
  });
});
