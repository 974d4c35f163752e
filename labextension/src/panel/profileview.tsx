import type { ReactElement } from 'react';
import { memo, useMemo, useState } from 'react';

import { TimeBar } from '../bar';
import { TimelineChart } from '../charts/timelinechart';
import { useHost } from '../context';
import { Figures } from '../figures';
import { Findings } from '../findings';
import type { CardProfile } from '../parse';
import type { ISpan } from '../span';
import { hasTimes, within } from '../within';
import { CallsView } from './callsview';
import { LinesView } from './linesview';
import { MachineView } from './machineview';
import { MemoryView } from './memoryview';
import { OutcomeView } from './outcomeview';
import { Section } from './section';
import { SpanChip } from './spanchip';
import { StepsView } from './stepsview';
import { VerdictView } from '../verdict';

interface IProfileProps {
  readonly profile: CardProfile;
}

/** A span of the time of a run. */
interface IChosen {
  readonly id: string;
  readonly span: ISpan | null;
}

/** A profile in full. A span of its time, once chosen, filters what can be filtered. */
export const ProfileView = memo(function ProfileView({
  profile
}: IProfileProps): ReactElement {
  const { trans } = useHost();
  const [chosen, setChosen] = useState<IChosen>({ id: '', span: null });
  // The charts stay for the next run, which is far quicker; a span does not.
  const span = chosen.id === profile.id ? chosen.span : null;
  const setSpan = (next: ISpan | null): void => {
    setChosen({ id: profile.id, span: next });
  };
  return (
    <>
      <VerdictView verdict={profile.verdict} />
      <OutcomeView profile={profile} />
      <TimeBar split={profile.split} duration={profile.duration_s} />
      <Figures profile={profile} />
      <Section
        name="findings"
        title={trans.__('Findings')}
        aside={`${profile.findings.length}`}
      >
        {profile.findings.length === 0 && (
          <p>{trans.__('Nothing worth changing was found.')}</p>
        )}
        <Findings key={profile.id} profile={profile} />
      </Section>
      <Section name="timeline" title={trans.__('Timeline')}>
        <TimelineChart
          timeline={profile.timeline}
          limitBytes={profile.memory?.limit_bytes ?? null}
          span={span}
          onSpan={setSpan}
        />
      </Section>
      {span && (
        <SpanChip
          span={span}
          duration={profile.duration_s}
          onClear={() => {
            setSpan(null);
          }}
        />
      )}
      <Filtered profile={profile} span={span} />
      <Unfiltered profile={profile} />
    </>
  );
});

interface IFilteredProps extends IProfileProps {
  readonly span: ISpan | null;
}

/** The sections that a span filters. */
function Filtered({ profile, span }: IFilteredProps): ReactElement {
  const { trans } = useHost();
  const known = span === null || hasTimes(profile);
  const part = useMemo(
    () => within(profile, known ? span : null),
    [profile, span, known]
  );
  const length = known && span ? span.to - span.from : profile.duration_s;
  return (
    <>
      {!known && (
        <p className="jp-MlprofFold-note">
          {trans.__(
            'This profile does not tell when its lines ran: they are shown for the whole cell.'
          )}
        </p>
      )}
      <Section name="lines" title={trans.__('Lines')}>
        <LinesView
          source={profile.cell.source}
          sourceHash={profile.cell.source_sha256}
          lines={part.lines}
          duration={length}
        />
      </Section>
      <Section name="functions" title={trans.__('Functions')}>
        <CallsView
          functions={part.functions}
          flame={part.flame}
          calls={profile.calls}
        />
      </Section>
    </>
  );
}

/** The sections about the whole cell. */
function Unfiltered({ profile }: IProfileProps): ReactElement {
  const { trans } = useHost();
  return (
    <>
      <Section name="memory" title={trans.__('Memory')}>
        <MemoryView profile={profile} />
      </Section>
      <Section name="steps" title={trans.__('Steps')}>
        <StepsView steps={profile.steps} />
      </Section>
      <Section name="measurement" title={trans.__('Measurement')}>
        <MachineView profile={profile} />
      </Section>
    </>
  );
}
