import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel } from '@jupyterlab/services';

/** The parts of a notebook's session that are used here. */
export type Session = Pick<
  ISessionContext,
  'kernelChanged' | 'session' | 'statusChanged'
>;

/** Whether a kernel can be asked at once. */
export type Readiness = 'idle' | 'busy' | 'starting' | 'absent';

/** The kernel of a cell, whichever it is at the moment. */
export interface ICellKernel {
  readonly connection: Kernel.IKernelConnection | null;
  readonly readiness: Readiness;
  /** Call back when one of these changed; returns how to stop that. */
  readonly subscribe: (callback: () => void) => () => void;
}

/** The kernel of the notebook that a cell is in. */
export class CellKernel implements ICellKernel {
  /** @param session Null where the cell is in no notebook that is open. */
  constructor(private readonly session: Session | null) {}

  get connection(): Kernel.IKernelConnection | null {
    return this.session?.session?.kernel ?? null;
  }

  get readiness(): Readiness {
    const status = this.connection?.status ?? 'dead';
    switch (status) {
      case 'idle':
      case 'busy':
        return status;
      case 'dead':
      case 'terminating':
        return 'absent';
      default:
        return 'starting';
    }
  }

  /** An arrow function, because React wants the same one at each drawing. */
  readonly subscribe = (callback: () => void): (() => void) => {
    const { session } = this;
    session?.kernelChanged.connect(callback);
    session?.statusChanged.connect(callback);
    return () => {
      session?.kernelChanged.disconnect(callback);
      session?.statusChanged.disconnect(callback);
    };
  };
}
