import { URLExt } from '@jupyterlab/coreutils';
import type { ServerConnection } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import { Signal } from '@lumino/signaling';

import { Backoff } from './backoff';
import type { ILiveRun } from './liverun';
import { LiveRun } from './liverun';
import type { LiveMessage } from './messages';
import { readMessage } from './messages';
import { RunsClient } from './runs';
import { Throttle, Timers } from './timers';

export type { ILiveRun } from './liverun';

/** Changes are told at most so often. */
const EVERY_MS = 200;
/** A run that goes on is told again at once when the connection is back. */
const TOLD_AGAIN_MS = 3_000;

/**
 * Watches the cells of one kernel by the server's live socket.
 *
 * Where the server has no such socket it gives up, for then each attempt would
 * be an error in the server's log. Any other failure is tried again.
 */
export class LiveClient implements IDisposable {
  constructor(
    readonly kernelId: string,
    private readonly settings: ServerConnection.ISettings
  ) {
    this.connect();
  }

  /** Emitted when something here has changed, at most five times a second. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** The newest run since watching began; null while there is none. */
  get run(): ILiveRun | null {
    return this._run;
  }

  get connection(): 'connecting' | 'open' | 'absent' {
    return this._connection;
  }

  get isDisposed(): boolean {
    return this.timers.isDisposed;
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.timers.dispose();
    this.leave();
    Signal.clearData(this);
  }

  private connect(): void {
    const socket = this.open();
    if (socket === null) {
      this.connectAgain(this.backoff.next());
      return;
    }
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.onOpen();
    };
    socket.onmessage = event => {
      this.take(readMessage(event.data));
    };
    // An error is always followed by this.
    socket.onclose = () => {
      void this.onClose(opened);
    };
    this.socket = socket;
  }

  private open(): WebSocket | null {
    const { wsUrl, token, appendToken } = this.settings;
    const id = encodeURIComponent(this.kernelId);
    const url = URLExt.join(wsUrl, 'jupyter-mlprof/live', id);
    const query =
      appendToken && token ? `?token=${encodeURIComponent(token)}` : '';
    try {
      return new this.settings.WebSocket(url + query);
    } catch (reason) {
      console.warn('Failed to open the live socket.', reason);
      return null;
    }
  }

  private onOpen(): void {
    this.backoff.opened();
    this._connection = 'open';
    const before = this._run;
    this.timers.after(TOLD_AGAIN_MS, () => {
      // It ended while there was no connection: nobody will tell how.
      if (before?.state === 'running' && before === this._run) {
        before.end('ended', null);
        this.told.ask();
      }
    });
    this.told.ask();
  }

  private async onClose(opened: boolean): Promise<void> {
    this.leave();
    this._connection = 'connecting';
    this.told.ask();
    const wait = this.backoff.next();
    if (!opened && (await new RunsClient(this.settings).isAbsent())) {
      this._connection = 'absent';
      this.told.ask();
      return;
    }
    this.connectAgain(wait);
  }

  private connectAgain(wait: number): void {
    this.timers.after(wait, () => {
      this.connect();
    });
  }

  private leave(): void {
    const { socket } = this;
    this.socket = null;
    if (socket !== null) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  private take(message: LiveMessage | null): void {
    if (message?.type === 'started') {
      this._run = new LiveRun(message);
      this.told.ask();
    } else if (message !== null && message.runId === this._run?.runId) {
      this._run.take(message);
      this.told.ask();
    }
  }

  private _connection: 'connecting' | 'open' | 'absent' = 'connecting';
  private _run: LiveRun | null = null;
  private readonly _changed = new Signal<this, void>(this);
  private socket: WebSocket | null = null;
  private readonly backoff = new Backoff();
  private readonly timers = new Timers();
  private readonly told = new Throttle(this.timers, EVERY_MS, () => {
    this._changed.emit();
  });
}
