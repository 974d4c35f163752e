import type { ISpan } from '../span';
import type { Chart } from './chart';

const STRIPS = ['cpu', 'flow', 'gpu_util', 'gpu_memory', 'gpu_power', 'memory'];
/** A shorter drag is a click that slipped. */
const LEAST_SHARE = 0.01;
/** Of what is shown: how far a key moves, and how wide a span made by keys is. */
const STEP = 0.05;
const WIDTH = 0.1;

/** Report the span that is dragged over a strip; a click means all of the time. */
export function bindBrush(
  chart: Chart,
  onSpan: (span: ISpan | null) => void
): void {
  for (const strip of stripsOf(chart)) {
    chart.on(strip, 'selectiongeometry', ({ final, geometry }) => {
      const { x0, x1 } = geometry ?? {};
      if (final !== true || x0 === undefined || x1 === undefined) {
        return;
      }
      const from = Math.max(0, Math.min(x0, x1));
      const to = Math.min(chart.end, Math.max(x0, x1));
      const least = LEAST_SHARE * (chart.x.end - chart.x.start);
      if (to - from >= least) {
        onSpan({ from, to });
      }
    });
    chart.on(strip, 'tap', () => {
      onSpan(null);
    });
  }
}

/** Draw the span as a band over every strip. */
export function showSpan(chart: Chart, span: ISpan | null): void {
  for (const strip of stripsOf(chart)) {
    chart.set(
      `${strip}_span`,
      span === null
        ? { visible: false }
        : { left: span.from, right: span.to, visible: true }
    );
  }
}

function stripsOf(chart: Chart): string[] {
  return STRIPS.filter(strip => chart.has(strip));
}

interface IKey {
  readonly key: string;
  readonly shiftKey: boolean;
}

/**
 * The span after a key: arrows move it, with Shift its end; undefined when
 * the key is not about the span.
 */
export function moved(
  span: ISpan | null,
  { key, shiftKey }: IKey,
  shown: { readonly start: number; readonly end: number }
): ISpan | null | undefined {
  if (key === 'Escape' && span !== null) {
    return null;
  }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') {
    return undefined;
  }
  const { start, end } = shown;
  const width = end - start;
  if (span === null) {
    return key === 'ArrowRight'
      ? { from: start, to: start + WIDTH * width }
      : { from: end - WIDTH * width, to: end };
  }
  const step = (key === 'ArrowRight' ? STEP : -STEP) * width;
  if (shiftKey) {
    const to = Math.min(Math.max(span.to + step, span.from), end);
    return to > span.from ? { from: span.from, to } : span;
  }
  const by = Math.max(start - span.from, Math.min(step, end - span.to));
  return { from: span.from + by, to: span.to + by };
}
