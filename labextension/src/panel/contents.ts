import type { ICodeCellModel } from '@jupyterlab/cells';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { ICell } from '../cell';
import type { ILiveRun } from '../server/live';
import type { IEntry } from './entry';
import { lacksPackage } from './kernel';
import type { Library, Loaded } from './library';
import type { Content } from './state';

/** Says what is shown of a run, or instead of one. */
export class Contents {
  constructor(
    private readonly library: Library,
    private readonly trans: TranslationBundle
  ) {}

  /**
   * What is shown of a run.
   *
   * @param run The run that is watched, if it is this one.
   */
  of(entry: IEntry, cell: ICell | null, run: ILiveRun | null): Content {
    if (run?.state === 'running') {
      return { kind: 'live', run, cell };
    }
    const loaded = this.load(entry, run !== null);
    if (loaded === null) {
      // The live view stays until the profile takes its place.
      return run === null
        ? sentence(this.trans.__('Loading the profile …'))
        : { kind: 'live', run, cell };
    }
    return loaded.profile === null
      ? sentence(loaded.refusal)
      : { kind: 'profile', profile: loaded.profile, cell };
  }

  /** The profile of a run; `patient` if it may still be in the making. */
  load(entry: IEntry, patient = false): Loaded {
    if (entry.state === 'running') {
      const refusal = this.trans.__('This run has not ended yet.');
      return { profile: null, refusal };
    }
    if (entry.parsed !== null) {
      // An output is cleared as soon as its cell runs again.
      this.library.keep(entry.id, entry.parsed);
      return entry.parsed;
    }
    return this.library.get(entry.id, patient);
  }

  /** What is shown where there is no run. */
  none(isOpen: boolean, cells: readonly ICodeCellModel[]): Content {
    if (!isOpen) {
      return sentence(
        this.trans.__('Open a notebook: its profiles are shown here.')
      );
    }
    return sentence(
      lacksPackage(cells)
        ? this.trans.__(
            'The kernel does not know %1: run %2. If that fails, install it there with %3.',
            '%%mlprof',
            '%load_ext jupyter_mlprof',
            '%pip install jupyter-mlprof'
          )
        : this.trans.__(
            'No profile yet: put %1 on a cell and run it.',
            '%%mlprof'
          )
    );
  }
}

function sentence(text: string): Content {
  return { kind: 'sentence', text };
}
