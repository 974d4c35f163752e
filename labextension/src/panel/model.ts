import type { ICodeCellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';

import { Chooser } from './chooser';
import { Contents } from './contents';
import type { IEntry } from './entry';
import { earlier, merge, runEntry } from './entry';
import { History } from './history';
import { LiveNote } from './kernel';
import { Library } from './library';
import { liveEntry, LiveWatch } from './livewatch';
import { isCode, OutputReader } from './outputs';
import { CellFinder, lineNow, revealLine } from './place';
import type { IService } from './service';
import type { Content, IComparison, IPanelState } from './state';
import { NO_STATE } from './state';
import { Store } from '../store';
import type { NotebookWatch } from './watch';

interface IModelOptions {
  readonly watch: NotebookWatch;
  readonly service: IService;
  readonly trans: TranslationBundle;
  /** Bring a notebook to the front. */
  readonly activate: (notebook: NotebookPanel) => void;
}

/** What the panel shows. It works only between `resume` and `pause`. */
export class PanelModel extends Store<IPanelState> {
  constructor(private readonly options: IModelOptions) {
    super(NO_STATE);
    const { service, trans, watch } = options;
    const told = (): void => {
      this.refresh();
    };
    this.outputs = new OutputReader(trans);
    this.history = new History((...asked) => service.list(...asked), told);
    this.library = new Library(id => service.profile(id), told, trans);
    this.contents = new Contents(this.library, trans);
    this.live = new LiveWatch(kernelId => service.live(kernelId), told);
    this.liveNote = new LiveNote(told, trans);
    watch.changed.connect(told);
  }

  /** Look at the notebook and follow it. */
  resume(): void {
    this.active = true;
    this.asked = '';
    this.library.forgetFailures();
    this.options.watch.start();
    this.refresh();
  }

  /** Follow nothing and ask nothing; what is shown stays. */
  pause(): void {
    this.active = false;
    this.options.watch.stop();
    this.live.follow(null);
    this.library.stop();
    this.liveNote.stop();
    this.set({ ...this.get(), active: false });
  }

  /** Show a run until another begins; null: what the active cell has. */
  choose(id: string | null): void {
    this.library.forgetFailures();
    this.chooser.choose(id);
    this.refresh();
  }

  /** Compare with an earlier run of the cell, the newest if none is named. */
  compare(comparing: boolean, id: string | null = null): void {
    this.comparing = comparing;
    this.otherId = id;
    this.refresh();
  }

  /** Put the cursor at a line of the cell, given as it was when the cell ran. */
  readonly reveal = async (line: number): Promise<void> => {
    const { content, entry } = this.get();
    const { notebook } = this;
    if (notebook && entry && content.kind !== 'sentence' && content.cell) {
      const ran = content.kind === 'profile' ? content.profile : null;
      const now = lineNow(ran?.cell.source ?? '', content.cell.source, line);
      this.options.activate(notebook);
      await revealLine(notebook, entry, now);
    }
  };

  override dispose(): void {
    if (!this.isDisposed) {
      this.pause();
      this.options.watch.dispose();
      super.dispose();
    }
  }

  private refresh(): void {
    if (!this.active || this.isDisposed) {
      return;
    }
    const { notebook } = this.options.watch;
    if (notebook !== this.notebook) {
      this.notebook = notebook;
      this.history.clear();
      this.chooser.clear();
    }
    const kernel = notebook?.sessionContext.session?.kernel;
    this.live.follow(kernel?.id ?? null);
    const cells = [...(notebook?.content.model?.cells ?? [])].filter(isCode);
    const entries = this.entries(cells);
    this.askForRuns(cells, entries, kernel?.status ?? '');
    this.set(this.look(cells, entries));
  }

  /** Every run of the cells, those in their outputs first. */
  private entries(cells: readonly ICodeCellModel[]): IEntry[] {
    const ids = new Set(cells.map(cell => cell.id));
    const { run } = this.live;
    const others = [
      ...(run ? [liveEntry(run)] : []),
      ...this.history.runs.map(one => runEntry(one.id, one.state, one))
    ];
    return merge(
      this.outputs.read(cells),
      others.filter(({ cellIds: [cellId] }) => cellId && ids.has(cellId))
    );
  }

  /** Ask for the list of runs whenever it may have changed. */
  private askForRuns(
    cells: readonly ICodeCellModel[],
    entries: readonly IEntry[],
    status: string
  ): void {
    const path = this.notebook?.context.path ?? '';
    const { run } = this.live;
    const isOver = /dead|restarting/.test(status);
    const newest = entries.find(entry => entry.own)?.id;
    const ended = run?.state === 'running' ? '' : run?.runId;
    const asked = [path, ended, isOver, newest].join('\n');
    if (cells.length > 0 && asked !== this.asked) {
      this.asked = asked;
      const ids = cells.map(cell => cell.id);
      void this.history.refresh(path, ids);
    }
  }

  private look(
    cells: readonly ICodeCellModel[],
    entries: readonly IEntry[]
  ): IPanelState {
    const activeCellId = this.notebook?.content.activeCell?.model.id ?? null;
    const liveId = this.live.run?.runId ?? null;
    const selection = this.chooser.look({ entries, activeCellId, liveId });
    const entry = entries.find(({ id }) => id === selection.id) ?? null;
    const others = entry ? earlier(entry, entries) : [];
    return {
      active: true,
      entries,
      selection,
      entry,
      content: entry
        ? this.content(entry)
        : this.contents.none(this.notebook !== null, cells),
      earlier: others,
      comparison: this.comparison(others),
      note: this.note(cells)
    };
  }

  private content(entry: IEntry): Content {
    const cell = this.notebook && this.cells.find(this.notebook, entry);
    const { run } = this.live;
    return this.contents.of(entry, cell, run?.runId === entry.id ? run : null);
  }

  private comparison([newest, ...rest]: readonly IEntry[]): IComparison | null {
    const entry = rest.find(({ id }) => id === this.otherId) ?? newest;
    return this.comparing && entry
      ? { entry, parsed: this.contents.load(entry) }
      : null;
  }

  private note(cells: readonly ICodeCellModel[]): string | null {
    const { failure } = this.history;
    const { trans } = this.options;
    return (
      this.liveNote.text(cells, this.live) ??
      (failure?.kind === 'failed'
        ? trans.__('Earlier runs cannot be listed: %1', failure.message)
        : null)
    );
  }

  private readonly outputs: OutputReader;
  private readonly history: History;
  private readonly library: Library;
  private readonly contents: Contents;
  private readonly live: LiveWatch;
  private readonly liveNote: LiveNote;
  private readonly chooser = new Chooser();
  private readonly cells = new CellFinder();
  private notebook: NotebookPanel | null = null;
  private active = false;
  private comparing = false;
  private otherId: string | null = null;
  /** What the list of runs was asked for. */
  private asked = '';
}
