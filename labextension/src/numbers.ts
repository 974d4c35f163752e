/** A number that may be unknown: null, NaN and infinities are written as a word. */
type Quantity = number | null;

const UNKNOWN = 'unknown';
const TIME_UNITS: readonly Unit[] = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs']
];
const BYTE_UNITS: readonly Unit[] = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
  [1, 'B']
];
const WATT_UNITS: readonly Unit[] = [
  [1e6, 'MW'],
  [1e3, 'kW'],
  [1, 'W']
];
const JOULE_UNITS: readonly Unit[] = [
  [1e9, 'GJ'],
  [1e6, 'MJ'],
  [1e3, 'kJ'],
  [1, 'J']
];
type Unit = readonly [size: number, symbol: string];

/** Duration: "12.4 s", "45.1 ms", from two minutes on "3 min 24 s". */
export function seconds(value: Quantity): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  const whole = Math.round(value);
  if (whole >= 7200) {
    const minutes = Math.round(value / 60);
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }
  if (value >= 119.5) {
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  }
  return value === 0 ? '0 s' : scaled(value, TIME_UNITS);
}

/** Size in decimal units: "1.23 GB". */
export function bytes(value: Quantity): string {
  return isKnown(value) ? scaled(value, BYTE_UNITS) : UNKNOWN;
}

/** Power: "213 W". */
export function power(value: Quantity): string {
  return isKnown(value) ? scaled(value, WATT_UNITS) : UNKNOWN;
}

/** Energy: "1.23 kJ". */
export function energy(value: Quantity): string {
  return isKnown(value) ? scaled(value, JOULE_UNITS) : UNKNOWN;
}

/** Share, given in percent: "71 %", "3.4 %", "<0.1 %". */
export function percent(value: Quantity): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  if (value > 0 && value < 0.1) {
    return '<0.1 %';
  }
  return `${value >= 10 ? Math.round(value) : trimmed(value.toFixed(1))} %`;
}

/** Factor: "2.6x", from ten on "12x". */
export function ratio(value: Quantity): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  return `${value >= 10 ? Math.round(value) : significant(value, 2)}x`;
}

/** Number of processor cores: "1.93 cores". */
export function cores(value: Quantity): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  const text = significant(value, 3);
  return `${text} ${text === '1' ? 'core' : 'cores'}`;
}

/** Counted things, with thousands separated: "12,345". */
export function count(value: Quantity): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** Value with the unit named in the profile: s, bytes, %, x, cores or a counted noun. */
export function quantity(value: Quantity, unit: string): string {
  switch (unit) {
    case 's':
      return seconds(value);
    case 'bytes':
      return bytes(value);
    case '%':
      return percent(value);
    case 'x':
      return ratio(value);
    case 'cores':
      return cores(value);
    case 'steps/s':
      return isKnown(value) ? `${significant(value, 3)}/s` : UNKNOWN;
    default:
      return `${count(value)} ${unit}`.trim();
  }
}

/** Whether a number was measured at all. */
export function isKnown(value: Quantity): value is number {
  return value !== null && Number.isFinite(value);
}

function scaled(value: number, units: readonly Unit[]): string {
  // Rounded first, so that 999 999 bytes are 1 MB and not 1000 kB.
  const rounded = Number(value.toPrecision(3));
  const smallest = units[units.length - 1] ?? [1, ''];
  const [size, symbol] =
    units.find(unit => Math.abs(rounded) >= unit[0]) ?? smallest;
  return `${significant(rounded / size, 3)} ${symbol}`;
}

function significant(value: number, digits: number): string {
  return trimmed(Number(value.toPrecision(digits)).toFixed(6));
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
