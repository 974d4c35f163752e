import type { TranslationBundle } from '@jupyterlab/translation';

import type { Timeline } from '../schema';
import type { Chart } from './chart';
import {
  GPU_STRIPS,
  gpuColumns,
  gpusOf,
  highest,
  timelineColumns,
  valuesOf
} from './columns';
import { ticks } from './ticks';

/** As in jupyter_mlprof/charts/gpus.py. */
const HEIGHT = 64;
const LEGEND_HEIGHT = 16;
/** How much of the time a GPU was busy has the same axis everywhere. */
const LEAST_TOP: ReadonlyMap<string, number> = new Map([['util', 100]]);

/** The sources of a timeline with GPUs. */
export const GPU_SOURCES = new Map([
  ['data', timelineColumns],
  ['gpus', gpuColumns]
]);

/** Scale the strips of the GPUs, and say which curve is which. */
export function fillGpus(
  chart: Chart,
  timeline: Timeline,
  trans: TranslationBundle
): void {
  const gpus = gpusOf(timeline);
  const names = gpus.map(index => trans.__('GPU %1', index));
  for (const [strip, say] of GPU_STRIPS) {
    const top = highest(
      [LEAST_TOP.get(strip) ?? 0],
      ...gpus.map(index => valuesOf(timeline, `gpu${index}_${strip}`))
    );
    chart.setTicks(`gpu_${strip}`, ticks(top, say));
    chart.set(`gpu_${strip}_hover`, {
      tooltips: [
        [trans.__('after'), '@{t_text}'],
        ...names.map((name, slot) => [name, `@{${strip}_${slot}_text}`])
      ]
    });
  }
  const several = gpus.length > 1;
  chart.show(several, 'gpu_legend');
  chart.set('gpu_util', { height: HEIGHT + (several ? LEGEND_HEIGHT : 0) });
  names.forEach((name, slot) => {
    chart.set(`gpu_legend_${slot}`, { label: { value: name }, visible: true });
  });
}
