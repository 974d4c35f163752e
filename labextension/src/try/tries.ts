import type { TranslationBundle } from '@jupyterlab/translation';

import type { ICell } from '../cell';
import type { CardFinding } from '../finding';
import { Store } from '../store';
import { Attempt } from './attempt';
import type { Outcome } from './outcome';
import type { IAsked } from './request';
import { keyOf } from './request';

/** A try that goes on. */
export interface IRunning {
  readonly key: string;
  /** Milliseconds since 1970 at which the kernel began; null before. */
  readonly since: number | null;
  readonly cancelled: boolean;
  readonly cancel: () => void;
}

/** How a try ended, and what the finding held when it did. */
export interface IEnded {
  readonly outcome: Outcome;
  readonly before: string;
}

export interface ITries {
  /** By the id of the kernel: one at a time. */
  readonly running: ReadonlyMap<string, IRunning>;
  readonly ended: ReadonlyMap<string, IEnded>;
}

/** Ended tries that are kept; the oldest go first. */
const KEPT = 100;

/** The tries of all kernels, for card and panel alike. */
export class Tries extends Store<ITries> {
  constructor() {
    super({ running: new Map(), ended: new Map() });
  }

  /** Let the cell's kernel try a fix, unless it tries one already. */
  async start(
    cell: ICell,
    asked: IAsked,
    finding: CardFinding,
    trans: TranslationBundle
  ): Promise<void> {
    const { connection } = cell.kernel;
    if (connection === null || this.get().running.has(connection.id)) {
      return;
    }
    const kernelId = connection.id;
    const key = keyOf(asked);
    const attempt = new Attempt(connection, asked, trans, () => {
      this.change(kernelId, { since: Date.now() });
    });
    const cancel = (): void => {
      this.change(kernelId, { cancelled: true });
      attempt.cancel();
    };
    this.forget(key);
    this.run(kernelId, { key, since: null, cancelled: false, cancel });
    const outcome = await attempt.run().catch((reason: unknown): Outcome => {
      console.error('Failed to try a suggestion of jupyter_mlprof.', reason);
      const sentence = trans.__('The kernel could not be asked.');
      return { kind: 'failed', sentence };
    });
    if (outcome.kind === 'tried') {
      cell.renew(asked.profileId, outcome.bundle);
    }
    this.end(kernelId, key, { outcome, before: written(finding) });
  }

  private run(kernelId: string, running: IRunning): void {
    const { running: known, ended } = this.get();
    this.set({ running: new Map(known).set(kernelId, running), ended });
  }

  private change(kernelId: string, changes: Partial<IRunning>): void {
    const running = this.get().running.get(kernelId);
    if (running) {
      this.run(kernelId, { ...running, ...changes });
    }
  }

  private forget(key: string): void {
    const ended = new Map(this.get().ended);
    ended.delete(key);
    this.set({ ...this.get(), ended });
  }

  private end(kernelId: string, key: string, how: IEnded): void {
    const running = new Map(this.get().running);
    running.delete(kernelId);
    const ended = new Map([...this.get().ended].slice(1 - KEPT));
    this.set({ running, ended: ended.set(key, how) });
  }
}

/**
 * A finding as it was stored, or as the kernel sent it after the last try,
 * with the change that it tried; whichever is newer.
 */
export function newer(
  stored: CardFinding,
  last: IEnded | undefined
): CardFinding {
  return last?.outcome.kind === 'tried' && last.before === written(stored)
    ? last.outcome.finding
    : stored;
}

function written(finding: CardFinding): string {
  return JSON.stringify(finding);
}
