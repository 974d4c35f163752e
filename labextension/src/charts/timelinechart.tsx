import type { TranslationBundle } from '@jupyterlab/translation';
import type { KeyboardEvent, ReactElement } from 'react';
import { useCallback, useRef } from 'react';

import { useHost } from '../context';
import { bytes, cores, percent, seconds } from '../numbers';
import type { Timeline } from '../schema';
import type { ISpan } from '../span';
import { bindBrush, moved, showSpan } from './brush';
import type { Chart } from './chart';
import { ChartBox } from './chartbox';
import {
  gpusOf,
  highest,
  lastTime,
  perSecond,
  totals,
  valuesOf
} from './columns';
import { feed } from './feed';
import { fillGpus, GPU_SOURCES } from './gpustrips';
import { fillMemory, showChildren } from './memorystrip';
import { ticks } from './ticks';

interface ITimelineChartProps {
  readonly timeline: Timeline;
  readonly limitBytes: number | null;
  /** The part of the time that is looked at; null for all of it. */
  readonly span: ISpan | null;
  readonly onSpan: (span: ISpan | null) => void;
}

/** CPU, files and memory over the time of the cell; dragging selects a span. */
export function TimelineChart(props: ITimelineChartProps): ReactElement {
  const { timeline, limitBytes, span, onSpan } = props;
  const { trans } = useHost();
  const latest = useRef(props);
  latest.current = props;
  const bind = useCallback((chart: Chart) => {
    bindBrush(chart, next => {
      latest.current.onSpan(next);
    });
  }, []);
  const length = timeline.t_s.length;
  const fill = useCallback(
    (chart: Chart) => {
      fillTimeline(chart, timeline, limitBytes, trans);
      showSpan(chart, span);
    },
    // A live timeline may be the same object with rows appended.
    [timeline, length, limitBytes, span?.from, span?.to, trans]
  );
  if (length < 2) {
    return (
      <p className="jp-MlprofChart-empty">
        {trans.__('The cell was too short for a timeline.')}
      </p>
    );
  }
  const onKey = (event: KeyboardEvent, chart: Chart): boolean => {
    const next = moved(span, event, chart.x);
    if (next !== undefined) {
      onSpan(next);
    }
    return next !== undefined;
  };
  // A cell may begin to use a GPU while it is watched: that is another chart.
  const name = gpusOf(timeline).length > 0 ? 'gputimeline' : 'timeline';
  return (
    <ChartBox
      key={name}
      name={name}
      title={trans.__('Timeline')}
      summary={summarise(timeline, trans)}
      bind={bind}
      fill={fill}
      onKey={onKey}
      help={trans.__(
        'The arrow keys select a span and move it, with Shift they widen it; Escape selects all. Plus and minus zoom.'
      )}
    />
  );
}

function fillTimeline(
  chart: Chart,
  timeline: Timeline,
  limitBytes: number | null,
  trans: TranslationBundle
): void {
  const gpus = gpusOf(timeline).length > 0;
  if (gpus !== chart.has('gpus')) {
    return; // the other chart is on its way
  }
  feed(chart, timeline, gpus ? GPU_SOURCES : undefined);
  if (gpus) {
    fillGpus(chart, timeline, trans);
  }
  chart.setEnd(lastTime(timeline));
  chart.setTicks('cpu', ticks(highest(totals(timeline, 'cpu')), String));
  const flow = highest(valuesOf(timeline, 'read'), valuesOf(timeline, 'write'));
  chart.setTicks('flow', ticks(flow, perSecond));
  chart.show(flow > 0, 'flow');
  fillMemory(chart, highest(totals(timeline, 'rss')), limitBytes, trans);
  showChildren(chart, timeline, 'cpu', trans);
  showChildren(chart, timeline, 'rss', trans);
}

function summarise(timeline: Timeline, trans: TranslationBundle): string {
  const own = trans.__(
    'over %1, CPU at most %2, memory at most %3',
    seconds(lastTime(timeline)),
    cores(highest(totals(timeline, 'cpu'))),
    bytes(highest(totals(timeline, 'rss')))
  );
  const text = gpusOf(timeline).reduce(
    (before, index) =>
      trans.__(
        '%1, GPU %2 at most %3 busy',
        before,
        index,
        percent(highest(valuesOf(timeline, `gpu${index}_util`)))
      ),
    own
  );
  const flow = highest(valuesOf(timeline, 'read'));
  return flow > 0
    ? trans.__('%1, files read at most at %2.', text, perSecond(flow))
    : `${text}.`;
}
