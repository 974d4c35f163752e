import type { TranslationBundle } from '@jupyterlab/translation';

import { seconds } from '../numbers';
import type { IEntry } from './entry';

/** Longest title in a list. */
const TITLE = 40;

/** A run in one line: "In [7] train() · 12:03 · 12.4 s". */
export function entryLabel(entry: IEntry, trans: TranslationBundle): string {
  const { duration, executionCount, name, startedAt, state, title } = entry;
  const count = state === 'running' ? '*' : (executionCount ?? ' ');
  const ends = {
    running: trans.__('running'),
    killed: trans.__('kernel died'),
    ended: duration === null ? '' : seconds(duration)
  };
  const what = shortened(name ?? title);
  return [
    what ? `In [${count}] ${what}` : `In [${count}]`,
    clock(startedAt),
    ends[state]
  ]
    .filter(part => part !== '')
    .join(' · ');
}

function shortened(title: string): string {
  return title.length > TITLE ? `${title.slice(0, TITLE - 1)}…` : title;
}

/** Time of day, with the day if that is not today. */
export function clock(startedAt: number, now = new Date()): string {
  const date = new Date(startedAt * 1000);
  if (Number.isNaN(date.getTime())) {
    return '';
  }
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  return date.toDateString() === now.toDateString()
    ? date.toLocaleTimeString([], { ...time, hourCycle: 'h23' })
    : date.toLocaleString([], {
        ...time,
        hourCycle: 'h23',
        day: 'numeric',
        month: 'short'
      });
}
