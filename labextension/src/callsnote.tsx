import type { ReactElement } from 'react';

import { useHost } from './context';
import { seconds } from './numbers';
import type { CallSpan } from './schema';

/** When calls were counted and why not to the end; nothing where they were. */
export function CallsNote({
  calls,
  className
}: {
  readonly calls: CallSpan | null;
  readonly className: string;
}): ReactElement | null {
  const { trans } = useHost();
  if (!calls?.reason) {
    return null;
  }
  const { from_s, reason, to_s } = calls;
  return (
    <p className={className}>
      {trans.__(
        'Calls were counted from %1 to %2: %3',
        seconds(from_s),
        seconds(to_s),
        reason
      )}
    </p>
  );
}
