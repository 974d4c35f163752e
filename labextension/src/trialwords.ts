import type { TranslationBundle } from '@jupyterlab/translation';

import { bytes, isKnown, percent, ratio, seconds } from './numbers';
import type { Interval, Trial } from './schema';

/** Values that differ by less are called equal; the kernel does the same. */
const EQUAL = 1e-6;

/** The verdict in a word or two. */
export function verdictWord(
  verdict: Trial['verdict'],
  trans: TranslationBundle
): string {
  const words = {
    pays: trans.__('It pays.'),
    'does-not-pay': trans.__('It does not pay.'),
    'cannot-tell': trans.__('Cannot tell.'),
    refused: trans.__('Not tried.')
  };
  return words[verdict];
}

/** The outcome behind the title of a finding: "tried: 2.9x faster". */
export function briefly(
  { speedup, verdict }: Trial,
  trans: TranslationBundle
): string {
  const words = {
    pays: speedup
      ? trans.__('tried: %1', fasterText(speedup, trans))
      : trans.__('tried: pays'),
    'does-not-pay': trans.__('tried: does not pay'),
    'cannot-tell': trans.__('tried: cannot tell'),
    refused: trans.__('not tried')
  };
  return words[verdict];
}

/** The figures of a trial, those that are known and that its text does not tell. */
export function trialFigures(trial: Trial, trans: TranslationBundle): string[] {
  const { pairs, speedup, steady, took_s: took } = trial;
  return [
    speedup && !tells(trial.text, speedup) && speedupText(speedup, trans),
    wholeCellText(trial, trans),
    steady && trans.__('later steps %1 as fast', ratio(steady)),
    memoryText(trial.memory_change_bytes, trans),
    pairs > 0 && trans._n('%1 pair of runs', '%1 pairs of runs', pairs),
    pairs > 0 && took && trans.__('took %1', seconds(took))
  ].filter(figure => typeof figure === 'string');
}

/** Whether a text tells how fast it is; "does not pay" may tell the interval only. */
function tells(text: string, { middle }: Interval): boolean {
  return text.includes(ratio(middle));
}

/** The ratio with its interval: "2.9x faster (2.7x to 3.1x)". */
function speedupText(interval: Interval, trans: TranslationBundle): string {
  const { low, high } = interval;
  const isSlower = isBelowOne(high);
  const [from, to] = isSlower ? [inverse(high), inverse(low)] : [low, high];
  return trans.__(
    '%1 (%2 to %3)',
    fasterText(interval, trans),
    ratio(from),
    ratio(to)
  );
}

/** "2.9x faster", "1.3x slower", or "1x as fast" where the interval holds both. */
function fasterText(
  { low, middle, high }: Interval,
  trans: TranslationBundle
): string {
  if (isKnown(low) && low > 1) {
    return trans.__('%1 faster', ratio(middle));
  }
  return isBelowOne(high)
    ? trans.__('%1 slower', ratio(inverse(middle)))
    : trans.__('%1 as fast', ratio(middle));
}

function wholeCellText(
  { after_s: after, before_s: before, steps }: Trial,
  trans: TranslationBundle
): string | null {
  if (!isKnown(before) || !isKnown(after)) {
    return null;
  }
  const [from, to] = [seconds(before), seconds(after)];
  return steps === null
    ? trans.__('whole cell %1 → %2', from, to)
    : trans._n(
        'whole cell %2 → %3, worked out from %1 step',
        'whole cell %2 → %3, worked out from %1 steps',
        steps,
        from,
        to
      );
}

function memoryText(
  change: number | null,
  trans: TranslationBundle
): string | null {
  if (change === null) {
    return null;
  }
  if (change === 0) {
    return trans.__('the same memory');
  }
  return change > 0
    ? trans.__('%1 more memory', bytes(change))
    : trans.__('%1 less memory', bytes(-change));
}

/** Whether the changed cell computes the same; null where nothing was compared. */
export function driftText(
  { compared, drift }: Trial,
  trans: TranslationBundle
): string | null {
  if (compared === 0) {
    return null;
  }
  const variables = trans._n(
    '%1 variable compared',
    '%1 variables compared',
    compared
  );
  if (drift === null || drift.relative === 0) {
    return trans.__('same result: %1, none differs', variables);
  }
  const { relative, same_code: sameCode } = drift;
  if (relative === null) {
    return trans.__(
      'result: %1; %2 is of another size or not finite',
      variables,
      drift.name
    );
  }
  if (relative <= (sameCode ?? 0)) {
    return trans.__(
      'same result: %1, none differs more than between two runs of the original',
      variables
    );
  }
  if (relative <= EQUAL) {
    return trans.__(
      'same result: %1, none differs by more than rounding',
      variables
    );
  }
  return trans.__(
    'result: %1; %2 differs most, by %3; between two runs of the original by %4',
    variables,
    drift.name,
    percent(100 * relative),
    percent(sameCode === null ? null : 100 * sameCode)
  );
}

function isBelowOne(value: number | null): value is number {
  return isKnown(value) && value < 1;
}

function inverse(value: number | null): number | null {
  return isKnown(value) && value > 0 ? 1 / value : null;
}
