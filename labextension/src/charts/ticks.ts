/** Where an axis ends, and the label of each tick. */
export interface ITicks {
  readonly end: number;
  readonly labels: ReadonlyMap<number, string>;
}

const HEADROOM = 1.08;
const MOST_TICKS = 4;
const ROUND_STEPS = [1, 2, 5, 10];

/** Ticks of an axis from zero up: few and round; as jupyter_mlprof/charts/ticks.py. */
export function ticks(top: number, say: (value: number) => string): ITicks {
  const end = top > 0 && Number.isFinite(top) ? top * HEADROOM : 1;
  const least = end / MOST_TICKS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (ROUND_STEPS.find(one => power * one >= least) ?? 10);
  const labels = new Map<number, string>();
  for (let index = 0; index <= Math.floor(end / step); index++) {
    // Rounded, since 3 * 0.1 is not 0.3.
    const value = Number((index * step).toPrecision(12));
    labels.set(value, value === 0 ? '0' : say(value));
  }
  return { end, labels };
}
