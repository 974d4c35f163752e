import type { Timeline } from '../schema';
import type { Chart } from './chart';
import type { Columns } from './bokeh';
import { timelineColumns } from './columns';

type Make = (timeline: Timeline, from?: number) => Columns;

const DATA: ReadonlyMap<string, Make> = new Map([['data', timelineColumns]]);

/** What each chart holds already. */
const fed = new WeakMap<Chart, Timeline>();

/**
 * Bring the sources of a chart up to date: rows that were appended are
 * streamed, all else is replaced.
 */
export function feed(
  chart: Chart,
  timeline: Timeline,
  sources: ReadonlyMap<string, Make> = DATA
): void {
  const before = fed.get(chart);
  const known = before?.t_s.length ?? 0;
  if (before === undefined || !continues(before, timeline)) {
    sources.forEach((columns, source) => {
      chart.fill(source, columns(timeline));
    });
  } else if (timeline.t_s.length > known) {
    sources.forEach((columns, source) => {
      chart.append(source, columns(timeline, known));
    });
  }
  fed.set(chart, copyOf(timeline));
}

/** Whether a timeline is another one with rows appended. */
function continues(before: Timeline, after: Timeline): boolean {
  return (
    before.t_s.length > 0 &&
    before.series.length === after.series.length &&
    isStart(before.t_s, after.t_s) &&
    before.series.every((series, index) => {
      const next = after.series[index];
      return next?.name === series.name && isStart(series.values, next.values);
    })
  );
}

function isStart<T>(start: readonly T[], whole: readonly T[]): boolean {
  return (
    start.length <= whole.length &&
    start.every((value, index) => Object.is(value, whole[index]))
  );
}

/** Copied, since a live run appends to its arrays. */
function copyOf(timeline: Timeline): Timeline {
  return {
    t_s: [...timeline.t_s],
    series: timeline.series.map(series => ({
      ...series,
      values: [...series.values]
    }))
  };
}
