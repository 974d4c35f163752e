import {
  fields,
  fieldsOrNull,
  integerOrNull,
  list,
  number,
  numberOrNull,
  oneOf,
  text,
  textOrNull
} from './guards';
import type {
  CallSpan,
  CellError,
  CollectorReport,
  FunctionTime,
  GpuUse,
  Holder,
  LineTime,
  Machine,
  Memory,
  Part,
  Previous,
  Series,
  Steps,
  Timeline
} from './schema';

const MAX_POINTS = 5_000;
const MAX_STEPS = 20_000;
const PARTS = [
  'data',
  'forward',
  'backward',
  'optimizer',
  'transfer',
  'python',
  'idle',
  'other'
] as const;
const STATES = ['ran', 'cut', 'off', 'unavailable', 'failed'] as const;

/** Read where the time of the cell went. */
export function readSplit(value: unknown): Part[] {
  return list(value, readPart, PARTS.length * 2);
}

/** Read the curves of a run. */
export function readTimeline(value: unknown): Timeline {
  const data = fields(value);
  return {
    t_s: list(data.t_s, number, MAX_POINTS),
    series: list(data.series, readSeries, 64)
  };
}

function readPart(value: unknown): Part | null {
  const data = fields(value);
  const seconds = number(data.seconds);
  const part = oneOf(data.part, PARTS, 'other');
  return seconds > 0 ? { part, seconds } : null;
}

/** Read the time of one line; null when it has none. */
export function readLine(value: unknown): LineTime | null {
  const data = fields(value);
  const line = integerOrNull(data.line);
  const wall = numberOrNull(data.wall_s);
  if (line === null || wall === null) {
    return null;
  }
  return { line, wall_s: wall, samples: integerOrNull(data.samples) ?? 0 };
}

/** Read the times of one function; null when it is no object. */
export function readFunction(value: unknown): FunctionTime | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      name: text(data.name),
      file: text(data.file),
      line: integerOrNull(data.line) ?? 0,
      self_s: number(data.self_s),
      total_s: number(data.total_s),
      calls: integerOrNull(data.calls),
      callers: null
    }
  );
}

/** Read the span in which calls were counted. */
export function readCalls(value: unknown): CallSpan | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      from_s: number(data.from_s),
      to_s: number(data.to_s),
      reason: textOrNull(data.reason)
    }
  );
}

function readSeries(value: unknown): Series | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      name: text(data.name),
      unit: text(data.unit),
      // NaN and not null for a gap, because `list` leaves nulls out.
      values: list(data.values, number, MAX_POINTS)
    }
  );
}

/** Read what the kernel's memory did. */
export function readMemory(value: unknown): Memory | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      start_bytes: number(data.start_bytes),
      peak_bytes: number(data.peak_bytes),
      peak_t_s: number(data.peak_t_s),
      end_bytes: number(data.end_bytes),
      limit_bytes: numberOrNull(data.limit_bytes),
      holders: list(data.holders, readHolder, 100)
    }
  );
}

/** Read what the cell made of one GPU. */
export function readGpu(value: unknown): GpuUse | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      index: number(data.index),
      name: text(data.name, 200),
      busy_pct: numberOrNull(data.busy_pct),
      energy_j: numberOrNull(data.energy_j),
      peak_bytes: numberOrNull(data.peak_bytes),
      own_peak_bytes: numberOrNull(data.own_peak_bytes),
      peak_temperature_c: numberOrNull(data.peak_temperature_c),
      lost_at_s: numberOrNull(data.lost_at_s)
    }
  );
}

function readHolder(value: unknown): Holder | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      name: text(data.name),
      bytes: number(data.bytes),
      type: text(data.type)
    }
  );
}

/** Read the optimizer's steps. */
export function readSteps(value: unknown): Steps | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      count: number(data.count),
      seconds: list(data.seconds, numberOrNull, MAX_STEPS),
      optimizer_s: number(data.optimizer_s)
    }
  );
}

/** Read what one collector says of itself; null when it is no object. */
export function readCollector(value: unknown): CollectorReport | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      name: text(data.name),
      state: oneOf(data.state, STATES, 'failed'),
      reason: textOrNull(data.reason),
      cost_cpu_s: number(data.cost_cpu_s)
    }
  );
}

/** Read what is known of the run before. */
export function readPrevious(value: unknown): Previous | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      id: text(data.id),
      duration_s: number(data.duration_s),
      peak_bytes: numberOrNull(data.peak_bytes),
      verdict: text(data.verdict)
    }
  );
}

/** Read the error that ended the cell. */
export function readError(value: unknown): CellError | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      type: text(data.type),
      message: text(data.message),
      line: integerOrNull(data.line)
    }
  );
}

/** Read where the cell ran. */
export function readMachine(
  value: unknown
): Pick<
  Machine,
  'python' | 'platform' | 'cores_allowed' | 'memory_limit_bytes'
> {
  const data = fields(value);
  return {
    python: text(data.python, 100),
    platform: text(data.platform, 200),
    cores_allowed: number(data.cores_allowed),
    memory_limit_bytes: numberOrNull(data.memory_limit_bytes)
  };
}
