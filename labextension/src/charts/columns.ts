import { bytes, cores, isKnown, percent, power, seconds } from '../numbers';
import type { Timeline } from '../schema';
import type { Columns } from './bokeh';

type Values = readonly (number | null)[];
type Say = (value: number | null) => string;

/** A column, the series it is about, that of the child processes, and how it is said. */
const STACKED: readonly (readonly [string, string, Say])[] = [
  ['cpu', 'children_cpu', cores],
  ['rss', 'children_rss', bytes]
];
const FLOWS = ['read', 'write'];
/** What is drawn of a GPU, and how it is said. */
export const GPU_STRIPS: readonly (readonly [string, Say])[] = [
  ['util', percent],
  ['memory', bytes],
  ['power', power]
];
const GPU_SERIES = /^gpu(\d{1,3})_(?:util|memory|power)$/;
/** As many curves as the template has. */
const MOST_GPUS = 8;

/**
 * Columns of a timeline from a row on: numbers to draw, and the same numbers
 * as text for tooltips; as jupyter_mlprof/charts/columns.py.
 */
export function timelineColumns(timeline: Timeline, from = 0): Columns {
  const times = timeline.t_s.slice(from);
  const columns: Record<string, (number | string)[]> = {
    t: times,
    t_text: times.map(seconds)
  };
  const values = (name: string): Values => {
    const all = valuesOf(timeline, name);
    return times.map((_, index) => all[from + index] ?? null);
  };
  for (const [name, children, say] of STACKED) {
    const own = values(name);
    const others = values(children);
    columns[name] = own.map(number);
    columns[`${name}_total`] = own.map(
      (value, index) => number(value) + (others[index] ?? 0)
    );
    columns[`${name}_text`] = own.map(say);
    columns[`${name}_children_text`] = others.map(say);
  }
  for (const name of FLOWS) {
    const flow = values(name);
    columns[name] = flow.map(number);
    columns[`${name}_text`] = flow.map(perSecond);
  }
  return columns;
}

/** The indices of the GPUs that there are series of, as far as there are curves for them. */
export function gpusOf(timeline: Timeline): number[] {
  const found = new Set<number>();
  for (const { name } of timeline.series) {
    const index = GPU_SERIES.exec(name)?.[1];
    if (index !== undefined) {
      found.add(Number(index));
    }
  }
  return [...found].sort((a, b) => a - b).slice(0, MOST_GPUS);
}

/** Columns of the GPUs: `util_0` of the first that there is, whatever its index. */
export function gpuColumns(timeline: Timeline, from = 0): Columns {
  const times = timeline.t_s.slice(from);
  const columns: Record<string, (number | string)[]> = {
    t: times,
    t_text: times.map(seconds)
  };
  const gpus = gpusOf(timeline);
  for (const [name, say] of GPU_STRIPS) {
    for (let slot = 0; slot < MOST_GPUS; slot++) {
      const all = valuesOf(timeline, `gpu${gpus[slot] ?? -1}_${name}`);
      const values = times.map((_, index) => all[from + index] ?? null);
      columns[`${name}_${slot}`] = values.map(number);
      columns[`${name}_${slot}_text`] = values.map(say);
    }
  }
  return columns;
}

/** Columns of one side of a comparison, child processes counted in. */
export function totalColumns(timeline: Timeline): Columns {
  const columns = timelineColumns(timeline);
  const total = (name: string): number[] =>
    (columns[`${name}_total`] ?? []).map(Number);
  return {
    t: columns.t ?? [],
    t_text: columns.t_text ?? [],
    cpu: total('cpu'),
    cpu_text: total('cpu').map(cores),
    rss: total('rss'),
    rss_text: total('rss').map(bytes)
  };
}

/** Whether any of the series holds more than zeros and gaps. */
export function has(timeline: Timeline, ...names: string[]): boolean {
  return names.some(name =>
    valuesOf(timeline, name).some(value => isKnown(value) && value !== 0)
  );
}

/** The sums of a series and that of the child processes; gaps stay gaps. */
export function totals(timeline: Timeline, own: string): number[] {
  const children = valuesOf(timeline, `children_${own}`);
  return valuesOf(timeline, own).map(
    (value, index) => number(value) + (children[index] ?? 0)
  );
}

/** The values of a series; none where it was not recorded. */
export function valuesOf(timeline: Timeline, name: string): Values {
  return timeline.series.find(series => series.name === name)?.values ?? [];
}

/** The highest number, 0 where there is none. */
export function highest(...lists: readonly Values[]): number {
  let top = 0;
  for (const list of lists) {
    for (const value of list) {
      if (isKnown(value) && value > top) {
        top = value;
      }
    }
  }
  return top;
}

/** When the last values were sampled. */
export function lastTime(...timelines: readonly Timeline[]): number {
  return highest(...timelines.map(timeline => timeline.t_s.slice(-1)));
}

export function perSecond(value: number | null): string {
  return isKnown(value) ? `${bytes(value)}/s` : bytes(value);
}

function number(value: number | null): number {
  return isKnown(value) ? value : NaN;
}
