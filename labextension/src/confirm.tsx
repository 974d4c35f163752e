import { Dialog, showDialog } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { IDiffRow } from './diff';
import { Diff } from './diffview';

/** Show a change and ask whether to make it. */
export async function confirmChange(
  trans: TranslationBundle,
  title: string,
  rows: readonly IDiffRow[]
): Promise<boolean> {
  const result = await showDialog({
    title: trans.__('Change the cell?'),
    body: (
      <div className="jp-MlprofConfirm">
        <p>
          {trans.__(
            'This output is not known to come from you. Apply the change only if you understand it.'
          )}
        </p>
        <p>
          <strong>{title}</strong>
        </p>
        <Diff rows={rows} trans={trans} />
      </div>
    ),
    buttons: [
      Dialog.cancelButton(),
      Dialog.okButton({ label: trans.__('Apply') })
    ],
    defaultButton: 0
  });
  return result.button.accept;
}
