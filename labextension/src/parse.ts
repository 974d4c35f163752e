import type { TranslationBundle } from '@jupyterlab/translation';

import type { CardFinding } from './finding';
import { parseFinding } from './finding';
import type { Fields } from './guards';
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
  CellProfile,
  CollectorReport,
  FunctionTime,
  LineTime,
  Memory,
  Part,
  Previous,
  Series,
  Steps
} from './schema';

/** Major version of the wire schema that this extension reads. */
const SCHEMA_VERSION = 1;
const MAX_SOURCE = 200_000;
const MAX_POINTS = 5_000;
const MAX_FINDINGS = 50;
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

/** The parts of a profile that the card shows. */
export type CardProfile = Pick<
  CellProfile,
  | 'name'
  | 'duration_s'
  | 'cpu_s'
  | 'verdict'
  | 'split'
  | 'lines'
  | 'functions'
  | 'timeline'
  | 'memory'
  | 'steps'
  | 'collectors'
  | 'overhead'
  | 'previous'
  | 'dropped'
> & {
  cell: Pick<CellProfile['cell'], 'id' | 'source'>;
  findings: CardFinding[];
};

/** Outcome of reading: a profile, or the sentence that says why there is none. */
export type Parsed =
  | { readonly profile: CardProfile; readonly refusal: null }
  | { readonly profile: null; readonly refusal: string };

/**
 * Read what an output holds under our MIME type. Never throws: what is
 * malformed is left out, and numbers that are missing become NaN.
 */
export function parseProfile(value: unknown, trans: TranslationBundle): Parsed {
  const data = fields(value);
  const version = integerOrNull(data.schema_version);
  if (version !== null && version > SCHEMA_VERSION) {
    const refusal = trans.__(
      'This profile was written by a newer jupyter_mlprof (schema %1); update the extension to see it.',
      version
    );
    return { profile: null, refusal };
  }
  if (version !== SCHEMA_VERSION) {
    const refusal = trans.__(
      'This output is not a profile that jupyter_mlprof can read; run the cell again.'
    );
    return { profile: null, refusal };
  }
  return { profile: readProfile(data), refusal: null };
}

function readProfile(data: Fields): CardProfile {
  const cell = fields(data.cell);
  const verdict = fields(data.verdict);
  const timeline = fields(data.timeline);
  const overhead = fields(data.overhead);
  return {
    name: textOrNull(data.name),
    duration_s: number(data.duration_s),
    cpu_s: number(data.cpu_s),
    cell: { id: textOrNull(cell.id), source: text(cell.source, MAX_SOURCE) },
    verdict: { rule: text(verdict.rule), text: text(verdict.text) },
    split: list(data.split, readPart, PARTS.length * 2),
    lines: list(data.lines, readLine, 5_000),
    functions: list(data.functions, readFunction),
    timeline: {
      t_s: list(timeline.t_s, number, MAX_POINTS),
      series: list(timeline.series, readSeries, 50)
    },
    memory: readMemory(data.memory),
    steps: readSteps(data.steps),
    collectors: list(data.collectors, readCollector, 50),
    overhead: {
      budget_pct: number(overhead.budget_pct),
      kernel_cpu_s: number(overhead.kernel_cpu_s),
      sidecar_cpu_s: number(overhead.sidecar_cpu_s),
      after_cell_s: number(overhead.after_cell_s)
    },
    findings: list(data.findings, parseFinding, MAX_FINDINGS),
    previous: readPrevious(data.previous),
    dropped: list(data.dropped, textOrNull, 50)
  };
}

function readPart(value: unknown): Part | null {
  const data = fields(value);
  const seconds = number(data.seconds);
  const part = oneOf(data.part, PARTS, 'other');
  return seconds > 0 ? { part, seconds } : null;
}

function readLine(value: unknown): LineTime | null {
  const data = fields(value);
  const line = integerOrNull(data.line);
  const wall = numberOrNull(data.wall_s);
  if (line === null || wall === null) {
    return null;
  }
  return { line, wall_s: wall, samples: integerOrNull(data.samples) ?? 0 };
}

function readFunction(value: unknown): FunctionTime | null {
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

function readMemory(value: unknown): Memory | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      start_bytes: number(data.start_bytes),
      peak_bytes: number(data.peak_bytes),
      peak_t_s: number(data.peak_t_s),
      end_bytes: number(data.end_bytes),
      limit_bytes: numberOrNull(data.limit_bytes),
      holders: []
    }
  );
}

function readSteps(value: unknown): Steps | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      count: number(data.count),
      seconds: [],
      optimizer_s: number(data.optimizer_s)
    }
  );
}

function readCollector(value: unknown): CollectorReport | null {
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

function readPrevious(value: unknown): Previous | null {
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
