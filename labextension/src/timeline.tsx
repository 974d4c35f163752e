import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';

import { useHost } from './context';
import { isKnown, quantity, seconds } from './numbers';
import type { Series, Timeline } from './schema';
import { HEIGHT, sparkline, WIDTH } from './sparkline';

/** Memory and CPU over the time of the cell, as small curves. */
export function TimelineView({
  timeline
}: {
  readonly timeline: Timeline;
}): ReactElement {
  const { trans } = useHost();
  const titles = new Map([
    ['rss', trans.__('Memory of the kernel')],
    ['cpu', trans.__('CPU of the kernel')]
  ]);
  const shown = timeline.series.filter(
    series => titles.has(series.name) && series.values.some(isKnown)
  );
  if (shown.length === 0 || timeline.t_s.length < 2) {
    return <p>{trans.__('The cell was too short for a timeline.')}</p>;
  }
  return (
    <>
      {shown.map((series, index) => (
        <Spark
          key={index}
          title={titles.get(series.name) ?? series.name}
          times={timeline.t_s}
          series={series}
        />
      ))}
    </>
  );
}

interface ISparkProps {
  readonly title: string;
  readonly times: readonly number[];
  readonly series: Series;
}

function Spark({ title, times, series }: ISparkProps): ReactElement {
  const { trans } = useHost();
  const summary = summarise(times, series, trans);
  return (
    <figure className="jp-MlprofSpark">
      <figcaption>
        {title} <span className="jp-MlprofSpark-summary">{summary}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}: ${summary}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <path d={sparkline(times, series.values)} />
      </svg>
    </figure>
  );
}

function summarise(
  times: readonly number[],
  { values, unit }: Series,
  trans: TranslationBundle
): string {
  const known = values.filter(isKnown);
  const highest = known.reduce((top, value) => Math.max(top, value), -Infinity);
  const at = times[values.indexOf(highest)] ?? NaN;
  return trans.__(
    '%1 at the start, at most %2 (after %3), %4 at the end',
    quantity(known[0] ?? NaN, unit),
    quantity(highest, unit),
    seconds(at),
    quantity(known.at(-1) ?? NaN, unit)
  );
}
