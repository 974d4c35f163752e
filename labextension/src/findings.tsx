import type { ReactElement, ReactNode } from 'react';

import { useHost } from './context';
import { EvidenceList, gainText } from './evidence';
import type { CardFinding } from './finding';
import { FixView } from './fix';

/** How many findings show their title; the others are folded together. */
const SHOWN = 3;

/** What was noticed, the most worthwhile first and open. */
export function Findings({
  findings
}: {
  readonly findings: readonly CardFinding[];
}): ReactElement | null {
  const { trans } = useHost();
  if (findings.length === 0) {
    return null;
  }
  const items = findings.map((finding, index) => (
    <FindingView key={index} finding={finding} open={index === 0} />
  ));
  const rest = items.slice(SHOWN);
  return (
    <section className="jp-MlprofFindings" aria-label={trans.__('Findings')}>
      {items.slice(0, SHOWN)}
      {rest.length > 0 && (
        <details>
          <summary>
            {trans._n('%1 more finding', '%1 more findings', rest.length)}
          </summary>
          {rest}
        </details>
      )}
    </section>
  );
}

interface IFindingProps {
  readonly finding: CardFinding;
  readonly open: boolean;
}

function FindingView({ finding, open }: IFindingProps): ReactElement {
  const { cell } = useHost();
  const { advice, costs, fix, title } = finding;
  const evidence = <EvidenceList finding={finding} />;
  const explanation = (
    <>
      {advice && <p className="jp-MlprofFinding-advice">{advice}</p>}
      {costs.length > 0 && <Costs costs={costs} />}
    </>
  );
  return (
    <Foldable open={open} head={<FindingHead finding={finding} />}>
      {fix && cell ? (
        <FixView cell={cell} fix={fix} title={title} evidence={evidence}>
          {explanation}
        </FixView>
      ) : (
        <>
          {explanation}
          {evidence}
        </>
      )}
    </Foldable>
  );
}

function Costs({ costs }: { readonly costs: readonly string[] }): ReactElement {
  const { trans } = useHost();
  return (
    <div className="jp-MlprofFinding-costs">
      {trans.__('Costs:')}
      <ul>
        {costs.map((cost, index) => (
          <li key={index}>{cost}</li>
        ))}
      </ul>
    </div>
  );
}

interface IFoldableProps {
  readonly open: boolean;
  readonly head: ReactNode;
  readonly children: ReactNode;
}

function Foldable({ open, head, children }: IFoldableProps): ReactElement {
  return (
    <details className="jp-MlprofFinding" open={open}>
      <summary>{head}</summary>
      <div className="jp-MlprofFinding-body">{children}</div>
    </details>
  );
}

function FindingHead({
  finding
}: {
  readonly finding: CardFinding;
}): ReactElement {
  const { trans } = useHost();
  const { line, title } = finding;
  const gain = gainText(finding.gain, trans);
  return (
    <>
      <strong className="jp-MlprofFinding-title">{title}</strong>
      {line !== null && (
        <span className="jp-MlprofFinding-where">
          {trans.__('line %1', line)}
        </span>
      )}
      {gain !== null && <span className="jp-MlprofFinding-gain">{gain}</span>}
    </>
  );
}
