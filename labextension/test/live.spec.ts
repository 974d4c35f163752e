import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Timeline } from '../src/schema';
import { MOST_POINTS } from '../src/server/curve';
import { LiveClient } from '../src/server/live';
import type { IStagedAnswer } from './server';
import { FakeSocket, makeSettings } from './server';

const KERNEL = 'k-1';
const RUNS = { body: { runs: [] } };
const PAGE = { status: 404, body: '<h1>404</h1>' };

function started(changes: object = {}): object {
  return {
    type: 'started',
    run_id: 'r1',
    cell_id: 'c1',
    execution_count: 3,
    name: null,
    title: 'train()',
    started_at: 1_700_000_000,
    elapsed_s: 2,
    ...changes
  };
}

function sample(t_s: unknown, series: unknown, run_id = 'r1'): object {
  return { type: 'sample', run_id, t_s, series };
}

function newest(): FakeSocket {
  const socket = FakeSocket.opened.at(-1);
  if (socket === undefined) {
    throw new Error('no socket was opened');
  }
  return socket;
}

/** Close a socket from the server's side, and let what follows happen. */
async function drop(socket = newest()): Promise<void> {
  socket.onclose?.();
  await vi.advanceTimersByTimeAsync(0);
}

function makeClient(answer: IStagedAnswer | Error = RUNS, options = {}) {
  const { settings, asked } = makeSettings(() => answer, options);
  const client = new LiveClient(KERNEL, settings);
  const told = vi.fn();
  client.changed.connect(told);
  return { client, told, asked };
}

function open(answer: IStagedAnswer | Error = RUNS) {
  const made = makeClient(answer);
  newest().onopen?.();
  return { ...made, socket: newest() };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the socket', () => {
  it('is asked for under the base address', () => {
    makeClient();
    expect(newest().url).toBe(
      'ws://hub.example/user/ada/jupyter-mlprof/live/k-1'
    );
  });

  it('carries the token where JupyterLab appends it', () => {
    makeClient(RUNS, { token: 'a b&c', appendToken: true });
    expect(newest().url).toMatch(/live\/k-1\?token=a%20b%26c$/);
    makeClient(RUNS, { token: 'secret', appendToken: false });
    expect(newest().url).not.toContain('token');
  });

  it('is opened again, each time later, but at least every 30 s', async () => {
    makeClient(new TypeError('no network'));
    const waits: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const before = FakeSocket.opened.length;
      await drop();
      const begun = performance.now();
      while (FakeSocket.opened.length === before) {
        await vi.advanceTimersByTimeAsync(100);
      }
      waits.push(Math.round(performance.now() - begun));
    }
    expect(waits).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000
    ]);
  });

  it('is opened again soon after a connection that held', async () => {
    const { client } = open();
    await drop();
    await vi.advanceTimersByTimeAsync(500);
    newest().onopen?.();
    await vi.advanceTimersByTimeAsync(20_000);
    await drop();
    expect(client.connection).toBe('connecting');
    await vi.advanceTimersByTimeAsync(499);
    expect(FakeSocket.opened).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeSocket.opened).toHaveLength(3);
  });

  it('is not opened ever more often by a server that closes it at once', async () => {
    open();
    for (let round = 0; round < 20; round += 1) {
      await drop();
      await vi.advanceTimersByTimeAsync(10_000);
      newest().onopen?.();
    }
    expect(FakeSocket.opened.length).toBeLessThan(16);
  });

  it('is given up where the server has none', async () => {
    const { client, told, asked } = makeClient(PAGE);
    await drop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(client.connection).toBe('absent');
    expect(FakeSocket.opened).toHaveLength(1);
    expect(asked).toHaveLength(1);
    expect(told).toHaveBeenCalled();
  });

  it('is not given up when it was there before', async () => {
    const { client } = open(PAGE);
    await drop();
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeSocket.opened).toHaveLength(2);
    expect(client.connection).toBe('connecting');
  });

  it('is tried again when it cannot even be made', async () => {
    const { client } = makeClient(RUNS, {
      WebSocket: vi.fn(() => {
        throw new SyntaxError('bad address');
      })
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(client.connection).toBe('connecting');
    expect(console.warn).toHaveBeenCalledTimes(4);
  });

  it('is closed for good by dispose', async () => {
    const { client, told, socket } = open();
    client.dispose();
    client.dispose();
    expect(socket.close).toHaveBeenCalledOnce();
    expect(client.isDisposed).toBe(true);
    socket.say(started());
    await drop(socket);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).not.toHaveBeenCalled();
    expect(FakeSocket.opened).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stays closed when it is disposed of while the server is asked', async () => {
    const { client } = makeClient(RUNS);
    newest().onclose?.();
    client.dispose();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.opened).toHaveLength(1);
  });
});

describe('a run', () => {
  it('is told from its start to its end', async () => {
    const { client, socket } = open();
    expect(client.run).toBeNull();
    socket.say(started());
    expect(client.run).toMatchObject({
      runId: 'r1',
      cellId: 'c1',
      executionCount: 3,
      title: 'train()',
      startedAt: 1_700_000_000,
      state: 'running',
      line: null,
      soFar: null,
      lines: [],
      durationS: null
    });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(client.run?.elapsed()).toBeCloseTo(3.5);
    socket.say({ type: 'ended', run_id: 'r1', outcome: 'ok', duration_s: 3.4 });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(client.run).toMatchObject({
      state: 'ended',
      outcome: 'ok',
      durationS: 3.4
    });
    expect(client.run?.elapsed()).toBe(3.4);
  });

  it('has curves that grow', () => {
    const { client, socket } = open();
    socket.say(started());
    socket.say(sample([0.2], { rss: [100], cpu: [null] }));
    const before = client.run?.timeline;
    expect(client.run?.timeline).toBe(before);
    socket.say(sample([0.4, 0.6], { rss: [200, null], cpu: [1.5, 1] }));
    expect(before?.t_s).toEqual([0.2]);
    expect(client.run?.timeline).toEqual({
      t_s: [0.2, 0.4, 0.6],
      series: [
        { name: 'rss', unit: 'bytes', values: [100, 200, null] },
        { name: 'cpu', unit: 'cores', values: [null, 1.5, 1] }
      ]
    });
  });

  it('keeps the verdict and lines where a message brings none', () => {
    const { client, socket } = open();
    const line = { type: 'line', run_id: 'r1', t_s: 1 };
    socket.say(started());
    socket.say({ ...line, line: 4, so_far: 'Waits.', lines: [[4, 0.5]] });
    socket.say({ ...line, line: 5, so_far: null, lines: null });
    expect(client.run).toMatchObject({
      line: 5,
      soFar: 'Waits.',
      lines: [{ line: 4, wall_s: 0.5 }]
    });
  });

  it('stops with its kernel', async () => {
    const { client, socket } = open();
    socket.say(started());
    socket.say({ type: 'gone', run_id: 'r1', t_s: 2.25 });
    socket.say({ type: 'ended', run_id: 'r1', outcome: 'ok', duration_s: 9 });
    await vi.advanceTimersByTimeAsync(9_000);
    expect(client.run?.state).toBe('gone');
    expect(client.run?.elapsed()).toBe(2.25);
  });

  it('is followed by the next', () => {
    const { client, socket } = open();
    socket.say(started());
    socket.say(sample([1], { rss: [1] }));
    socket.say(started({ run_id: 'r2', elapsed_s: 0 }));
    socket.say(sample([2], { rss: [2] }, 'r1'));
    expect(client.run?.runId).toBe('r2');
    expect(client.run?.timeline.t_s).toEqual([]);
  });

  it('is told again, not twice, after a lost connection', async () => {
    const { client, socket } = open();
    socket.say(started());
    socket.say(sample([1, 2], { rss: [1, 2] }));
    await drop();
    await vi.advanceTimersByTimeAsync(500);
    newest().onopen?.();
    newest().say(started({ elapsed_s: 5 }));
    newest().say(sample([1, 2, 3], { rss: [1, 2, 3] }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(client.run?.timeline.t_s).toEqual([1, 2, 3]);
    expect(client.run?.state).toBe('running');
  });

  it('has ended when it is not told again', async () => {
    const { client, told, socket } = open();
    socket.say(started());
    await drop();
    await vi.advanceTimersByTimeAsync(500);
    expect(client.run?.state).toBe('running');
    newest().onopen?.();
    await vi.advanceTimersByTimeAsync(1_000);
    told.mockClear();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(client.run?.state).toBe('ended');
    expect(client.run?.durationS).toBeNull();
    expect(client.run?.outcome).toBeNull();
    expect(told).toHaveBeenCalledOnce();
  });
});

describe('changes', () => {
  it('are told at most five times a second, and none is lost', async () => {
    const { client, told, socket } = open();
    await vi.advanceTimersByTimeAsync(1_000);
    told.mockClear();
    socket.say(started());
    for (let at = 1; at <= 100; at += 1) {
      socket.say(sample([at], { rss: [at] }));
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(told.mock.calls.length).toBeGreaterThanOrEqual(4);
    expect(told.mock.calls.length).toBeLessThanOrEqual(6);
    let seen = 0;
    client.changed.connect(() => {
      seen = client.run?.timeline.t_s.at(-1) ?? 0;
    });
    socket.say(sample([101], { rss: [1] }));
    await vi.advanceTimersByTimeAsync(200);
    expect(seen).toBe(101);
  });
});

describe('very long curves', () => {
  const count = 3 * MOST_POINTS;

  function longRun() {
    const { client, socket } = open();
    const timelines: Timeline[] = [];
    socket.say(started());
    for (let from = 0; from < count; from += 500) {
      const t = Array.from({ length: 500 }, (_, index) => from + index);
      const rss = t.map(at => (at === 1_234 ? 9e9 : at));
      const cpu = t.map(at => (at % 2 ? 2 : 0));
      socket.say(sample(t, { rss, cpu }));
      timelines.push(client.run?.timeline ?? { t_s: [], series: [] });
    }
    socket.say({ type: 'ended', run_id: 'r1', duration_s: count });
    timelines.push(client.run?.timeline ?? { t_s: [], series: [] });
    return timelines;
  }

  it('are cut into equal steps', () => {
    const timelines = longRun();
    const { t_s } = timelines.at(-1) ?? { t_s: [] };
    for (const timeline of timelines) {
      expect(timeline.t_s.length).toBeLessThanOrEqual(MOST_POINTS);
    }
    expect(t_s.length).toBeGreaterThan(MOST_POINTS / 4);
    const steps = t_s.map((t, at) => t - (t_s[at - 1] ?? 0));
    expect(Math.min(...steps.slice(1, -1))).toBeGreaterThanOrEqual(3);
    expect(Math.max(...steps)).toBeLessThanOrEqual(5);
    expect(t_s.at(-1)).toBe(count - 1);
  });

  it('keep peaks of memory and the mean of rates', () => {
    const { t_s, series } = longRun().at(-1) ?? { t_s: [], series: [] };
    const [rss, cpu] = series;
    const peaks = t_s.filter((_, at) => rss?.values[at] === 9e9);
    expect(peaks).toHaveLength(1);
    expect(Math.abs((peaks[0] ?? 0) - 1_234)).toBeLessThan(5);
    expect(rss?.values.at(-1)).toBe(count - 1);
    const mean =
      (cpu?.values ?? []).reduce<number>(
        (sum, value) => sum + (value ?? 0),
        0
      ) / t_s.length;
    expect(mean).toBeCloseTo(1, 1);
  });

  it('change only by what is added, except when steps become longer', () => {
    let redrawn = 0;
    longRun().reduce((before, after) => {
      const kept = before.t_s.every((t, at) => after.t_s[at] === t);
      redrawn += kept ? 0 : 1;
      return after;
    });
    expect(redrawn).toBeGreaterThan(0);
    expect(redrawn).toBeLessThanOrEqual(4);
  });

  it('bear times that are spread wildly', () => {
    const { client, socket } = open();
    socket.say(started());
    const t = Array.from({ length: 6_000 }, (_, at) => 1.2 ** (at / 2) - 1);
    socket.say(sample([-1e308, ...t.filter(Number.isFinite)], { rss: t }));
    const { t_s } = client.run?.timeline ?? { t_s: [] };
    const points = t_s.length;
    expect(t_s[0]).toBeGreaterThan(0);
    expect(points).toBeLessThanOrEqual(MOST_POINTS);
  });
});

describe('hostile messages', () => {
  it.each([
    'no json',
    '[]',
    'null',
    '"started"',
    '{"type": "started"}',
    '{"type": "sample", "run_id": "r1"}',
    '{"type": "sample", "run_id": "r1", "t_s": 7, "series": 7}',
    '{"type": "sample", "run_id": "r1", "t_s": [null, "1", 1e999, {}], "series": {"rss": [1]}}',
    '{"type": "line", "run_id": "r1", "line": "4", "so_far": {}, "lines": [[null, 1], 7, [1]]}',
    '{"type": "shutdown", "run_id": "r1"}',
    `{"type": "line", "run_id": "r1", "so_far": "${'x'.repeat(6_000_000)}"}`,
    new ArrayBuffer(8)
  ])('change nothing (case %#)', data => {
    const { client, socket } = open();
    socket.say(started());
    socket.onmessage?.({ data });
    expect(client.run).toMatchObject({
      runId: 'r1',
      state: 'running',
      line: null,
      soFar: null,
      lines: []
    });
    expect(client.run?.timeline.t_s).toEqual([]);
  });

  it('bring no point twice, none backwards, and few series', () => {
    const { client, socket } = open();
    const names = Array.from({ length: 500 }, (_, index) => [`s${index}`, [1]]);
    socket.say(started({ elapsed_s: -5, title: {}, cell_id: 9 }));
    socket.say(sample([1, 1, 0.5, 2], { rss: ['a', 1, 2, 3] }));
    socket.onmessage?.({
      data: `{"type": "sample", "run_id": "r1", "t_s": [3], "series": {"__proto__": [1], "constructor": [2]}}`
    });
    socket.say(sample([4], Object.fromEntries(names)));
    const { t_s, series } = client.run?.timeline ?? { t_s: [], series: [] };
    expect(t_s).toEqual([1, 2, 3, 4]);
    expect(series.length).toBeLessThanOrEqual(64);
    expect(series[0]?.values).toEqual([null, 3, null, null]);
    expect(series.every(one => one.values.length === 4)).toBe(true);
    expect(client.run).toMatchObject({ title: '', cellId: null });
    expect(client.run?.elapsed()).toBe(0);
  });
});
