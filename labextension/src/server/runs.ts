import { URLExt } from '@jupyterlab/coreutils';
import type { ServerConnection } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';
import { nullTranslator } from '@jupyterlab/translation';

import {
  fields,
  integerOrNull,
  list,
  numberOrNull,
  oneOf,
  text,
  textOrNull
} from '../guards';
import type { Answer, Failure } from './answer';
import { ask } from './answer';

export type { Failure } from './answer';

/** A run, as lists show it. */
export interface IRunSummary {
  readonly id: string;
  readonly kernelId: string | null;
  /** Where the notebook was when it ran, as the kernel was told. */
  readonly notebook: string | null;
  readonly cellId: string | null;
  readonly executionCount: number | null;
  readonly name: string | null;
  /** First line of code of the cell; empty where the source was left out. */
  readonly title: string;
  /** Seconds since 1970. */
  readonly startedAt: number;
  readonly state: 'running' | 'ended' | 'killed';
  readonly durationS: number | null;
  readonly outcome: string | null;
  readonly verdict: string | null;
}

/** The runs, newest first, or why there is no list of them. */
export type RunList =
  { readonly kind: 'runs'; readonly runs: readonly IRunSummary[] } | Failure;

/** A profile as the server has it, still to be parsed, or why there is none. */
export type ProfileAnswer =
  { readonly kind: 'profile'; readonly profile: unknown } | Failure;

const RUN_ID = /^[0-9a-f]{32}$/;
const STATES = ['running', 'ended', 'killed'] as const;
const MOST_RUNS = 1_000;
/** Cells asked for at once: a proxy may refuse an address of over 8 kB. */
const CELLS_AT_ONCE = 100;

/** Reads the stored runs from the server. Its promises never reject. */
export class RunsClient {
  constructor(
    private readonly settings: ServerConnection.ISettings,
    private readonly trans: TranslationBundle = nullTranslator.load(
      'jupyter_mlprof'
    )
  ) {}

  /**
   * List the runs of a notebook, given as the front end names it.
   *
   * With cells, only the runs of these are listed, but also those from before
   * the notebook was renamed or moved.
   */
  async list(
    notebook: string,
    cellId: string | readonly string[] = []
  ): Promise<RunList> {
    const cells = typeof cellId === 'string' ? [cellId] : cellId;
    const asked = chunks(cells).map(some => {
      const query = new URLSearchParams({ notebook });
      some.forEach(cell => {
        query.append('cell_id', cell);
      });
      return this.ask(`runs?${query.toString()}`);
    });
    const runs: IRunSummary[] = [];
    for (const answer of await Promise.all(asked)) {
      if (answer.kind !== 'ok') {
        return answer;
      }
      runs.push(...list(fields(answer.value).runs, readRun, MOST_RUNS));
    }
    runs.sort((left, right) => right.startedAt - left.startedAt);
    return { kind: 'runs', runs };
  }

  /** Read the profile of a run; of one that was killed, what is known of it. */
  async profile(runId: string): Promise<ProfileAnswer> {
    if (!RUN_ID.test(runId)) {
      const message = this.trans.__('This run has no profile.');
      return { kind: 'failed', message };
    }
    const answer = await this.ask(`runs/${runId}`);
    return answer.kind === 'ok'
      ? { kind: 'profile', profile: answer.value }
      : answer;
  }

  /** Whether the server certainly runs without our extension. */
  async isAbsent(): Promise<boolean> {
    // A cell that nobody has: the shortest answer there is.
    return (await this.list('', '-')).kind === 'absent';
  }

  private ask(path: string): Promise<Answer> {
    const url = URLExt.join(this.settings.baseUrl, 'jupyter-mlprof', path);
    return ask(url, this.settings, this.trans);
  }
}

/** Split a list, an empty one into one empty part. */
function chunks(cells: readonly string[]): (readonly string[])[] {
  const parts = [cells.slice(0, CELLS_AT_ONCE)];
  for (let at = CELLS_AT_ONCE; at < cells.length; at += CELLS_AT_ONCE) {
    parts.push(cells.slice(at, at + CELLS_AT_ONCE));
  }
  return parts;
}

function readRun(value: unknown): IRunSummary | null {
  const data = fields(value);
  const id = text(data.id);
  return RUN_ID.test(id)
    ? {
        id,
        kernelId: textOrNull(data.kernel_id),
        notebook: textOrNull(data.notebook),
        cellId: textOrNull(data.cell_id),
        executionCount: integerOrNull(data.execution_count),
        name: textOrNull(data.name),
        title: text(data.title),
        startedAt: numberOrNull(data.started_at) ?? 0,
        state: oneOf(data.state, STATES, 'ended'),
        durationS: numberOrNull(data.duration_s),
        outcome: textOrNull(data.outcome),
        verdict: textOrNull(data.verdict)
      }
    : null;
}
