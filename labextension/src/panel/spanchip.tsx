import type { ReactElement } from 'react';

import { useHost } from '../context';
import { seconds } from '../numbers';
import type { ISpan } from '../span';

interface ISpanChipProps {
  readonly span: ISpan;
  readonly duration: number;
  readonly onClear: () => void;
}

/** Says which part of the cell's time is shown, and takes that back. */
export function SpanChip(props: ISpanChipProps): ReactElement {
  const { span, duration, onClear } = props;
  const { trans } = useHost();
  return (
    <p className="jp-MlprofChip" role="status">
      <span className="jp-MlprofChip-text">
        {trans.__(
          '%1 to %2 of %3',
          seconds(span.from),
          seconds(span.to),
          seconds(duration)
        )}
      </span>
      <button
        type="button"
        className="jp-MlprofChip-clear"
        aria-label={trans.__('Show the whole cell')}
        title={trans.__('Show the whole cell')}
        onClick={onClear}
      >
        ×
      </button>
    </p>
  );
}
