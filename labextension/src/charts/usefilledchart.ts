import type { RefObject } from 'react';
import { useContext, useEffect, useState } from 'react';

import type { Chart } from './chart';
import { readColours } from './colours';
import { handleWheel } from './gestures';
import { ThemeContext } from './theme';
import type { ChartName, ChartState } from './usechart';
import { useChart } from './usechart';

interface IFilling {
  readonly name: ChartName;
  /** Connect a new chart to what it does. */
  readonly bind?: (chart: Chart) => void;
  /** Put data into the chart: called anew when the function is another. */
  readonly fill: (chart: Chart) => void;
}

/** A chart with data, in the colours around it, and whether it is zoomed. */
export function useFilledChart(
  { name, bind, fill }: IFilling,
  host: RefObject<HTMLElement>
): [ChartState, boolean] {
  const [chart, fail] = useChart(name, host);
  const [zoomed, setZoomed] = useState(false);
  const theme = useContext(ThemeContext);
  useEffect(() => {
    setZoomed(false);
    return guarded(drawn => {
      bind?.(drawn);
      drawn.x.change.connect(() => {
        setZoomed(drawn.zoomed);
      });
      return listen(host.current, drawn);
    });
  }, [chart]);
  useEffect(() => guarded(fill), [chart, fill]);
  useEffect(
    () =>
      guarded(drawn => {
        const take = (): void => {
          guarded(() => {
            if (host.current) {
              drawn.dress(readColours(host.current));
            }
          });
        };
        take();
        return onThemeChange(take);
      }),
    [chart, theme]
  );
  return [chart, zoomed];

  /** A chart that fails gives way to a sentence; it takes nothing else down. */
  function guarded<T>(act: (chart: Chart) => T): T | undefined {
    if (chart === null || chart === 'failed') {
      return undefined;
    }
    try {
      return act(chart);
    } catch (error) {
      fail(error);
      return undefined;
    }
  }
}

/** From one dark theme to another, only the name on the body changes. */
function onThemeChange(take: () => void): () => void {
  const observer = new MutationObserver(take);
  observer.observe(document.body, {
    attributeFilter: ['data-jp-theme-name', 'data-jp-theme-light']
  });
  return () => {
    observer.disconnect();
  };
}

/** Listen to the node of a chart before BokehJS does. */
function listen(node: HTMLElement | null, chart: Chart): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const onWheel = (event: WheelEvent): void => {
    handleWheel(chart, event);
  };
  const options = { capture: true, passive: false, signal };
  node?.addEventListener('wheel', onWheel, options);
  const onEnter = (): void => {
    chart.dressTooltips();
  };
  node?.addEventListener('pointerenter', onEnter, { signal });
  return () => {
    ending.abort();
  };
}
