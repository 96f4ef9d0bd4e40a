import { cut, singleLine } from './text.ts';

const MAX_LENGTH = 300;

/**
 * Formats a reason for the log: one line without e-mail addresses (their domain stays), phone numbers, and paths and credentials of URLs.
 * Servers repeat them in their answers.
 */
export function withoutAddresses(text: string | null): string | null {
  if (text === null) return null;
  const masked = singleLine(text)
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@]*@)?([^\s/?#"'<>]+)[^\s"'<>]*/gi, '$1$2/…')
    .replace(/[^\s<>"'():,;]+@(?=[^\s<>"'():,;])/g, '…@')
    .replace(/\+\d[\d ().-]{5,}\d/g, '+…');
  return cut(masked, MAX_LENGTH);
}
