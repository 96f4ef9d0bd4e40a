import { Tokenizer } from 'htmlparser2';

/** How a document is read; `plain` has no tags. XHTML is HTML by the rules of XML for tags that close themselves. */
export type DocumentKind = 'plain' | 'html' | 'xhtml' | 'xml';

const PLAIN = /^\s*(?:text\/(?!html|xml)|application\/(?:[\w.-]+\+)?json|application\/javascript)/i;

/** Kind of a document by its media type; what has none, or an unknown one, is HTML. */
export function documentKind(contentType: string | null): DocumentKind {
  const type = contentType ?? '';
  if (PLAIN.test(type)) return 'plain';
  if (/xhtml/i.test(type)) return 'xhtml';
  return /xml/i.test(type) ? 'xml' : 'html';
}

/** Receives what a document holds, in order. Names are in lower case, positions are of the document. */
export interface HtmlReader {
  /** Text without character references. Never that of a script, or of `<noscript>` in HTML. */
  text(from: number, to: number): void;
  character(character: string): void;
  open(name: string): void;
  /** Also for an element that closes itself. */
  close(name: string): void;
  attribute?(name: string, value: string): void;
  /** Called at the end of each start tag. True ends the reading. */
  isDone?(position: number): boolean;
}

/** Start and end tags that leave SVG and MathML (WHATWG HTML standard, section 13.2.6.5). */
const LEAVES_FOREIGN: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);
/** Elements in `<svg>` and `<math>` that hold HTML. */
const HOLDS_HTML: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ['svg', ['foreignobject', 'desc', 'title']],
  ['math', ['mi', 'mo', 'mn', 'ms', 'mtext']],
]);
const SCRIPT_PARTS = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;
const NOSCRIPT_END = /<\/noscript(?=[\t\n\f\r />])/gi;
const END_TAG_PARTS = />|=[\t\n\f\r ]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$))/g;
/** Deepest nesting that counts, as in Blink. */
export const MAX_DEPTH = 512;

/**
 * Reads a document by the rules of the WHATWG tokenizer with scripting on, one tag after another without a tree: time is
 * linear in its length.
 */
export function readHtml(document: string, kind: DocumentKind, reader: HtmlReader): void {
  const isXml = kind === 'xml';
  const foreign = new ForeignContent(kind === 'xhtml' || isXml);
  // The tokenizer reads a copy of the same length. `<![CDATA[` begins a comment that ends at the next `>`, except in
  // foreign content, and a `<` before a character reference hides that in a title.
  const source = isXml
    ? document
    : document.replaceAll('<![CDATA[', '<!_CDATA[').replaceAll('<&', '_&');
  let base = 0;
  let resumeAt: number | null = null;
  let tag = '';
  let isTagForeign = isXml;
  let attribute = '';
  let value = '';
  const nameAt = (from: number, to: number) => document.slice(base + from, base + to).toLowerCase();
  const resumeFrom = (position: number | null) => {
    resumeAt = position ?? document.length;
    tokenizer.pause();
  };
  const onTagEnd = (index: number) => {
    if (reader.isDone?.(base + index) === true) return resumeFrom(null);
    if (isTagForeign) return;
    if (tag === 'script') resumeFrom(endOfScript(document, base + index + 1));
    else if (tag === 'noscript') resumeFrom(search(NOSCRIPT_END, document, base + index + 1));
  };
  const tokenizer = new Tokenizer(
    { xmlMode: isXml, decodeEntities: true },
    {
      isInForeignContext: () => foreign.isInside,
      ontext(from, to) {
        // It reports a tag that the end cuts off as text from -1.
        if (from >= 0) reader.text(base + from, base + to);
      },
      ontextentity: (codePoint) => reader.character(String.fromCodePoint(codePoint)),
      onopentagname(from, to) {
        tag = nameAt(from, to);
        isTagForeign = foreign.open(tag);
        reader.open(tag);
      },
      onopentagend: onTagEnd,
      onselfclosingtag(index) {
        if (isTagForeign) {
          foreign.close(tag);
          reader.close(tag);
        }
        onTagEnd(index);
      },
      onclosetag(from, to) {
        const name = nameAt(from, to);
        foreign.close(name);
        reader.close(name);
        if (!isXml && document[base + to] !== '>') resumeFrom(endOfEndTag(document, base + to));
      },
      oncdata: (from, to, tail) => reader.text(base + from, base + to - tail),
      oncomment(from) {
        const start = base + from;
        if (isXml || !foreign.isInside || !document.startsWith('[CDATA[', start)) return;
        const end = document.indexOf(']]>', start);
        reader.text(start + '[CDATA['.length, end === -1 ? document.length : end);
        resumeFrom(end === -1 ? null : end + ']]>'.length);
      },
      onattribname(from, to) {
        if (reader.attribute === undefined) return;
        attribute = nameAt(from, to);
        value = '';
      },
      onattribdata(from, to) {
        if (reader.attribute !== undefined) value += document.slice(base + from, base + to);
      },
      onattribentity(codePoint) {
        if (reader.attribute !== undefined) value += String.fromCodePoint(codePoint);
      },
      onattribend: () => reader.attribute?.(attribute, value),
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
    },
  );
  for (let at: number | null = 0; at !== null && at < document.length; at = resumeAt) {
    base = at;
    resumeAt = null;
    tokenizer.reset();
    tokenizer.write(source.slice(at));
    tokenizer.end();
  }
}

function ignore(): void {}

/** Position of a pattern with the flag `g` in a text; null if there is none. */
function search(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? null;
}

/**
 * Position of the end tag of a script. After `<!--` a nested `<script>` needs an end tag of its own (WHATWG HTML standard,
 * section 13.2.5.20, "script data double escaped state").
 */
function endOfScript(document: string, from: number): number | null {
  let state: 'script' | 'escaped' | 'nested' = 'script';
  SCRIPT_PARTS.lastIndex = from;
  for (;;) {
    const match = SCRIPT_PARTS.exec(document);
    if (match === null) return null;
    const part = match[0].toLowerCase();
    if (part === '<!--') {
      if (state === 'script') state = 'escaped';
      // Its dashes may belong to the end: `<!-->`.
      SCRIPT_PARTS.lastIndex -= 2;
    } else if (part === '-->') state = 'script';
    else if (part === '</script') {
      if (state !== 'nested') return match.index;
      state = 'escaped';
    } else if (state === 'escaped') state = 'nested';
  }
}

/** Position after an end tag with attributes, whose values may hold `>`. */
function endOfEndTag(document: string, from: number): number | null {
  END_TAG_PARTS.lastIndex = from;
  for (;;) {
    const match = END_TAG_PARTS.exec(document);
    if (match === null) return null;
    if (match[0] === '>') return END_TAG_PARTS.lastIndex;
  }
}

/** Whether a document is within SVG or MathML, where other rules hold. */
class ForeignContent {
  readonly #isAlways: boolean;
  /** Open `<svg>` and `<math>`, and elements in them that hold HTML. */
  readonly #open: string[] = [];

  constructor(isAlways: boolean) {
    this.#isAlways = isAlways;
  }

  get isInside(): boolean {
    return this.#isAlways || isRoot(this.#open.at(-1));
  }

  /** Returns whether the element is foreign itself. */
  open(name: string): boolean {
    if (this.#isAlways) return true;
    if (this.#open.length === 0 && !isRoot(name)) return false;
    if (LEAVES_FOREIGN.has(name)) this.#leave();
    const isForeign = isRoot(name) || this.isInside;
    const isCounted = isRoot(name) || HOLDS_HTML.get(this.#open.at(-1))?.includes(name) === true;
    if (isCounted && this.#open.length < MAX_DEPTH) this.#open.push(name);
    return isForeign;
  }

  close(name: string): void {
    if (this.#open.length === 0) return;
    if (LEAVES_FOREIGN.has(name)) this.#leave();
    const at = this.#open.lastIndexOf(name);
    if (at !== -1) this.#open.length = at;
  }

  #leave(): void {
    while (isRoot(this.#open.at(-1))) this.#open.pop();
  }
}

function isRoot(name: string | undefined): boolean {
  return name === 'svg' || name === 'math';
}
