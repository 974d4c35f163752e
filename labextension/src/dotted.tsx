import type { ReactElement, ReactNode } from 'react';
import { Fragment } from 'react';

/** Items of running text parted by dots; a line ends between items only. */
export function Dotted({
  items
}: {
  readonly items: readonly ReactNode[];
}): ReactElement {
  return (
    <>
      {items.map((item, index) => (
        <Fragment key={index}>
          {index > 0 && ' '}
          <span className="jp-MlprofDotted">
            {item}
            {index < items.length - 1 && ' ·'}
          </span>
        </Fragment>
      ))}
    </>
  );
}
