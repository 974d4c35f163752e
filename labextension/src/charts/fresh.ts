let copies = 0;

/**
 * A copy of a template whose models have ids of their own: BokehJS lists the
 * views of the whole page by id.
 */
export function fresh<T>(template: T): T {
  copies += 1;
  return renamed(template, `mlprof-${copies}-`) as T;
}

function renamed(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) {
    return value.map(item => renamed(item, prefix));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      (key === 'id' || key === 'root_id') && typeof item === 'string'
        ? prefix + item
        : renamed(item, prefix)
    ])
  );
}
