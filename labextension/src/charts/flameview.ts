import type { Flame, Frame } from '../schema';
import type { Chart } from './chart';
import type { IBox, IView } from './icicle';
import { arrange, boxColumns, labelColumns, visible } from './icicle';

const ROW_PX = 18;
/** Legend and time axis. */
const BASE_PX = 64;
const MOST_ROWS = 40;
const LAYOUT_MS = 100;
const LABEL_FONT = '11px system-ui, sans-serif';

/** Keeps an icicle in step with what is zoomed into. */
export class FlameView {
  constructor(
    private readonly chart: Chart,
    private readonly onFrame: (frame: Frame) => void
  ) {
    chart.x.change.connect(this.plan);
    // BokehJS lays out anew only after this.
    chart.onResize(() => setTimeout(this.plan, LAYOUT_MS));
    chart.on('flame', 'tap', ({ x, y }) => {
      this.click(x ?? NaN, y ?? NaN);
    });
  }

  show(flame: Flame): void {
    this.boxes = arrange(flame);
    this.shown = null;
    const end = this.boxes.reduce((most, box) => Math.max(most, box.right), 0);
    this.chart.setEnd(end);
    this.refresh();
  }

  /** Zoom into what is at a place; from where it fills the width already, zoom out. */
  private click(x: number, y: number): void {
    const row = Math.floor(y);
    const box = this.boxes.find(
      one => one.row === row && one.left <= x && x < one.right
    );
    if (box === undefined) {
      return;
    }
    const { start, end } = this.chart.x;
    if (box.left === start && box.right === end) {
      this.chart.reset();
    } else {
      this.chart.zoom(box.left, box.right);
    }
    this.onFrame(box.frame);
  }

  /** Refresh once before the next picture, however often ranges change until then. */
  private readonly plan = (): void => {
    if (!this.planned) {
      this.planned = true;
      requestAnimationFrame(() => {
        this.planned = false;
        if (!this.chart.isDisposed) {
          this.refresh();
        }
      });
    }
  };

  private refresh(): void {
    const { x } = this.chart;
    const width = this.chart.plot('flame').inner_width;
    const view: IView = { start: x.start, end: x.end, width };
    const { shown } = this;
    if (
      shown?.start === view.start &&
      shown.end === view.end &&
      shown.width === width
    ) {
      return;
    }
    this.shown = view;
    const boxes = visible(this.boxes, view).filter(box => box.row < MOST_ROWS);
    this.chart.fill('data', boxColumns(boxes, this.chart.end));
    this.chart.fill('labels', labelColumns(boxes, view, measure));
    this.setRows(boxes.reduce((most, box) => Math.max(most, box.row + 1), 1));
  }

  private setRows(rows: number): void {
    this.chart.set('flame_y', { start: rows, end: 0 });
    this.chart.set('flame', { height: rows * ROW_PX + BASE_PX });
  }

  private boxes: readonly IBox[] = [];
  private shown: IView | null = null;
  private planned = false;
}

const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null = null;

/** Width of a text in pixels; names come again and again. */
function measure(text: string): number {
  let width = widths.get(text);
  if (width === undefined) {
    pen ??= document.createElement('canvas').getContext('2d');
    if (pen) {
      pen.font = LABEL_FONT;
    }
    width = pen?.measureText(text).width ?? 6 * text.length;
    widths.set(text, width);
  }
  return width;
}
