import {
  fields,
  fieldsOrNull,
  integerOrNull,
  list,
  numberOrNull,
  text,
  textOrNull
} from '../guards';
import { readLine } from '../parseparts';
import type { LineTime } from '../schema';

/** What the live socket tells, by its `type`. */
export type LiveMessage = IStarted | ISample | ILine | IEnded | IGone;

/** A cell began to run; also the head of what is told again. */
export interface IStarted {
  readonly type: 'started';
  readonly runId: string;
  readonly cellId: string | null;
  readonly executionCount: number | null;
  readonly name: string | null;
  readonly title: string;
  /** Seconds since 1970, by the server's clock. */
  readonly startedAt: number;
  readonly elapsedS: number;
}

/** What the sidecar saw. */
export interface ISample {
  readonly type: 'sample';
  readonly runId: string;
  readonly times: readonly unknown[];
  /** By the name of the series; one value for each time. */
  readonly series: ReadonlyMap<string, readonly unknown[]>;
}

/** Which line of the cell runs. */
export interface ILine {
  readonly type: 'line';
  readonly runId: string;
  readonly line: number | null;
  /** Null where it has not changed. */
  readonly soFar: string | null;
  /** Null where they have not changed. */
  readonly lines: readonly LineTime[] | null;
}

/** The cell ended. */
export interface IEnded {
  readonly type: 'ended';
  readonly runId: string;
  readonly outcome: string | null;
  readonly durationS: number | null;
}

/** The kernel died. */
export interface IGone {
  readonly type: 'gone';
  readonly runId: string;
  readonly seconds: number | null;
}

const MOST_CHARACTERS = 5_000_000;
const MOST_SERIES = 64;
const MOST_LINES = 5_000;

/** Read what came over the socket; null where it is no message of ours. */
export function readMessage(data: unknown): LiveMessage | null {
  if (typeof data !== 'string' || data.length > MOST_CHARACTERS) {
    return null;
  }
  try {
    return read(JSON.parse(data));
  } catch {
    return null;
  }
}

function read(value: unknown): LiveMessage | null {
  const data = fields(value);
  const runId = text(data.run_id, 100);
  if (runId === '') {
    return null;
  }
  switch (data.type) {
    case 'started':
      return {
        type: 'started',
        runId,
        cellId: textOrNull(data.cell_id),
        executionCount: integerOrNull(data.execution_count),
        name: textOrNull(data.name),
        title: text(data.title),
        startedAt: numberOrNull(data.started_at) ?? 0,
        elapsedS: Math.max(0, numberOrNull(data.elapsed_s) ?? 0)
      };
    case 'sample':
      return { type: 'sample', runId, ...readSamples(data.t_s, data.series) };
    case 'line':
      return {
        type: 'line',
        runId,
        line: integerOrNull(data.line),
        soFar: textOrNull(data.so_far),
        lines: Array.isArray(data.lines)
          ? list(data.lines, readPair, MOST_LINES)
          : null
      };
    case 'ended':
      return {
        type: 'ended',
        runId,
        outcome: textOrNull(data.outcome),
        durationS: numberOrNull(data.duration_s)
      };
    case 'gone':
      return { type: 'gone', runId, seconds: numberOrNull(data.t_s) };
    default:
      return null;
  }
}

function readSamples(
  times: unknown,
  series: unknown
): Pick<ISample, 'times' | 'series'> {
  const named = Object.entries(fieldsOrNull(series) ?? {});
  return {
    times: items(times),
    series: new Map(
      named
        .slice(0, MOST_SERIES)
        .map(([name, values]) => [text(name, 50), items(values)])
    )
  };
}

function readPair(value: unknown): LineTime | null {
  const [line, wall_s] = items(value);
  return readLine({ line, wall_s });
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
