import { isKnown, percent, seconds } from '../numbers';
import type { Flame, Frame } from '../schema';
import type { Columns } from './bokeh';

/** Place of a node: its span of the time axis, and its row from the top. */
export interface IBox {
  readonly node: number;
  readonly frame: Frame;
  readonly left: number;
  readonly right: number;
  readonly row: number;
}

/** A part of the time axis, and how many pixels it has. */
export interface IView {
  readonly start: number;
  readonly end: number;
  readonly width: number;
}

const COLOURS = {
  cell: '#CC79A7',
  own: '#E6BCD3',
  library: '#BBBBBB'
};
/** Marks of a file that somebody else wrote; as jupyter_mlprof/charts/flame.py. */
const LIBRARY_SIGNS = [
  'site-packages',
  'dist-packages',
  '/lib/python',
  '<frozen',
  '<__array_function__'
];
/** Fewer letters say nothing. */
const FEWEST_LETTERS = 3;
const PADDING_PX = 7;

/** Place every node: within its caller, the dearest first. */
export function arrange(flame: Flame): IBox[] {
  const children = new Map<number, number[]>();
  flame.nodes.forEach(([parent], index) => {
    const list = children.get(parent);
    if (list) {
      list.push(index);
    } else {
      children.set(parent, [index]);
    }
  });
  const timeOf = (index: number): number => flame.nodes[index]?.[2] ?? 0;
  const boxes: IBox[] = [];
  const waiting = [{ parent: -1, left: 0, row: -1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    let { left } = next;
    const row = next.row + 1;
    const list = children.get(next.parent) ?? [];
    for (const node of list.sort((a, b) => timeOf(b) - timeOf(a))) {
      const right = left + timeOf(node);
      const frame = flame.frames[flame.nodes[node]?.[1] ?? -1];
      if (frame && isKnown(right) && right > left) {
        boxes.push({ node, frame, left, right, row });
        waiting.push({ parent: node, left, row });
        left = right;
      }
    }
  }
  return boxes;
}

/** Columns of the boxes, for BokehJS to draw. */
export function boxColumns(boxes: readonly IBox[], end: number): Columns {
  return {
    node: boxes.map(box => box.node),
    left: boxes.map(box => box.left),
    right: boxes.map(box => box.right),
    top: boxes.map(box => box.row),
    bottom: boxes.map(box => box.row + 1),
    colour: boxes.map(box => COLOURS[kindOf(box.frame)]),
    name: boxes.map(box => box.frame.name),
    where: boxes.map(box => `${box.frame.file}:${box.frame.line}`),
    time: boxes.map(box => seconds(box.right - box.left)),
    share: boxes.map(box => percent((100 * (box.right - box.left)) / end))
  };
}

/** Names, cut to what of each box is in view; `measure` gives a text's width in pixels. */
export function labelColumns(
  boxes: readonly IBox[],
  view: IView,
  measure: (text: string) => number
): Columns {
  const scale = view.width / (view.end - view.start);
  const columns = {
    x: [] as number[],
    y: [] as number[],
    text: [] as string[]
  };
  for (const box of boxes) {
    const left = Math.max(box.left, view.start);
    const room = (Math.min(box.right, view.end) - left) * scale - PADDING_PX;
    const text = room > 0 ? cut(box.frame.name, room, measure) : '';
    if (text !== '') {
      columns.x.push(left);
      columns.y.push(box.row + 0.5);
      columns.text.push(text);
    }
  }
  return columns;
}

/** The boxes that are wide enough to be seen. */
export function visible(boxes: readonly IBox[], view: IView): IBox[] {
  const least = (0.5 * (view.end - view.start)) / Math.max(view.width, 1);
  return boxes.filter(
    box =>
      box.right - box.left >= least &&
      box.right > view.start &&
      box.left < view.end
  );
}

/** Whose code a function is. */
export function kindOf({ file }: Frame): keyof typeof COLOURS {
  if (file === '<cell>') {
    return 'cell';
  }
  const strange = file === '' || file.startsWith('<');
  return strange || LIBRARY_SIGNS.some(sign => file.includes(sign))
    ? 'library'
    : 'own';
}

function cut(
  name: string,
  room: number,
  measure: (text: string) => number
): string {
  const width = measure(name);
  if (width <= room) {
    return name;
  }
  const letters = Math.floor((name.length * room) / width) - 1;
  return letters >= FEWEST_LETTERS ? `${name.slice(0, letters)}…` : '';
}
