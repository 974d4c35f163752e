import type { Kernel } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';

import { LiveCell } from '../cell';
import { whileAlive } from './alive';
import type { IEditedCell } from './insert';
import { insertMagic } from './insert';
import type { Loader } from './loader';
import { isProfiled } from './magicline';

/** A cell with the notebook and kernel that run it. */
export interface ITarget {
  readonly cell: IEditedCell;
  /** The kernel, once it is there; null where the notebook has none. */
  kernel(): Promise<Kernel.IKernelConnection | null>;
  /** Whether the kernel waits for what the user is to type. */
  readonly waitsForInput: boolean;
  /** Run the cell as the notebook does. */
  run(): Promise<unknown>;
}

/** What the user is told, and what opens for the result. */
export interface ISurroundings {
  readonly trans: TranslationBundle;
  readonly loader: Loader;
  /** Say why the cell is not profiled. */
  say(sentence: string): Promise<unknown>;
  /** Say how the package gets into the environment of this interpreter. */
  sayMissing(executable: string): Promise<unknown>;
  openPanel(): Promise<unknown>;
}

/**
 * Profile a cell: load our extension in its kernel, put the magic on the cell
 * and run it. A cell that cannot be profiled stays as it is.
 */
export async function profileCell(
  target: ITarget,
  around: ISurroundings
): Promise<void> {
  const kernel = await target.kernel();
  const refusal = await refusalOf(target, kernel, around.trans);
  if (refusal !== null || kernel === null) {
    await around.say(refusal ?? '');
    return;
  }
  const probe = await around.loader.load(kernel);
  if (probe.kind === 'missing') {
    await around.sayMissing(probe.executable);
  } else if (probe.kind === 'failed') {
    await around.say(
      around.trans.__(
        'jupyter_mlprof could not be loaded in this kernel. %1',
        probe.message
      )
    );
  } else if (probe.kind === 'loaded' && !target.cell.isDisposed) {
    await run(target, around);
  }
}

async function run(target: ITarget, around: ISurroundings): Promise<void> {
  // Anything may have happened to the cell while the kernel was busy.
  if (!isProfiled(sourceOf(target))) {
    const refusal = refusalOfCell(target, around.trans);
    if (refusal !== null) {
      await around.say(refusal);
      return;
    }
    insertMagic(target.cell);
  }
  const ended = target.run();
  await around.openPanel();
  await ended;
}

/** Why a cell cannot be profiled, as far as can be told without running code. */
async function refusalOf(
  target: ITarget,
  kernel: Kernel.IKernelConnection | null,
  trans: TranslationBundle
): Promise<string | null> {
  if (kernel === null) {
    return trans.__('The notebook has no kernel: choose one, then try again.');
  }
  if (target.waitsForInput) {
    return trans.__(
      'The kernel waits for your input: give it, then try again.'
    );
  }
  const spec = await whileAlive(kernel, kernel.spec);
  const language = spec?.language ?? 'python';
  if (language.toLowerCase() !== 'python') {
    return trans.__(
      'Only Python cells can be profiled; this kernel runs %1.',
      language
    );
  }
  return refusalOfCell(target, trans);
}

function refusalOfCell(
  target: ITarget,
  trans: TranslationBundle
): string | null {
  const source = sourceOf(target);
  if (source.trim() === '') {
    return trans.__('The cell is empty: there is nothing to profile.');
  }
  // A cell that has the magic already need not be changed.
  return new LiveCell(target.cell, true).readOnly && !isProfiled(source)
    ? trans.__('The cell is read-only: make it editable to profile it.')
    : null;
}

function sourceOf({ cell }: ITarget): string {
  return cell.model.sharedModel.getSource();
}
