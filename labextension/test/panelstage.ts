import { YCodeCell } from '@jupyter/ydoc';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
import { vi } from 'vitest';

import type { ILive, IService } from '../src/panel/service';
import { PanelModel } from '../src/panel/model';
import { NotebookWatch } from '../src/panel/watch';
import { MIME_TYPE } from '../src/mime';
import type { ILiveRun } from '../src/server/live';
import type { IRunSummary, ProfileAnswer, RunList } from '../src/server/runs';
import { makeProfile, trans } from './stage';

type Changed = Signal<object, unknown>;

function signal(): Changed {
  return new Signal<object, unknown>({});
}

/** An id as the kernel gives them. */
export function runId(number: number): string {
  return number.toString(16).padStart(32, '0');
}

/** A stored profile of a cell, begun so many seconds after noon. */
export function profileOf(
  cellId: string,
  number: number,
  seconds = number
): ReturnType<typeof makeProfile> {
  const profile = makeProfile();
  profile.id = runId(number);
  profile.cell.id = cellId;
  profile.cell.execution_count = number;
  profile.started_at = new Date(Date.UTC(2026, 10, 30, 12, 0, seconds))
    .toISOString()
    .replace('.000Z', 'Z');
  return profile;
}

/** A code cell as the panel sees it, on a real shared model. */
export class StagedCell {
  constructor(
    readonly id: string,
    source = '%%mlprof\npass',
    ...payloads: unknown[]
  ) {
    this.sharedModel = YCodeCell.create();
    this.sharedModel.setSource(source);
    this.show(...payloads);
  }

  readonly type = 'code';
  readonly sharedModel: YCodeCell;
  executionCount: number | null = 1;
  executionState = 'idle';
  trusted = true;
  outputs: { length: number; get: (index: number) => object } = listOf([]);

  /** Replace the outputs by profiles. */
  show(...payloads: unknown[]): void {
    this.outputs = listOf(
      payloads.map(payload => ({
        type: 'display_data',
        data: { [MIME_TYPE]: payload },
        changed: signal(),
        toJSON: () => ({})
      }))
    );
  }

  /** Replace the outputs by one text. */
  print(text: string): void {
    const output = { type: 'stream', data: {}, streamText: { text } };
    this.outputs = listOf([{ ...output, toJSON: () => ({}) }]);
  }

  /** The widget, as the notebook has it. */
  readonly widget = {
    model: this as object,
    readOnly: false,
    isDisposed: false,
    ready: Promise.resolve(),
    editor: {
      focus: vi.fn(),
      revealPosition: vi.fn(),
      setCursorPosition: vi.fn()
    }
  };
}

function listOf(items: object[]): StagedCell['outputs'] {
  return { length: items.length, get: index => items[index] ?? {} };
}

/** A notebook in an application, as far as the panel looks at it. */
export class StagedNotebook {
  constructor(
    readonly path: string,
    readonly cells: StagedCell[],
    readonly kernelId = 'kernel'
  ) {}

  active = 0;
  readonly changed = signal();
  readonly status = { value: 'idle' };

  readonly panel = this.makePanel() as unknown as NotebookPanel;

  private makePanel(): object {
    const path = () => this.path;
    const cells = () => this.cells;
    const active = () => this.cells[this.active]?.widget ?? null;
    const status = () => this.status.value;
    const kernelId = () => this.kernelId;
    return {
      id: 'panel',
      isDisposed: false,
      disposed: signal(),
      context: {
        get path() {
          return path();
        },
        pathChanged: signal()
      },
      sessionContext: {
        session: {
          kernel: {
            get id() {
              return kernelId();
            },
            get status() {
              return status();
            }
          }
        },
        kernelChanged: signal(),
        statusChanged: signal()
      },
      content: {
        model: {
          get cells() {
            return cells();
          }
        },
        modelChanged: signal(),
        modelContentChanged: this.changed,
        activeCellChanged: signal(),
        get activeCell() {
          return active();
        },
        get widgets() {
          return cells().map(cell => cell.widget);
        },
        scrollToItem: vi.fn(() => Promise.resolve()),
        activeCellIndex: 0,
        mode: 'command'
      }
    };
  }
}

/** A live connection of which a test plays the server. */
export class StagedLive implements ILive {
  constructor(readonly kernelId: string) {}

  readonly changed = new Signal<this, void>(this);
  run: ILiveRun | null = null;
  connection: ILive['connection'] = 'open';
  isDisposed = false;

  dispose(): void {
    this.isDisposed = true;
  }

  /** Tell of a run. */
  tell(run: ILiveRun): void {
    this.run = run;
    this.changed.emit();
  }
}

/** A run that goes on, unless told otherwise. */
export function liveRun(
  number: number,
  cellId: string,
  more: Partial<ILiveRun> = {}
): ILiveRun {
  return {
    runId: runId(number),
    cellId,
    executionCount: number,
    name: null,
    title: 'pass',
    startedAt: Date.UTC(2026, 10, 30, 12, 0, number) / 1000,
    state: 'running',
    outcome: null,
    elapsed: () => 2.5,
    line: 2,
    soFar: 'So far 80 % of 2.5 s went into line 2.',
    lines: [{ line: 2, wall_s: 2, samples: 20 }],
    timeline: { t_s: [], series: [] },
    durationS: null,
    ...more
  };
}

/** A run as the server lists it. */
export function listed(
  number: number,
  cellId: string,
  state: IRunSummary['state'] = 'ended'
): IRunSummary {
  return {
    id: runId(number),
    kernelId: 'kernel',
    notebook: '/home/ada/a.ipynb',
    cellId,
    executionCount: number,
    name: null,
    title: 'pass',
    startedAt: Date.UTC(2026, 10, 30, 12, 0, number) / 1000,
    state,
    durationS: state === 'ended' ? 2 : null,
    outcome: state === 'ended' ? 'ok' : null,
    verdict: null
  };
}

/** A panel's model over staged notebooks and a staged server. */
export class Stage {
  constructor(...notebooks: StagedNotebook[]) {
    this.notebook = notebooks[0] ?? null;
    const owner = this.tracker;
    Object.defineProperty(owner, 'currentWidget', {
      get: () => this.notebook?.panel ?? null
    });
    this.model = new PanelModel({
      watch: new NotebookWatch(owner as unknown as INotebookTracker),
      service: this.service,
      trans,
      activate: this.activate
    });
  }

  notebook: StagedNotebook | null;
  runs: RunList = { kind: 'runs', runs: [] };
  readonly profiles = new Map<string, object>();
  readonly lives: StagedLive[] = [];
  readonly activate = vi.fn();
  readonly tracker = { currentChanged: signal() };
  readonly service = {
    list: vi.fn<IService['list']>(() => Promise.resolve(this.runs)),
    profile: vi.fn((id: string): Promise<ProfileAnswer> => {
      const profile = this.profiles.get(id);
      return Promise.resolve(
        profile
          ? { kind: 'profile', profile }
          : { kind: 'failed', message: 'There is no such run.' }
      );
    }),
    live: vi.fn((kernelId: string) => {
      const live = new StagedLive(kernelId);
      this.lives.push(live);
      return live;
    })
  };
  readonly model: PanelModel;

  get live(): StagedLive {
    const live = this.lives.at(-1);
    if (!live) {
      throw new Error('No kernel is watched.');
    }
    return live;
  }

  /** The ids of the runs in the list, as numbers. */
  get listed(): number[] {
    return this.model.get().entries.map(entry => parseInt(entry.id, 16));
  }

  /** The run that is shown, and why. */
  get shown(): [number, string] {
    const { id, why } = this.model.get().selection;
    return [parseInt(id ?? '0', 16), why];
  }

  /** Say what is shown instead of a run, or which kind of thing is. */
  get content(): string {
    const { content } = this.model.get();
    return content.kind === 'sentence' ? content.text : content.kind;
  }

  /** Show the panel, and wait for what it asks. */
  async open(): Promise<this> {
    this.model.resume();
    await settle();
    return this;
  }

  /** Tell that the notebook changed, and wait for what follows. */
  async change(): Promise<void> {
    this.notebook?.changed.emit(undefined);
    await settle();
  }

  /** Put another notebook to the front. */
  async turnTo(notebook: StagedNotebook | null): Promise<void> {
    this.notebook = notebook;
    this.tracker.currentChanged.emit(undefined);
    await settle();
  }
}

/** Let timers up to a fifth of a second, and promises, come to their end. */
export async function settle(ms = 200): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}
