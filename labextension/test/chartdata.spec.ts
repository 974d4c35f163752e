import { describe, expect, it } from 'vitest';

import shared from '../../tests/fixtures/charts.json';
import { gpuColumns, timelineColumns } from '../src/charts/columns';
import { arrange, kindOf, labelColumns, visible } from '../src/charts/icicle';
import { ticks } from '../src/charts/ticks';
import type { Flame } from '../src/schema';

const flame = shared.flame as Flame;
/** As in a font whose letters are all ten pixels wide. */
const measure = (text: string): number => 10 * text.length;

describe('data of the charts', () => {
  it.each(shared.ticks as [number, number[]][])(
    'has the ticks of the Python side up to %s',
    (top, expected) => {
      const { end, labels } = ticks(top, String);
      expect([...labels.keys()]).toEqual(expected);
      expect(labels.get(0)).toBe('0');
      expect(end).toBeGreaterThan(top);
    }
  );

  it('has the columns of the Python side', () => {
    const columns = timelineColumns(shared.timeline);
    const plain: unknown = JSON.parse(JSON.stringify(columns));
    expect(plain).toEqual(shared.columns);
  });

  it('has the columns of the GPUs, and empty ones for curves that are not used', () => {
    const columns = gpuColumns(shared.gpu_timeline);
    const plain = JSON.parse(JSON.stringify(columns)) as object;
    expect(plain).toMatchObject(shared.gpu_columns);
    expect(columns.util_7).toEqual([NaN, NaN]);
    expect(Object.keys(columns)).toHaveLength(2 + 8 * 3 * 2);
  });

  it('has the later columns alone when asked for', () => {
    const { t, rss_text } = timelineColumns(shared.timeline, 2);
    expect(t).toEqual([1]);
    expect(rss_text).toEqual(['3 MB']);
  });

  it('has the boxes of the Python side', () => {
    const boxes = arrange(flame)
      .sort((a, b) => a.node - b.node)
      .map(({ node, left, right, row, frame }) => [
        node,
        left,
        right,
        row,
        kindOf(frame)
      ]);
    expect(boxes).toEqual(shared.boxes);
  });
});

describe('names of boxes', () => {
  const boxes = arrange(flame);

  it('are cut to what of the box is in view', () => {
    const view = { start: 4, end: 8, width: 400 };
    const { x, text } = labelColumns(boxes, view, measure);
    expect(x).toEqual([4, 4, 5, 5]);
    expect(text).toEqual(['<module>', 'Module._…', 'load', 'load']);
  });

  it('are left out where nothing fits', () => {
    const view = { start: 0, end: 8, width: 30 };
    expect(labelColumns(boxes, view, measure).text).toEqual([]);
  });

  it('leave out boxes that are out of view or too narrow', () => {
    const nodes = (start: number, end: number, width: number): number[] =>
      visible(boxes, { start, end, width }).map(box => box.node);
    expect(nodes(6, 8, 300)).toEqual([0, 1]);
    expect(nodes(0, 8, 3)).toEqual([0, 2, 1]);
  });
});
