import type { KeyboardEvent, ReactElement } from 'react';
import { useRef } from 'react';

import { useHost } from '../context';
import type { Chart } from './chart';
import { handleKey } from './gestures';
import type { ChartName } from './usechart';
import { useFilledChart } from './usefilledchart';

interface IChartBoxProps {
  readonly name: ChartName;
  readonly title: string;
  /** The chart in one sentence, for those who do not see it. */
  readonly summary: string;
  /** Connect a new chart to what it does. */
  readonly bind?: (chart: Chart) => void;
  /** Put data into the chart: called anew when the function is another. */
  readonly fill: (chart: Chart) => void;
  /** Keys beyond those of every chart; true when one meant something. */
  readonly onKey?: (event: KeyboardEvent, chart: Chart) => boolean;
  /** What the keys do, where there are more than those of every chart. */
  readonly help?: string;
}

/** A chart in its place: drawn or excused, with its keys and the way back from a zoom. */
export function ChartBox(props: IChartBoxProps): ReactElement {
  const { name, title, summary, onKey } = props;
  const { trans } = useHost();
  const host = useRef<HTMLDivElement>(null);
  const [chart, zoomed] = useFilledChart(props, host);
  if (chart === 'failed') {
    return (
      <p className="jp-MlprofChart-failed">
        {trans.__(
          'The chart could not be drawn; the reason is in the browser’s console.'
        )}
      </p>
    );
  }
  const help =
    props.help ??
    trans.__('Plus and minus zoom, the arrow keys move, Escape shows all.');
  return (
    <div
      className="jp-MlprofChart"
      data-chart={name}
      role="group"
      aria-label={`${title}. ${help}`}
      aria-busy={chart === null}
      tabIndex={0}
      onKeyDown={event => {
        handle(event, chart, onKey);
      }}
    >
      <div
        className="jp-MlprofChart-canvas"
        role="img"
        aria-label={`${title}: ${summary}`}
        ref={host}
      />
      {zoomed && (
        <button
          type="button"
          className="jp-MlprofChart-reset"
          onClick={() => chart?.reset()}
        >
          {trans.__('Show all')}
        </button>
      )}
    </div>
  );
}

function handle(
  event: KeyboardEvent,
  chart: Chart | null,
  onKey: IChartBoxProps['onKey']
): void {
  if (chart === null || event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  if (onKey?.(event, chart) === true || handleKey(chart, event.key)) {
    event.preventDefault();
    // JupyterLab has shortcuts of its own.
    event.stopPropagation();
  }
}
