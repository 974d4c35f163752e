import type { TranslationBundle } from '@jupyterlab/translation';

import type { ICell } from './cell';
import type { ICardHost } from './context';
import type { IDiffRow } from './diff';
import { diffRows } from './diff';
import { areSound, fits } from './edits';
import type { Fix } from './schema';

/** What a fix would do to a cell as it is now, or why it cannot. */
export interface IOffer {
  readonly rows: readonly IDiffRow[];
  /** Whether the cell is as it was when it ran, and the fix is whole. */
  readonly fits: boolean;
  /** Sentence that says why the fix cannot be applied; null when it can. */
  readonly refusal: string | null;
}

/** How an attempt to apply a fix ended. */
export type Outcome = 'applied' | 'cancelled' | { readonly refusal: string };

/** Look at the cell's present source and say what a fix would do to it. */
export function makeOffer(
  cell: Pick<ICell, 'source' | 'readOnly'>,
  fix: Fix,
  trans: TranslationBundle
): IOffer {
  const { source } = cell;
  if (!fits(source, fix)) {
    const refusal = trans.__(
      'The cell has changed since this run: run it again for a new suggestion.'
    );
    return { rows: [], fits: false, refusal };
  }
  if (!areSound(source, fix.edits)) {
    const refusal = trans.__(
      'This suggestion is damaged and cannot be applied: run the cell again.'
    );
    return { rows: [], fits: false, refusal };
  }
  const refusal = cell.readOnly
    ? trans.__('The cell is read-only: make it editable to apply this.')
    : null;
  return { rows: diffRows(source, fix.edits), fits: true, refusal };
}

/**
 * Apply a fix to the host's cell; where the output is not trusted, ask first.
 */
export async function applyFix(
  { cell, confirm, trans }: ICardHost,
  fix: Fix,
  title: string
): Promise<Outcome> {
  if (cell === null) {
    return { refusal: trans.__('The cell is not open any more.') };
  }
  const offer = makeOffer(cell, fix, trans);
  if (offer.refusal !== null) {
    return { refusal: offer.refusal };
  }
  if (!cell.trusted && !(await confirm(title, offer.rows))) {
    return 'cancelled';
  }
  // The cell may have changed while the question stood open.
  const { refusal } = makeOffer(cell, fix, trans);
  if (refusal !== null) {
    return { refusal };
  }
  cell.edit(fix.edits);
  cell.focus();
  return 'applied';
}
