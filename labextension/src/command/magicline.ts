/** The line that makes a cell a profiled one. */
export const MAGIC_LINE = '%%mlprof\n';

const MAGIC = /^\s*%%mlprof(?:\s|$)/;

/**
 * Whether a cell is profiled already. As in the kernel, comments and blank
 * lines may stand above the magic.
 */
export function isProfiled(source: string): boolean {
  const first = source
    .split('\n')
    .find(line => line.trim() !== '' && !line.trim().startsWith('#'));
  return first !== undefined && MAGIC.test(first);
}
