import type { TranslationBundle } from '@jupyterlab/translation';
import type { RefObject } from 'react';
import { useRef, useState, useSyncExternalStore } from 'react';

import type { ICell } from '../cell';
import { useHost } from '../context';
import type { CardFinding } from '../finding';
import type { IOffer } from '../offer';
import type { Readiness } from './kernel';
import { isSound, keyOf } from './request';
import type { IRunning } from './tries';
import { useTries } from './usefindings';

interface ITryProps {
  readonly cell: ICell;
  readonly offer: IOffer;
  readonly profileId: string;
  readonly finding: CardFinding;
}

/** How it stands with trying a fix. */
export interface ITry {
  /** Whether there is a kernel's name for it at all. */
  readonly isKnown: boolean;
  readonly again: boolean;
  /** This fix is being tried. */
  readonly running: IRunning | null;
  /** Sentence that says why it cannot be tried now; null when it can. */
  readonly refusal: string | null;
  /** What there is to say; null: nothing. */
  readonly words: string | null;
  readonly start: () => void;
  readonly button: RefObject<HTMLButtonElement>;
}

/** Follow the kernel of a cell, and what it tries. */
export function useTry({ cell, offer, profileId, finding }: ITryProps): ITry {
  const { trans } = useHost();
  const tries = useTries();
  const { kernel } = cell;
  const [refused, setRefused] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const readiness = useSyncExternalStore(
    kernel.subscribe,
    () => kernel.readiness
  );
  const { ended, running: all } = useSyncExternalStore(
    tries.subscribe,
    tries.get
  );
  const asked = { profileId, number: finding.number };
  const key = keyOf(asked);
  const current = all.get(kernel.connection?.id ?? '') ?? null;
  const running = current?.key === key ? current : null;
  const outcome = ended.get(key)?.outcome;
  const refusal =
    running === null && offer.fits
      ? refusalOf(readiness, current !== null, trans)
      : offer.refusal;
  const sentence =
    outcome && outcome.kind !== 'tried' ? outcome.sentence : null;
  const start = (): void => {
    // A button that cannot be used says why when it is pressed.
    setRefused(refusal !== null);
    if (refusal === null && running === null) {
      void tries.start(cell, asked, finding, trans);
    }
  };
  return {
    isKnown: isSound(asked),
    again: finding.trial !== null,
    running,
    refusal,
    words: running
      ? progressText(running, trans)
      : ((refused ? refusal : null) ?? sentence),
    start,
    button
  };
}

function refusalOf(
  readiness: Readiness,
  tryingAnother: boolean,
  trans: TranslationBundle
): string | null {
  if (tryingAnother) {
    return trans.__('Another fix is being tried: wait for its end.');
  }
  const reasons = {
    idle: null,
    busy: trans.__('The kernel is busy: try this when it is idle.'),
    starting: trans.__('The kernel is not ready yet: try this in a moment.'),
    absent: trans.__('There is no kernel: choose one to try this.')
  };
  return reasons[readiness];
}

function progressText(
  { cancelled, since }: IRunning,
  trans: TranslationBundle
): string {
  if (cancelled) {
    return trans.__('Cancelling …');
  }
  return since === null
    ? trans.__('Waiting for the kernel …')
    : trans.__('Trying: original and changed cell run in turn, at most 30 s');
}
