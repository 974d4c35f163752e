import type { Random } from './random';

/** What would run, if anything took it for HTML. */
export const ATTACKS = [
  '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>',
  '"><svg/onload=window.pwned=1>',
  "'><a href='javascript:window.pwned=1'>x</a><iframe srcdoc='<script>parent.pwned=1</script>'>",
  '</style><style>*{background:url(http://evil.example)}</style>',
  '{{constructor.constructor("window.pwned=1")()}}'
];

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  'then',
  '$$typeof',
  'key',
  'ref',
  'dangerouslySetInnerHTML'
];
const NUMBERS = [
  0,
  -0,
  -1,
  0.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 53,
  -(2 ** 31),
  NaN,
  Infinity,
  -Infinity
];

interface ISpot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/** A copy of a payload that was damaged in one to six ways. */
export function mutate(payload: object, random: Random): unknown {
  if (random.below(40) === 0) {
    return junk(random);
  }
  const copy = structuredClone(payload) as Record<string, unknown>;
  for (let left = 1 + random.below(6); left > 0; left -= 1) {
    random.pick(DAMAGES)(copy, random);
  }
  // Else half of the payloads would be refused before anything is read.
  return random.below(20) === 0 ? copy : { ...copy, schema_version: 1 };
}

type Damage = (payload: Record<string, unknown>, random: Random) => void;

const DAMAGES: readonly Damage[] = [
  (payload, random) => {
    const { holder, key } = spot(payload, random);
    set(holder, key, junk(random));
  },
  (payload, random) => {
    const { holder, key } = spot(payload, random);
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
    delete holder[key];
  },
  (payload, random) => {
    const { holder } = spot(payload, random);
    // A list that comes from JSON has no names.
    if (!Array.isArray(holder)) {
      set(holder, random.pick(NAMES), junk(random));
    }
  },
  (payload, random) => {
    const attack = random.pick(ATTACKS);
    visit(payload, ({ holder, key }) => {
      if (typeof holder[key] === 'string') {
        set(holder, key, attack);
      }
    });
  },
  (payload, random) => {
    const number = random.pick(NUMBERS);
    const part = random.pick(Object.keys(payload));
    visit(payload[part], ({ holder, key }) => {
      if (typeof holder[key] === 'number' && random.below(3) === 0) {
        set(holder, key, number);
      }
    });
  },
  (payload, random) => {
    const lists: unknown[][] = [];
    visit(payload, ({ holder, key }) => {
      const value = holder[key];
      if (Array.isArray(value)) {
        lists.push(value);
      }
    });
    shake(random.pick([[], ...lists]), random);
  },
  (payload, random) => {
    shiftIndices(payload, 'flame', 'nodes', random);
    shiftIndices(payload, 'spans', 'samples', random);
  }
];

/** Any value that JSON can hold, and numbers that only JavaScript can. */
function junk(random: Random): unknown {
  const kinds: (() => unknown)[] = [
    () => null,
    () => undefined,
    () => random.below(2) === 0,
    () => random.pick(NUMBERS),
    () => random.pick(ATTACKS),
    () => '',
    () => '\u202e\u0000\ud800',
    () => 'x'.repeat(random.pick([100, 300_000])),
    () => [],
    () => ({}),
    () => JSON.parse('{"__proto__": {"polluted": 1}, "length": 7}') as unknown,
    () => nested(random.pick([10, 3_000])),
    () =>
      Array<unknown>(random.pick([10, 20_000])).fill(
        random.pick([null, {}, [1], -1, ...ATTACKS])
      ),
    () =>
      Object.fromEntries(
        NAMES.map(name => [`${name}${random.below(9)}`, random.pick(ATTACKS)])
      )
  ];
  return random.pick(kinds)();
}

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) {
    value = level % 2 ? [value] : { name: value };
  }
  return value;
}

/** Make a list longer, shorter or of another order. */
function shake(list: unknown[], random: Random): void {
  const way = random.below(4);
  if (way === 0) {
    list.splice(random.below(list.length + 1));
  } else if (way === 1) {
    list.reverse();
  } else if (way === 2) {
    list.push(...list.slice(0, 2_000), junk(random));
  } else {
    list.splice(random.below(list.length + 1), 0, junk(random));
  }
}

/** Let rows of indices point anywhere. */
function shiftIndices(
  payload: Record<string, unknown>,
  part: string,
  name: string,
  random: Random
): void {
  const rows = (payload[part] as Record<string, unknown> | null)?.[name];
  for (const row of Array.isArray(rows) ? (rows as unknown[]) : []) {
    if (Array.isArray(row) && random.below(3) === 0) {
      const wild = [...NUMBERS, row.length, 1, 2, 3, 99];
      row[random.below(row.length + 1)] = random.pick(wild);
    }
  }
}

/** A place somewhere in a payload, near the top as likely as deep inside. */
function spot(payload: Record<string, unknown>, random: Random): ISpot {
  let holder = payload;
  for (;;) {
    const key = random.pick([...Object.keys(holder), 'missing']);
    const inner = Object.hasOwn(holder, key) ? holder[key] : undefined;
    const deeper = typeof inner === 'object' && inner !== null;
    if (!deeper || random.below(3) === 0) {
      return { holder, key };
    }
    holder = inner as Record<string, unknown>;
  }
}

function visit(value: unknown, action: (spot: ISpot) => void): void {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'object' && next !== null) {
      const holder = next as Record<string, unknown>;
      for (const key of Object.keys(holder)) {
        pending.push(holder[key] ?? undefined);
        action({ holder, key });
      }
    }
  }
}

/** Set an own property, whatever its name. */
function set(holder: object, key: string, value: unknown): void {
  try {
    Object.defineProperty(holder, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true
    });
  } catch {
    // The length of a list takes only what is one.
  }
}
