const MAX_LENGTH = 60;
/** Characters that break a line or change the direction of the text around it. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Untrusted text in one line of at most 60 characters. */
export function shortened(text: string): string {
  const start = inOneLine(text.slice(0, 2 * MAX_LENGTH));
  const characters = Array.from(start);
  if (characters.length <= MAX_LENGTH && text.length <= 2 * MAX_LENGTH) return start;
  return `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}

export function inOneLine(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, ' ');
}

/**
 * Names the code points in which two texts differ that look the same in quotes, such as normal forms or texts that are
 * shortened; empty for others.
 */
export function hiddenDifference(found: unknown, expected: unknown): string {
  if (typeof found !== 'string' || typeof expected !== 'string' || found === expected) return '';
  if (appearance(found) !== appearance(expected)) return '';
  const [left, right] = [found[Symbol.iterator](), expected[Symbol.iterator]()];
  for (let position = 1; ; position++) {
    const [one, other] = [left.next(), right.next()];
    if (one.value === other.value) continue;
    const before = codePoints(one.value, left.next().value);
    return ` (${before} at character ${position}, expected ${codePoints(other.value, right.next().value)})`;
  }
}

/** The text in quotes, without characters that look the same to people. */
function appearance(text: string): string {
  return shortened(text)
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function codePoints(...characters: (string | undefined)[]): string {
  const names = characters
    .filter((each) => each !== undefined)
    .map((each) => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
  return names.join(' ') || 'nothing';
}

export function quoted(text: string): string {
  return `"${shortened(text)}"`;
}
