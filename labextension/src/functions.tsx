import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';

import { CallsNote } from './callsnote';
import { useHost } from './context';
import { count, seconds } from './numbers';
import type { CallSpan, FunctionTime } from './schema';

const SHOWN = 15;

/** The functions that ran longest by themselves. */
export function Functions({
  calls,
  functions
}: {
  readonly calls: CallSpan | null;
  readonly functions: readonly FunctionTime[];
}): ReactElement {
  const { trans } = useHost();
  if (functions.length === 0) {
    return <p>{trans.__('No function was seen running.')}</p>;
  }
  const more = functions.length - SHOWN;
  return (
    <>
      <table className="jp-MlprofTable jp-MlprofFunctions">
        <thead>
          <tr>
            <th scope="col">{trans.__('Function')}</th>
            <th scope="col">{trans.__('Where')}</th>
            <th scope="col">{trans.__('Self')}</th>
            <th scope="col">{trans.__('Total')}</th>
            <th scope="col">{trans.__('Calls')}</th>
          </tr>
        </thead>
        <tbody>
          {functions.slice(0, SHOWN).map((item, index) => (
            <FunctionRow key={index} item={item} trans={trans} />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className="jp-MlprofTable-more">
          {trans._n('and %1 more', 'and %1 more', more)}
        </p>
      )}
      <CallsNote calls={calls} className="jp-MlprofTable-more" />
    </>
  );
}

interface IRowProps {
  readonly item: FunctionTime;
  readonly trans: TranslationBundle;
}

function FunctionRow({ item, trans }: IRowProps): ReactElement {
  return (
    <tr>
      <td className="jp-MlprofTable-code" title={item.name}>
        {item.name}
      </td>
      <td className="jp-MlprofTable-where" title={`${item.file}:${item.line}`}>
        <bdi>{placeOf(item, trans)}</bdi>
      </td>
      <td>{seconds(item.self_s)}</td>
      <td>{seconds(item.total_s)}</td>
      <td>{item.calls === null ? '' : count(item.calls)}</td>
    </tr>
  );
}

/** Where a function is, short: the line of the cell, or the end of its path. */
export function placeOf(
  { file, line }: Pick<FunctionTime, 'file' | 'line'>,
  trans: TranslationBundle
): string {
  if (file === '<cell>') {
    return trans.__('cell, line %1', line);
  }
  const short = file.split(/[\\/]/).slice(-2).join('/');
  return line > 0 ? `${short}:${line}` : short;
}
