import type { ReactElement } from 'react';
import { useId } from 'react';

import { useHost } from '../context';
import type { ITry } from './usetry';

interface IButtonProps {
  readonly attempt: ITry;
  /** Of the finding. */
  readonly title: string;
}

/**
 * Lets the kernel try a fix. Never quite disabled: it would lose the focus when
 * the try begins, and could not be asked why it cannot.
 */
export function TryButton({
  attempt,
  title
}: IButtonProps): ReactElement | null {
  const { trans } = useHost();
  const why = useId();
  const { again, button, refusal, running, start } = attempt;
  if (!attempt.isKnown) {
    return null;
  }
  return (
    <>
      <button
        type="button"
        ref={button}
        className={
          again
            ? 'jp-MlprofButton-quiet'
            : 'jp-MlprofButton jp-MlprofButton-try'
        }
        aria-label={
          again
            ? trans.__('Try again: %1', title)
            : trans.__('Try it: %1', title)
        }
        aria-disabled={refusal !== null || running !== null}
        aria-describedby={refusal === null ? undefined : why}
        title={refusal ?? undefined}
        onClick={start}
      >
        {again ? trans.__('Try again') : trans.__('Try it')}
      </button>
      {refusal !== null && (
        <span id={why} hidden>
          {refusal}
        </span>
      )}
    </>
  );
}
