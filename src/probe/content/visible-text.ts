import { documentKind, MAX_DEPTH, readHtml, type DocumentKind } from './html.ts';

/** Elements whose content is not shown, or only as a fallback. */
const HIDDEN: ReadonlySet<string> = new Set(
  'script style template noscript noembed noframes iframe audio video canvas'.split(' '),
);
/**
 * Elements that browsers separate from their surroundings (WHATWG HTML standard, section 15.3), and replaced elements
 * and fields.
 */
const SEPARATED: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html image img ' +
    'input legend li listing main menu meta nav object ol optgroup option p plaintext pre search section select slot ' +
    'summary svg table tbody td template textarea tfoot th thead title tr ul video xmp'
  ).split(' '),
);
/** Runs of white space, and single characters other than a plain space. */
const WHITE_SPACE = /\s{2,}|[^\S ]/g;
/**
 * Characters that have no appearance and occur within words: soft hyphens, joiners, direction marks, variation selectors
 * (Unicode's Default_Ignorable_Code_Point and Bidi_Control), and NUL, which parsers drop.
 */
const INVISIBLE = /[\0\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]+/u;
/** Takes no time for a text whose characters are stored as one byte each. */
const BEYOND_LATIN1 = /[^\0-\u00ff]/;
const PART_LENGTH = 65_536;
/**
 * More combining marks in a row than in any writing (Unicode Standard Annex 15, "Stream-Safe Text Format"): sorting
 * them takes time quadratic in their number.
 */
const TOO_MANY = 31;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${TOO_MANY}}`, 'u');
const MARK = /\p{M}/u;
const FIRST_MARK = 0x300;

/**
 * Text of a document as a reader sees it, in one line, normalized by `normalizeVisible`. Documents other than HTML and
 * XML are kept as they are. Leaves out scripts, styles, fallback content, comments and all attributes: addresses,
 * alternative texts, values of fields. Style sheets and scripts, which may hide or add text, are ignored.
 */
export function visibleText(document: string, contentType: string | null): string {
  const kind = documentKind(contentType);
  return normalizeVisible(kind === 'plain' ? document : textOf(document, kind));
}

/** Normalizes a text by its appearance, and white space to one space. */
export function normalizeVisible(text: string): string {
  return asSeen(text).replace(WHITE_SPACE, ' ').trim();
}

/** Removes characters that can't be seen and unifies canonically equivalent ones, which look the same. */
export function asSeen(text: string): string {
  if (!BEYOND_LATIN1.test(text)) return isClearLatin1(text) ? text : withoutInvisible(text);
  const seen = withoutInvisible(text.toWellFormed());
  return hasTooManyMarks(seen) ? seen : seen.normalize('NFC');
}

/** In parts, since each match takes memory until the last one is removed. */
function withoutInvisible(text: string): string {
  if (!INVISIBLE.test(text)) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + PART_LENGTH;
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    parts.push(text.slice(at, next).split(INVISIBLE).join(''));
    at = next;
  }
  return parts.join('');
}

/** Each run that is too long has a mark at a multiple of its least length, so that others need no search. */
function hasTooManyMarks(text: string): boolean {
  for (let at = 0; at < text.length; at += TOO_MANY) {
    if (text.charCodeAt(at) < FIRST_MARK) continue;
    // With its neighbors, since it may be half a character.
    if (MARK.test(text.slice(Math.max(0, at - 1), at + 2))) return TOO_MANY_MARKS.test(text);
  }
  return false;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Much faster than a pattern. */
function isClearLatin1(text: string): boolean {
  return !text.includes('\0') && !text.includes('\u00ad');
}

function textOf(document: string, kind: DocumentKind): string {
  const parts: string[] = [];
  const hidden = new HiddenElements();
  // Adjacent parts are merged, so that a document of many `<` doesn't become as many parts.
  let start = 0;
  let end = 0;
  const flush = () => {
    if (end > start) parts.push(document.slice(start, end));
    start = end;
  };
  const separate = (name: string) => {
    // The elements of other XML vocabularies are unknown.
    if (hidden.isInside || !(kind === 'xml' || SEPARATED.has(name))) return;
    flush();
    parts.push(' ');
  };
  readHtml(document, kind, {
    text(from, to) {
      if (hidden.isInside) return;
      if (from !== end) {
        flush();
        start = from;
      }
      end = to;
    },
    character(character) {
      if (hidden.isInside) return;
      flush();
      parts.push(character);
    },
    open(name) {
      separate(name);
      hidden.open(name);
    },
    close(name) {
      hidden.close(name);
      separate(name);
    },
  });
  flush();
  return parts.join('');
}

/** The outermost hidden element that is open, and the elements in it. */
class HiddenElements {
  readonly #open: string[] = [];

  get isInside(): boolean {
    return this.#open.length > 0;
  }

  open(name: string): void {
    if (this.isInside ? this.#open.length < MAX_DEPTH : HIDDEN.has(name)) this.#open.push(name);
  }

  close(name: string): void {
    if (!this.isInside) return;
    const at = this.#open.lastIndexOf(name);
    if (at !== -1) this.#open.length = at;
    // The end of an element around it ends it too, as in `<div><video></div>`, but for a template.
    else if (!this.#open.includes('template')) this.#open.length = 0;
  }
}
