import { describe, expect, it } from 'vitest';

import { diffRows, revealHidden } from '../src/diff';
import type { TextEdit } from '../src/schema';

const SOURCE = 'import a\nb = f(1)\n\nfor x in b:\n    g(x)';

function diff(source: string, ...edits: TextEdit[]): string[] {
  return diffRows(source, edits).map(
    ({ sign, line, text }) => `${line}${sign}${text}`
  );
}

describe('diffRows', () => {
  it('shows a changed line', () => {
    expect(diff(SOURCE, { start: 16, end: 16, text: ', n=2' })).toEqual([
      '2-b = f(1)',
      '2+b = f(1, n=2)'
    ]);
  });

  it('shows only what an inserted line adds', () => {
    expect(diff(SOURCE, { start: 9, end: 9, text: 'import c\n' })).toEqual([
      '2+import c'
    ]);
  });

  it('shows only what a removed line takes', () => {
    expect(diff(SOURCE, { start: 9, end: 18, text: '' })).toEqual([
      '2-b = f(1)'
    ]);
  });

  it('numbers new lines as they will be', () => {
    const edits = [
      { start: 0, end: 0, text: 'import z\n' },
      { start: 35, end: 36, text: 'h' }
    ];
    expect(diff(SOURCE, ...edits)).toEqual([
      '1+import z',
      '5-    g(x)',
      '6+    h(x)'
    ]);
  });

  it('joins edits of one line', () => {
    const edits = [
      { start: 9, end: 10, text: 'c' },
      { start: 13, end: 14, text: 'h' }
    ];
    expect(diff(SOURCE, ...edits)).toEqual(['2-b = f(1)', '2+c = h(1)']);
  });

  it('works on an empty source and at the end', () => {
    expect(diff('', { start: 0, end: 0, text: 'x' })).toEqual(['1-', '1+x']);
    expect(diff('a', { start: 1, end: 1, text: '\nb' })).toEqual(['2+b']);
  });
});

describe('revealHidden', () => {
  it('writes out what would reorder or hide text', () => {
    expect(revealHidden('a\u202eb\u200bc\td\u0000')).toBe(
      'a\\u{202e}b\\u{200b}c\td\\u{0}'
    );
  });

  it('leaves letters of all scripts alone', () => {
    expect(revealHidden('é 日本 🚀 א')).toBe('é 日本 🚀 א');
  });
});
