/** One line that any database takes: control characters, NUL among them, and lone surrogates are replaced. */
export function plainText(text: string): string {
  return text.toWellFormed().replace(/\s*\p{Cc}+\s*/gu, ' ');
}
