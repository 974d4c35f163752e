import type { Kernel } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { vi } from 'vitest';

import { MIME_TYPE } from '../src/mime';
import type { Trial } from '../src/schema';
import type { Session } from '../src/try/kernel';
import { makeProfile } from './stage';

/** A trial as the kernel sends it. */
export function makeTrial(changes: Partial<Trial> = {}): Trial {
  return {
    verdict: 'pays',
    text: 'Pays: 2.9x faster (2.71x to 3.10x); same result in 14 variables.',
    pairs: 5,
    took_s: 21.4,
    speedup: { low: 2.71, middle: 2.9, high: 3.1 },
    steady: 3.42,
    before_s: 12.4,
    after_s: 4.3,
    steps: null,
    memory_change_bytes: 120_000_000,
    compared: 14,
    drift: { name: 'loss', relative: 0.001, same_code: 0.002 },
    ...changes
  };
}

/** The stored profile, some of whose findings were tried. */
export function makeTried(
  ...trials: (Trial | null)[]
): ReturnType<typeof makeProfile> {
  const profile = makeProfile();
  trials.forEach((trial, index) => {
    Object.assign(profile.findings[index] ?? {}, { trial });
  });
  return profile;
}

/** A kernel of which a test plays the part, and the session of its notebook. */
export class StagedKernel {
  status: Kernel.Status = 'idle';
  readonly id = 'kernel';
  readonly isDisposed = false;
  readonly statusChanged = new Signal<this, Kernel.Status>(this);
  readonly disposed = new Signal<this, undefined>(this);
  readonly iopubMessage = new Signal<this, object>(this);
  readonly interrupt = vi.fn(() => Promise.resolve());
  readonly dispose = vi.fn();
  readonly requestExecute = vi.fn<(content: object) => object>(() => {
    this.requests += 1;
    return {
      msg: { header: { msg_id: `request-${this.requests}` } },
      dispose: this.dispose,
      done: new Promise(resolve => {
        this.reply = content => {
          resolve({ content });
        };
      })
    };
  });
  reply: (content: object) => void = () => undefined;
  private requests = 0;
  private readonly changed = new Signal<object, unknown>({});

  /** The session of the notebook that has this kernel. */
  readonly session = this.makeSession() as unknown as Session;

  private makeSession(): object {
    const { changed } = this;
    return {
      session: { kernel: this },
      kernelChanged: new Signal<object, unknown>({}),
      statusChanged: changed
    };
  }

  /** Become busy or idle, as the notebook is told. */
  become(status: Kernel.Status): void {
    this.status = status;
    this.statusChanged.emit(status);
    this.changed.emit(status);
  }

  /** Send a message because of a request, the newest if none is named. */
  send(type: string, content: object, request = this.requests): void {
    this.iopubMessage.emit({
      header: { msg_type: type },
      parent_header: { msg_id: `request-${request}` },
      content
    });
  }

  /** Begin with the request. */
  begin(): void {
    this.become('busy');
    this.send('status', { execution_state: 'busy' });
  }

  /** Show a profile anew. */
  update(profile: object): void {
    this.send('update_display_data', {
      data: { [MIME_TYPE]: profile, 'text/plain': 'tried' },
      transient: {}
    });
  }

  /** Reply with a text, or the error that was raised. */
  end(outcome: string | { ename: string; evalue: string }): void {
    const trial =
      typeof outcome === 'string'
        ? { status: 'ok', data: { 'text/plain': outcome }, metadata: {} }
        : { status: 'error', traceback: [], ...outcome };
    this.reply({ status: 'ok', user_expressions: { trial } });
    this.send('status', { execution_state: 'idle' });
    this.become('idle');
  }
}
