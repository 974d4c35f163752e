import type { Fields } from './guards';
import {
  fields,
  integerOrNull,
  list,
  number,
  numberOrNull,
  text
} from './guards';
import type { Flame, Frame, Spans } from './schema';

const MAX_FRAMES = 5_000;
const MAX_NODES = 20_000;
const MAX_LINE_SETS = 5_000;
const MAX_LINES = 200;
const MAX_SAMPLES = 100_000;
const NO_FLAME: Flame = { frames: [], nodes: [] };

type Node = Flame['nodes'][number];
type Sample = Spans['samples'][number];

/**
 * Read the call tree. Its nodes name one another by their places, so a tree
 * with a node that cannot be is left out as a whole.
 */
export function readFlame(value: unknown): Flame {
  const data = fields(value);
  const frames = list(data.frames, readFrame, MAX_FRAMES);
  const given = listed(data.nodes).slice(0, MAX_NODES);
  const nodes: Node[] = [];
  for (const item of given) {
    const node = readNode(item, nodes.length, frames.length);
    if (node === null) {
      return NO_FLAME;
    }
    nodes.push(node);
  }
  return { frames, nodes };
}

/** Read when each stack ran; what names no node or line set is left out. */
export function readSpans(value: unknown, { nodes }: Flame): Spans {
  const data: Fields = fields(value);
  const line_sets = list(data.line_sets, readLines, MAX_LINE_SETS);
  const step = number(data.step_s);
  return {
    step_s: step > 0 ? step : 0,
    line_sets,
    samples: list(
      data.samples,
      item => readSample(item, nodes.length, line_sets.length),
      MAX_SAMPLES
    )
  };
}

/** Never null, for the places of the frames count. */
function readFrame(value: unknown): Frame {
  const data = fields(value);
  return {
    name: text(data.name),
    file: text(data.file),
    line: integerOrNull(data.line) ?? 0
  };
}

function readNode(value: unknown, place: number, frames: number): Node | null {
  const [parent, frame, wall] = listed(value);
  const seconds = numberOrNull(wall);
  return isPlace(parent, -1, place) &&
    isPlace(frame, 0, frames) &&
    seconds !== null &&
    seconds >= 0
    ? [parent, frame, seconds]
    : null;
}

/** Never null, for the places of the sets count. */
function readLines(value: unknown): number[] {
  return list(value, integerOrNull, MAX_LINES);
}

function readSample(
  value: unknown,
  nodes: number,
  sets: number
): Sample | null {
  const [span, node, set, wall] = listed(value);
  const seconds = numberOrNull(wall);
  if (!isPlace(span, 0, Infinity) || seconds === null || !(seconds > 0)) {
    return null;
  }
  return [
    span,
    isPlace(node, 0, nodes) ? node : -1,
    isPlace(set, 0, sets) ? set : -1,
    seconds
  ];
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isPlace(value: unknown, from: number, below: number): value is number {
  return Number.isSafeInteger(value) && within(value as number, from, below);
}

function within(value: number, from: number, below: number): boolean {
  return value >= from && value < below;
}
