import type { ReactElement } from 'react';

import { CallsNote } from '../callsnote';
import { FlameChart } from '../charts/flamechart';
import { useHost } from '../context';
import type { CallSpan, Flame, Frame, FunctionTime } from '../schema';
import { useOpen, usePanel } from './context';
import { FunctionsView } from './functionsview';
import { Switch } from './switch';

/** Under which it is remembered which of the two is shown. */
const FLAME = 'flame';

interface ICallsProps {
  readonly functions: readonly FunctionTime[];
  readonly flame: Flame;
  readonly calls: CallSpan | null;
}

/** Where the time went by function: as a table or as a flame graph. */
export function CallsView(props: ICallsProps): ReactElement {
  const { functions, flame, calls } = props;
  const { trans } = useHost();
  const { reveal, sections } = usePanel();
  const isFlame = useOpen(FLAME);
  const onFrame = ({ file, line }: Frame): void => {
    if (file === '<cell>' && line > 0) {
      reveal?.(line);
    }
  };
  return (
    <>
      <Switch
        label={trans.__('Functions')}
        options={[
          { value: 'table', label: trans.__('Table') },
          { value: 'flame', label: trans.__('Flame') }
        ]}
        value={isFlame ? 'flame' : 'table'}
        onChange={() => {
          sections.toggle(FLAME);
        }}
      />
      {isFlame ? (
        <FlameChart flame={flame} onFrame={onFrame} />
      ) : (
        <FunctionsView functions={functions} />
      )}
      {!isFlame && <CallsNote calls={calls} className="jp-MlprofFold-note" />}
    </>
  );
}
