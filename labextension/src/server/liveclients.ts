import type { ServerConnection } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { DisposableDelegate } from '@lumino/disposable';

import { LiveClient } from './live';

/** The right to use a client; it lives as long as somebody holds one. */
export interface ILease extends IDisposable {
  readonly client: LiveClient;
}

/**
 * Hands out the one client of each kernel, so that no kernel has two sockets
 * however often its notebook says that it is ready or has changed.
 */
export class LiveClients {
  constructor(private readonly settings: ServerConnection.ISettings) {}

  /** Get the client of a kernel; dispose of the lease when it is not needed. */
  acquire(kernelId: string): ILease {
    const held = this.held.get(kernelId) ?? {
      client: new LiveClient(kernelId, this.settings),
      leases: 0
    };
    held.leases += 1;
    this.held.set(kernelId, held);
    const lease = new DisposableDelegate(() => {
      held.leases -= 1;
      if (held.leases === 0) {
        this.held.delete(kernelId);
        held.client.dispose();
      }
    });
    return Object.assign(lease, { client: held.client });
  }

  private readonly held = new Map<
    string,
    { readonly client: LiveClient; leases: number }
  >();
}
