import type { ReactElement } from 'react';
import { memo } from 'react';

import { TimeBar } from '../bar';
import { CompareChart } from '../charts/comparechart';
import { compareFigures, compareFunctions, compareLines } from '../compare';
import { useHost } from '../context';
import { quantity, ratio } from '../numbers';
import type { CardProfile, Parsed } from '../parse';
import { ChangesTable } from './changestable';
import { Section } from './section';

interface ICompareProps {
  /** The earlier run; null while it is on its way. */
  readonly before: Parsed | null;
  readonly after: CardProfile;
}

/** Two runs of a cell beside each other. */
export const CompareView = memo(function CompareView({
  before,
  after
}: ICompareProps): ReactElement {
  const { trans } = useHost();
  if (before === null) {
    return (
      <p className="jp-MlprofPanel-sentence">
        {trans.__('Loading the earlier profile …')}
      </p>
    );
  }
  return before.profile === null ? (
    <p className="jp-MlprofPanel-sentence">{before.refusal}</p>
  ) : (
    <Comparison before={before.profile} after={after} />
  );
});

interface IComparisonProps {
  readonly before: CardProfile;
  readonly after: CardProfile;
}

function Comparison({ before, after }: IComparisonProps): ReactElement {
  const { trans } = useHost();
  return (
    <>
      <FiguresTable before={before} after={after} />
      {before.split.length + after.split.length > 0 && (
        <Section name="compare-split" title={trans.__('Where the time went')}>
          <p>{trans.__('before')}</p>
          <TimeBar split={before.split} duration={before.duration_s} />
          <p>{trans.__('after')}</p>
          <TimeBar split={after.split} duration={after.duration_s} />
        </Section>
      )}
      <Section name="compare-timeline" title={trans.__('Timeline')}>
        <CompareChart before={before.timeline} after={after.timeline} />
      </Section>
      <Section name="compare-lines" title={trans.__('Lines that changed')}>
        <ChangesTable
          changes={compareLines(before, after)}
          empty={trans.__('No line changed notably.')}
          head={trans.__('Line')}
        />
      </Section>
      <Section
        name="compare-functions"
        title={trans.__('Functions that changed')}
      >
        <ChangesTable
          changes={compareFunctions(before, after)}
          empty={trans.__('No function changed notably.')}
          head={trans.__('Function')}
        />
      </Section>
    </>
  );
}

function FiguresTable({ before, after }: IComparisonProps): ReactElement {
  const { trans } = useHost();
  return (
    <table className="jp-MlprofTable jp-MlprofChanges">
      <thead>
        <tr>
          <th scope="col">{trans.__('Figure')}</th>
          <th scope="col">{trans.__('Before')}</th>
          <th scope="col">{trans.__('After')}</th>
          <th scope="col">{trans.__('Ratio')}</th>
        </tr>
      </thead>
      <tbody>
        {compareFigures(before, after, trans).map(figure => (
          <tr key={figure.key}>
            <th scope="row">{figure.label}</th>
            <td>{quantity(figure.before, figure.unit)}</td>
            <td>{quantity(figure.after, figure.unit)}</td>
            <td>{figure.ratio === null ? '' : ratio(figure.ratio)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
