import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';
import { useCallback } from 'react';

import { useHost } from '../context';
import { bytes, seconds } from '../numbers';
import type { Memory, Timeline } from '../schema';
import type { Columns } from './bokeh';
import type { Chart } from './chart';
import { ChartBox } from './chartbox';
import { highest, lastTime, totals } from './columns';
import { feed } from './feed';
import { fillMemory, showChildren } from './memorystrip';

/** Room for the mark of a peak at the very end. */
const MARGIN = 1.02;
/** Room for the words above the peak. */
const HEADROOM = 1.06;

interface IMemoryChartProps {
  readonly timeline: Timeline;
  readonly memory: Memory;
}

/** Memory over the time of the cell, with its peak and its limit. */
export function MemoryChart(props: IMemoryChartProps): ReactElement {
  const { timeline, memory } = props;
  const { trans } = useHost();
  const length = timeline.t_s.length;
  const fill = useCallback(
    (chart: Chart) => {
      feed(chart, timeline);
      chart.setEnd(MARGIN * lastTime(timeline));
      const top = highest([memory.peak_bytes], totals(timeline, 'rss'));
      fillMemory(chart, top, memory.limit_bytes, trans, HEADROOM);
      chart.fill('peak', peakColumns(memory, lastTime(timeline), trans));
      showChildren(chart, timeline, 'rss', trans);
    },
    [timeline, length, memory, trans]
  );
  if (length < 2) {
    return (
      <p className="jp-MlprofChart-empty">
        {trans.__('The cell was too short for a curve of its memory.')}
      </p>
    );
  }
  return (
    <ChartBox
      name="memory"
      title={trans.__('Memory')}
      summary={summarise(memory, trans)}
      fill={fill}
    />
  );
}

/** The peak and its words, which stand on the side with more room. */
function peakColumns(
  memory: Memory,
  end: number,
  trans: TranslationBundle
): Columns {
  const late = memory.peak_t_s > end / 2;
  return {
    t: [memory.peak_t_s],
    bytes: [memory.peak_bytes],
    text: [trans.__('peak %1', bytes(memory.peak_bytes))],
    align: [late ? 'right' : 'left']
  };
}

function summarise(memory: Memory, trans: TranslationBundle): string {
  const text = trans.__(
    '%1 at the start, at most %2 (after %3), %4 at the end',
    bytes(memory.start_bytes),
    bytes(memory.peak_bytes),
    seconds(memory.peak_t_s),
    bytes(memory.end_bytes)
  );
  return memory.limit_bytes === null
    ? `${text}.`
    : trans.__('%1; the limit is %2.', text, bytes(memory.limit_bytes));
}
