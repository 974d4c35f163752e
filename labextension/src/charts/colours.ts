import type { Attributes, IModel } from './bokeh';

/** What is not data has the colours of the application around the chart. */
export interface IColours {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly grid: string;
  readonly surface: string;
  readonly font: string;
}

/** The variable of JupyterLab for each colour, and what to use without it. */
const VARIABLES = {
  text: ['--jp-ui-font-color1', '#212121'],
  muted: ['--jp-ui-font-color2', '#616161'],
  line: ['--jp-border-color0', '#9e9e9e'],
  grid: ['--jp-border-color2', '#e0e0e0'],
  surface: ['--jp-layout-color1', '#ffffff']
} as const;
const FONT = 'system-ui, sans-serif';
/** A notation that BokehJS reads. */
const READABLE = /^(#[0-9a-f]{3,8}|rgba?\([\d\s,./%]+\))$/i;

/** The colours that the application gives to what is in `node`. */
export function readColours(node: HTMLElement): IColours {
  const probe = document.createElement('span');
  probe.hidden = true;
  node.append(probe);
  try {
    const read = (key: keyof typeof VARIABLES): string =>
      colourOf(probe, VARIABLES[key][0], VARIABLES[key][1]);
    return {
      text: read('text'),
      muted: read('muted'),
      line: read('line'),
      grid: read('grid'),
      surface: read('surface'),
      font: getComputedStyle(node).fontFamily || FONT
    };
  } finally {
    probe.remove();
  }
}

/** Variables may refer to others: the browser works out the colour. */
function colourOf(
  probe: HTMLElement,
  variable: string,
  otherwise: string
): string {
  probe.style.color = otherwise;
  probe.style.color = `var(${variable}, ${otherwise})`;
  const { color } = getComputedStyle(probe);
  return READABLE.test(color) ? color : otherwise;
}

/** Give every model its colours; the counterpart of `dress` in jupyter_mlprof/charts/theme.py. */
export function dress(models: Iterable<IModel>, colours: IColours): void {
  const byKind = attributesByKind(colours);
  for (const model of models) {
    for (const kind of [model.type, ...(model.tags ?? [])]) {
      const all = byKind.get(String(kind)) ?? {};
      const known = Object.entries(all).filter(([key]) =>
        Object.hasOwn(model.properties, key)
      );
      if (known.length > 0) {
        model.setv(Object.fromEntries(known));
      }
    }
  }
}

function attributesByKind(colours: IColours): Map<string, Attributes> {
  const { text, muted, line, grid, surface, font } = colours;
  return new Map<string, Attributes>([
    [
      'LinearAxis',
      {
        axis_label_text_color: muted,
        axis_label_text_font: font,
        axis_line_color: line,
        major_label_text_color: muted,
        major_label_text_font: font,
        major_tick_line_color: line,
        minor_tick_line_color: line
      }
    ],
    ['Grid', { grid_line_color: grid }],
    ['Title', { text_color: text, text_font: font }],
    ['Legend', { label_text_color: muted, label_text_font: font }],
    ['Label', { text_font: font }],
    ['Text', { text_font: { value: font } }],
    ['ink', { line_color: text, text_color: text }],
    ['quiet', { line_color: muted, text_color: muted }],
    ['edge', { line_color: surface }]
  ]);
}
