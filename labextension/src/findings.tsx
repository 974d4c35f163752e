import type { ReactElement, ReactNode } from 'react';

import { ApplyAll } from './applyall';
import { useHost } from './context';
import { EvidenceList, gainText } from './evidence';
import type { CardFinding } from './finding';
import { FixView } from './fix';
import type { CardProfile } from './parse';
import { TrialView, VerdictIcon } from './trialview';
import { briefly } from './trialwords';
import { useFindings } from './try/usefindings';

/** How many findings show their title; the others are folded together. */
const SHOWN = 3;

interface IFindingsProps {
  readonly profile: Pick<CardProfile, 'findings' | 'id'>;
}

/** What was noticed, the most worthwhile first and open. */
export function Findings({ profile }: IFindingsProps): ReactElement | null {
  const { trans } = useHost();
  const findings = useFindings(profile);
  if (findings.length === 0) {
    return null;
  }
  const items = findings.map((finding, index) => (
    <FindingView
      key={index}
      profileId={profile.id}
      finding={finding}
      open={index === 0}
    />
  ));
  const rest = items.slice(SHOWN);
  return (
    <section className="jp-MlprofFindings" aria-label={trans.__('Findings')}>
      <ApplyAll findings={findings} />
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
  readonly profileId: string;
  readonly finding: CardFinding;
  readonly open: boolean;
}

function FindingView({
  profileId,
  finding,
  open
}: IFindingProps): ReactElement {
  const { cell } = useHost();
  const { advice, costs, fix, trial } = finding;
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
        <FixView
          cell={cell}
          fix={fix}
          profileId={profileId}
          finding={finding}
          evidence={evidence}
        >
          {explanation}
        </FixView>
      ) : (
        <>
          {explanation}
          {evidence}
        </>
      )}
      {/* There before the trial is, so that its coming is told. */}
      <div className="jp-MlprofFinding-trial" aria-live="polite">
        {trial && <TrialView trial={trial} />}
      </div>
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
  const { line, title, trial } = finding;
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
      {trial && (
        <span className="jp-MlprofFinding-tried">
          <VerdictIcon verdict={trial.verdict} /> {briefly(trial, trans)}
        </span>
      )}
    </>
  );
}
