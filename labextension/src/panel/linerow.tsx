import type { ReactElement } from 'react';
import { memo } from 'react';

import { useHost } from '../context';
import { percent, seconds } from '../numbers';
import { usePanel } from './context';

interface ILineRowProps {
  /** Place of the line, from 0. */
  readonly index: number;
  readonly code: string;
  /** Null for a line that was not seen. */
  readonly seconds: number | null;
  /** Its part of the time looked at, from 0 to 1. */
  readonly share: number;
  /** Its time as part of that of the dearest line, from 0 to 1. */
  readonly heat: number;
  readonly tabbable: boolean;
  readonly onFocus: (index: number) => void;
}

/** One line of the cell with its time as figure and bar. */
export const LineRow = memo(function LineRow(
  props: ILineRowProps
): ReactElement {
  const { index, code, share, heat, tabbable, onFocus } = props;
  const { trans } = useHost();
  const { reveal } = usePanel();
  const line = index + 1;
  const time = props.seconds;
  return (
    <button
      type="button"
      className="jp-MlprofSource-line"
      data-seen={time !== null}
      tabIndex={tabbable ? 0 : -1}
      aria-disabled={reveal === null}
      title={code.trim()}
      onClick={() => reveal?.(line)}
      onFocus={() => {
        onFocus(index);
      }}
    >
      <span className="jp-MlprofUnseen">{trans.__('line %1', line)}</span>
      <span className="jp-MlprofSource-number" aria-hidden="true">
        {line}
      </span>
      <span className="jp-MlprofSource-time">
        {time === null ? '' : seconds(time)}
      </span>
      <span className="jp-MlprofSource-share">
        {time === null ? '' : percent(100 * share)}
      </span>
      <span className="jp-MlprofSource-track" aria-hidden="true">
        <span
          className="jp-MlprofSource-heat"
          style={{ width: `${(100 * heat).toFixed(1)}%` }}
        />
      </span>
      <span className="jp-MlprofSource-code">{code}</span>
    </button>
  );
});
