import type { ReactElement } from 'react';
import { useCallback, useRef } from 'react';

import { useHost } from '../context';
import { percent, seconds } from '../numbers';
import type { Flame, Frame } from '../schema';
import type { Chart } from './chart';
import { ChartBox } from './chartbox';
import { FlameView } from './flameview';

interface IFlameChartProps {
  readonly flame: Flame;
  /** A function was clicked. */
  readonly onFrame: (frame: Frame) => void;
}

/** The call tree as an icicle: time is width, callers stand above what they called. */
export function FlameChart(props: IFlameChartProps): ReactElement {
  const { flame } = props;
  const { trans } = useHost();
  const latest = useRef(props);
  latest.current = props;
  const views = useRef(new WeakMap<Chart, FlameView>());
  const bind = useCallback((chart: Chart) => {
    const view = new FlameView(chart, frame => {
      latest.current.onFrame(frame);
    });
    views.current.set(chart, view);
  }, []);
  const fill = useCallback(
    (chart: Chart) => {
      views.current.get(chart)?.show(flame);
    },
    [flame]
  );
  const top = dearest(flame);
  if (top === null) {
    return (
      <p className="jp-MlprofChart-empty">
        {trans.__('No function was seen: the cell was too short.')}
      </p>
    );
  }
  return (
    <ChartBox
      name="flame"
      title={trans.__('Call tree')}
      summary={trans.__(
        '%1 in all; the longest call is %2 (%3).',
        seconds(top.whole),
        top.name,
        percent(top.share)
      )}
      bind={bind}
      fill={fill}
    />
  );
}

interface IDearest {
  readonly name: string;
  readonly share: number;
  readonly whole: number;
}

/** The dearest function that another one called; the outermost where there is none. */
function dearest({ frames, nodes }: Flame): IDearest | null {
  let whole = 0;
  let best: Flame['nodes'][number] | null = null;
  for (const node of nodes) {
    if (node[0] < 0) {
      whole += node[2];
    }
    const inner = node[0] >= 0;
    if (
      best === null ||
      (inner && best[0] < 0) ||
      (inner === best[0] >= 0 && node[2] > best[2])
    ) {
      best = node;
    }
  }
  const frame = best === null ? undefined : frames[best[1]];
  return best === null || frame === undefined || whole <= 0
    ? null
    : { name: frame.name, share: (100 * best[2]) / whole, whole };
}
