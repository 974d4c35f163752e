import { useSyncExternalStore } from 'react';

import { useHost } from '../context';

/** The source of the cell as it is now; null where the cell is not open. */
export function useSource(): string | null {
  const { cell } = useHost();
  return useSyncExternalStore(
    cell?.subscribe ?? never,
    () => cell?.source ?? null
  );
}

function never(): () => void {
  return () => undefined;
}
