import type { IDisposable } from '@lumino/disposable';

/** Things to do later, none of which happens once this is disposed of. */
export class Timers implements IDisposable {
  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    this._isDisposed = true;
    this.pending.forEach(timer => {
      clearTimeout(timer);
    });
    this.pending.clear();
  }

  /** Do something after so many milliseconds. */
  after(wait: number, action: () => void): void {
    if (this._isDisposed) {
      return;
    }
    const timer = setTimeout(() => {
      this.pending.delete(timer);
      action();
    }, wait);
    this.pending.add(timer);
  }

  private _isDisposed = false;
  private readonly pending = new Set<ReturnType<typeof setTimeout>>();
}

/** Does something soon after it was asked for, but only so often. */
export class Throttle {
  constructor(
    private readonly timers: Timers,
    private readonly everyMs: number,
    private readonly action: () => void
  ) {}

  ask(): void {
    if (this.asked) {
      return;
    }
    this.asked = true;
    const wait = this.doneAt + this.everyMs - performance.now();
    this.timers.after(Math.max(0, wait), () => {
      this.asked = false;
      this.doneAt = performance.now();
      this.action();
    });
  }

  private asked = false;
  private doneAt = -Infinity;
}
