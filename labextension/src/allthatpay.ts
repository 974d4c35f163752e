import type { CardFinding } from './finding';
import type { Fix, TextEdit } from './schema';

/** More than these nobody applies at once. */
const MAX_EDITS = 400;

/**
 * The fixes that pay as one; null where there are not two, or where one would
 * change what another changes.
 */
export function allThatPay(findings: readonly CardFinding[]): Fix | null {
  const fixes = findings
    .filter(({ trial }) => trial?.verdict === 'pays')
    .map(({ fix }) => fix)
    .filter(fix => fix !== null);
  const [first] = fixes;
  if (!first || fixes.length < 2) {
    return null;
  }
  const hash = first.source_sha256;
  const edits = joined(fixes);
  return edits && fixes.every(fix => fix.source_sha256 === hash)
    ? { source_sha256: hash, edits }
    : null;
}

/** The edits of all, sorted; null where two of them meet. */
function joined(fixes: readonly Fix[]): TextEdit[] | null {
  const edits: TextEdit[] = [];
  for (const fix of fixes) {
    // What two fixes want alike, such as an import, is done once.
    const others = fix.edits.filter(edit => !edits.some(same(edit)));
    if (others.some(edit => edits.some(meets(edit)))) {
      return null;
    }
    edits.push(...others);
    if (edits.length > MAX_EDITS) {
      return null;
    }
  }
  return edits.sort((left, right) => left.start - right.start);
}

function same(one: TextEdit): (other: TextEdit) => boolean {
  return ({ end, start, text }) =>
    one.start === start && one.end === end && one.text === text;
}

/** Whether edits overlap or touch: of two at one place the order would matter. */
function meets(one: TextEdit): (other: TextEdit) => boolean {
  return ({ end, start }) => one.start <= end && start <= one.end;
}
