import type { IDisposable } from '@lumino/disposable';

/** A value that React can follow. */
export class Store<T> implements IDisposable {
  constructor(private value: T) {}

  /** Arrow functions, because React wants the same ones at each drawing. */
  readonly get = (): T => this.value;

  readonly subscribe = (callback: () => void): (() => void) => {
    this.callbacks.add(callback);
    return () => {
      this.callbacks.delete(callback);
    };
  };

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    this._isDisposed = true;
    this.callbacks.clear();
  }

  protected set(value: T): void {
    this.value = value;
    [...this.callbacks].forEach(callback => {
      callback();
    });
  }

  private readonly callbacks = new Set<() => void>();
  private _isDisposed = false;
}
