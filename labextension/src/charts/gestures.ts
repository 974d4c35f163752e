import type { Chart } from './chart';

/** What a key or a turn of the wheel moves, as shares of what is shown. */
const PAN = 0.2;
const ZOOM_IN = 0.6;

/**
 * Leave the wheel to the page, which people scroll, unless Ctrl is held (as
 * for a pinch), where BokehJS zooms; sideways, the chart is panned.
 */
export function handleWheel(chart: Chart, event: WheelEvent): void {
  if (event.ctrlKey) {
    event.preventDefault();
    return;
  }
  event.stopPropagation();
  const turned = event.shiftKey
    ? event.deltaX || event.deltaY
    : Math.abs(event.deltaX) > Math.abs(event.deltaY)
      ? event.deltaX
      : 0;
  if (turned !== 0 && chart.zoomed) {
    event.preventDefault();
    pan(chart, turned / 500);
  }
}

/** Do what a key asks for; false when it means nothing to a chart. */
export function handleKey(chart: Chart, key: string): boolean {
  switch (key) {
    case '+':
    case '=':
      scale(chart, ZOOM_IN);
      return true;
    case '-':
      scale(chart, 1 / ZOOM_IN);
      return true;
    case 'ArrowLeft':
      pan(chart, -PAN);
      return true;
    case 'ArrowRight':
      pan(chart, PAN);
      return true;
    case 'Escape':
      chart.reset();
      return true;
    default:
      return false;
  }
}

function pan(chart: Chart, share: number): void {
  const { start, end } = chart.x;
  const step = share * (end - start);
  chart.zoom(start + step, end + step);
}

function scale(chart: Chart, factor: number): void {
  const { start, end } = chart.x;
  const middle = (start + end) / 2;
  const half = (factor * (end - start)) / 2;
  chart.zoom(middle - half, middle + half);
}
