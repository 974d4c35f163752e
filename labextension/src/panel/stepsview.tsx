import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';

import { StepsChart } from '../charts/stepschart';
import { useHost } from '../context';
import { Dotted } from '../dotted';
import { count, isKnown, seconds } from '../numbers';
import type { Steps } from '../schema';

/** How long the optimizer's steps took. */
export function StepsView({
  steps
}: {
  readonly steps: Steps | null;
}): ReactElement {
  const { trans } = useHost();
  if (steps === null) {
    return <p>{trans.__('No step of an optimizer was seen.')}</p>;
  }
  return (
    <>
      <p className="jp-MlprofCard-figures">
        <Dotted items={figures(steps, trans)} />
      </p>
      <StepsChart seconds={steps.seconds} />
    </>
  );
}

function figures(steps: Steps, trans: TranslationBundle): string[] {
  const all = [
    trans.__('%1 steps', count(steps.count)),
    trans.__('%1 in the optimizer', seconds(steps.optimizer_s))
  ];
  const times = steps.seconds.filter(isKnown);
  const [first] = times;
  if (first === undefined) {
    return all;
  }
  const slowest = times.reduce((left, right) => Math.max(left, right));
  const place = steps.seconds.indexOf(slowest) + 1;
  return [
    ...all,
    trans.__('median %1', seconds(median(times))),
    trans.__('slowest %1 (number %2)', seconds(slowest), count(place)),
    trans.__('first %1', seconds(first))
  ];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1
    ? upper
    : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
