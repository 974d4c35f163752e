import { describe, expect, it } from 'vitest';

import shared from '../../tests/fixtures/numbers.json';
import * as numbers from '../src/numbers';

describe.each([
  'seconds',
  'bytes',
  'power',
  'energy',
  'percent',
  'ratio',
  'cores',
  'count'
] as const)('%s', name => {
  it.each(shared[name] as [number | null, string][])(
    'writes %s as "%s", as the Python side does',
    (value, text) => {
      expect(numbers[name](value)).toBe(text);
    }
  );

  it('writes what is not finite as unknown', () => {
    expect(numbers[name](NaN)).toBe('unknown');
    expect(numbers[name](Infinity)).toBe('unknown');
  });
});

describe('quantity', () => {
  it.each([
    [8.8, 's', '8.8 s'],
    [2e9, 'bytes', '2 GB'],
    [71, '%', '71 %'],
    [2.5, 'x', '2.5x'],
    [6.8, 'cores', '6.8 cores'],
    [12800, 'items', '12,800 items'],
    [3, '', '3'],
    [null, 's', 'unknown']
  ])('writes %s in %s as "%s"', (value, unit, text) => {
    expect(numbers.quantity(value, unit)).toBe(text);
  });
});
