/** A finding of a profile that the kernel is to try. */
export interface IAsked {
  readonly profileId: string;
  /** Place of the finding in the profile, from 1. */
  readonly number: number;
}

const PROFILE_ID = /^[0-9a-f]{32}$/;
const MAX_NUMBER = 1_000;

/** Whether id and number are what the kernel gives, and nothing that could be code. */
export function isSound({ number, profileId }: IAsked): boolean {
  return (
    PROFILE_ID.test(profileId) &&
    Number.isInteger(number) &&
    0 < number &&
    number <= MAX_NUMBER
  );
}

/**
 * What the kernel is to evaluate; null where it cannot be asked.
 *
 * An expression beside an empty cell rather than a cell: neither a name of the
 * user's nor `_` and `Out` are touched, and it is not taken for a cell to profile.
 */
export function tryExpression(asked: IAsked): string | null {
  return isSound(asked)
    ? `__import__('jupyter_mlprof').try_fix(${asked.number}, profile='${asked.profileId}').text`
    : null;
}

/** Under which the outcome of a try is known. */
export function keyOf({ number, profileId }: IAsked): string {
  return `${profileId}:${number}`;
}
