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

/** Replaces each run of unprintable characters by one space. */
export function inOneLine(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, ' ');
}

export function quoted(text: string): string {
  return `"${shortened(text)}"`;
}
