import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';

import { commandPlugin } from './command/plugin';
import { findCell } from './find';
import { MIME_TYPE } from './mime';
import { panelPlugin } from './panel/plugin';
import { ProfileRenderer } from './renderer';

/** Shows the profile of a cell in its output. */
const renderer: JupyterFrontEndPlugin<void> = {
  id: 'jupyter-mlprof:renderer',
  description: 'Shows the profile of a cell in its output.',
  autoStart: true,
  requires: [IRenderMimeRegistry, INotebookTracker],
  optional: [ITranslator],
  activate: (
    _app,
    registry: IRenderMimeRegistry,
    tracker: INotebookTracker,
    translator: ITranslator | null
  ) => {
    const trans = (translator ?? nullTranslator).load('jupyter_mlprof');
    registry.addFactory(
      {
        safe: true,
        mimeTypes: [MIME_TYPE],
        createRenderer: () =>
          new ProfileRenderer({
            trans,
            findCell: (output, cellId) => findCell(output, cellId, tracker)
          })
      },
      // Before the static text/html of the same output, which has rank 50.
      0
    );
  }
};

export default [renderer, panelPlugin, commandPlugin];
