import { numberOrNull } from '../guards';
import type { Series, Timeline } from '../schema';

/** More points than a screen has pixels tell nothing and cost time. */
export const MOST_POINTS = 4_000;
const MOST_SERIES = 64;
const UNITS: ReadonlyMap<string, string> = new Map([
  ['rss', 'bytes'],
  ['cpu', 'cores'],
  ['children_rss', 'bytes'],
  ['children_cpu', 'cores'],
  ['children', 'count'],
  ['read', 'bytes/s'],
  ['write', 'bytes/s']
]);
const GPU_UNITS: ReadonlyMap<string, string> = new Map([
  ['util', '%'],
  ['memory', 'bytes'],
  ['own_memory', 'bytes'],
  ['power', 'W'],
  ['temperature', '°C']
]);
const LEAST_STEP_S = 0.001;
/** Of these the mean of several points is right; of all others the highest. */
const RATES: ReadonlySet<string> = new Set(['cores', 'bytes/s', '%', 'W']);

type Value = number | null;

/** The values of all series at one time, or of several points made one. */
interface IPoint {
  readonly t: number;
  readonly values: readonly Value[];
  readonly of: number;
}

/**
 * The curves of a running cell. They grow, and stay small: when there are too
 * many points, time is cut into equal steps, which become one point each.
 */
export class Curve {
  /** Add points; those without a time, or not after the last, are left out. */
  append(
    times: readonly unknown[],
    series: ReadonlyMap<string, readonly unknown[]>
  ): void {
    for (const name of series.keys()) {
      if (!this.names.includes(name) && this.names.length < MOST_SERIES) {
        this.names.push(name);
      }
    }
    times.forEach((time, index) => {
      const t = numberOrNull(time);
      if (t !== null && t >= 0 && t > this.last) {
        this.last = t;
        const values = this.names.map(name =>
          numberOrNull(series.get(name)?.[index])
        );
        this.take({ t, values, of: 1 });
      }
    });
    this.drawn = null;
  }

  /** What came until now; another object when more has come. */
  get timeline(): Timeline {
    this.drawn ??= {
      t_s: this.points.map(point => point.t),
      series: this.names.map((name, place): Series => ({
        name,
        unit: unitOf(name),
        values: this.points.map(point => point.values[place] ?? null)
      }))
    };
    return this.drawn;
  }

  /** Show the last step, too, though more of it might have come. */
  end(): void {
    this.points.push(...(this.open ? [this.open] : []));
    this.open = null;
    this.drawn = null;
  }

  private take(point: IPoint): void {
    if (this.open && this.isSameStep(this.open, point)) {
      this.open = this.joined(this.open, point);
      return;
    }
    // A step is shown when it is over, so that what is shown never changes.
    this.points.push(...(this.open ? [this.open] : []));
    this.open = point;
    if (this.step === 0) {
      this.end();
    }
    if (this.points.length > MOST_POINTS) {
      this.coarsen();
    }
  }

  private coarsen(): void {
    const points = [...this.points, ...(this.open ? [this.open] : [])];
    let folded = points;
    for (
      this.step ||= Math.max(this.last / MOST_POINTS, LEAST_STEP_S);
      folded.length > MOST_POINTS / 2;
      folded = this.folded(points)
    ) {
      this.step *= 2;
    }
    this.open = folded.pop() ?? null;
    this.points = folded;
  }

  private folded(points: readonly IPoint[]): IPoint[] {
    const folded: IPoint[] = [];
    for (const point of points) {
      const before = folded.at(-1);
      if (before && this.isSameStep(before, point)) {
        folded[folded.length - 1] = this.joined(before, point);
      } else {
        folded.push(point);
      }
    }
    return folded;
  }

  private isSameStep(left: IPoint, right: IPoint): boolean {
    return Math.floor(left.t / this.step) === Math.floor(right.t / this.step);
  }

  private joined(before: IPoint, after: IPoint): IPoint {
    const of = before.of + after.of;
    const values = this.names.map((name, place): Value => {
      const old = before.values[place] ?? null;
      const now = after.values[place] ?? null;
      if (old === null || now === null) {
        return now ?? old;
      }
      return RATES.has(unitOf(name))
        ? (old * before.of + now * after.of) / of
        : Math.max(old, now);
    });
    return { t: after.t, values, of };
  }

  private readonly names: string[] = [];
  private points: IPoint[] = [];
  /** The step that goes on. */
  private open: IPoint | null = null;
  /** Length of a step in seconds; 0 while each point stands for itself. */
  private step = 0;
  private last = -Infinity;
  private drawn: Timeline | null = null;
}

function unitOf(name: string): string {
  const gpu = /^gpu\d+_(\w+)$/.exec(name)?.[1] ?? '';
  return UNITS.get(name) ?? GPU_UNITS.get(gpu) ?? '';
}
