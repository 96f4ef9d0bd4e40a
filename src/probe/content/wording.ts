const MAX_LENGTH = 60;
/** What would break a line, or turn the text around it. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** A text that somebody else wrote, in one line of at most 60 characters. */
export function shortened(text: string): string {
  const start = inOneLine(text.slice(0, 2 * MAX_LENGTH));
  const characters = Array.from(start);
  if (characters.length <= MAX_LENGTH && text.length <= 2 * MAX_LENGTH) return start;
  return `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}

/** Each run of what would break a line becomes one space. */
export function inOneLine(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, ' ');
}

export function quoted(text: string): string {
  return `"${shortened(text)}"`;
}
