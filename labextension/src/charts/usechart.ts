import type { TranslationBundle } from '@jupyterlab/translation';
import type { RefObject } from 'react';
import { useEffect, useState } from 'react';

import { useHost } from '../context';
import type { ITemplate } from './bokeh';
import { loadBokeh } from './bokeh';
import { Chart } from './chart';
import { fresh } from './fresh';
import { whenShown } from './shown';
import { translated, wordsOf } from './words';

export type ChartName =
  'timeline' | 'gputimeline' | 'flame' | 'memory' | 'steps' | 'compare';
/** The chart; null until it is drawn. */
export type ChartState = Chart | 'failed' | null;

/** Draw a template into a node as soon as the node is on show; undo it at the end. */
export function useChart(
  name: ChartName,
  host: RefObject<HTMLElement>
): [ChartState, (error: unknown) => void] {
  const { trans } = useHost();
  const [state, setState] = useState<ChartState>(null);
  const fail = (error: unknown): void => {
    console.error('jupyter_mlprof: a chart could not be drawn.', error);
    setState('failed');
  };
  useEffect(() => {
    const ending = new AbortController();
    const node = document.createElement('div');
    host.current?.append(node);
    open(name, node, trans, ending.signal).then(setState, fail);
    return () => {
      ending.abort();
      node.remove();
      setState(null);
    };
  }, [name, host, trans]);
  return [state, fail];
}

/** Draw a chart that lives until the signal; null when that came first. */
async function open(
  name: ChartName,
  node: HTMLElement,
  trans: TranslationBundle,
  signal: AbortSignal
): Promise<Chart | null> {
  if (!(await whenShown(node, signal))) {
    return null;
  }
  const [bokeh, templates] = await Promise.all([loadBokeh(), loadTemplates()]);
  if (isOver(signal)) {
    return null;
  }
  const template = fresh(translated(templates[name], wordsOf(trans)));
  const chart = await Chart.draw(bokeh, template, node);
  if (isOver(signal)) {
    chart.dispose();
    return null;
  }
  signal.addEventListener('abort', () => {
    chart.dispose();
  });
  return chart;
}

/** Asked anew each time, since it changes while one waits. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

async function loadTemplates(): Promise<Record<ChartName, ITemplate>> {
  return (await import('./templates.json')).default;
}
