import type { ReactElement } from 'react';
import { act } from 'react';
import type { Root } from 'react-dom/client';
import { createRoot } from 'react-dom/client';
import type { Mock } from 'vitest';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { CompareChart } from '../src/charts/comparechart';
import { FlameChart } from '../src/charts/flamechart';
import { MemoryChart } from '../src/charts/memorychart';
import { StepsChart } from '../src/charts/stepschart';
import templates from '../src/charts/templates.json';
import type { Theme } from '../src/charts/theme';
import { ThemeContext } from '../src/charts/theme';
import { TimelineChart } from '../src/charts/timelinechart';
import { wordsIn, wordsOf } from '../src/charts/words';
import { HostContext } from '../src/context';
import type { Flame, Memory, Timeline } from '../src/schema';
import type { ISpan } from '../src/span';
import { FakeBokeh } from './bokeh';
import { trans } from './stage';

const bokeh = vi.hoisted((): { current: object } => ({ current: {} }));
vi.mock('@bokeh/bokehjs/build/js/bokeh.esm.min.js', () => ({
  default: new Proxy(
    {},
    { get: (_, key) => Reflect.get(bokeh.current, key) as unknown }
  )
}));

let fake: FakeBokeh;
let node: HTMLElement;
let root: Root;
let frames: FrameRequestCallback[];

beforeEach(() => {
  fake = new FakeBokeh();
  bokeh.current = fake;
  node = document.createElement('div');
  document.body.append(node);
  root = createRoot(node);
  frames = [];
  // jsdom has no canvas.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.stubGlobal('requestAnimationFrame', (call: FrameRequestCallback) =>
    frames.push(call)
  );
});

afterEach(() => {
  act(() => {
    root.unmount();
  });
  node.remove();
  vi.restoreAllMocks();
});

/** Draw, and wait until BokehJS had its turn. */
async function show(
  chart: ReactElement,
  theme: Theme = 'light'
): Promise<void> {
  const host = { trans, cell: null, confirm: vi.fn() };
  await act(async () => {
    root.render(
      <HostContext.Provider value={host}>
        <ThemeContext.Provider value={theme}>{chart}</ThemeContext.Provider>
      </HostContext.Provider>
    );
    await vi.dynamicImportSettled();
  });
  await act(() => vi.dynamicImportSettled());
}

function paint(): void {
  act(() => {
    frames.splice(0).forEach(call => {
      call(0);
    });
  });
}

function makeTimeline(length: number, children = 0): Timeline {
  const times = Array.from({ length }, (_, index) => index);
  return {
    t_s: times,
    series: [
      { name: 'rss', unit: 'bytes', values: times.map(t => 1e6 * (t + 1)) },
      {
        name: 'children_rss',
        unit: 'bytes',
        values: times.map(() => children)
      },
      { name: 'cpu', unit: 'cores', values: times.map(() => 1.5) }
    ]
  };
}

function withGpus(timeline: Timeline, gpus: readonly number[]): Timeline {
  const curve = (name: string, value: number): Timeline['series'][0] => ({
    name,
    unit: '',
    values: timeline.t_s.map(() => value)
  });
  const more = gpus.flatMap(gpu => [
    curve(`gpu${gpu}_util`, 40),
    curve(`gpu${gpu}_memory`, 3e9),
    curve(`gpu${gpu}_power`, 200)
  ]);
  return { ...timeline, series: [...timeline.series, ...more] };
}

function press(key: string, shiftKey = false): void {
  act(() => {
    node
      .querySelector('.jp-MlprofChart')
      ?.dispatchEvent(
        new KeyboardEvent('keydown', { key, shiftKey, bubbles: true })
      );
  });
}

function label(): string {
  return node.querySelector('[role=img]')?.getAttribute('aria-label') ?? '';
}

const MEMORY: Memory = {
  start_bytes: 1e6,
  peak_bytes: 9e6,
  peak_t_s: 8,
  end_bytes: 5e6,
  limit_bytes: 1e7,
  holders: []
};
const FLAME: Flame = {
  frames: [
    { name: '<module>', file: '<cell>', line: 1 },
    { name: '<img src=x>', file: 'x.py', line: 2 }
  ],
  nodes: [
    [-1, 0, 10],
    [0, 1, 4]
  ]
};

describe('the templates', () => {
  it('hold no word that is not translated', () => {
    const known = wordsOf(trans);
    const words = wordsIn(templates);
    expect(words).toContain('seconds');
    expect(words.filter(word => !known.has(word))).toEqual([]);
  });
});

describe('TimelineChart', () => {
  let onSpan: Mock<(span: ISpan | null) => void>;
  const draw = (
    timeline: Timeline,
    span: ISpan | null = null,
    theme: Theme = 'light'
  ): Promise<void> =>
    show(
      <TimelineChart
        timeline={timeline}
        limitBytes={1.2e7}
        span={span}
        onSpan={onSpan}
      />,
      theme
    );

  beforeEach(() => {
    onSpan = vi.fn();
  });

  it('shows the whole of the cell, and says it in words', async () => {
    await draw(makeTimeline(10));
    const { document } = fake;
    expect(document.data('data').rss).toHaveLength(10);
    expect(document.data('data').cpu_text?.[0]).toBe('1.5 cores');
    expect(document.part('x').attributes).toMatchObject({ start: 0, end: 9 });
    expect(document.part('limit_line').attributes).toMatchObject({
      visible: true,
      location: 1.2e7
    });
    expect(label()).toBe(
      'Timeline: over 9 s, CPU at most 1.5 cores, memory at most 10 MB.'
    );
    expect(node.querySelector('[aria-busy=false]')).not.toBeNull();
  });

  it('streams what a running cell appends', async () => {
    await draw(makeTimeline(10));
    const source = fake.document.part('data');
    source.setv.mockClear();
    await draw(makeTimeline(13));
    expect(source.stream).toHaveBeenCalledOnce();
    expect(source.stream.mock.calls[0]?.[0].t).toEqual([10, 11, 12]);
    expect(source.setv).not.toHaveBeenCalled();
    expect(fake.document.part('x').end).toBe(12);
    expect(fake.documents).toHaveLength(1);
  });

  it('streams rows that were appended to the same arrays', async () => {
    const timeline = makeTimeline(10);
    await draw(timeline);
    timeline.t_s.push(10);
    timeline.series.forEach(series => {
      series.values.push(1);
    });
    await draw(timeline);
    expect(fake.document.part('data').stream).toHaveBeenCalledOnce();
  });

  it('draws a thinned timeline anew', async () => {
    await draw(makeTimeline(10));
    const thinned = makeTimeline(10);
    thinned.t_s = thinned.t_s.map(time => 2 * time);
    await draw(thinned);
    expect(fake.document.part('data').stream).not.toHaveBeenCalled();
    expect(fake.document.data('data').t?.at(-1)).toBe(18);
  });

  it('stays where it is zoomed while it grows, until all is asked for', async () => {
    await draw(makeTimeline(10));
    press('+');
    const { start, end } = fake.document.part('x');
    expect(end - start).toBeLessThan(9);
    await draw(makeTimeline(13));
    expect(fake.document.part('x').attributes).toMatchObject({ start, end });
    act(() => {
      node.querySelector('button')?.click();
    });
    expect(fake.document.part('x').attributes).toMatchObject({
      start: 0,
      end: 12
    });
    expect(node.querySelector('button')).toBeNull();
  });

  it('shows GPUs below one another, each by its name', async () => {
    await draw(withGpus(makeTimeline(5), [0, 2]));
    const { document } = fake;
    expect(document.data('gpus').util_1).toEqual([40, 40, 40, 40, 40]);
    expect(document.part('gpu_util_y').attributes.end).toBeGreaterThan(100);
    expect(document.part('gpu_legend').attributes.visible).toBe(true);
    expect(document.part('gpu_legend_1').attributes).toMatchObject({
      label: { value: 'GPU 2' },
      visible: true
    });
    expect(document.part('gpu_legend_2').attributes.visible).toBe(false);
    expect(document.part('gpu_power_hover').attributes.tooltips).toEqual([
      ['after', '@{t_text}'],
      ['GPU 0', '@{power_0_text}'],
      ['GPU 2', '@{power_1_text}']
    ]);
    expect(label()).toContain('GPU 2 at most 40 % busy');
    await draw(withGpus(makeTimeline(5), [0, 2]), { from: 1, to: 2 });
    expect(document.part('gpu_memory_span').attributes.visible).toBe(true);
  });

  it('is another chart as soon as a running cell uses a GPU', async () => {
    await draw(makeTimeline(5));
    expect(() => fake.document.part('gpus')).toThrow();
    await draw(withGpus(makeTimeline(6), [0]));
    expect(fake.document.data('gpus').power_0).toHaveLength(6);
    expect(fake.document.part('gpu_legend').attributes.visible).toBe(false);
    await draw(withGpus(makeTimeline(8), [0]));
    expect(fake.document.part('gpus').stream).toHaveBeenCalledOnce();
    expect(fake.document.part('gpus').stream.mock.calls[0]?.[0].t).toEqual([
      6, 7
    ]);
  });

  it('reports what is dragged over, within the cell; a click means all', async () => {
    await draw(makeTimeline(10));
    const strip = fake.document.part('memory');
    const drag = (x0: number, x1: number, final = true): void => {
      strip.emit('selectiongeometry', { final, geometry: { x0, x1 } });
    };
    drag(2, 4);
    drag(5, 99);
    drag(2, 3, false);
    drag(2, 2.01);
    strip.emit('tap', {});
    expect(onSpan.mock.calls).toEqual([
      [{ from: 2, to: 4 }],
      [{ from: 5, to: 9 }],
      [null]
    ]);
  });

  it('shows the span as a band on every strip', async () => {
    await draw(makeTimeline(10), { from: 2, to: 4 });
    for (const name of ['cpu_span', 'flow_span', 'memory_span']) {
      expect(fake.document.part(name).attributes).toMatchObject({
        left: 2,
        right: 4,
        visible: true
      });
    }
    await draw(makeTimeline(10));
    expect(fake.document.part('cpu_span').attributes.visible).toBe(false);
  });

  it('lets the span be chosen by keys', async () => {
    await draw(makeTimeline(11));
    press('ArrowRight');
    expect(onSpan).toHaveBeenLastCalledWith({ from: 0, to: 1 });
    await draw(makeTimeline(11), { from: 0, to: 1 });
    press('ArrowRight');
    expect(onSpan).toHaveBeenLastCalledWith({ from: 0.5, to: 1.5 });
    press('ArrowRight', true);
    expect(onSpan).toHaveBeenLastCalledWith({ from: 0, to: 1.5 });
    press('ArrowLeft');
    expect(onSpan).toHaveBeenLastCalledWith({ from: 0, to: 1 });
    press('Escape');
    expect(onSpan).toHaveBeenLastCalledWith(null);
  });

  it('takes the colours again when the theme changes', async () => {
    await draw(makeTimeline(10));
    const axis = fake.document.part('cpu_axis');
    axis.setv.mockClear();
    await draw(makeTimeline(10), null, 'dark');
    expect(
      axis.setv.mock.calls.map(([given]) => Object.keys(given))
    ).toContainEqual(['major_label_text_color']);
  });

  it('says that a cell was too short', async () => {
    await draw(makeTimeline(1));
    expect(node.textContent).toContain('too short');
    expect(fake.documents).toHaveLength(0);
  });

  it('gives the models of every chart ids of their own', async () => {
    const [one, two] = [makeTimeline(10), makeTimeline(5)];
    const props = { limitBytes: null, span: null, onSpan };
    await show(
      <>
        <TimelineChart timeline={one} {...props} />
        <TimelineChart timeline={two} {...props} />
      </>
    );
    const roots = fake.embed.embed_item.mock.calls.map(([given]) => given);
    expect(roots).toHaveLength(2);
    expect(new Set(roots.map(item => item.root_id)).size).toBe(2);
    for (const { root_id, doc } of roots) {
      expect(JSON.stringify(doc)).toContain(`"id":"${root_id}"`);
    }
  });

  it('gives back everything at the end', async () => {
    await draw(makeTimeline(10));
    const { document } = fake;
    await show(<></>);
    expect(fake.cleared).toHaveBeenCalledOnce();
    expect(document.clear).toHaveBeenCalledOnce();
    expect(fake.documents).toHaveLength(0);
  });
});

describe('a chart that fails', () => {
  it.each([
    ['to be drawn', () => fake.embed.embed_item],
    ['to load', () => fake.logger.set_level]
  ])('%s is a sentence', async (how, method) => {
    const error = vi.spyOn(console, 'error').mockReturnValue(undefined);
    if (how === 'to load') {
      vi.resetModules();
    }
    (method() as Mock).mockImplementation(() => {
      throw new Error('broken');
    });
    const { StepsChart: Fresh } = await import('../src/charts/stepschart');
    const { HostContext: Context } = await import('../src/context');
    await act(async () => {
      const host = { trans, cell: null, confirm: vi.fn() };
      root.render(
        <Context.Provider value={host}>
          <Fresh seconds={[1, 2]} />
        </Context.Provider>
      );
      await vi.dynamicImportSettled();
    });
    await act(() => vi.dynamicImportSettled());
    expect(node.textContent).toContain('could not be drawn');
    expect(error).toHaveBeenCalledOnce();
  });

  it('while it is filled is a sentence, too', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue(undefined);
    await show(<StepsChart seconds={[1, 2]} />);
    fake.document.part('data').setv.mockImplementation(() => {
      throw new Error('broken');
    });
    await show(<StepsChart seconds={[1, 2, 3]} />);
    expect(node.textContent).toContain('could not be drawn');
    expect(error).toHaveBeenCalledOnce();
  });
});

describe('MemoryChart', () => {
  it('marks the peak and says what is shown', async () => {
    await show(<MemoryChart timeline={makeTimeline(10)} memory={MEMORY} />);
    expect(fake.document.data('peak')).toMatchObject({
      text: ['peak 9 MB'],
      align: ['right']
    });
    expect(fake.document.part('limit_line').attributes.visible).toBe(true);
    expect(label()).toBe(
      'Memory: 1 MB at the start, at most 9 MB (after 8 s), 5 MB at the end; the limit is 10 MB.'
    );
  });

  it('tells child processes apart where there are some', async () => {
    await show(<MemoryChart timeline={makeTimeline(4)} memory={MEMORY} />);
    const title = fake.document.part('memory_title');
    expect(title.attributes.text).toBe('Memory');
    await show(<MemoryChart timeline={makeTimeline(4, 5)} memory={MEMORY} />);
    expect(title.attributes.text).toContain('child processes');
  });
});

describe('StepsChart', () => {
  it('shows the median', async () => {
    await show(<StepsChart seconds={[0.1, 0.4, 0.2]} />);
    const { document } = fake;
    expect(document.part('median_line').attributes.location).toBe(0.2);
    expect(document.data('data').text).toEqual(['100 ms', '400 ms', '200 ms']);
    expect(label()).toContain('half of them at most 200 ms');
  });

  it('has a sentence for no steps', async () => {
    await show(<StepsChart seconds={[]} />);
    expect(node.textContent).toContain('No times');
  });
});

describe('CompareChart', () => {
  it('shows both runs to the end of the longer one', async () => {
    const [before, after] = [makeTimeline(10), makeTimeline(5, 7e6)];
    await show(<CompareChart before={before} after={after} />);
    const { document } = fake;
    expect(document.part('x').end).toBe(9);
    expect(document.data('before').rss?.at(-1)).toBe(1e7);
    expect(document.data('after').rss?.at(-1)).toBe(1.2e7);
    expect(label()).toContain('before 9 s');
  });
});

describe('FlameChart', () => {
  it('draws boxes with their names as they are', async () => {
    await show(<FlameChart flame={FLAME} onFrame={vi.fn()} />);
    const { document } = fake;
    expect(document.data('data')).toMatchObject({
      left: [0, 0],
      right: [10, 4],
      name: ['<module>', '<img src=x>'],
      where: ['<cell>:1', 'x.py:2'],
      share: ['100 %', '40 %']
    });
    expect(document.data('labels').text).toContain('<img src=x>');
    expect(label()).toContain('<img src=x> (40 %)');
  });

  it('reports a click, zooms into it, and out again', async () => {
    const onFrame = vi.fn();
    await show(<FlameChart flame={FLAME} onFrame={onFrame} />);
    const { document } = fake;
    const click = (x: number, y: number): void => {
      act(() => {
        document.part('flame').emit('tap', { x, y });
      });
    };
    click(1, 1.5);
    expect(onFrame).toHaveBeenLastCalledWith(FLAME.frames[1]);
    expect(document.part('x').attributes).toMatchObject({ start: 0, end: 4 });
    paint();
    expect(document.data('data').right).toEqual([10, 4]);
    expect(node.querySelector('button')?.textContent).toBe('Show all');
    click(1, 1.5);
    expect(document.part('x').end).toBe(10);
    click(9, 1.5);
    expect(onFrame).toHaveBeenCalledTimes(2);
  });

  it('is left alone once it is gone', async () => {
    await show(<FlameChart flame={FLAME} onFrame={vi.fn()} />);
    const { document } = fake;
    document.part('x').setv({ start: 1, end: 2 });
    const source = document.part('data');
    source.setv.mockClear();
    await show(<></>);
    expect(frames).toHaveLength(1);
    paint();
    expect(source.setv).not.toHaveBeenCalled();
  });

  it('has a sentence for no functions', async () => {
    const nothing = { frames: [], nodes: [] };
    await show(<FlameChart flame={nothing} onFrame={vi.fn()} />);
    expect(node.textContent).toContain('No function');
  });
});
