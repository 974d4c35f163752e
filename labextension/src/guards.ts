/**
 * Readers of values nobody vouches for: a notebook from elsewhere may hold
 * anything under our MIME type. Each returns something of the right type.
 */

/** Longest text kept, in UTF-16 code units. */
export const MAX_TEXT = 2_000;
/** Longest list kept. */
export const MAX_ITEMS = 300;

/** JSON object whose values are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = Object.freeze({});

/** The value if it is a JSON object, else null. */
export function fieldsOrNull(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null;
}

/** The value if it is a JSON object, else an empty one. */
export function fields(value: unknown): Fields {
  return fieldsOrNull(value) ?? NO_FIELDS;
}

/** Text, cut at `limit`; anything else is the empty text. */
export function text(value: unknown, limit = MAX_TEXT): string {
  if (typeof value !== 'string') {
    return '';
  }
  return value.length > limit ? `${value.slice(0, limit)}…` : value;
}

/** Text or null. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? text(value) : null;
}

/** Finite number, else NaN, which is shown as "unknown". */
export function number(value: unknown): number {
  return numberOrNull(value) ?? NaN;
}

/** Finite number or null. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Whole number or null. */
export function integerOrNull(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

/** One of `allowed`, else the fallback. */
export function oneOf<T extends string>(
  value: unknown,
  allowed: readonly T[],
  fallback: T
): T {
  return allowed.find(item => item === value) ?? fallback;
}

/** List of what `read` makes of the first `limit` items; null means left out. */
export function list<T>(
  value: unknown,
  read: (item: unknown) => T | null,
  limit = MAX_ITEMS
): T[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items
    .slice(0, limit)
    .map(read)
    .filter(item => item !== null);
}
