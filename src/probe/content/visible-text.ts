import { Tokenizer } from 'htmlparser2';

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
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html img input ' +
    'legend li listing main menu meta nav object ol optgroup option p plaintext pre search section select slot ' +
    'summary svg table tbody td template textarea tfoot th thead title tr ul video xmp'
  ).split(' '),
);
/** Runs of white space, and single characters other than a plain space. */
const WHITE_SPACE = /\s{2,}|[^\S ]/g;
/** Soft hyphens and zero-width spaces, which are invisible and occur within words. */
const INVISIBLE = /[\u00ad\u200b\u2060]/g;
/**
 * More combining marks in a row than in any writing (Unicode Standard Annex 15, "Stream-Safe Text Format"): sorting
 * them takes time quadratic in their number.
 */
const TOO_MANY_MARKS = /\p{M}{31}/u;
const PLAIN = /^\s*(?:text\/(?!html|xml)|application\/(?:[\w.-]+\+)?json|application\/javascript)/i;
/** XHTML is parsed as HTML, which is how it is mostly sent. */
const XML = /^(?!.*xhtml).*xml/i;

/**
 * Text of a document as a reader sees it, in one line, normalized by `normalizeVisible`. Documents other than HTML and
 * XML are kept as they are. Leaves out scripts, styles, fallback content, comments and all attributes: addresses,
 * alternative texts, values of fields. Style sheets and scripts, which may hide or add text, are ignored.
 *
 * Reads one tag after another without building a tree, so that time and memory only depend on the length of the
 * document.
 */
export function visibleText(document: string, contentType: string | null): string {
  if (contentType !== null && PLAIN.test(contentType)) return normalizeVisible(document);
  return normalizeVisible(textOf(document, XML.test(contentType ?? '')));
}

/** Normalizes a text by its appearance: white space becomes one space, canonically equivalent characters the same. */
export function normalizeVisible(text: string): string {
  const line = text.toWellFormed().replace(INVISIBLE, '').replace(WHITE_SPACE, ' ').trim();
  return TOO_MANY_MARKS.test(line) ? line : line.normalize('NFC');
}

function textOf(document: string, isXml: boolean): string {
  const parts: string[] = [];
  const hidden = new HiddenElements();
  let tag = '';
  // Adjacent parts are merged, so that a document of many `<` doesn't become as many parts.
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
    // The elements of other XML vocabularies are unknown.
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

/** Counts only nested elements of the outermost hidden element's name: its content may be malformed. */
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
