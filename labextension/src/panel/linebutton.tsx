import type { ReactElement } from 'react';

import { useHost } from '../context';
import { usePanel } from './context';

interface ILineButtonProps {
  readonly line: number;
  /** The text of the line; undefined when not known. */
  readonly code: string | undefined;
}

/** A line of the cell; a click puts the cursor there. */
export function LineButton({ line, code }: ILineButtonProps): ReactElement {
  const { trans } = useHost();
  const { reveal } = usePanel();
  const text = code?.trim() ?? '';
  return (
    <button
      type="button"
      className="jp-MlprofLineButton"
      disabled={reveal === null}
      title={text}
      onClick={() => reveal?.(line)}
    >
      {trans.__('line %1', line)}
      {text && <code>{text}</code>}
    </button>
  );
}
