import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReactElement } from 'react';

import { useHost } from './context';
import { percent, seconds } from './numbers';
import type { CardProfile } from './parse';
import type { CollectorReport } from './schema';

/** What was measured, what was not and why, and what that cost. */
export function Measurement({
  profile
}: {
  readonly profile: CardProfile;
}): ReactElement {
  const { trans } = useHost();
  const { collectors, dropped, overhead } = profile;
  return (
    <>
      <table className="jp-MlprofTable jp-MlprofCollectors">
        <thead>
          <tr>
            <th scope="col">{trans.__('Collector')}</th>
            <th scope="col">{trans.__('State')}</th>
            <th scope="col">{trans.__('CPU cost')}</th>
          </tr>
        </thead>
        <tbody>
          {collectors.map((report, index) => (
            <tr key={index}>
              <td>{report.name}</td>
              <td>{stateText(report, trans)}</td>
              <td>{seconds(report.cost_cpu_s)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {trans.__(
          'Cost: %1 CPU in the kernel (budget %2), %3 in the sampling process, %4 after the cell.',
          seconds(overhead.kernel_cpu_s),
          percent(overhead.budget_pct),
          seconds(overhead.sidecar_cpu_s),
          seconds(overhead.after_cell_s)
        )}
      </p>
      {dropped.length > 0 && (
        <p>{trans.__('Left out to save room: %1.', dropped.join(', '))}</p>
      )}
    </>
  );
}

function stateText(
  { state, reason }: CollectorReport,
  trans: TranslationBundle
): string {
  const names: Record<CollectorReport['state'], string> = {
    ran: trans.__('ran'),
    cut: trans.__('cut'),
    off: trans.__('off'),
    unavailable: trans.__('unavailable'),
    failed: trans.__('failed')
  };
  return reason ? `${names[state]}: ${reason}` : names[state];
}
