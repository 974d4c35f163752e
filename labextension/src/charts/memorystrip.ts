import type { TranslationBundle } from '@jupyterlab/translation';

import { bytes } from '../numbers';
import type { Timeline } from '../schema';
import type { Chart } from './chart';
import { has } from './columns';
import { ticks } from './ticks';

/** A limit is drawn where the memory comes near it; else it would flatten the curve. */
const LIMIT_FROM = 0.4;

/** Scale the strip of the memory, and show the limit where it matters. */
export function fillMemory(
  chart: Chart,
  peak: number,
  limitBytes: number | null,
  trans: TranslationBundle,
  room = 1
): void {
  const limit =
    limitBytes !== null && limitBytes > 0 && peak >= LIMIT_FROM * limitBytes
      ? limitBytes
      : null;
  chart.setTicks('memory', ticks(room * Math.max(peak, limit ?? 0), bytes));
  chart.show(limit !== null, 'limit_line', 'limit_label');
  if (limit !== null) {
    chart.set('limit_line', { location: limit });
    chart.set('limit_label', {
      y: limit,
      text: trans.__('limit %1', bytes(limit))
    });
  }
}

/** Say which curve is which where there are child processes; leave it out where not. */
export function showChildren(
  chart: Chart,
  timeline: Timeline,
  name: 'cpu' | 'rss',
  trans: TranslationBundle
): void {
  const seen = has(timeline, `children_${name}`);
  chart.show(seen, `${name}_total_area`);
  const titles =
    name === 'cpu'
      ? [
          trans.__('CPU, in cores'),
          trans.__('CPU, in cores; dashed: with child processes')
        ]
      : [trans.__('Memory'), trans.__('Memory; dashed: with child processes')];
  chart.set(name === 'cpu' ? 'cpu_title' : 'memory_title', {
    text: titles[Number(seen)]
  });
}
