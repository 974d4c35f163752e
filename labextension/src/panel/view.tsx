import type { ReactElement } from 'react';
import { useMemo, useSyncExternalStore } from 'react';

import { Boundary } from '../boundary';
import type { Theme } from '../charts/theme';
import { ThemeContext } from '../charts/theme';
import type { ICardHost } from '../context';
import { HostContext } from '../context';
import { CompareView } from './compareview';
import { PanelContext } from './context';
import { Header } from './header';
import { LiveView } from './liveview';
import type { PanelModel } from './model';
import { ProfileView } from './profileview';
import type { SectionStore } from './sectionstore';
import type { IPanelState } from './state';

interface IPanelProps {
  readonly model: PanelModel;
  readonly sections: SectionStore;
  readonly host: Omit<ICardHost, 'cell'>;
  readonly theme: Theme;
}

/** Everything in the panel. */
export function PanelView(props: IPanelProps): ReactElement {
  const { host, model, sections, theme } = props;
  const state = useSyncExternalStore(model.subscribe, model.get);
  const { trans } = host;
  const { content, entry, note } = state;
  const cell = content.kind === 'sentence' ? null : content.cell;
  const cardHost = useMemo(() => ({ ...host, cell }), [host, cell]);
  const reveal = useMemo(
    () => (cell ? (line: number) => void model.reveal(line) : null),
    [cell, model]
  );
  const subject = entry?.id ?? '';
  const panel = useMemo(
    () => ({ reveal, sections, subject }),
    [reveal, sections, subject]
  );
  return (
    <ThemeContext.Provider value={theme}>
      <HostContext.Provider value={cardHost}>
        <PanelContext.Provider value={panel}>
          <Header model={model} state={state} />
          <div className="jp-MlprofPanel-body">
            {note && (
              <p className="jp-MlprofPanel-note" role="status">
                {note}
              </p>
            )}
            <Boundary
              subject={subject}
              message={trans.__(
                'This profile could not be drawn; the reason is in the browser’s console.'
              )}
            >
              <Body state={state} />
            </Boundary>
          </div>
        </PanelContext.Provider>
      </HostContext.Provider>
    </ThemeContext.Provider>
  );
}

function Body({ state }: { readonly state: IPanelState }): ReactElement {
  const { comparison, content } = state;
  switch (content.kind) {
    case 'sentence':
      return <p className="jp-MlprofPanel-sentence">{content.text}</p>;
    case 'live':
      return <LiveView run={content.run} ticking={state.active} />;
    case 'profile':
      return comparison ? (
        <CompareView before={comparison.parsed} after={content.profile} />
      ) : (
        <ProfileView profile={content.profile} />
      );
  }
}
