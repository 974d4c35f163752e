/** What the charts use of BokehJS. */
export interface IBokeh {
  readonly version: string;
  readonly documents: IDocument[];
  readonly embed: {
    embed_item: (item: ITemplate, target: HTMLElement) => Promise<IViews>;
  };
  readonly logger: { set_level: (level: string) => void };
}

/** A chart as Python exports it: see jupyter_mlprof/charts/templates.py. */
export interface ITemplate {
  readonly version: string;
  readonly root_id: string;
  readonly doc: unknown;
}

export interface IDocument {
  readonly all_models: ReadonlySet<IModel>;
  get_model_by_name: (name: string) => IModel | null;
  clear: () => void;
}

export interface IViews {
  readonly roots: readonly { readonly model: IModel }[];
  find_one: (model: IModel) => IView | null;
  clear: () => void;
}

/** View of a hover tool: it makes a tooltip for each renderer. */
export interface IView {
  readonly ttmodels?: ReadonlyMap<unknown, IModel>;
}

export interface IModel {
  readonly type: string;
  readonly tags?: readonly unknown[];
  readonly document: IDocument | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly change: { connect: (slot: () => void) => void };
  setv: (attributes: Attributes) => void;
  on_event: (name: string, callback: (event: IChartEvent) => void) => void;
}

export type Attributes = Readonly<Record<string, unknown>>;

export interface IRange extends IModel {
  readonly start: number;
  readonly end: number;
}

export interface IPlot extends IModel {
  readonly inner_width: number;
}

export interface ISource extends IModel {
  stream: (rows: Columns) => void;
}

/** Numbers or texts, by the name of the column; a gap is NaN. */
export type Columns = Readonly<Record<string, readonly (number | string)[]>>;

/** A tap tells where; the end of a selection tells its rectangle. */
export interface IChartEvent {
  readonly x?: number;
  readonly y?: number;
  readonly final?: boolean;
  readonly geometry?: { readonly x0?: number; readonly x1?: number };
}

let loading: Promise<IBokeh> | null = null;

/** BokehJS, fetched when the first chart is drawn; a page's own is left alone. */
export function loadBokeh(): Promise<IBokeh> {
  loading ??= load().catch((error: unknown) => {
    // Fetching may work the next time.
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<IBokeh> {
  const module = await import('@bokeh/bokehjs/build/js/bokeh.esm.min.js');
  const bokeh = module.default as IBokeh;
  bokeh.logger.set_level('warn');
  return bokeh;
}
