import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';

import { MemoryChart } from '../charts/memorychart';
import { useHost } from '../context';
import { bytes, isKnown, seconds } from '../numbers';
import type { CardProfile } from '../parse';
import type { Holder, Memory } from '../schema';

/** What the memory of the kernel did, and what holds it. */
export function MemoryView({
  profile
}: {
  readonly profile: CardProfile;
}): ReactElement {
  const { trans } = useHost();
  const { memory, timeline } = profile;
  if (memory === null) {
    return <p>{trans.__('Memory was not measured.')}</p>;
  }
  return (
    <>
      <p>{growthText(memory, trans)}</p>
      <MemoryChart timeline={timeline} memory={memory} />
      <Holders holders={memory.holders} />
    </>
  );
}

function growthText(memory: Memory, trans: TranslationBundle): string {
  const { start_bytes, end_bytes, peak_bytes, peak_t_s, limit_bytes } = memory;
  const from = bytes(start_bytes);
  const to = bytes(end_bytes);
  const growth = end_bytes - start_bytes;
  const sentences = [
    !isKnown(growth) || from === to
      ? trans.__('From %1 to %2.', from, to)
      : growth > 0
        ? trans.__('Grew by %1, from %2 to %3.', bytes(growth), from, to)
        : trans.__('Shrank by %1, from %2 to %3.', bytes(-growth), from, to),
    isKnown(peak_bytes)
      ? trans.__('Peak %1 after %2.', bytes(peak_bytes), seconds(peak_t_s))
      : '',
    limit_bytes === null ? '' : trans.__('Limit %1.', bytes(limit_bytes))
  ];
  return sentences.filter(sentence => sentence !== '').join(' ');
}

function Holders({
  holders
}: {
  readonly holders: readonly Holder[];
}): ReactElement {
  const { trans } = useHost();
  if (holders.length === 0) {
    return <p>{trans.__('No variable was seen that holds much of it.')}</p>;
  }
  return (
    <table className="jp-MlprofTable jp-MlprofHolders">
      <caption>{trans.__('Held by variables')}</caption>
      <thead>
        <tr>
          <th scope="col">{trans.__('Variable')}</th>
          <th scope="col">{trans.__('What it is')}</th>
          <th scope="col">{trans.__('Size')}</th>
        </tr>
      </thead>
      <tbody>
        {holders.map((holder, index) => (
          <tr key={index}>
            <td className="jp-MlprofTable-code" title={holder.name}>
              {holder.name}
            </td>
            <td title={holder.type}>{holder.type}</td>
            <td>{bytes(holder.bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
