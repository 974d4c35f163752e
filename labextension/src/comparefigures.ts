import type { TranslationBundle } from '@jupyterlab/translation';
import { nullTranslator } from '@jupyterlab/translation';

import type { Comparable } from './compare';
import { isKnown } from './numbers';
import type { Steps } from './schema';

/** One figure of two profiles. */
export interface IFigure {
  readonly key: 'wall' | 'cpu' | 'peak' | 'steps' | 'data';
  readonly label: string;
  /** As `quantity` takes it. */
  readonly unit: 's' | 'bytes' | 'steps/s';
  readonly before: number | null;
  readonly after: number | null;
  /** after / before; null when either is unknown or there was nothing before. */
  readonly ratio: number | null;
  /** Which way is an improvement. */
  readonly better: 'less' | 'more';
}

/** The figures of two profiles beside each other; what neither knows is left out. */
export function compareFigures(
  before: Comparable,
  after: Comparable,
  trans: TranslationBundle = nullTranslator.load('jupyter_mlprof')
): IFigure[] {
  const rate = stepRate(before, after);
  const rows: (readonly [
    IFigure['key'],
    string,
    IFigure['unit'],
    (profile: Comparable) => number | null
  ])[] = [
    ['wall', trans.__('Wall time'), 's', profile => profile.duration_s],
    ['cpu', trans.__('CPU time'), 's', profile => profile.cpu_s],
    [
      'peak',
      trans.__('Peak memory'),
      'bytes',
      profile => profile.memory?.peak_bytes ?? null
    ],
    ['steps', trans.__('Optimizer steps'), 'steps/s', rate],
    ['data', trans.__('Waiting for data'), 's', dataWait]
  ];
  return rows
    .map(([key, label, unit, read]) => ({
      key,
      label,
      unit,
      ...sides(read(before), read(after)),
      better: key === 'steps' ? ('more' as const) : ('less' as const)
    }))
    .filter(figure => figure.before !== null || figure.after !== null);
}

function sides(
  before: number | null,
  after: number | null
): Pick<IFigure, 'before' | 'after' | 'ratio'> {
  const known = isKnown(before) && isKnown(after) && before > 0;
  return {
    before: isKnown(before) ? before : null,
    after: isKnown(after) ? after : null,
    ratio: known ? after / before : null
  };
}

/** How to tell the steps a second, in the same way for both profiles. */
function stepRate(
  before: Comparable,
  after: Comparable
): (profile: Comparable) => number | null {
  const exact = [before, after].every(
    ({ steps }) => steps === null || total(steps) > 0
  );
  return ({ steps, duration_s }) => {
    if (steps === null) {
      return null;
    }
    return exact
      ? steps.seconds.length / total(steps)
      : steps.count / duration_s;
  };
}

function total({ seconds }: Steps): number {
  return seconds.reduce((sum, one) => sum + one, 0);
}

/** Time in which the loop waited for data; null where nothing told it. */
function dataWait({ split }: Comparable): number | null {
  const parts = split.filter(({ part }) => part === 'data');
  return parts.length > 0
    ? parts.reduce((sum, { seconds }) => sum + seconds, 0)
    : null;
}
