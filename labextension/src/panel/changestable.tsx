import type { ReactElement } from 'react';

import type { IChange } from '../compare';
import { useHost } from '../context';
import { placeOf } from '../functions';
import { seconds } from '../numbers';
import { usePanel } from './context';

const SHOWN = 15;

interface IChangesProps {
  readonly changes: readonly IChange[];
  /** Sentence for when there is no change. */
  readonly empty: string;
  readonly head: string;
}

/** What took longer or shorter than before, the greatest change first. */
export function ChangesTable(props: IChangesProps): ReactElement {
  const { changes, empty, head } = props;
  const { trans } = useHost();
  if (changes.length === 0) {
    return <p>{empty}</p>;
  }
  return (
    <table className="jp-MlprofTable jp-MlprofChanges">
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col">{trans.__('Before')}</th>
          <th scope="col">{trans.__('After')}</th>
          <th scope="col">{trans.__('Change')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.slice(0, SHOWN).map((change, index) => (
          <ChangeRow key={index} change={change} />
        ))}
      </tbody>
    </table>
  );
}

function ChangeRow({ change }: { readonly change: IChange }): ReactElement {
  const { trans } = useHost();
  const { after, before } = change;
  const by = (after ?? 0) - (before ?? 0);
  return (
    <tr>
      <td>
        <Label change={change} />
      </td>
      <td>{before === null ? '–' : seconds(before)}</td>
      <td>{after === null ? '–' : seconds(after)}</td>
      <td>
        {before === null
          ? trans.__('new')
          : after === null
            ? trans.__('gone')
            : `${by < 0 ? '−' : '+'}${seconds(Math.abs(by))}`}
      </td>
    </tr>
  );
}

function Label({ change }: { readonly change: IChange }): ReactElement {
  const { trans } = useHost();
  const { reveal } = usePanel();
  const { file, label, line } = change;
  const isOfCell = file === '' || file === '<cell>';
  const where = isOfCell
    ? trans.__('line %1', line ?? change.lineBefore ?? '')
    : placeOf({ file, line: line ?? 0 }, trans);
  return (
    <>
      {isOfCell && line !== null && reveal !== null ? (
        <button
          type="button"
          className="jp-MlprofCalls-name jp-MlprofLink"
          title={label}
          onClick={() => {
            reveal(line);
          }}
        >
          {label || where}
        </button>
      ) : (
        <span className="jp-MlprofCalls-name" title={label}>
          {label || where}
        </span>
      )}
      <span className="jp-MlprofCalls-where" title={file}>
        <bdi>{where}</bdi>
      </span>
    </>
  );
}
