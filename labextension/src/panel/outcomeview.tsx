import type { ReactElement } from 'react';

import { useHost } from '../context';
import { seconds } from '../numbers';
import type { CardProfile } from '../parse';
import { LineButton } from './linebutton';

/** How a cell that did not run to its end was ended, and where. */
export function OutcomeView({
  profile
}: {
  readonly profile: CardProfile;
}): ReactElement | null {
  const { trans } = useHost();
  const { cell, duration_s, error, outcome } = profile;
  if (outcome === 'ok') {
    return null;
  }
  const ran = seconds(duration_s);
  const names = {
    error: trans.__('Ended by an error after %1.', ran),
    interrupted: trans.__('Interrupted after %1.', ran),
    killed: trans.__('The kernel died after %1.', ran)
  };
  const line = error?.line ?? null;
  // The kernel's death has no message of its own, and the verdict tells it.
  const told =
    outcome === 'killed' ? [] : [error?.type, error?.message].filter(Boolean);
  return (
    <div className="jp-MlprofOutcome">
      <p>{told.join(': ') || (line === null ? names[outcome] : '')}</p>
      {line !== null && (
        <LineButton line={line} code={cell.source.split('\n')[line - 1]} />
      )}
    </div>
  );
}
