import type { ReactElement } from 'react';
import { useMemo } from 'react';

import { allThatPay } from './allthatpay';
import type { ICell } from './cell';
import { useHost } from './context';
import type { CardFinding } from './finding';
import type { Fix } from './schema';
import { useOffer } from './useoffer';

interface IApplyAllProps {
  readonly findings: readonly CardFinding[];
}

/** Makes the changes that pay in one step, where there are several. */
export function ApplyAll({ findings }: IApplyAllProps): ReactElement | null {
  const { cell } = useHost();
  const fix = useMemo(() => allThatPay(findings), [findings]);
  return cell && fix ? <ApplyAllButton cell={cell} fix={fix} /> : null;
}

interface IButtonProps {
  readonly cell: ICell;
  readonly fix: Fix;
}

function ApplyAllButton({ cell, fix }: IButtonProps): ReactElement {
  const { trans } = useHost();
  const name = trans.__('Apply all that pay');
  const { apply, offer, words } = useOffer(cell, fix, name);
  return (
    <div className="jp-MlprofFix-actions">
      <button
        type="button"
        className="jp-MlprofButton"
        disabled={offer.refusal !== null}
        onClick={() => void apply()}
      >
        {name}
      </button>
      <span role="status">
        {words ?? trans.__('Each was tried on its own.')}
      </span>
    </div>
  );
}
