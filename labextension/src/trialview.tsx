import type { ReactElement } from 'react';

import { useHost } from './context';
import { Dotted } from './dotted';
import type { Trial } from './schema';
import { driftText, trialFigures, verdictWord } from './trialwords';

/** Drawn for 16 pixels: a tick, a cross, a question mark, a barred circle. */
const SHAPES: Readonly<Record<Trial['verdict'], string>> = {
  pays: 'M3 8.5 6.5 12 13 4.5',
  'does-not-pay': 'M4 4 12 12M12 4 4 12',
  'cannot-tell': 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2Q8 8.8 8 10M8 12.6V13',
  refused: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0M4 4 12 12'
};

interface ITrialProps {
  readonly trial: Trial;
}

/** What came of trying a fix: the verdict, and the figures behind it. */
export function TrialView({ trial }: ITrialProps): ReactElement {
  const { trans } = useHost();
  const figures = trialFigures(trial, trans);
  const drift = driftText(trial, trans);
  return (
    <div className="jp-MlprofTrial" data-verdict={trial.verdict}>
      <p className="jp-MlprofTrial-verdict">
        <VerdictIcon verdict={trial.verdict} />{' '}
        <strong>{trial.text || verdictWord(trial.verdict, trans)}</strong>
      </p>
      {figures.length > 0 && (
        <p className="jp-MlprofTrial-figures">
          <Dotted items={figures} />
        </p>
      )}
      {drift !== null && <p className="jp-MlprofTrial-drift">{drift}</p>}
    </div>
  );
}

/** Beside words that say the same. */
export function VerdictIcon({ verdict }: Pick<Trial, 'verdict'>): ReactElement {
  return (
    <svg
      className="jp-MlprofTrial-icon"
      data-verdict={verdict}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={SHAPES[verdict]} />
    </svg>
  );
}
