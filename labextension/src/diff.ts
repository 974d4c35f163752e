import { applyEdits } from './edits';
import type { TextEdit } from './schema';

/** One line of a diff. */
export interface IDiffRow {
  readonly sign: '-' | '+';
  /** Line number: of a line that goes as it is, of a new one as it will be. */
  readonly line: number;
  readonly text: string;
}

/** Lines of the source, first and last index, that edits touch together. */
interface IBlock {
  first: number;
  last: number;
  readonly edits: TextEdit[];
}

/**
 * The lines that edits remove and add. The edits must be sound.
 */
export function diffRows(
  source: string,
  edits: readonly TextEdit[]
): IDiffRow[] {
  const starts = lineStarts(source);
  const rows: IDiffRow[] = [];
  let moved = 0;
  for (const block of toBlocks(starts, edits)) {
    const { removed, added, line } = compare(source, starts, block);
    removed.forEach((text, index) => {
      rows.push({ sign: '-', line: line + index, text });
    });
    added.forEach((text, index) => {
      rows.push({ sign: '+', line: line + moved + index, text });
    });
    moved += added.length - removed.length;
  }
  return rows;
}

/**
 * Text with characters that hide or reorder others written out, so that a
 * diff cannot look like another one.
 */
export function revealHidden(text: string): string {
  return text.replace(/[^\P{C}\t]|[\u2028\u2029]/gu, character => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0;) {
    starts.push(at + 1);
    at = source.indexOf('\n', at + 1);
  }
  return starts;
}

function toBlocks(
  starts: readonly number[],
  edits: readonly TextEdit[]
): IBlock[] {
  const blocks: IBlock[] = [];
  for (const edit of edits) {
    const first = lineAt(starts, edit.start);
    const last = lineAt(starts, edit.end);
    const previous = blocks.at(-1);
    if (previous && first <= previous.last + 1) {
      previous.last = Math.max(previous.last, last);
      previous.edits.push(edit);
    } else {
      blocks.push({ first, last, edits: [edit] });
    }
  }
  return blocks;
}

function lineAt(starts: readonly number[], offset: number): number {
  let line = 0;
  while (line + 1 < starts.length && (starts[line + 1] ?? 0) <= offset) {
    line += 1;
  }
  return line;
}

function compare(
  source: string,
  starts: readonly number[],
  { first, last, edits }: IBlock
): { removed: string[]; added: string[]; line: number } {
  const from = starts[first] ?? 0;
  const next = starts[last + 1];
  const old = source.slice(from, next === undefined ? undefined : next - 1);
  const moved = edits.map(({ start, end, text }) => ({
    start: start - from,
    end: end - from,
    text
  }));
  const before = old.split('\n');
  const after = applyEdits(old, moved).split('\n');
  const head = commonLength(before, after);
  const tail = commonLength(
    before.slice(head).reverse(),
    after.slice(head).reverse()
  );
  return {
    removed: before.slice(head, before.length - tail),
    added: after.slice(head, after.length - tail),
    line: first + head + 1
  };
}

function commonLength(left: readonly string[], right: readonly string[]) {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left[length] === right[length]) {
    length += 1;
  }
  return length;
}
