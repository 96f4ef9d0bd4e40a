/** Control characters except tab and line feed, and characters that XML 1.0 has not (section 2.2). */
const CONTROLS = /(?![\t\n])[\p{Cc}\ufffe\uffff]/gu;

/** A text without control characters, except tab and line feed, and with U+FFFD for halves of surrogate pairs: legal in XML 1.0. */
export function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '').toWellFormed();
}

/** A set of names, from a text with white space between them. */
export function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
