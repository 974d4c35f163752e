import type {
  Attributes,
  Columns,
  IBokeh,
  IChartEvent,
  IModel,
  IPlot,
  IRange,
  ISource,
  ITemplate,
  IViews
} from './bokeh';
import type { IColours } from './colours';
import { dress } from './colours';
import { dropTabStops } from './tabstops';
import type { ITicks } from './ticks';
import { dressTooltips } from './tooltips';

/** A share of the whole that counts as all of it. */
const WHOLE = 0.999;

/** A drawn template: its named parts, and the x axis that all its plots share. */
export class Chart {
  /** Draw a template into a node of the page. */
  static async draw(
    bokeh: IBokeh,
    template: ITemplate,
    node: HTMLElement
  ): Promise<Chart> {
    const views = await bokeh.embed.embed_item(template, node);
    dropTabStops(node);
    return new Chart(bokeh, views, node);
  }

  private constructor(
    private readonly bokeh: IBokeh,
    private readonly views: IViews,
    private readonly node: HTMLElement
  ) {
    const document = views.roots[0]?.model.document;
    if (!document) {
      throw new Error('BokehJS drew nothing.');
    }
    this.document = document;
    this.x = this.model('x') as IRange;
  }

  /** The range of the shared x axis. */
  readonly x: IRange;

  /** Where the data end. */
  get end(): number {
    return this._end;
  }

  /** Whether less than the whole is shown. */
  get zoomed(): boolean {
    return this.x.end - this.x.start < WHOLE * this._end;
  }

  has(name: string): boolean {
    return this.document.get_model_by_name(name) !== null;
  }

  model(name: string): IModel {
    const model = this.document.get_model_by_name(name);
    if (model === null) {
      throw new Error(`The chart has no part named ${name}.`);
    }
    return model;
  }

  plot(name: string): IPlot {
    return this.model(name) as IPlot;
  }

  set(name: string, attributes: Attributes): void {
    this.model(name).setv(attributes);
  }

  /** Show or hide named parts. */
  show(visible: boolean, ...names: string[]): void {
    names.forEach(name => {
      this.set(name, { visible });
    });
  }

  /** Replace what a source holds. */
  fill(source: string, data: Columns): void {
    this.set(source, { data });
  }

  /** Append rows to what a source holds. */
  append(source: string, rows: Columns): void {
    (this.model(source) as ISource).stream(rows);
  }

  /** Say where the data end; a zoomed chart stays where it is, if that is still within. */
  setEnd(end: number): void {
    const { zoomed } = this;
    this._end = end > 0 ? end : 1;
    this.x.setv({ bounds: [0, this._end] });
    if (!zoomed || this.x.end > this._end) {
      this.reset();
    }
  }

  setTicks(name: string, { end, labels }: ITicks): void {
    this.set(`${name}_y`, { end });
    this.set(`${name}_ticks`, { ticks: [...labels.keys()] });
    this.set(`${name}_axis`, { major_label_overrides: new Map(labels) });
  }

  /** Show a part of the x axis, cut to where there are data. */
  zoom(from: number, to: number): void {
    const width = Math.min(to - from, this._end);
    const start = Math.min(Math.max(from, 0), this._end - width);
    this.x.setv({ start, end: start + width });
  }

  reset(): void {
    this.x.setv({ start: 0, end: this._end });
  }

  on(
    name: string,
    event: string,
    callback: (event: IChartEvent) => void
  ): void {
    this.model(name).on_event(event, callback);
  }

  /** Be called when the chart has another size; BokehJS does not tell. */
  onResize(callback: () => void): void {
    if (typeof ResizeObserver !== 'undefined') {
      const observer = new ResizeObserver(callback);
      observer.observe(this.node);
      this.observers.push(observer);
    }
  }

  dress(colours: IColours): void {
    dress(this.document.all_models, colours);
  }

  /** Give tooltips the look of the application; BokehJS may make them anew at any time. */
  dressTooltips(): void {
    dressTooltips(this.views, this.document.all_models);
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    this._isDisposed = true;
    const { documents } = this.bokeh;
    this.observers.forEach(observer => {
      observer.disconnect();
    });
    this.views.clear();
    this.document.clear();
    // BokehJS keeps every document that it ever made.
    const index = documents.indexOf(this.document);
    if (index >= 0) {
      documents.splice(index, 1);
    }
  }

  private readonly document;
  private readonly observers: ResizeObserver[] = [];
  private _end = 1;
  private _isDisposed = false;
}
