import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';

import { useHost } from './context';
import { Dotted } from './dotted';
import { bytes, count, percent, seconds } from './numbers';
import type { CardProfile } from './parse';

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
    steps && trans.__('%1 optimizer steps', count(steps.count)),
    previous && trans.__('run before %1', seconds(previous.duration_s)),
    duration_s < SHORT_S
      ? trans.__('profiling %1 CPU', seconds(cost))
      : trans.__('profiling %1 of a core', percent((100 * cost) / duration_s))
  ].filter(figure => typeof figure === 'string');
}
