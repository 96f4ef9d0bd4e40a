const LONGEST = 60;
/** What would break a line, or turn the text around it. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** A text that somebody else wrote, in one line of at most 60 characters. */
export function brief(text: string): string {
  const start = inOneLine(text.slice(0, 2 * LONGEST));
  const characters = Array.from(start);
  if (characters.length <= LONGEST && text.length <= 2 * LONGEST) return start;
  return `${characters.slice(0, LONGEST - 1).join('')}…`;
}

/** Each run of what would break a line becomes one space. */
export function inOneLine(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, ' ');
}

export function quoted(text: string): string {
  return `"${brief(text)}"`;
}
