import type { ReactElement } from 'react';
import { useMemo, useState } from 'react';

import { useHost } from '../context';
import { placeOf } from '../functions';
import { count, isKnown, seconds } from '../numbers';
import type { FunctionTime } from '../schema';
import { usePanel } from './context';
import { MoreButton } from './morebutton';

const SHOWN = 30;
type Column = 'self_s' | 'total_s' | 'calls';

/** The functions with their times; a click on a column sorts by it. */
export function FunctionsView({
  functions
}: {
  readonly functions: readonly FunctionTime[];
}): ReactElement {
  const { trans } = useHost();
  const [column, setColumn] = useState<Column>('self_s');
  const [all, setAll] = useState(false);
  const sorted = useMemo(
    () => [...functions].sort((left, right) => by(column, left, right)),
    [functions, column]
  );
  const counted = functions.some(({ calls }) => calls !== null);
  if (functions.length === 0) {
    return <p>{trans.__('No function was seen running.')}</p>;
  }
  return (
    <>
      <table className="jp-MlprofTable jp-MlprofCalls">
        <Heads column={column} counted={counted} onSort={setColumn} />
        <tbody>
          {(all ? sorted : sorted.slice(0, SHOWN)).map((item, index) => (
            <FunctionRow key={index} item={item} counted={counted} />
          ))}
        </tbody>
      </table>
      {!all && sorted.length > SHOWN && (
        <MoreButton
          label={trans.__('Show all %1 functions', sorted.length)}
          onMore={setAll}
        />
      )}
    </>
  );
}

interface IHeadsProps {
  readonly column: Column;
  /** Whether calls were counted. */
  readonly counted: boolean;
  readonly onSort: (column: Column) => void;
}

function Heads({ column, counted, onSort }: IHeadsProps): ReactElement {
  const { trans } = useHost();
  const heads: [Column, string][] = [
    ['self_s', trans.__('Self')],
    ['total_s', trans.__('Total')],
    ...(counted ? [['calls', trans.__('Calls')] as [Column, string]] : [])
  ];
  return (
    <thead>
      <tr>
        <th scope="col">{trans.__('Function')}</th>
        {heads.map(([key, label]) => (
          <Head
            key={key}
            label={label}
            sorted={key === column}
            onSort={() => {
              onSort(key);
            }}
          />
        ))}
      </tr>
    </thead>
  );
}

interface IHeadProps {
  readonly label: string;
  readonly sorted: boolean;
  readonly onSort: () => void;
}

function Head({ label, sorted, onSort }: IHeadProps): ReactElement {
  return (
    <th scope="col" aria-sort={sorted ? 'descending' : 'none'}>
      <button type="button" className="jp-MlprofSort" onClick={onSort}>
        {label}
        <span aria-hidden="true">{sorted ? ' ▾' : ''}</span>
      </button>
    </th>
  );
}

interface IRowProps {
  readonly item: FunctionTime;
  readonly counted: boolean;
}

function FunctionRow({ item, counted }: IRowProps): ReactElement {
  const { trans } = useHost();
  const { reveal } = usePanel();
  const { calls, file, line, name } = item;
  const isOfCell = file === '<cell>' && line > 0 && reveal !== null;
  return (
    <tr>
      <td>
        {isOfCell ? (
          <button
            type="button"
            className="jp-MlprofCalls-name jp-MlprofLink"
            title={name}
            onClick={() => {
              reveal(line);
            }}
          >
            {name}
          </button>
        ) : (
          <span className="jp-MlprofCalls-name" title={name}>
            {name}
          </span>
        )}
        <span className="jp-MlprofCalls-where" title={`${file}:${line}`}>
          <bdi>{placeOf(item, trans)}</bdi>
        </span>
      </td>
      <td>{seconds(item.self_s)}</td>
      <td>{seconds(item.total_s)}</td>
      {counted && <td>{calls === null ? '' : count(calls)}</td>}
    </tr>
  );
}

/** The highest first, what is unknown last. */
function by(column: Column, left: FunctionTime, right: FunctionTime): number {
  return size(right[column]) - size(left[column]) || 0;
}

function size(value: number | null): number {
  return isKnown(value) ? value : -Number.MAX_VALUE;
}
