import type { ReactElement } from 'react';

import { useHost } from './context';
import { percent, seconds } from './numbers';
import type { CardProfile } from './parse';
import type { LineTime } from './schema';

const SHOWN = 10;

/** The dearest lines of the cell, with what they cost. */
export function Lines({
  profile
}: {
  readonly profile: CardProfile;
}): ReactElement {
  const { trans } = useHost();
  const source = profile.cell.source.split('\n');
  const dearest = [...profile.lines]
    .sort((left, right) => right.wall_s - left.wall_s || right.line - left.line)
    .slice(0, SHOWN);
  if (dearest.length === 0) {
    return (
      <p>{trans.__('No line was seen running: the cell was too short.')}</p>
    );
  }
  return (
    <table className="jp-MlprofTable jp-MlprofLines">
      <colgroup>
        <col className="jp-MlprofLines-number" />
        <col />
        <col className="jp-MlprofLines-time" />
        <col className="jp-MlprofLines-share" />
        <col className="jp-MlprofLines-bar" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{trans.__('Line')}</th>
          <th scope="col">{trans.__('Source')}</th>
          <th scope="col">{trans.__('Time')}</th>
          <th scope="col" colSpan={2}>
            {trans.__('Share of the cell')}
          </th>
        </tr>
      </thead>
      <tbody>
        {dearest.map((line, index) => (
          <LineRow
            key={index}
            line={line}
            code={source[line.line - 1] ?? ''}
            share={line.wall_s / profile.duration_s}
          />
        ))}
      </tbody>
    </table>
  );
}

interface ILineRowProps {
  readonly line: LineTime;
  readonly code: string;
  /** Part of the cell's time, from 0 to 1; NaN when that is not known. */
  readonly share: number;
}

function LineRow({ line, code, share }: ILineRowProps): ReactElement {
  const width = Number.isFinite(share) ? Math.min(Math.max(share, 0), 1) : 0;
  return (
    <tr>
      <td>{line.line}</td>
      <td className="jp-MlprofTable-code" title={code.trim()}>
        {code}
      </td>
      <td>{seconds(line.wall_s)}</td>
      <td>{percent(100 * share)}</td>
      <td className="jp-MlprofLines-bar">
        <span
          className="jp-MlprofLines-heat"
          style={{ width: `${(100 * width).toFixed(1)}%` }}
        />
      </td>
    </tr>
  );
}
