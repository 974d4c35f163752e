import type { Kernel } from '@jupyterlab/services';

import { isGone } from './alive';
import type { Probe } from './probe';
import { loadExtension } from './probe';

/** Loads our extension in kernels, and remembers which have it. */
export class Loader {
  /**
   * Make sure that a kernel has it. One that is busy and had it before is not
   * asked: its answer would come after what the user runs meanwhile.
   */
  async load(kernel: Kernel.IKernelConnection): Promise<Probe> {
    if (kernel.status === 'busy' && this.loaded.has(kernel)) {
      return { kind: 'loaded' };
    }
    const probe = await loadExtension(kernel);
    if (probe.kind === 'loaded') {
      this.remember(kernel);
    } else {
      this.loaded.delete(kernel);
    }
    return probe;
  }

  private remember(kernel: Kernel.IKernelConnection): void {
    if (!this.watched.has(kernel)) {
      this.watched.add(kernel);
      kernel.statusChanged.connect((_, status) => {
        if (isGone(status)) {
          this.loaded.delete(kernel);
        }
      });
    }
    this.loaded.add(kernel);
  }

  private readonly loaded = new WeakSet<Kernel.IKernelConnection>();
  private readonly watched = new WeakSet<Kernel.IKernelConnection>();
}
