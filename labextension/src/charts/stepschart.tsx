import type { ReactElement } from 'react';
import { useCallback } from 'react';

import { useHost } from '../context';
import { count, isKnown, seconds as say } from '../numbers';
import type { Chart } from './chart';
import { ChartBox } from './chartbox';
import { highest } from './columns';
import { ticks } from './ticks';

interface IStepsChartProps {
  readonly seconds: readonly number[];
}

/** How long each step took, and the median. */
export function StepsChart({ seconds }: IStepsChartProps): ReactElement {
  const { trans } = useHost();
  const length = seconds.length;
  const middle = median(seconds);
  const fill = useCallback(
    (chart: Chart) => {
      chart.fill('data', {
        n: seconds.map((_, index) => index + 1),
        s: seconds.map(value => (isKnown(value) ? value : NaN)),
        text: seconds.map(say)
      });
      chart.setEnd(length + 1);
      chart.setTicks('steps', ticks(highest(seconds), say));
      chart.set('median_line', { location: middle, visible: true });
      chart.set('steps_title', {
        text: trans.__('Step time; dashed: median %1', say(middle))
      });
    },
    [seconds, length, middle, trans]
  );
  if (length === 0) {
    return (
      <p className="jp-MlprofChart-empty">
        {trans.__('No times from one step to the next were seen.')}
      </p>
    );
  }
  return (
    <ChartBox
      name="steps"
      title={trans.__('Steps')}
      summary={trans.__(
        '%1 times from step to step, half of them at most %2, the longest %3.',
        count(length),
        say(middle),
        say(highest(seconds))
      )}
      fill={fill}
    />
  );
}

function median(values: readonly number[]): number {
  const sorted = values.filter(isKnown).sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1
    ? upper
    : (upper + (sorted[half - 1] ?? 0)) / 2;
}
