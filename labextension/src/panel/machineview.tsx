import type { ReactElement } from 'react';

import { useHost } from '../context';
import { Measurement } from '../measurement';
import { bytes, cores, isKnown } from '../numbers';
import type { CardProfile } from '../parse';

/** Where the cell ran, what was measured, and what that cost. */
export function MachineView({
  profile
}: {
  readonly profile: CardProfile;
}): ReactElement {
  const { trans } = useHost();
  const { cores_allowed, memory_limit_bytes, platform, python } =
    profile.machine;
  const machine = [
    python && `Python ${python}`,
    platform,
    isKnown(cores_allowed) && cores(cores_allowed),
    memory_limit_bytes !== null &&
      trans.__('memory limit %1', bytes(memory_limit_bytes))
  ]
    .concat(
      profile.gpus.map(gpu => trans.__('GPU %1: %2', gpu.index, gpu.name))
    )
    .filter(Boolean);
  return (
    <>
      <Measurement profile={profile} />
      {machine.length > 0 && <p>{machine.join(' · ')}</p>}
    </>
  );
}
