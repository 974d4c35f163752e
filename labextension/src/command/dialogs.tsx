import { Clipboard, Dialog, showDialog } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';

const INSTALL = '%pip install jupyter_mlprof';

/** Say why a cell is not profiled. */
export async function say(
  trans: TranslationBundle,
  sentence: string
): Promise<void> {
  await showDialog({
    title: trans.__('Profile this cell'),
    body: sentence,
    buttons: [Dialog.okButton()]
  });
}

/** Say how the package gets into the environment of a kernel. */
export async function sayMissing(
  trans: TranslationBundle,
  executable: string
): Promise<void> {
  const result = await showDialog({
    title: trans.__('The kernel lacks jupyter_mlprof'),
    body: (
      <div className="jp-MlprofMissing">
        <p>
          {trans.__(
            'It is not installed in the environment in which this kernel runs. Run this in a cell, then try again:'
          )}
        </p>
        <pre>{INSTALL}</pre>
        {executable !== '' && (
          <p>
            {trans.__('The kernel’s Python:')} <code>{executable}</code>
          </p>
        )}
      </div>
    ),
    buttons: [
      Dialog.cancelButton({ label: trans.__('Close') }),
      Dialog.okButton({ label: trans.__('Copy the command') })
    ]
  });
  if (result.button.accept) {
    Clipboard.copyToSystem(INSTALL);
  }
}
