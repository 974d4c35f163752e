import type { ReactElement } from 'react';
import { useCallback } from 'react';

import { useHost } from '../context';
import { bytes, cores, seconds } from '../numbers';
import type { Timeline } from '../schema';
import type { Chart } from './chart';
import { ChartBox } from './chartbox';
import { highest, lastTime, totalColumns, totals } from './columns';
import { ticks } from './ticks';

interface ICompareChartProps {
  readonly before: Timeline;
  readonly after: Timeline;
}

/** CPU and memory of two runs, one over the other. */
export function CompareChart(props: ICompareChartProps): ReactElement {
  const { before, after } = props;
  const { trans } = useHost();
  const fill = useCallback(
    (chart: Chart) => {
      chart.fill('before', totalColumns(before));
      chart.fill('after', totalColumns(after));
      chart.setEnd(lastTime(before, after));
      const top = (name: string): number =>
        highest(totals(before, name), totals(after, name));
      chart.setTicks('cpu', ticks(top('cpu'), String));
      chart.setTicks('memory', ticks(top('rss'), bytes));
    },
    [before, after]
  );
  if (before.t_s.length < 2 || after.t_s.length < 2) {
    return (
      <p className="jp-MlprofChart-empty">
        {trans.__(
          'One of the two runs was too short to be compared in a chart.'
        )}
      </p>
    );
  }
  const figures = (timeline: Timeline): [string, string, string] => [
    seconds(lastTime(timeline)),
    cores(highest(totals(timeline, 'cpu'))),
    bytes(highest(totals(timeline, 'rss')))
  ];
  return (
    <ChartBox
      name="compare"
      title={trans.__('CPU and memory before and after')}
      summary={trans.__(
        'before %1, at most %2 and %3; after %4, at most %5 and %6.',
        ...figures(before),
        ...figures(after)
      )}
      fill={fill}
    />
  );
}
