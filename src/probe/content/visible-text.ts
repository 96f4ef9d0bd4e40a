import { Tokenizer } from 'htmlparser2';

/** What these hold is not shown, or only where something else can't be shown. */
const HIDDEN: ReadonlySet<string> = new Set(
  'script style template noscript noembed noframes iframe audio video canvas'.split(' '),
);
/** Those that browsers set apart from what is around them (WHATWG's HTML standard, section 15.3), and what stands for a picture or a field. */
const SEPARATED: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html img input ' +
    'legend li listing main menu meta nav object ol optgroup option p plaintext pre search section select slot ' +
    'summary svg table tbody td template textarea tfoot th thead title tr ul video xmp'
  ).split(' '),
);
/** Runs of white space, and each that is no plain space. */
const WHITE_SPACE = /\s{2,}|[^\S ]/g;
/** Soft hyphens and spaces of no width: nobody sees them, and they stand in the middle of words. */
const INVISIBLE = /[\u00ad\u200b\u2060]/g;
/**
 * So many combining marks in a row are no writing (Unicode Standard Annex 15, "Stream-Safe Text Format"): to put them in
 * order takes the square of their number.
 */
const TOO_MANY_MARKS = /\p{M}{31}/u;
const PLAIN = /^\s*(?:text\/(?!html|xml)|application\/(?:[\w.-]+\+)?json|application\/javascript)/i;
/** XHTML is read as HTML, as it is mostly sent. */
const XML = /^(?!.*xhtml).*xml/i;

/**
 * What a reader sees of a document, in one line: the text between the tags, as `asSeen`. Documents of another type than
 * HTML or XML are shown as they are. Left out are scripts, styles, what is shown only to browsers that lack something,
 * comments, and all attributes: addresses, alternative texts, values of fields. Whether a style sheet or a script hides
 * something or adds it is not known.
 *
 * Reads the tags one after another, without a tree, so that time and memory grow with the document's length and
 * with nothing else.
 */
export function visibleText(document: string, contentType: string | null): string {
  if (contentType !== null && PLAIN.test(contentType)) return normalizeVisible(document);
  return normalizeVisible(textOf(document, XML.test(contentType ?? '')));
}

/** A text as it looks in print: white space is one space, characters of the same look are the same character. */
export function normalizeVisible(text: string): string {
  const line = text.toWellFormed().replace(INVISIBLE, '').replace(WHITE_SPACE, ' ').trim();
  return TOO_MANY_MARKS.test(line) ? line : line.normalize('NFC');
}

function textOf(document: string, isXml: boolean): string {
  const parts: string[] = [];
  const hidden = new HiddenElements();
  let tag = '';
  // Pieces that follow each other are one, so that a document of many `<` is not as many pieces.
  let start = 0;
  let end = 0;
  const flush = () => {
    if (end > start) parts.push(document.slice(start, end));
    start = end;
  };
  const take = (from: number, to: number) => {
    if (hidden.isInside) return;
    if (from !== end) {
      flush();
      start = from;
    }
    end = to;
  };
  const separate = () => {
    // What the elements of other vocabularies are is not known.
    if (hidden.isInside || !(isXml || SEPARATED.has(tag))) return;
    flush();
    parts.push(' ');
  };
  const tokenizer = new Tokenizer(
    { xmlMode: isXml, decodeEntities: true },
    {
      ontext: take,
      ontextentity(codePoint) {
        if (hidden.isInside) return;
        flush();
        parts.push(String.fromCodePoint(codePoint));
      },
      onopentagname(from, to) {
        tag = document.slice(from, to).toLowerCase();
        separate();
        hidden.open(tag);
      },
      onselfclosingtag: () => hidden.close(tag),
      onclosetag(from, to) {
        tag = document.slice(from, to).toLowerCase();
        hidden.close(tag);
        separate();
      },
      oncdata(from, to, tail) {
        if (isXml) take(from, to - tail);
      },
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onattribname: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onprocessinginstruction: ignore,
    },
  );
  tokenizer.write(document);
  tokenizer.end();
  flush();
  return parts.join('');
}

function ignore(): void {}

/** Counts only elements of the name that hid first: what else is inside of it need not be sound. */
class HiddenElements {
  #name = '';
  #depth = 0;

  get isInside(): boolean {
    return this.#depth > 0;
  }

  open(name: string): void {
    if (this.#depth > 0 ? name === this.#name : HIDDEN.has(name)) {
      this.#name = name;
      this.#depth += 1;
    }
  }

  close(name: string): void {
    if (this.#depth > 0 && name === this.#name) this.#depth -= 1;
  }
}
