import { TextDecoder } from 'node:util';
import { inOneLine } from '../content/wording.ts';

const REMOVED = '[removed]';
/** By as many characters secrets are looked up; as many of one are enough at the end of a text that breaks off. */
const START_LENGTH = 6;
/** The longest escape of one character: `%E2%82%AC`. */
const MAX_ESCAPE_LENGTH = 9;

export interface SecretRemoval {
  /** How far beyond its end a text must be known for a secret that is cut by that end to be seen whole. */
  readonly reach: number;
  /**
   * The first `keep` characters of a text (all by default), each secret that begins in them replaced: as it is,
   * escaped for JSON, a URL or HTML, or as UTF-8 that was read as latin1. Also replaced is the beginning of a secret
   * that the text ends with. The text holds no control characters, as `withoutControls` leaves it.
   */
  remove(text: string, keep?: number): string;
}

/** The reach of a removal whose longest secret has so many characters, or bytes as UTF-8: in both each character is one at least. */
export function reachOf(longest: number): number {
  return longest * MAX_ESCAPE_LENGTH;
}

/** `secrets` are at least 6 characters long each. */
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

/** Databases and terminals take no control characters; tabs and line ends stay. The length is the same. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\r\n]/gu, '\u{fffd}');
}

const WINDOWS_1252 = new TextDecoder('windows-1252');

/**
 * A secret as UTF-8, which is how it was sent, as those bytes read otherwise, and each with + for space, as in forms, and
 * as sentences show it that quote an answer: cleaned before the secret is looked for.
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

/** As parts of a head are quoted, which are read as latin1. */
function inAscii(latin1: string): string {
  return latin1.replace(/[^ -~]/g, '?');
}

interface SecretIndex {
  /** Secrets by their first characters, the longest first. */
  byStart: ReadonlyMap<string, string[]>;
  /** Characters of the longest one, 0 when there is none. */
  longest: number;
}

function createIndex(secrets: string[]): SecretIndex {
  const longestFirst = [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
  return {
    byStart: Map.groupBy(longestFirst, (secret) => secret.slice(0, START_LENGTH)),
    longest: longestFirst[0]?.length ?? 0,
  };
}

/** A text with its escapes undone. */
interface Decoding {
  text: string;
  /** Where each of its characters begins in the original; the last entry is the original's end. */
  origins: ArrayLike<number> | null;
}

/** A part of the original, its end not included. */
interface Span {
  start: number;
  end: number;
}

/** Where a reading holds a secret, or ends with the beginning of one. */
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

/** The few secrets whose beginning is in the text: there may be thousands that are not. */
function candidates(text: string, { byStart }: SecretIndex): string[] {
  const groups = new Set<string[]>();
  for (let at = 0; at + START_LENGTH <= text.length; at++) {
    const group = byStart.get(text.slice(at, at + START_LENGTH));
    if (group !== undefined) groups.add(group);
  }
  return [...groups].flat();
}

/** Where the beginning of a secret starts that the text breaks off in, null when it does not. */
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
    // A span that begins within the one before belongs to it.
    if (start >= at) kept += text.slice(at, start) + REMOVED;
    at = Math.max(at, end);
  }
  return kept + text.slice(at, keep);
}

interface Escape {
  /** Finds escapes, and at the text's end the beginning of one. */
  pattern: RegExp;
  /** The character that an escape stands for; nothing for one that is cut. */
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
    // Byte for byte: a character beyond ASCII becomes UTF-8 read as latin1, which is one of the spellings.
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

/** The text as it is, and as each kind of escape means it. */
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
