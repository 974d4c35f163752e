import { describe, expect, it } from 'vitest';

import { applyEdits, areSound, fits, hashSource } from '../src/edits';

describe('hashSource', () => {
  it('is the SHA-256 of the text in UTF-8', () => {
    expect(hashSource('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    );
    // hashlib.sha256('é🚀'.encode()).hexdigest()
    expect(hashSource('é🚀')).toBe(
      '5db4d7b036b83313f6bf71b894e20df431c6641a66b76a9a34f09025568468d2'
    );
  });

  it('guards a fix against any change of the source', () => {
    const fix = { source_sha256: hashSource('x = 1\n'), edits: [] };
    expect(fits('x = 1\n', fix)).toBe(true);
    expect(fits('x = 1', fix)).toBe(false);
    expect(fits('x = 1\r\n', fix)).toBe(false);
  });
});

describe('applyEdits', () => {
  it('counts UTF-16 code units in the original source', () => {
    const source = '🚀 = f(a)\ng(b)';
    const edits = [
      { start: 8, end: 8, text: ', n=1' },
      { start: 10, end: 11, text: 'gg' }
    ];
    expect(areSound(source, edits)).toBe(true);
    expect(applyEdits(source, edits)).toBe('🚀 = f(a, n=1)\ngg(b)');
  });

  it('makes two insertions at one place in their order', () => {
    const edits = [
      { start: 1, end: 1, text: '1' },
      { start: 1, end: 1, text: '2' }
    ];
    expect(applyEdits('ab', edits)).toBe('a12b');
  });
});

describe('areSound', () => {
  it.each([
    ['nothing to do', []],
    ['no change', [{ start: 0, end: 1, text: 'a' }]],
    ['a negative offset', [{ start: -1, end: 1, text: '' }]],
    ['an offset behind the end', [{ start: 0, end: 99, text: '' }]],
    ['an end before the start', [{ start: 2, end: 1, text: '' }]],
    ['half an offset', [{ start: 0.5, end: 1, text: '' }]],
    ['not a number', [{ start: NaN, end: NaN, text: '' }]],
    ['the middle of a surrogate pair', [{ start: 4, end: 4, text: 'x' }]],
    [
      'overlap',
      [
        { start: 0, end: 2, text: '' },
        { start: 1, end: 3, text: '' }
      ]
    ],
    [
      'wrong order',
      [
        { start: 2, end: 3, text: '' },
        { start: 0, end: 1, text: '' }
      ]
    ]
  ])('refuses %s', (_, edits) => {
    expect(areSound('abc🚀', edits)).toBe(false);
  });
});
