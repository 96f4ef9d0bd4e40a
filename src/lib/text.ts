/** Replaces control characters, including NUL, and lone surrogates: one line of text that any database accepts. */
export function storableText(text: string): string {
  return text.toWellFormed().replace(/\s*\p{Cc}+\s*/gu, ' ');
}

/** Formats untrusted text for display: one trimmed line without control and bidirectional characters. May be empty. */
export function singleLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .trim();
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** How a text is written for a provider: what it would read as mark-up is escaped. */
type Write = (text: string) => string;

const asItIs: Write = (text) => text;

/**
 * The text, or its beginning with `…` where it is longer.
 *
 * @param maximum UTF-16 units, the ellipsis among them. Surrogate pairs stay whole.
 */
export function cut(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  if (maximum < 1) return '';
  return `${wholeUntil(text, maximum - 1).trimEnd()}…`;
}

function wholeUntil(text: string, units: number): string {
  const last = text.charCodeAt(units - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? units - 1 : units);
}

/** As much of the text as has at most `maximum` UTF-16 units once it is written: no escape is cut in two. */
export function cutWritten(text: string, maximum: number, write: Write): string {
  const whole = write(text);
  if (whole.length <= maximum) return whole;
  let fits = 0;
  let tooLong = Math.min(text.length, maximum) + 1;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (write(cut(text, middle)).length <= maximum) fits = middle;
    else tooLong = middle;
  }
  return write(cut(text, fits));
}

/**
 * As many whole lines as fit, and how many there are besides. The first is cut where it alone is too long.
 *
 * @param maximum UTF-16 units of the result, as it is written.
 * @param options.mostLines for providers that take no more.
 */
export function cutLines(
  lines: readonly string[],
  maximum: number,
  { write = asItIs, mostLines = Infinity }: { write?: Write; mostLines?: number } = {},
): string {
  const written = lines.map(write);
  const whole = written.join('\n');
  if (written.length <= mostLines && whole.length <= maximum) return whole;
  const room = maximum - moreLines(lines.length).length - 1;
  const kept: string[] = [];
  let units = 0;
  for (const line of written) {
    if (kept.length + 1 >= mostLines || units + line.length > room) break;
    kept.push(line);
    units += line.length + 1;
  }
  if (kept.length === 0) kept.push(cutWritten(lines[0] ?? '', room, write));
  const left = lines.length - kept.length;
  return (left === 0 ? kept : [...kept, moreLines(left)]).join('\n');
}

function moreLines(count: number): string {
  return count === 1 ? '… and 1 more line' : `… and ${count} more lines`;
}

const CUT = '…';
const CUT_BYTES = 3;

/**
 * The text, or its beginning with `…` where it is longer; no character is cut in two.
 *
 * @param maximum in bytes of UTF-8; below three nothing is left.
 */
export function cutBytes(text: string, maximum: number): string {
  if (Buffer.byteLength(text) <= maximum) return text;
  if (maximum < CUT_BYTES) return '';
  const bytes = Buffer.from(text);
  let end = maximum - CUT_BYTES;
  // A byte 10xxxxxx goes on with the character before it (RFC 3629, section 3).
  while (end > 0 && (bytes[end]! & 0b1100_0000) === 0b1000_0000) end -= 1;
  return `${bytes.toString('utf8', 0, end)}${CUT}`;
}
