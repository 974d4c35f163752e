import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import type { ISessionContext } from '@jupyterlab/apputils';
import { ICommandPalette, ISessionContextDialogs } from '@jupyterlab/apputils';
import type { CodeCell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { INotebookTracker, NotebookActions } from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';

import { gaugeIcon } from '../icon';
import { say, sayMissing } from './dialogs';
import { Loader } from './loader';
import { activeCell, clickedCell } from './place';
import type { ISurroundings, ITarget } from './profilecell';
import { profileCell } from './profilecell';

/** Profiles the active cell. */
export const PROFILE_CELL = 'jupyter-mlprof:profile-cell';
/** Shows the panel; there is none where its plugin is switched off. */
const OPEN_PANEL = 'jupyter-mlprof:open-panel';
/** How long a notebook that has just been opened may take to ask for its kernel. */
const PATIENCE_MS = 2_000;

/** The command "Profile this cell"; buttons and menus are in the schema. */
export const commandPlugin: JupyterFrontEndPlugin<void> = {
  id: 'jupyter-mlprof:plugin',
  description: 'Adds the command that profiles the active cell.',
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ICommandPalette, ITranslator, ISessionContextDialogs],
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    palette: ICommandPalette | null,
    translator: ITranslator | null,
    dialogs: ISessionContextDialogs | null
  ) => {
    const words = translator ?? nullTranslator;
    const trans = words.load('jupyter_mlprof');
    const runCell = (panel: NotebookPanel, cell: CodeCell) =>
      NotebookActions.runCells(
        panel.content,
        [cell],
        panel.sessionContext,
        dialogs ?? undefined,
        words
      );
    addCommand(app, tracker, runCell, {
      trans,
      loader: new Loader(),
      say: sentence => say(trans, sentence),
      sayMissing: executable => sayMissing(trans, executable),
      openPanel: async () => {
        if (app.commands.hasCommand(OPEN_PANEL)) {
          await app.commands.execute(OPEN_PANEL, { focus: false });
        }
      }
    });
    palette?.addItem({
      command: PROFILE_CELL,
      category: trans.__('ML profile')
    });
  }
};

type RunCell = (panel: NotebookPanel, cell: CodeCell) => Promise<unknown>;

/** From where the command was given; see the schema. */
interface IArguments {
  readonly contextMenu?: unknown;
}

function addCommand(
  app: JupyterFrontEnd,
  tracker: INotebookTracker,
  runCell: RunCell,
  around: ISurroundings
): void {
  const { commands } = app;
  const { trans } = around;
  // A second click while the kernel is busy asks for nothing new.
  const pending = new WeakSet<CodeCell>();
  const placeOf = (args: IArguments) =>
    args.contextMenu === true ? clickedCell(app, tracker) : activeCell(tracker);
  commands.addCommand(PROFILE_CELL, {
    label: trans.__('Profile this cell'),
    caption: trans.__('Put %1 on this cell and run it', '%%mlprof'),
    icon: gaugeIcon,
    describedBy: { args: { type: 'object', properties: {} } },
    isEnabled: args => placeOf(args) !== null,
    isVisible: args => args.toolbar !== true || placeOf(args) !== null,
    execute: async args => {
      const place = placeOf(args);
      if (place === null || pending.has(place.cell)) {
        return;
      }
      const { panel, cell } = place;
      pending.add(cell);
      panel.content.activeCellIndex = panel.content.widgets.indexOf(cell);
      const target = targetOf(panel, cell, () => {
        pending.delete(cell);
        return runCell(panel, cell);
      });
      try {
        await profileCell(target, around);
      } finally {
        pending.delete(cell);
      }
    }
  });
  const notify = () => {
    commands.notifyCommandChanged(PROFILE_CELL);
  };
  tracker.activeCellChanged.connect(notify);
  tracker.currentChanged.connect(notify);
}

function targetOf(
  { sessionContext }: NotebookPanel,
  cell: CodeCell,
  run: ITarget['run']
): ITarget {
  return {
    cell,
    kernel: () => kernelOf(sessionContext),
    get waitsForInput() {
      return sessionContext.pendingInput;
    },
    run
  };
}

/** The kernel, once it has started; one left without a kernel is never ready. */
async function kernelOf(
  context: ISessionContext
): Promise<Kernel.IKernelConnection | null> {
  const patience = new Promise(resolve => {
    window.setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([context.ready, patience]);
  if (context.hasNoKernel) {
    return null;
  }
  await context.ready;
  return context.session?.kernel ?? null;
}
