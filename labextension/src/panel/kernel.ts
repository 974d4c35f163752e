import type { ICellModel } from '@jupyterlab/cells';
import type { TranslationBundle } from '@jupyterlab/translation';

import { isProfiled } from '../command/magicline';
import { text } from '../guards';
import type { LiveWatch } from './livewatch';
import { isCode } from './outputs';

const UNKNOWN_MAGIC = 'UsageError: Cell magic `%%mlprof` not found';
/** How long after a cell began its run file may stay unseen. */
const PATIENCE_MS = 3_000;

/** Says why a profiled cell that runs cannot be watched. */
export class LiveNote {
  /** @param later Called when the answer may have changed by time alone. */
  constructor(
    private readonly later: () => void,
    private readonly trans: TranslationBundle
  ) {}

  /** The sentence; null when no profiled cell runs, or when it is watched. */
  text(cells: Iterable<ICellModel>, live: LiveWatch): string | null {
    const cellId = runningCell(cells);
    if (cellId !== this.cellId) {
      this.cellId = cellId;
      this.since = Date.now();
      window.clearTimeout(this.timer);
      if (cellId !== null) {
        this.timer = window.setTimeout(this.later, PATIENCE_MS + 100);
      }
    }
    if (cellId === null || live.run?.state === 'running') {
      return null;
    }
    if (live.connection === 'absent') {
      return this.trans.__(
        'Live view is not available here: the Jupyter server runs without jupyter_mlprof. The result is shown when the cell ends.'
      );
    }
    return Date.now() - this.since > PATIENCE_MS
      ? this.trans.__(
          'Live view is not available here: the Jupyter server sees nothing of this kernel’s run. The result is shown when the cell ends.'
        )
      : null;
  }

  stop(): void {
    window.clearTimeout(this.timer);
    this.cellId = null;
  }

  private cellId: string | null = null;
  private since = 0;
  private timer = 0;
}

/** The cell that runs, if it is profiled; those that wait come after it. */
function runningCell(cells: Iterable<ICellModel>): string | null {
  for (const cell of cells) {
    if (isCode(cell) && cell.executionState === 'running') {
      return isProfiled(cell.sharedModel.getSource()) ? cell.id : null;
    }
  }
  return null;
}

/** Whether a cell failed because the kernel does not know us. */
export function lacksPackage(cells: Iterable<ICellModel>): boolean {
  for (const cell of cells) {
    if (isCode(cell) && cell.outputs.length > 0) {
      const output = cell.outputs.get(0);
      const { ename, evalue } = output.toJSON();
      const missing =
        ename === 'ModuleNotFoundError' &&
        text(evalue).includes('jupyter_mlprof');
      if (
        missing ||
        output.streamText?.text.startsWith(UNKNOWN_MAGIC) === true
      ) {
        return true;
      }
    }
  }
  return false;
}
