import { vi } from 'vitest';

import type {
  Attributes,
  Columns,
  IBokeh,
  IChartEvent,
  IDocument,
  IModel,
  ITemplate,
  IViews
} from '../src/charts/bokeh';

/** A model of a template, which remembers what is done to it. */
export class FakeModel implements IModel {
  constructor(
    readonly type: string,
    readonly attributes: Record<string, unknown>,
    readonly document: FakeDocument
  ) {}

  get tags(): readonly unknown[] {
    return (this.attributes.tags as unknown[] | undefined) ?? [];
  }

  get start(): number {
    return this.attributes.start as number;
  }

  get end(): number {
    return this.attributes.end as number;
  }

  readonly inner_width: number = 300;

  /** Every property that charts set may be set. */
  get properties(): Attributes {
    return { text_color: null, line_color: null, major_label_text_color: null };
  }

  readonly change = {
    connect: (slot: () => void): void => {
      this.slots.push(slot);
    }
  };

  readonly setv = vi.fn((attributes: Attributes): void => {
    Object.assign(this.attributes, attributes);
    this.slots.forEach(slot => {
      slot();
    });
  });

  readonly stream = vi.fn((rows: Columns): void => {
    const data = this.attributes.data as Columns;
    this.attributes.data = Object.fromEntries(
      Object.entries(data).map(([name, old]) => [
        name,
        [...old, ...(rows[name] ?? [])]
      ])
    );
  });

  on_event(name: string, callback: (event: IChartEvent) => void): void {
    this.callbacks.set(name, callback);
  }

  /** Let the user do something. */
  emit(name: string, event: IChartEvent): void {
    this.callbacks.get(name)?.(event);
  }

  private readonly slots: (() => void)[] = [];
  private readonly callbacks = new Map<string, (event: IChartEvent) => void>();
}

export class FakeDocument implements IDocument {
  readonly all_models = new Set<FakeModel>();
  readonly clear = vi.fn();

  get_model_by_name(name: string): FakeModel | null {
    const found = [...this.all_models].filter(
      model => model.attributes.name === name
    );
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  /** The part of that name, for a test to look at. */
  part(name: string): FakeModel {
    const model = this.get_model_by_name(name);
    if (model === null) {
      throw new Error(`There is no part ${name}.`);
    }
    return model;
  }

  data(name: string): Columns {
    return this.part(name).attributes.data as Columns;
  }
}

/** Stands for BokehJS where there is no canvas: it makes models and draws nothing. */
export class FakeBokeh implements IBokeh {
  readonly version = '0';
  readonly documents: FakeDocument[] = [];
  readonly cleared = vi.fn();
  readonly logger = { set_level: vi.fn() };
  readonly embed = {
    embed_item: vi.fn((template: ITemplate): Promise<IViews> =>
      Promise.resolve(this.draw(template))
    )
  };

  /** The newest document. */
  get document(): FakeDocument {
    const document = this.documents.at(-1);
    if (document === undefined) {
      throw new Error('Nothing was drawn.');
    }
    return document;
  }

  private draw(template: ITemplate): IViews {
    const document = new FakeDocument();
    collect(template.doc, document);
    this.documents.push(document);
    const [root] = document.all_models;
    return {
      roots: root === undefined ? [] : [{ model: root }],
      find_one: () => null,
      clear: this.cleared
    };
  }
}

interface IObject {
  readonly type: 'object';
  readonly name: string;
  readonly attributes?: Record<string, unknown>;
}

function collect(value: unknown, document: FakeDocument): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  if (isObject(value)) {
    const attributes = { ...value.attributes };
    document.all_models.add(new FakeModel(value.name, attributes, document));
  }
  Object.values(value).forEach(item => {
    collect(item, document);
  });
}

function isObject(value: object): value is IObject {
  return 'type' in value && value.type === 'object' && 'name' in value;
}
