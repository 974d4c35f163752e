const LENGTH = 80;

/**
 * What a list calls a cell that has no name: its first line of code, magics and
 * comments aside. The server says the same of the runs that it lists.
 */
export function titleOf(source: string): string {
  const code = source
    .split('\n')
    .map(line => line.trim())
    .find(line => line !== '' && !'%!#?'.includes(line.charAt(0)));
  return code?.slice(0, LENGTH) ?? '';
}
