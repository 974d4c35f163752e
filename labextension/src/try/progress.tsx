import type { ReactElement } from 'react';
import { useEffect, useState } from 'react';

import { useHost } from '../context';
import type { ITry } from './usetry';

const TICK_MS = 500;

interface IProgressProps {
  readonly attempt: ITry;
  /** Of the finding. */
  readonly title: string;
}

/** The seconds that a try has taken so far, and how to end it. */
export function TryProgress({
  attempt,
  title
}: IProgressProps): ReactElement | null {
  const { trans } = useHost();
  const { button, running } = attempt;
  if (running === null) {
    return null;
  }
  return (
    <>
      {running.since !== null && <Elapsed since={running.since} />}
      {!running.cancelled && (
        <button
          type="button"
          className="jp-MlprofButton jp-MlprofButton-try"
          aria-label={trans.__('Cancel trying: %1', title)}
          onClick={() => {
            // This one goes now, and the focus would go with it.
            button.current?.focus();
            running.cancel();
          }}
        >
          {trans.__('Cancel')}
        </button>
      )}
    </>
  );
}

/** Not part of what is read out, or it would be each second. */
function Elapsed({ since }: { readonly since: number }): ReactElement {
  const { trans } = useHost();
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = window.setInterval(() => {
      setNow(Date.now());
    }, TICK_MS);
    return () => {
      window.clearInterval(timer);
    };
  }, [since]);
  const elapsed = Math.max(0, Math.floor((now - since) / 1000));
  return (
    <span className="jp-MlprofTry-elapsed" role="timer" aria-live="off">
      {trans.__('%1 s', elapsed)}
    </span>
  );
}
