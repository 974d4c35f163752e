import type { ReactElement } from 'react';

import { TimeBar } from './bar';
import { Boundary } from './boundary';
import { LookCloser } from './closer';
import type { ICardHost } from './context';
import { HostContext } from './context';
import { Figures } from './figures';
import { Findings } from './findings';
import type { CardProfile, Parsed } from './parse';
import { VerdictView } from './verdict';

interface ICardProps {
  readonly parsed: Parsed;
  readonly host: ICardHost;
}

/** The profile of one run of one cell, or the sentence that says why there is none. */
export function Card({ parsed, host }: ICardProps): ReactElement {
  const { trans } = host;
  const name = parsed.profile?.name ?? '';
  const title = name
    ? trans.__('ML profile: %1', name)
    : trans.__('ML profile');
  return (
    <HostContext.Provider value={host}>
      <section className="jp-MlprofCard" aria-label={title}>
        <Boundary
          message={trans.__(
            'This profile could not be drawn; the reason is in the browser’s console.'
          )}
        >
          {parsed.profile === null ? (
            <p className="jp-MlprofCard-refusal">{parsed.refusal}</p>
          ) : (
            <Content profile={parsed.profile} />
          )}
        </Boundary>
      </section>
    </HostContext.Provider>
  );
}

function Content({ profile }: { readonly profile: CardProfile }): ReactElement {
  return (
    <>
      <VerdictView verdict={profile.verdict} />
      <TimeBar split={profile.split} duration={profile.duration_s} />
      <Figures profile={profile} />
      <Findings profile={profile} />
      <LookCloser profile={profile} />
    </>
  );
}
