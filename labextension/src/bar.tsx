import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';

import { useHost } from './context';
import { Dotted } from './dotted';
import { percent, seconds } from './numbers';
import type { Part } from './schema';

interface ITimeBarProps {
  readonly split: readonly Part[];
  /** Time of the cell, of which the shares are. */
  readonly duration: number;
}

/** Where the time of the cell went: one stacked bar and its legend. */
export function TimeBar({
  split,
  duration
}: ITimeBarProps): ReactElement | null {
  const { trans } = useHost();
  if (split.length === 0) {
    return null;
  }
  const labels = split.map(part => {
    const share = percent((100 * part.seconds) / duration);
    return `${partName(part.part, trans)} ${seconds(part.seconds)} (${share})`;
  });
  return (
    <>
      <div
        className="jp-MlprofBar"
        role="img"
        aria-label={trans.__('Where the time went: %1', labels.join(' · '))}
      >
        {split.map((part, index) => (
          <span
            key={index}
            className="jp-MlprofBar-part"
            data-part={part.part}
            title={labels[index]}
            style={{ flexGrow: part.seconds }}
          />
        ))}
      </div>
      {/* Hidden from screen readers: the bar's name says the same. */}
      <p className="jp-MlprofBar-legend" aria-hidden="true">
        <Dotted
          items={split.map(({ part }, index) => (
            <>
              <span className="jp-MlprofBar-swatch" data-part={part} />
              {labels[index]}
            </>
          ))}
        />
      </p>
    </>
  );
}

function partName(part: Part['part'], trans: TranslationBundle): string {
  const names: Record<Part['part'], string> = {
    data: trans.__('data'),
    forward: trans.__('forward'),
    backward: trans.__('backward'),
    optimizer: trans.__('optimizer'),
    transfer: trans.__('transfer'),
    python: trans.__('other Python'),
    idle: trans.__('idle'),
    other: trans.__('other')
  };
  return names[part];
}
