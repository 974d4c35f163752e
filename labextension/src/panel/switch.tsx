import type { ReactElement } from 'react';
import { useId } from 'react';

interface ISwitchProps {
  readonly label: string;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
  }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One of a few views: radio buttons that look like a switch. */
export function Switch(props: ISwitchProps): ReactElement {
  const { label, options, value, onChange } = props;
  const name = useId();
  return (
    <div className="jp-MlprofSwitch" role="radiogroup" aria-label={label}>
      {options.map(option => (
        <label key={option.value} className="jp-MlprofSwitch-option">
          <input
            type="radio"
            className="jp-MlprofUnseen"
            name={name}
            checked={option.value === value}
            onChange={() => {
              onChange(option.value);
            }}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}
