import { beforeEach, describe, expect, it, vi } from 'vitest';

import { RunsClient } from '../src/server/runs';
import type { IStagedAnswer } from './server';
import { makeSettings } from './server';

const ID = 'a'.repeat(32);
const PAGE = '<!doctype html><h1>404</h1>';

function makeRun(changes: object = {}): object {
  return {
    id: ID,
    kernel_id: 'k-1',
    notebook: '/home/ada/train.ipynb',
    cell_id: 'c1',
    execution_count: 3,
    name: null,
    title: 'train()',
    started_at: 1_700_000_000.5,
    state: 'ended',
    duration_s: 2.5,
    outcome: 'ok',
    verdict: 'Compute-bound.',
    ...changes
  };
}

function client(answer: IStagedAnswer | Error) {
  const { settings, asked } = makeSettings(() => answer);
  return { runs: new RunsClient(settings), asked };
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
});

describe('RunsClient.list', () => {
  it('asks under the base address and reads the answer', async () => {
    const { runs, asked } = client({ body: { runs: [makeRun()] } });
    expect(await runs.list('a b/ü&?.ipynb', 'c1')).toEqual({
      kind: 'runs',
      runs: [
        {
          id: ID,
          kernelId: 'k-1',
          notebook: '/home/ada/train.ipynb',
          cellId: 'c1',
          executionCount: 3,
          name: null,
          title: 'train()',
          startedAt: 1_700_000_000.5,
          state: 'ended',
          durationS: 2.5,
          outcome: 'ok',
          verdict: 'Compute-bound.'
        }
      ]
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.pathname).toBe('/user/ada/jupyter-mlprof/runs');
    expect(asked[0]?.searchParams.get('notebook')).toBe('a b/ü&?.ipynb');
    expect(asked[0]?.searchParams.getAll('cell_id')).toEqual(['c1']);
  });

  it('asks for many cells in several requests and sorts what comes', async () => {
    const { settings, asked } = makeSettings(url => {
      const started_at = url.searchParams.getAll('cell_id').length;
      return { body: { runs: [makeRun({ started_at })] } };
    });
    const cells = Array.from({ length: 130 }, (_, index) => `cell-${index}`);
    const answer = await new RunsClient(settings).list('n.ipynb', cells);
    expect(
      answer.kind === 'runs' && answer.runs.map(run => run.startedAt)
    ).toEqual([100, 30]);
    expect(asked.flatMap(url => url.searchParams.getAll('cell_id'))).toEqual(
      cells
    );
  });

  it('leaves out what is no run, and reads odd values as unknown', async () => {
    const odd = makeRun({
      title: 7,
      state: 'flying',
      started_at: '1',
      duration_s: 'long'
    });
    const body = {
      runs: [null, 7, {}, makeRun({ id: '../../etc' }), odd]
    };
    const answer = await client({ body }).runs.list('n.ipynb');
    expect(answer.kind === 'runs' && answer.runs).toMatchObject([
      { id: ID, title: '', state: 'ended', startedAt: 0, durationS: null }
    ]);
    for (const nothing of [null, [], 'x', { runs: 'x' }]) {
      const { runs } = client({ body: nothing === 'x' ? 8 : nothing });
      expect(await runs.list('n.ipynb')).toEqual({ kind: 'runs', runs: [] });
    }
  });
});

describe('RunsClient.profile', () => {
  it('brings what the server holds', async () => {
    const { runs, asked } = client({ body: { schema_version: 1 } });
    expect(await runs.profile(ID)).toEqual({
      kind: 'profile',
      profile: { schema_version: 1 }
    });
    expect(asked[0]?.pathname).toBe(`/user/ada/jupyter-mlprof/runs/${ID}`);
  });

  it('asks nothing for what is no id', async () => {
    const { runs, asked } = client({ body: {} });
    expect((await runs.profile('../x')).kind).toBe('failed');
    expect(asked).toEqual([]);
  });

  it('passes on why there is none', async () => {
    const body = { message: 'There is no finished run with this id.' };
    expect(await client({ status: 404, body }).runs.profile(ID)).toEqual({
      kind: 'failed',
      ...body
    });
  });
});

describe('a server without our extension', () => {
  it.each([
    ['says 404 with a page of its own', { status: 404, body: PAGE }],
    ['says 404 without a word', { status: 404, body: '' }],
    ['shows some page', { body: PAGE }]
  ])('is absent when it %s', async (_, answer) => {
    expect(await client(answer).runs.list('n')).toEqual({ kind: 'absent' });
    expect(await client(answer).runs.isAbsent()).toBe(true);
  });

  it.each([
    ['asks to log in', { body: PAGE, redirected: true }, /reload the page/],
    ['forbids', { status: 403, body: PAGE }, /reload the page/],
    [
      'forbids in JSON',
      { status: 403, body: { message: 'Forbidden' } },
      /reload/
    ],
    ['is being started', { status: 503, body: PAGE }, /status 503/],
    ['has an error', { status: 500, body: { message: 'Oh.' } }, /^Oh\.$/],
    ['cannot be reached', new TypeError('no network'), /be reached/]
  ])('is not absent when it %s', async (_, answer, message) => {
    expect(await client(answer).runs.list('n')).toEqual({
      kind: 'failed',
      message: expect.stringMatching(message) as string
    });
    expect(await client(answer).runs.isAbsent()).toBe(false);
  });

  it('may say anything under the name of JSON', async () => {
    const { settings } = makeSettings(() => ({ body: {} }), {
      fetch: () =>
        Promise.resolve(
          new Response('{"runs": [', {
            headers: { 'Content-Type': 'application/json' }
          })
        )
    });
    expect((await new RunsClient(settings).list('n')).kind).toBe('failed');
  });
});
