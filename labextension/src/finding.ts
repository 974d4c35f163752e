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
import type { Evidence, Finding, Fix, TextEdit } from './schema';
import { readTrial } from './trial';

/** What the card needs of a finding; the kind only groups findings elsewhere. */
export type CardFinding = Omit<Finding, 'kind'> & {
  /** Its place in the profile, from 1, whatever of the others can be read. */
  readonly number: number;
};

const MAX_EDITS = 200;
const MAX_EDIT_TEXT = 20_000;
const HASH = /^[0-9a-f]{64}$/;
/** Offsets that no source accepts, so that the fix is refused as a whole. */
const IMPOSSIBLE_EDIT: TextEdit = { start: -1, end: -1, text: '' };

/** Read the findings; those that are no objects are left out. */
export function readFindings(value: unknown, limit: number): CardFinding[] {
  let place = 0;
  return list(value, item => readFinding(item, ++place), limit);
}

function readFinding(value: unknown, place: number): CardFinding | null {
  const data = fieldsOrNull(value);
  if (data === null) {
    return null;
  }
  const gain = fields(data.gain);
  return {
    number: place,
    rule: text(data.rule),
    title: text(data.title),
    line: integerOrNull(data.line),
    evidence: list(data.evidence, readEvidence, 50),
    gain: {
      metric: oneOf(gain.metric, ['time', 'memory'], 'time'),
      low: number(gain.low),
      high: number(gain.high),
      basis: text(gain.basis)
    },
    confidence: oneOf(data.confidence, ['low', 'medium', 'high'], 'low'),
    costs: list(data.costs, textOrNull, 20),
    fix: readFix(data.fix),
    advice: text(data.advice),
    trial: readTrial(data.trial)
  };
}

function readEvidence(value: unknown): Evidence | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      name: text(data.name),
      value: numberOrNull(data.value),
      unit: text(data.unit, 40),
      threshold: numberOrNull(data.threshold),
      source: textOrNull(data.source)
    }
  );
}

function readFix(value: unknown): Fix | null {
  const data = fields(value);
  const hash = data.source_sha256;
  if (typeof hash !== 'string' || !HASH.test(hash)) {
    return null;
  }
  // One more than allowed is read, so that a fix is never applied in part.
  const edits = list(data.edits, readEdit, MAX_EDITS + 1);
  const tooMany = edits.length > MAX_EDITS;
  return { source_sha256: hash, edits: tooMany ? [IMPOSSIBLE_EDIT] : edits };
}

function readEdit(value: unknown): TextEdit {
  const data = fields(value);
  const start = integerOrNull(data.start);
  const end = integerOrNull(data.end);
  const inserted = data.text;
  if (
    start === null ||
    end === null ||
    typeof inserted !== 'string' ||
    inserted.length > MAX_EDIT_TEXT
  ) {
    return IMPOSSIBLE_EDIT;
  }
  return { start, end, text: inserted };
}
