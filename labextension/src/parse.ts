import type { TranslationBundle } from '@jupyterlab/translation';

import type { CardFinding } from './finding';
import { readFindings } from './finding';
import type { Fields } from './guards';
import {
  fields,
  integerOrNull,
  list,
  number,
  oneOf,
  text,
  textOrNull
} from './guards';
import { readFlame, readSpans } from './parseflame';
import {
  readCalls,
  readCollector,
  readError,
  readFunction,
  readLine,
  readGpu,
  readMachine,
  readMemory,
  readPrevious,
  readSplit,
  readSteps,
  readTimeline
} from './parseparts';
import type { CellProfile } from './schema';

/** Major version of the wire schema that this extension reads. */
const SCHEMA_VERSION = 1;
const MAX_SOURCE = 200_000;
const MAX_FINDINGS = 50;
const OUTCOMES = ['ok', 'error', 'interrupted', 'killed'] as const;

/** The parts of a profile that card and panel show. */
export type CardProfile = Omit<
  CellProfile,
  | 'schema_version'
  | 'mlprof_version'
  | 'loader'
  | 'operators'
  | 'operator_window'
  | 'machine'
  | 'findings'
> & {
  machine: ReturnType<typeof readMachine>;
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
  const verdict = fields(data.verdict);
  const flame = readFlame(data.flame);
  return {
    id: text(data.id, 100),
    name: textOrNull(data.name),
    started_at: text(data.started_at, 100),
    duration_s: number(data.duration_s),
    cpu_s: number(data.cpu_s),
    outcome: oneOf(data.outcome, OUTCOMES, 'ok'),
    error: readError(data.error),
    cell: readCell(data.cell),
    machine: readMachine(data.machine),
    verdict: { rule: text(verdict.rule), text: text(verdict.text) },
    split: readSplit(data.split),
    lines: list(data.lines, readLine, 5_000),
    functions: list(data.functions, readFunction),
    calls: readCalls(data.calls),
    flame,
    spans: readSpans(data.spans, flame),
    timeline: readTimeline(data.timeline),
    memory: readMemory(data.memory),
    gpus: list(data.gpus, readGpu, 64),
    steps: readSteps(data.steps),
    collectors: list(data.collectors, readCollector, 50),
    overhead: readOverhead(data.overhead),
    findings: readFindings(data.findings, MAX_FINDINGS),
    previous: readPrevious(data.previous),
    dropped: list(data.dropped, textOrNull, 50)
  };
}

function readCell(value: unknown): CardProfile['cell'] {
  const data = fields(value);
  return {
    id: textOrNull(data.id),
    execution_count: integerOrNull(data.execution_count),
    source: text(data.source, MAX_SOURCE),
    source_sha256: text(data.source_sha256, 100),
    truncated: data.truncated === true,
    notebook: textOrNull(data.notebook)
  };
}

function readOverhead(value: unknown): CardProfile['overhead'] {
  const data = fields(value);
  return {
    budget_pct: number(data.budget_pct),
    kernel_cpu_s: number(data.kernel_cpu_s),
    sidecar_cpu_s: number(data.sidecar_cpu_s),
    after_cell_s: number(data.after_cell_s)
  };
}
