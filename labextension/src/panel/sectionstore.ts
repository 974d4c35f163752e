import type { IStateDB } from '@jupyterlab/statedb';

import { fields } from '../guards';
import { Store } from '../store';

const ID = 'jupyter-mlprof:panel';
/** Open until the user says otherwise. */
const OPEN = new Set([
  'findings',
  'timeline',
  'lines',
  'compare-split',
  'compare-timeline',
  'compare-lines',
  'compare-functions'
]);

/** Which sections are open; kept from one visit to the next. */
export class SectionStore extends Store<ReadonlyMap<string, boolean>> {
  /** @param db Where it is kept; null where the application keeps nothing. */
  constructor(private readonly db: IStateDB | null) {
    super(new Map());
  }

  /** Read what was kept; what the user did meanwhile stays. */
  async load(): Promise<void> {
    const kept = fields(fields(await this.db?.fetch(ID)).open);
    const read = Object.entries(kept).filter(
      (entry): entry is [string, boolean] => typeof entry[1] === 'boolean'
    );
    this.set(new Map([...read, ...this.get()]));
  }

  isOpen(name: string): boolean {
    return this.get().get(name) ?? OPEN.has(name);
  }

  toggle(name: string): void {
    this.set(new Map([...this.get(), [name, !this.isOpen(name)]]));
    const open = Object.fromEntries(this.get());
    this.db?.save(ID, { open }).catch((reason: unknown) => {
      console.warn('Failed to remember which sections are open.', reason);
    });
  }
}
