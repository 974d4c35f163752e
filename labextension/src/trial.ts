import {
  fields,
  fieldsOrNull,
  integerOrNull,
  numberOrNull,
  oneOf,
  text
} from './guards';
import type { Drift, Interval, Trial } from './schema';

const VERDICTS = ['pays', 'does-not-pay', 'cannot-tell', 'refused'] as const;
/** A sentence or two. */
const MAX_VERDICT = 600;
const MAX_NAME = 100;

/** Read what came of trying a fix; null where it was not tried or says nothing. */
export function readTrial(value: unknown): Trial | null {
  const data = fieldsOrNull(value);
  const verdict = oneOf(data?.verdict, ['', ...VERDICTS], '');
  if (data === null || verdict === '') {
    return null;
  }
  return {
    verdict,
    text: text(data.text, MAX_VERDICT),
    pairs: counted(data.pairs) ?? 0,
    took_s: positive(data.took_s),
    speedup: readInterval(data.speedup),
    steady: positive(data.steady),
    before_s: positive(data.before_s),
    after_s: positive(data.after_s),
    steps: counted(data.steps),
    memory_change_bytes: integerOrNull(data.memory_change_bytes),
    compared: counted(data.compared) ?? 0,
    drift: readDrift(data.drift)
  };
}

/** A ratio without its interval, or with one that is none, is not shown as one. */
function readInterval(value: unknown): Interval | null {
  const data = fields(value);
  const low = positive(data.low);
  const middle = positive(data.middle);
  const high = positive(data.high);
  if (low === null || middle === null || high === null) {
    return null;
  }
  return 0 < low && low <= middle && middle <= high
    ? { low, middle, high }
    : null;
}

function readDrift(value: unknown): Drift | null {
  const data = fieldsOrNull(value);
  return (
    data && {
      name: text(data.name, MAX_NAME),
      relative: positive(data.relative),
      same_code: positive(data.same_code)
    }
  );
}

function positive(value: unknown): number | null {
  const number = numberOrNull(value);
  return number !== null && number >= 0 ? number : null;
}

function counted(value: unknown): number | null {
  const number = integerOrNull(value);
  return number !== null && number >= 0 ? number : null;
}
