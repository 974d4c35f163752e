import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';

import { useHost } from './context';
import { Dotted } from './dotted';
import { bytes, count, energy, isKnown, percent, seconds } from './numbers';
import type { CardProfile } from './parse';
import type { GpuUse } from './schema';

/** Of shorter cells a share would say little: starting and stopping is most of it. */
const SHORT_S = 0.5;

/** One line of figures: wall, CPU, peak memory, steps and what profiling cost. */
export function Figures({
  profile
}: {
  readonly profile: CardProfile;
}): ReactElement {
  const { trans } = useHost();
  return (
    <p className="jp-MlprofCard-figures">
      <Dotted items={figures(profile, trans)} />
    </p>
  );
}

function figures(profile: CardProfile, trans: TranslationBundle): string[] {
  const { duration_s, memory, overhead, previous, steps } = profile;
  const cost = overhead.kernel_cpu_s + overhead.sidecar_cpu_s;
  return [
    trans.__('%1 wall', seconds(duration_s)),
    trans.__('%1 CPU', seconds(profile.cpu_s)),
    memory && trans.__('peak memory %1', bytes(memory.peak_bytes)),
    ...gpuFigures(profile.gpus, trans),
    steps && trans.__('%1 optimizer steps', count(steps.count)),
    previous && trans.__('run before %1', seconds(previous.duration_s)),
    duration_s < SHORT_S
      ? trans.__('profiling %1 CPU', seconds(cost))
      : trans.__('profiling %1 of a core', percent((100 * cost) / duration_s))
  ].filter(figure => typeof figure === 'string');
}

/** How busy each GPU was, and the energy of all of them where it is known of each. */
function gpuFigures(
  gpus: readonly GpuUse[],
  trans: TranslationBundle
): string[] {
  const busy = gpus.map(gpu => gpu.busy_pct).filter(isKnown);
  const joules = gpus.map(gpu => gpu.energy_j).filter(isKnown);
  const figures = [];
  if (busy.length > 0) {
    figures.push(trans.__('GPU busy %1', busy.map(percent).join(', ')));
  }
  if (joules.length > 0 && joules.length === gpus.length) {
    const all = joules.reduce((sum, one) => sum + one, 0);
    figures.push(trans.__('GPU energy %1', energy(all)));
  }
  return figures;
}
