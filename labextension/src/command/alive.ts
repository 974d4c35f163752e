import type { Kernel } from '@jupyterlab/services';

type Kept = Pick<
  Kernel.IKernelConnection,
  'statusChanged' | 'disposed' | 'isDisposed'
>;

/**
 * Wait for what a kernel is to answer; null when the kernel is restarted, dies
 * or is left before that, for then no answer will come.
 */
export async function whileAlive<T>(
  kernel: Kept,
  answer: Promise<T>
): Promise<T | null> {
  let leave = (): void => undefined;
  const gone = new Promise<null>(resolve => {
    leave = () => {
      resolve(null);
    };
  });
  const onStatus = (_: unknown, status: Kernel.Status) => {
    if (isGone(status)) {
      leave();
    }
  };
  kernel.statusChanged.connect(onStatus);
  kernel.disposed.connect(leave);
  if (kernel.isDisposed) {
    leave();
  }
  try {
    // A request that was cancelled is rejected; it means the same.
    return await Promise.race([answer.catch(() => null), gone]);
  } finally {
    kernel.statusChanged.disconnect(onStatus);
    kernel.disposed.disconnect(leave);
  }
}

/** Whether a kernel with this status has forgotten what it was asked. */
export function isGone(status: Kernel.Status): boolean {
  return (
    status === 'restarting' ||
    status === 'autorestarting' ||
    status === 'terminating' ||
    status === 'dead'
  );
}
