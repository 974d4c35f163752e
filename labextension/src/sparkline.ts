import { isKnown } from './numbers';

/** Size of the drawing that the path is for. */
export const WIDTH = 300;
/** Height of the drawing that the path is for. */
export const HEIGHT = 36;
/** Room for half of the stroke above and below. */
const MARGIN = 1.5;

/**
 * SVG path of values over times, from zero at the bottom to the highest at
 * the top; gaps stay gaps.
 */
export function sparkline(
  times: readonly number[],
  values: readonly (number | null)[]
): string {
  const start = times[0] ?? 0;
  const span = (times.at(-1) ?? 0) - start;
  const top = Math.max(0, ...values.filter(isKnown));
  if (!(span > 0)) {
    return '';
  }
  let path = '';
  let pen = 'M';
  times.forEach((time, index) => {
    const value = values[index] ?? null;
    if (!isKnown(value) || !isKnown(time)) {
      pen = 'M';
      return;
    }
    const x = (WIDTH * (time - start)) / span;
    const share = top > 0 ? Math.max(value, 0) / top : 0;
    const y = HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN);
    path += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = 'L';
  });
  return path;
}
