import type { ReactElement } from 'react';
import { useId } from 'react';

import { useHost } from '../context';
import type { IEntry } from './entry';
import { entryLabel } from './labels';

/** Most runs in a list; older ones stay on the disk. */
const SHOWN = 200;

interface IRunChoiceProps {
  readonly label: string;
  /** Whether it stands alone: only screen readers are told the label, all see the place. */
  readonly main?: boolean;
  readonly entries: readonly IEntry[];
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

/** A list of runs to choose one from. */
export function RunChoice(props: IRunChoiceProps): ReactElement {
  const { label, main, entries, value, onChoose } = props;
  const { trans } = useHost();
  const id = useId();
  const place = entries.findIndex(entry => entry.id === value) + 1;
  const chosen = entries[place - 1];
  const shown = entries.slice(0, SHOWN);
  return (
    <div className="jp-MlprofChoice">
      <label
        htmlFor={id}
        className={main ? 'jp-MlprofUnseen' : 'jp-MlprofChoice-label'}
      >
        {label}
      </label>
      <select
        id={id}
        className="jp-MlprofChoice-select"
        value={value}
        title={chosen && entryLabel(chosen, trans)}
        onChange={event => {
          onChoose(event.target.value);
        }}
      >
        {(chosen && place > SHOWN ? [...shown, chosen] : shown).map(entry => (
          <option key={entry.id} value={entry.id}>
            {entryLabel(entry, trans)}
          </option>
        ))}
      </select>
      {main && (
        <span className="jp-MlprofChoice-count">
          {trans.__('%1 of %2', place, entries.length)}
        </span>
      )}
    </div>
  );
}
