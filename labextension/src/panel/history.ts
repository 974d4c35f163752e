import type { IRunSummary, RunList } from '../server/runs';

/** The runs of a notebook that the server keeps. */
export class History {
  /**
   * @param ask Ask the server for the runs of a notebook's cells.
   * @param told Called when the list came.
   */
  constructor(
    private readonly ask: (
      notebook: string,
      cellIds: readonly string[]
    ) => Promise<RunList>,
    private readonly told: () => void
  ) {}

  /** Newest first; empty until the server answered. */
  get runs(): readonly IRunSummary[] {
    return this.list?.kind === 'runs' ? this.list.runs : [];
  }

  /** Why there is no list; null when there is one or it is on its way. */
  get failure(): Exclude<RunList, { kind: 'runs' }> | null {
    return this.list && this.list.kind !== 'runs' ? this.list : null;
  }

  /** Ask for the runs of a notebook; what is known stays until they come. */
  async refresh(notebook: string, cellIds: readonly string[]): Promise<void> {
    this.generation += 1;
    const { generation } = this;
    const list = await this.ask(notebook, cellIds);
    if (generation === this.generation) {
      this.list = list;
      this.told();
    }
  }

  /** Forget what is known, and what is on its way. */
  clear(): void {
    this.generation += 1;
    this.list = null;
  }

  private list: RunList | null = null;
  private generation = 0;
}
