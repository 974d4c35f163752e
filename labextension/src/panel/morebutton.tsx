import type { ReactElement } from 'react';

interface IMoreProps {
  readonly label: string;
  readonly onMore: (all: true) => void;
}

/** Shows what a long list leaves out at first. */
export function MoreButton({ label, onMore }: IMoreProps): ReactElement {
  return (
    <button
      type="button"
      className="jp-MlprofLink"
      onClick={() => {
        onMore(true);
      }}
    >
      {label}
    </button>
  );
}
