import type { ReactElement, ReactNode } from 'react';

import { useHost } from './context';
import { Functions } from './functions';
import { Lines } from './lines';
import { Measurement } from './measurement';
import type { CardProfile } from './parse';
import { TimelineView } from './timeline';

/** The details of a profile, each folded. */
export function LookCloser({
  profile
}: {
  readonly profile: CardProfile;
}): ReactElement {
  const { trans } = useHost();
  return (
    <details className="jp-MlprofCloser">
      <summary>{trans.__('Look closer')}</summary>
      <Section title={trans.__('Lines')}>
        <Lines profile={profile} />
      </Section>
      <Section title={trans.__('Functions')}>
        <Functions calls={profile.calls} functions={profile.functions} />
      </Section>
      <Section title={trans.__('Timeline')}>
        <TimelineView timeline={profile.timeline} />
      </Section>
      <Section title={trans.__('Measurement')}>
        <Measurement profile={profile} />
      </Section>
    </details>
  );
}

interface ISectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

function Section({ title, children }: ISectionProps): ReactElement {
  return (
    <details className="jp-MlprofSection">
      <summary>{title}</summary>
      <div className="jp-MlprofSection-body">{children}</div>
    </details>
  );
}
