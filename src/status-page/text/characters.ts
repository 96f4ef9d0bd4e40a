// oxlint-disable-next-line no-control-regex -- these are the characters in question
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** A text without control characters, except tab and line feed, and with U+FFFD for halves of surrogate pairs: legal in XML 1.0. */
export function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '').toWellFormed();
}
