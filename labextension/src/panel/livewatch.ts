import type { ILiveRun } from '../server/live';
import type { IEntry } from './entry';
import { runEntry } from './entry';
import type { ILive } from './service';

/** Watches one kernel at a time, or none. */
export class LiveWatch {
  /**
   * @param open Open the connection of a kernel.
   * @param told Called when something came.
   */
  constructor(
    private readonly open: (kernelId: string) => ILive,
    private readonly told: () => void
  ) {}

  /** The run that goes on or went on last; none if it ended and left nothing. */
  get run(): ILiveRun | null {
    const run = this.live?.run ?? null;
    const isUntold = run?.state === 'ended' && run.durationS === null;
    return isUntold ? null : run;
  }

  get connection(): ILive['connection'] {
    return this.live?.connection ?? 'connecting';
  }

  /** Watch this kernel and no other. */
  follow(kernelId: string | null): void {
    if (kernelId === this.kernelId) {
      return;
    }
    this.live?.changed.disconnect(this.told);
    this.live?.dispose();
    this.kernelId = kernelId;
    this.live = kernelId === null ? null : this.open(kernelId);
    this.live?.changed.connect(this.told);
  }

  private kernelId: string | null = null;
  private live: ILive | null = null;
}

const STATES = { running: 'running', ended: 'ended', gone: 'killed' } as const;

/** A run that is watched, as the list of the panel shows it. */
export function liveEntry(run: ILiveRun): IEntry {
  return runEntry(run.runId, STATES[run.state], run);
}
