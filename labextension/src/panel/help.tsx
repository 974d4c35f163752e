import { Dialog, showDialog } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';

/** Say in a few sentences what the panel is for. */
export async function showHelp(trans: TranslationBundle): Promise<void> {
  await showDialog({
    title: trans.__('ML profile'),
    body: (
      <ul className="jp-MlprofHelp">
        {[
          trans.__(
            'Put %1 on the first line of a cell and run it; once in each kernel, run %2 before.',
            '%%mlprof',
            '%load_ext jupyter_mlprof'
          ),
          trans.__(
            'The panel follows the active cell. The list has every run of the notebook, the newest first.'
          ),
          trans.__(
            'Drag over the timeline to see the lines and functions of that time only.'
          ),
          trans.__(
            'Click a line, or a function of the cell, to go to it in the notebook.'
          ),
          trans.__(
            'Times are wall times from samples; a line’s time includes what it called.'
          )
        ].map((sentence, index) => (
          <li key={index}>{sentence}</li>
        ))}
      </ul>
    ),
    buttons: [Dialog.okButton({ label: trans.__('Close') })]
  });
}
