import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';

import type { ILiveRun } from '../server/live';
import type { ProfileAnswer, RunList } from '../server/runs';

/** The connection on which a kernel's running cell is watched. */
export interface ILive extends IDisposable {
  readonly changed: ISignal<unknown, void>;
  /** The newest run of the kernel that was seen. */
  readonly run: ILiveRun | null;
  readonly connection: 'connecting' | 'open' | 'absent';
}

/** What the panel asks of the server. */
export interface IService {
  list(notebook: string, cellIds: readonly string[]): Promise<RunList>;
  profile(runId: string): Promise<ProfileAnswer>;
  live(kernelId: string): ILive;
}
