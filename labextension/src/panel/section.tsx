import type { ReactElement, ReactNode } from 'react';
import { useId } from 'react';

import { Boundary } from '../boundary';
import { useHost } from '../context';
import { useOpen, usePanel } from './context';

interface ISectionProps {
  /** Under which it is remembered whether the section is open. */
  readonly name: string;
  readonly title: string;
  /** A few words after the title, such as a count. */
  readonly aside?: string;
  /** Drawn only while the section is open. */
  readonly children: ReactNode;
}

/** A part of the panel that can be folded. */
export function Section(props: ISectionProps): ReactElement {
  const { name, title, aside, children } = props;
  const { trans } = useHost();
  const { sections, subject } = usePanel();
  const body = useId();
  const open = useOpen(name);
  return (
    <div className="jp-MlprofFold" data-section={name}>
      <h3 className="jp-MlprofFold-head">
        <button
          type="button"
          className="jp-MlprofFold-button"
          aria-expanded={open}
          aria-controls={open ? body : undefined}
          onClick={() => {
            sections.toggle(name);
          }}
        >
          <Caret />
          {title}
          {aside && <span className="jp-MlprofFold-aside">{aside}</span>}
        </button>
      </h3>
      {open && (
        <div id={body} className="jp-MlprofFold-body">
          <Boundary
            subject={subject}
            message={trans.__(
              'This part could not be drawn; the reason is in the browser’s console.'
            )}
          >
            {children}
          </Boundary>
        </div>
      )}
    </div>
  );
}

function Caret(): ReactElement {
  return (
    <svg className="jp-MlprofFold-caret" viewBox="0 0 10 10" aria-hidden="true">
      <path d="M3 1.5 7 5 3 8.5" />
    </svg>
  );
}
