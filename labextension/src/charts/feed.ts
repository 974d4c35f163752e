import type { Timeline } from '../schema';
import type { Chart } from './chart';
import { timelineColumns } from './columns';

/** What each chart holds already. */
const fed = new WeakMap<Chart, Timeline>();

/** Bring a chart up to date: rows that were appended are streamed, all else is replaced. */
export function feed(chart: Chart, timeline: Timeline): void {
  const before = fed.get(chart);
  const known = before?.t_s.length ?? 0;
  if (before === undefined || !continues(before, timeline)) {
    chart.fill('data', timelineColumns(timeline));
  } else if (timeline.t_s.length > known) {
    chart.append('data', timelineColumns(timeline, known));
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
