import type { KeyboardEvent, ReactElement } from 'react';
import { useMemo, useState } from 'react';

import { useHost } from '../context';
import { hashSource } from '../edits';
import type { LineTime } from '../schema';
import { LineRow } from './linerow';
import { MoreButton } from './morebutton';
import { useSource } from './source';

/** Lines of a long cell that are shown at first. */
const SHOWN = 400;

interface ILinesProps {
  /** The cell as it ran; empty when the profile was made without it. */
  readonly source: string;
  /** SHA-256 of that source; the empty text if not known. */
  readonly sourceHash: string;
  readonly lines: readonly LineTime[];
  /** Time of which the shares are. */
  readonly duration: number;
}

/** The source of the cell, each line with its time; arrow keys move from line to line. */
export function LinesView(props: ILinesProps): ReactElement {
  const { lines, duration } = props;
  const { trans } = useHost();
  const { source, note } = useLines(props);
  const [all, setAll] = useState(false);
  const times = useMemo(
    () => new Map(lines.map(line => [line.line, line.wall_s])),
    [lines]
  );
  const shown = all ? source : source.slice(0, SHOWN);
  return (
    <>
      {note && <p className="jp-MlprofFold-note">{note}</p>}
      {times.size === 0 && (
        <p className="jp-MlprofFold-note">
          {trans.__('No line was seen running here: the time is too short.')}
        </p>
      )}
      <Rows shown={shown} times={times} duration={duration} />
      {shown.length < source.length && (
        <MoreButton
          label={trans.__('Show all %1 lines', source.length)}
          onMore={setAll}
        />
      )}
    </>
  );
}

interface IRowsProps {
  readonly shown: readonly string[];
  /** Seconds by number of the line. */
  readonly times: ReadonlyMap<number, number>;
  readonly duration: number;
}

function Rows({ shown, times, duration }: IRowsProps): ReactElement {
  const { trans } = useHost();
  const [focused, setFocused] = useState(0);
  const dearest = Math.max(Number.MIN_VALUE, ...times.values());
  return (
    <div
      className="jp-MlprofSource"
      role="group"
      aria-label={trans.__('Lines of the cell')}
      onKeyDown={moveFocus}
    >
      {shown.map((code, index) => {
        const time = times.get(index + 1) ?? null;
        return (
          <LineRow
            key={index}
            index={index}
            code={code}
            seconds={time}
            share={(time ?? 0) / duration}
            heat={Math.max(time ?? 0, 0) / dearest}
            tabbable={index === Math.min(focused, shown.length - 1)}
            onFocus={setFocused}
          />
        );
      })}
    </div>
  );
}

/** The lines to show, and what must be said of them. */
function useLines({ source, sourceHash, lines }: ILinesProps): {
  source: readonly string[];
  note: string | null;
} {
  const { trans } = useHost();
  const now = useSource();
  return useMemo(() => {
    const hash = now === null ? null : hashSource(now);
    const known = source !== '' || (now !== null && hash === sourceHash);
    const last = Math.max(0, ...lines.map(({ line }) => line));
    const text = known
      ? (source || (now ?? '')).split('\n')
      : // Numbers alone, as far as there is something to say.
        Array<string>(Math.min(last, 10_000)).fill('');
    const changed = hash !== null && sourceHash !== '' && hash !== sourceHash;
    return {
      source: text,
      note: !known
        ? trans.__('This profile was made without the source of the cell.')
        : changed
          ? trans.__('The cell has changed since this run: shown as it ran.')
          : null
    };
  }, [source, sourceHash, lines, now, trans]);
}

/** One line at a time can be reached by Tab, the others by the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll('button')];
  const place = rows.findIndex(row => row === document.activeElement);
  const places: Partial<Record<string, number>> = {
    ArrowDown: Math.min(place + 1, rows.length - 1),
    ArrowUp: Math.max(place - 1, 0),
    Home: 0,
    End: rows.length - 1
  };
  const next = rows[places[event.key] ?? -1];
  if (next !== undefined) {
    event.preventDefault();
    next.focus();
  }
}
