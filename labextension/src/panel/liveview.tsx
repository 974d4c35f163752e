import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';
import { useEffect, useState } from 'react';

import { TimelineChart } from '../charts/timelinechart';
import { useHost } from '../context';
import { seconds } from '../numbers';
import type { ILiveRun } from '../server/live';
import { LineButton } from './linebutton';
import { LinesView } from './linesview';
import { Section } from './section';
import { useSource } from './source';

const TICK_MS = 500;

interface ILiveProps {
  readonly run: ILiveRun;
  /** Whether time goes on on the screen. */
  readonly ticking: boolean;
}

/** A cell while it runs, and until its profile is there. */
export function LiveView({ run, ticking }: ILiveProps): ReactElement {
  const { trans } = useHost();
  const source = useSource();
  const running = run.state === 'running';
  const { line, soFar } = run;
  return (
    <>
      <p className="jp-MlprofLive-state">
        <span className="jp-MlprofLive-dot" data-running={running} />
        <Elapsed run={run} ticking={ticking && running} />
      </p>
      {running && line !== null && (
        <LineButton line={line} code={source?.split('\n')[line - 1]} />
      )}
      <p className="jp-MlprofCard-verdict" role="status">
        {soFar && <strong>{soFar}</strong>}
      </p>
      <Section name="timeline" title={trans.__('Timeline')}>
        <TimelineChart
          timeline={run.timeline}
          limitBytes={null}
          span={null}
          onSpan={ignore}
        />
      </Section>
      <Section
        name="lines"
        title={trans.__('Lines')}
        aside={trans.__('so far')}
      >
        <LinesView
          source={source ?? ''}
          sourceHash=""
          lines={run.lines}
          duration={run.elapsed()}
        />
      </Section>
    </>
  );
}

function Elapsed({ run, ticking }: ILiveProps): ReactElement {
  const { trans } = useHost();
  const [, setTick] = useState(0);
  useEffect(() => {
    if (!ticking) {
      return;
    }
    const timer = window.setInterval(() => {
      setTick(tick => tick + 1);
    }, TICK_MS);
    return () => {
      window.clearInterval(timer);
    };
  }, [ticking]);
  return <span>{stateText(run, trans)}</span>;
}

function stateText(run: ILiveRun, trans: TranslationBundle): string {
  const elapsed = seconds(run.elapsed());
  const texts = {
    running: trans.__('Running for %1', elapsed),
    ended: trans.__('Ended after %1; its profile is on its way …', elapsed),
    gone: trans.__(
      'The kernel died after %1; what was seen until then is on its way …',
      elapsed
    )
  };
  return texts[run.state];
}

function ignore(): void {
  // The span of a cell that runs is not known yet.
}
