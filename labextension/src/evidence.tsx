import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';

import { useHost } from './context';
import type { CardFinding } from './finding';
import { isKnown, quantity, ratio } from './numbers';
import type { Evidence } from './schema';

/** The measured values behind a finding, folded. */
export function EvidenceList({
  finding
}: {
  readonly finding: CardFinding;
}): ReactElement {
  const { trans } = useHost();
  return (
    <details className="jp-MlprofEvidence">
      <summary>{trans.__('Evidence')}</summary>
      <ul>
        {finding.evidence.map((evidence, index) => (
          <li key={index}>{evidenceText(evidence, trans)}</li>
        ))}
        <li>{basisText(finding, trans)}</li>
      </ul>
    </details>
  );
}

/** One measured value with its threshold and source. */
export function evidenceText(
  { name, value, unit, threshold, source }: Evidence,
  trans: TranslationBundle
): string {
  const measured = `${name}: ${quantity(value, unit)}`;
  const compared =
    threshold === null
      ? measured
      : trans.__('%1 (threshold %2)', measured, quantity(threshold, unit));
  return source ? `${compared}, ${source}` : compared;
}

/** The expected gain in words: "1.9x to 2.6x faster"; null when not known. */
export function gainText(
  { metric, low, high }: CardFinding['gain'],
  trans: TranslationBundle
): string | null {
  if (!isKnown(low) || !isKnown(high)) {
    return null;
  }
  const [from, to] = [ratio(low), ratio(high)];
  const range = from === to ? to : trans.__('%1 to %2', from, to);
  return metric === 'time'
    ? trans.__('%1 faster', range)
    : trans.__('%1 less memory', range);
}

function basisText(
  { gain, confidence }: CardFinding,
  trans: TranslationBundle
): string {
  const words = {
    low: trans.__('confidence low'),
    medium: trans.__('confidence medium'),
    high: trans.__('confidence high')
  };
  return trans.__(
    'expected %1: %2 (%3)',
    gainText(gain, trans) ?? trans.__('gain'),
    gain.basis || trans.__('no basis given'),
    words[confidence]
  );
}
