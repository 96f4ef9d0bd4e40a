import { TextDecoder } from 'node:util';
import { inOneLine } from '../content/wording.ts';

const REMOVED = '[removed]';
/** Length of the prefixes by which secrets are looked up; at the end of a truncated text such a prefix suffices. */
const START_LENGTH = 6;
/** Length of the longest escape of one character: `%E2%82%AC`. */
const MAX_ESCAPE_LENGTH = 9;

export interface SecretRemoval {
  /** Number of characters beyond its end that a text must include to recognize a secret cut by that end. */
  readonly reach: number;
  /**
   * Returns the first `keep` characters of a text (all by default) with each secret that begins in them replaced,
   * whether plain, escaped for JSON, URL or HTML, or as UTF-8 read as latin1. The beginning of a secret at the end of
   * the text is replaced too. The text has no control characters, see `withoutControls`.
   */
  remove(text: string, keep?: number): string;
}

/** Reach for a longest secret of that many characters or UTF-8 bytes, which both have at least one per character. */
export function reachOf(longest: number): number {
  return longest * MAX_ESCAPE_LENGTH;
}

/** `secrets` have at least 6 characters each. */
export function createSecretRemoval(secrets: Iterable<string>): SecretRemoval {
  const index = createIndex([...secrets].flatMap(encodings));
  return {
    reach: reachOf(index.longest),
    remove(text, keep = text.length) {
      const spans = index.longest === 0 ? [] : decodings(text).flatMap((each) => find(each, index));
      return replaceSpans(text, spans, keep);
    },
  };
}

/** Replaces control characters except tabs and line ends, which databases and terminals reject. Keeps the length. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\r\n]/gu, '\u{fffd}');
}

const WINDOWS_1252 = new TextDecoder('windows-1252');

/**
 * Forms of a secret in a response: as UTF-8, as sent; as those bytes decoded otherwise; each with + for space, as in
 * forms; and as quoted in texts, which are cleaned before secrets are removed.
 */
function encodings(secret: string): string[] {
  const isAscii = /^[\0-\x7f]*$/.test(secret);
  const bytes = Buffer.from(secret);
  // By the web's standards latin1 is windows-1252.
  const texts = isAscii
    ? [secret]
    : [bytes.toString('utf8'), bytes.toString('latin1'), WINDOWS_1252.decode(bytes)];
  const read = texts.map(withoutControls).flatMap((text) => [text, text.replaceAll(' ', '+')]);
  return [...read, ...texts.map(inOneLine), inAscii(bytes.toString('latin1'))];
}

/** Form in quotes of the head, which is read as latin1. */
function inAscii(latin1: string): string {
  return latin1.replace(/[^ -~]/g, '?');
}

interface SecretIndex {
  /** Secrets by their prefix, longest first. */
  byStart: ReadonlyMap<string, string[]>;
  longest: number;
}

function createIndex(secrets: string[]): SecretIndex {
  const longestFirst = [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
  return {
    byStart: Map.groupBy(longestFirst, (secret) => secret.slice(0, START_LENGTH)),
    longest: longestFirst[0]?.length ?? 0,
  };
}

interface Decoding {
  text: string;
  /** Position of each character in the original; the last entry is the original's end. */
  origins: ArrayLike<number> | null;
}

/** A part of the original, end exclusive. */
interface Span {
  start: number;
  end: number;
}

/** Finds secrets in a decoded text, and the beginning of one at its end. */
function find({ text, origins }: Decoding, index: SecretIndex): Span[] {
  const found: Span[] = [];
  const add = (start: number, end: number): void => {
    found.push({ start: origins?.[start] ?? start, end: origins?.[end] ?? end });
  };
  for (const secret of candidates(text, index)) {
    let at = text.indexOf(secret);
    for (; at !== -1; at = text.indexOf(secret, at + secret.length)) add(at, at + secret.length);
  }
  const cutAt = findCutSecret(text, index);
  if (cutAt !== null) add(cutAt, text.length);
  return found;
}

/** Secrets whose prefix occurs in the text: thousands may not. */
function candidates(text: string, { byStart }: SecretIndex): string[] {
  const groups = new Set<string[]>();
  for (let at = 0; at + START_LENGTH <= text.length; at++) {
    const group = byStart.get(text.slice(at, at + START_LENGTH));
    if (group !== undefined) groups.add(group);
  }
  return [...groups].flat();
}

/** Position of a secret that the end of the text cuts off; null if there is none. */
function findCutSecret(text: string, { byStart, longest }: SecretIndex): number | null {
  for (let at = Math.max(0, text.length - longest); at + START_LENGTH <= text.length; at++) {
    for (const secret of byStart.get(text.slice(at, at + START_LENGTH)) ?? []) {
      if (secret.length <= text.length - at) break;
      if (secret.startsWith(text.slice(at))) return at;
    }
  }
  return null;
}

function replaceSpans(text: string, spans: Span[], keep: number): string {
  let kept = '';
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start >= keep) break;
    // A span that begins within the previous one belongs to it.
    if (start >= at) kept += text.slice(at, start) + REMOVED;
    at = Math.max(at, end);
  }
  return kept + text.slice(at, keep);
}

interface Escape {
  /** Matches escapes, and the beginning of one at the end of the text. */
  pattern: RegExp;
  /** Character of an escape; empty for one that is cut off. */
  decode: (groups: (string | undefined)[]) => string;
}

const JSON_LETTERS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const HTML_NAMES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const ESCAPES: readonly Escape[] = [
  {
    pattern: /\\u([\da-f]{4})|\\(?:u[\da-f]{0,3})?$|\\(.)/gi,
    decode: ([hex, letter = '']) =>
      hex === undefined ? (JSON_LETTERS[letter] ?? letter) : fromCode(hex, 16),
  },
  {
    // Byte for byte: a character beyond ASCII becomes UTF-8 read as latin1, which is one of the encodings.
    pattern: /%([\da-f]{2})|%[\da-f]?$/gi,
    decode: ([hex]) => fromCode(hex, 16),
  },
  {
    pattern: /&#(\d{1,7});|&#x([\da-f]{1,6});|&(amp|lt|gt|quot|apos);|&[#\w]{0,8}$/gi,
    decode: ([decimal, hex, name]) =>
      name === undefined
        ? fromCode(decimal, 10) + fromCode(hex, 16)
        : (HTML_NAMES[name.toLowerCase()] ?? ''),
  },
];

function fromCode(digits: string | undefined, base: number): string {
  const code = Number.parseInt(digits ?? '', base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** The text as it is, and decoded by each kind of escape. */
function decodings(text: string): Decoding[] {
  const escaped = ESCAPES.filter(({ pattern }) => text.search(pattern) !== -1);
  return [{ text, origins: null }, ...escaped.map((escape) => unescape(text, escape))];
}

function unescape(original: string, { pattern, decode }: Escape): Decoding {
  const origins: number[] = [];
  let text = '';
  let at = 0;
  const copyUntil = (end: number): void => {
    text += original.slice(at, end);
    for (; at < end; at++) origins.push(at);
  };
  for (const match of original.matchAll(pattern)) {
    copyUntil(match.index);
    const [escape, ...groups] = match;
    const meant = decode(groups);
    for (let unit = 0; unit < meant.length; unit++) origins.push(match.index);
    text += meant;
    at += escape.length;
  }
  copyUntil(original.length);
  origins.push(original.length);
  return { text: withoutControls(text), origins };
}
