import type { ReactElement } from 'react';
import { memo } from 'react';

import { useHost } from '../context';
import { percent, seconds } from '../numbers';
import { usePanel } from './context';

interface ILineRowProps {
  readonly line: number;
  readonly code: string;
  /** Null for a line that was not seen. */
  readonly seconds: number | null;
  /** Time of which the share is. */
  readonly duration: number;
  /** Time of the dearest line, whose bar is the longest. */
  readonly dearest: number;
  readonly tabbable: boolean;
  readonly onFocus: () => void;
}

/** One line of the cell with its time as figure and bar. */
export const LineRow = memo(function LineRow(
  props: ILineRowProps
): ReactElement {
  const { line, code, duration, dearest, tabbable, onFocus } = props;
  const { trans } = useHost();
  const { reveal } = usePanel();
  const time = props.seconds;
  const share = time === null ? '' : percent((100 * time) / duration);
  const width = time === null || !(dearest > 0) ? 0 : (100 * time) / dearest;
  return (
    <button
      type="button"
      className="jp-MlprofSource-line"
      data-seen={time !== null}
      tabIndex={tabbable ? 0 : -1}
      aria-disabled={reveal === null}
      title={code.trim()}
      onClick={() => reveal?.(line)}
      onFocus={onFocus}
    >
      <span className="jp-MlprofUnseen">{trans.__('line %1', line)}</span>
      <span className="jp-MlprofSource-number" aria-hidden="true">
        {line}
      </span>
      <span className="jp-MlprofSource-time">
        {time === null ? '' : seconds(time)}
      </span>
      <span className="jp-MlprofSource-share">{share}</span>
      <span className="jp-MlprofSource-track" aria-hidden="true">
        <span
          className="jp-MlprofSource-heat"
          style={{ width: `${Math.min(width, 100).toFixed(1)}%` }}
        />
      </span>
      <span className="jp-MlprofSource-code">{code}</span>
    </button>
  );
});
