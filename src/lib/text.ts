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

/** First letter or digit of a name as a capital, which stands for a logo; may be empty. */
export function initialOf(name: string): string {
  const [first = ''] = /[\p{L}\p{N}]/u.exec(name) ?? [];
  return first.toUpperCase();
}

/** What begins a formula in a spreadsheet, at the beginning or after anything that it may take for the end of a cell. */
const FORMULA_START = /(^|[,;|"'\t\r\n])([\s"']*)([=+\-@＝＋－＠])/gu;

/**
 * A text that no spreadsheet reads as a formula: each `=`, `+`, `-` or `@` that begins the text or follows a delimiter or
 * a quote is escaped, by an apostrophe before it by default, as a file may be opened with another delimiter
 * than its own.
 */
export function withoutFormulas(text: string, escape = (sign: string) => `'${sign}`): string {
  return text.replaceAll(
    FORMULA_START,
    (_, end: string, space: string, sign: string) => `${end}${space}${escape(sign)}`,
  );
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Escapes what begins a tag, an entity or a mention, where quotes are shown as they are. */
export function escapeTags(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character]!);
}

type Write = (text: string) => string;

const asItIs: Write = (text) => text;

/**
 * Truncates a text and appends `…`.
 *
 * @param maximum UTF-16 units, including the ellipsis. Surrogate pairs stay whole.
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

/** Truncates a text to `maximum` UTF-16 units after escaping: no escape is split. */
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
 * Joins as many complete lines as fit, and states the number of the others. A first line that is too long is truncated.
 *
 * @param maximum UTF-16 units of the escaped result; `options.mostLines` is the maximum number of lines of the
 * provider.
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
 * Truncates a text in UTF-8 and appends `…`; no character is split.
 *
 * @param maximum bytes of UTF-8; below three nothing is left.
 */
export function cutBytes(text: string, maximum: number): string {
  if (Buffer.byteLength(text) <= maximum) return text;
  if (maximum < CUT_BYTES) return '';
  const bytes = Buffer.from(text);
  let end = maximum - CUT_BYTES;
  // A byte 10xxxxxx continues the previous character (RFC 3629, section 3).
  while (end > 0 && (bytes[end]! & 0b1100_0000) === 0b1000_0000) end -= 1;
  return `${bytes.toString('utf8', 0, end)}${CUT}`;
}

const MAX_REASON_LENGTH = 300;

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
  return cut(masked, MAX_REASON_LENGTH);
}

/** Dots that browsers and mail programs accept in host names (UTS #46, section 2.3). */
const DOTS = /[.\u3002\uff0e\uff61\u2024]/gu;
/** Characters that are not seen, which could hide a host name from the rules below. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const WORD = '[\\p{L}\\p{N}\\p{M}_-]';

/**
 * A name that somebody chose, for a mail to somebody who may not know them: one line without a scheme, a host name, an
 * address or anything else that mail programs turn into a link, and without invisible characters and double quotes. `https://evil.example/a`
 * becomes `https evil example a`, `Node.js` becomes `Node js`, and `v1.2` stays.
 *
 * @param maximum characters, including the ellipsis of a name that is truncated. May be empty.
 */
export function plainName(name: string, maximum: number): string {
  const plain = singleLine(name)
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(DOTS, '.')
    // The name stands in double quotes.
    .replace(/["“”„‟«»]/gu, "'")
    // Schemes, ports, paths and addresses.
    .replace(/:?[\\/]+/gu, ' ')
    .replace(/[:@]+(?=\S)/gu, ' ')
    // Host names: a dot that letters follow; IP addresses: three or more dots between digits.
    .replace(new RegExp(`(?<=${WORD})\\.+(?=${WORD}*[\\p{L}\\p{M}_-])`, 'gu'), ' ')
    .replace(/\d+(?:\.\d+){2,}/gu, (numbers) => numbers.replaceAll('.', ' '));
  const characters = [...singleLine(plain)];
  if (characters.length <= maximum) return characters.join('');
  return `${characters
    .slice(0, maximum - 1)
    .join('')
    .trimEnd()}…`;
}

/** `a`, `a and b`, `a, b and c`. */
export function enumerated(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** Names in a sentence: the first `most`, and how many more there are. */
export function listed(names: readonly string[], most = 10): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}
