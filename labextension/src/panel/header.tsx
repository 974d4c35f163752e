import type { ReactElement } from 'react';

import { useHost } from '../context';
import { showHelp } from './help';
import { RunChoice } from './choice';
import type { PanelModel } from './model';
import type { IPanelState } from './state';

interface IHeaderProps {
  readonly model: PanelModel;
  readonly state: IPanelState;
}

/** Which run is shown, and with which it is compared. */
export function Header({ model, state }: IHeaderProps): ReactElement {
  const { trans } = useHost();
  return (
    <header className="jp-MlprofPanel-head">
      <div className="jp-MlprofPanel-row">
        <h2>{trans.__('ML profile')}</h2>
        <button
          type="button"
          className="jp-MlprofIconButton"
          aria-label={trans.__('Help')}
          title={trans.__('Help')}
          onClick={() => void showHelp(trans)}
        >
          ?
        </button>
      </div>
      {state.entries.length > 0 && (
        <>
          <Choice model={model} state={state} />
          {state.comparison && (
            <RunChoice
              label={trans.__('compared with')}
              entries={state.earlier}
              value={state.comparison.entry.id}
              onChoose={id => {
                model.compare(true, id);
              }}
            />
          )}
          <Why model={model} state={state} />
        </>
      )}
    </header>
  );
}

function Choice({ model, state }: IHeaderProps): ReactElement {
  const { trans } = useHost();
  const { comparison, entries, entry } = state;
  const comparable = state.earlier.length > 0;
  const tip = comparable
    ? trans.__('Compare with an earlier run of this cell')
    : trans.__('There is no earlier run of this cell to compare with');
  return (
    <div className="jp-MlprofPanel-row">
      <RunChoice
        label={trans.__('Run')}
        main
        entries={entries}
        value={entry?.id ?? ''}
        onChoose={id => {
          model.choose(id);
        }}
      />
      <button
        type="button"
        className="jp-MlprofIconButton jp-MlprofPanel-compare"
        aria-label={tip}
        title={tip}
        aria-pressed={comparison !== null}
        disabled={!comparable}
        onClick={() => {
          model.compare(comparison === null);
        }}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M11 2.5 14 5.5 11 8.5M14 5.5H3M5 7.5 2 10.5 5 13.5M2 10.5H13" />
        </svg>
      </button>
    </div>
  );
}

/** Why this run is shown, where that is not plain. */
function Why({ model, state }: IHeaderProps): ReactElement | null {
  const { trans } = useHost();
  switch (state.selection.why) {
    case 'newest':
      return (
        <p className="jp-MlprofPanel-why">
          {trans.__(
            'The active cell has no profile: this is the newest of the notebook.'
          )}
        </p>
      );
    case 'chosen':
      return (
        <p className="jp-MlprofPanel-why">
          {trans.__('Chosen from the list.')}{' '}
          <button
            type="button"
            className="jp-MlprofLink"
            onClick={() => {
              model.choose(null);
            }}
          >
            {trans.__('Follow the active cell')}
          </button>
        </p>
      );
    default:
      return null;
  }
}
