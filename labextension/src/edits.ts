import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

import type { Fix, TextEdit } from './schema';

/**
 * Hash by which a fix names the source it was made for. Not the browser's
 * `crypto.subtle`: that is missing where Jupyter is served over plain http.
 */
export function hashSource(source: string): string {
  return bytesToHex(sha256(utf8ToBytes(source)));
}

/** Whether a fix was made for exactly this source. */
export function fits(source: string, fix: Fix): boolean {
  return hashSource(source) === fix.source_sha256;
}

/**
 * Whether edits can be made on a source and change it: whole offsets in
 * bounds, sorted, not overlapping, never inside of a surrogate pair.
 */
export function areSound(source: string, edits: readonly TextEdit[]): boolean {
  let position = 0;
  for (const { start, end } of edits) {
    const inOrder = position <= start && start <= end && end <= source.length;
    const whole = Number.isInteger(start) && Number.isInteger(end);
    if (!inOrder || !whole || splitsPair(source, start, end)) {
      return false;
    }
    position = end;
  }
  return applyEdits(source, edits) !== source;
}

/** The source with all edits made; offsets count in the original. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  let position = 0;
  let result = '';
  for (const { start, end, text } of edits) {
    result += source.slice(position, start) + text;
    position = end;
  }
  return result + source.slice(position);
}

function splitsPair(source: string, ...offsets: number[]): boolean {
  return offsets.some(
    offset =>
      /[\uD800-\uDBFF]/.test(source.charAt(offset - 1)) &&
      /[\uDC00-\uDFFF]/.test(source.charAt(offset))
  );
}
