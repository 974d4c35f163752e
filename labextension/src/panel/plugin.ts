import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ILayoutRestorer } from '@jupyterlab/application';
import { ICommandPalette, IThemeManager } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IStateDB } from '@jupyterlab/statedb';
import type { TranslationBundle } from '@jupyterlab/translation';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';

import { gaugeIcon } from '../icon';
import { LiveClient } from '../server/live';
import { RunsClient } from '../server/runs';
import { PanelModel } from './model';
import { SectionStore } from './sectionstore';
import type { IService } from './service';
import { NotebookWatch } from './watch';
import { ProfilePanel } from './widget';

/** Shows the panel and puts the focus there, unless told not to. */
export const OPEN_PANEL = 'jupyter-mlprof:open-panel';
/** The palette gives the focus back to the notebook as it closes: later than that. */
const FOCUS_MS = 100;
/** Below the property inspector, above what other extensions add by default. */
const RANK = 600;

/** Adds the side panel. */
export const panelPlugin: JupyterFrontEndPlugin<void> = {
  id: 'jupyter-mlprof:panel',
  description: 'Shows the profiles of a notebook, and cells while they run.',
  autoStart: true,
  requires: [INotebookTracker],
  // Each is missing in one application or another.
  optional: [
    ITranslator,
    ICommandPalette,
    ILayoutRestorer,
    IStateDB,
    IThemeManager
  ],
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    translator: ITranslator | null,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
    db: IStateDB | null,
    themes: IThemeManager | null
  ) => {
    const trans = (translator ?? nullTranslator).load('jupyter_mlprof');
    const sections = new SectionStore(db);
    sections.load().catch((reason: unknown) => {
      console.warn('Failed to read which sections were open.', reason);
    });
    const model = new PanelModel({
      watch: new NotebookWatch(tracker),
      service: serviceOf(app, trans),
      trans,
      activate: notebook => {
        app.shell.activateById(notebook.id);
      }
    });
    const panel = new ProfilePanel({ model, sections, trans, themes });
    app.shell.add(panel, 'right', { rank: RANK, type: 'ML profile' });
    restorer?.add(panel, panel.id);
    addCommand(app, panel, trans);
    palette?.addItem({
      command: OPEN_PANEL,
      category: trans.__('ML profile')
    });
  }
};

function serviceOf(app: JupyterFrontEnd, trans: TranslationBundle): IService {
  const { serverSettings } = app.serviceManager;
  const runs = new RunsClient(serverSettings, trans);
  return {
    list: (notebook, cellIds) => runs.list(notebook, cellIds),
    profile: runId => runs.profile(runId),
    live: kernelId => new LiveClient(kernelId, serverSettings)
  };
}

function addCommand(
  app: JupyterFrontEnd,
  panel: ProfilePanel,
  trans: TranslationBundle
): void {
  app.commands.addCommand(OPEN_PANEL, {
    label: trans.__('Show the ML profile'),
    caption: trans.__('Show the profiles of the notebook in the side bar'),
    icon: gaugeIcon,
    describedBy: {
      args: { type: 'object', properties: { focus: { type: 'boolean' } } }
    },
    execute: args => {
      app.shell.activateById(panel.id);
      if (args.focus !== false) {
        setTimeout(() => {
          panel.focus();
        }, FOCUS_MS);
      }
    }
  });
}
