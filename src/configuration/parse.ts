import {
  Composer,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type Document,
  type YAMLError,
} from 'yaml';
import {
  MAX_NESTING,
  offsetOf,
  readNodes,
  type Budget,
  type ConfigurationFile,
  type ParsedFile,
} from './nodes.ts';
import type { ConfigurationError, Place } from './places.ts';

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Words and marks of YAML in a file: 20,000 items of 15 lines have two thirds of them. */
const MAX_LEXEMES = 3_000_000;
const MAX_SYNTAX_ERRORS = 10;
/** The parser's entries for the document and for a scalar. */
const STACK_BESIDE_COLLECTIONS = 2;
// What YAML 1.2 does not allow in a file, and the marks that the lexer itself uses.
const CONTROL_CHARACTER = /(?![\t\n\r\x80-\x9f])\p{Cc}|[\ufffe\uffff]/u;
/** Parses a file. @returns null when it has errors, which are reported. @throws ConfigurationRefused */
export function parseFile(
  { name, text: withMark }: ConfigurationFile,
  spend: Budget,
  report: (error: ConfigurationError) => void,
): ParsedFile | null {
  const text = withMark.replace(/^\uFEFF/, '');
  const lines = new LineCounter();
  // The parser itself can tell the library of a line twice.
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { file: name, line, column: col };
  };
  const refuse = (place: Place, message: string) => void report({ ...place, message });

  if (text.length > MAX_FILE_BYTES) {
    refuse(at(0), 'The file has more than 10 MiB. Divide it into several files.');
    return null;
  }
  const control = CONTROL_CHARACTER.exec(text);
  if (control !== null) {
    const code = text.charCodeAt(control.index).toString(16).toUpperCase().padStart(4, '0');
    refuse(
      at(control.index),
      `The character U+${code} can't stand in a file. Save the file as text in UTF-8, and write the character as an escape in double quotes.`,
    );
    return null;
  }
  const document = composeDocument(text, at, refuse);
  if (document === null) return null;
  const all = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  // Others follow from a tab, and from the first fault of a line.
  const tabs = all.filter(({ code }) => code === 'TAB_AS_INDENT');
  const lined = Map.groupBy(tabs.length > 0 ? tabs : all, ({ pos }) => at(pos[0]).line);
  const faults = [...lined.values()].map(([first]) => first!);
  for (const fault of faults.slice(0, MAX_SYNTAX_ERRORS)) {
    const isQuote = fault.message.startsWith('Missing closing');
    refuse(at(isQuote ? lastOffset(document.contents) : fault.pos[0]), sentenceOf(fault));
  }
  if (faults.length > 0) return null;
  const { contents } = document;
  if (!isMap(contents)) {
    const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
    refuse(
      at(isEmpty ? 0 : offsetOf(contents)),
      isEmpty
        ? 'The file is empty. Write a section, such as "monitors:", or remove the file.'
        : 'The file must be a map that begins with "name:" or a section such as "monitors:".',
    );
    return null;
  }
  return readNodes(name, contents, at, spend, refuse);
}

/** One document of YAML, whose nesting and size are known before anything recursive reads it. */
function composeDocument(
  text: string,
  at: (offset: number) => Place,
  refuse: (place: Place, message: string) => void,
): Document.Parsed | null {
  const parser = new Parser();
  // The library compares each key with all others of its map; `readNodes` looks for those that stand twice.
  const composer = new Composer({ uniqueKeys: false, stringKeys: true, resolveKnownTags: false });
  const found: Document.Parsed[] = [];
  const nested = MAX_NESTING + STACK_BESIDE_COLLECTIONS;
  let count = 0;
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    for (const token of parser.next(lexeme)) {
      found.push(...composer.next(token));
      if (token.type === 'error' || token.type === 'directive') errors += 1;
    }
    if (parser.stack.length > nested) {
      refuse(at(parser.offset), `Lists and maps are nested more than ${MAX_NESTING} deep here.`);
      return null;
    }
    if (count > MAX_LEXEMES) {
      refuse(at(parser.offset), 'The file has too much in it. Divide it into several files.');
      return null;
    }
    if (found.length > 1 || errors > MAX_SYNTAX_ERRORS) break;
  }
  for (const token of parser.end()) found.push(...composer.next(token));
  found.push(...composer.end(true, text.length));
  const [first, second] = found;
  if (second !== undefined && hasContent(second)) {
    refuse(at(second.range[0]), 'A second document begins here. Put it into a file of its own.');
    return null;
  }
  return first ?? null;
}

function hasContent({ contents, errors }: Document.Parsed): boolean {
  return (
    errors.length > 0 || !(contents === null || (isScalar(contents) && contents.value === null))
  );
}

/** Where the last scalar begins: a quote that is not closed goes on to the end. */
function lastOffset(contents: unknown): number {
  let node = contents;
  for (;;) {
    const last: unknown = isMap(node) || isSeq(node) ? node.items.at(-1) : undefined;
    if (last === undefined) return offsetOf(node);
    node = isPair(last) ? (last.value ?? last.key) : last;
  }
}

const ADVICE: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'A tab indents this line. Indent with spaces.',
  TAG_RESOLVE_FAILED: 'Tags, such as !name, are not understood here. Remove it.',
  NON_STRING_KEY: 'A key must be text.',
  BLOCK_AS_IMPLICIT_KEY:
    'The value has another ": " in it. Put a text that contains ": " in quotes, and begin all fields of an item in one column.',
  MULTILINE_IMPLICIT_KEY: 'This is no "key: value". Write a colon and a space after the key.',
  BAD_SCALAR_START: 'A text that begins with @ or ` must be in quotes.',
};

/** Advice for errors whose codes stand for others, too, by words of their messages. */
const ADVICE_BY_WORDS = {
  'Sequence item without':
    'A list ends in this column. Begin its items with "- " there, and indent the fields of an item by two spaces more.',
  'Missing closing': 'The quote that begins here is not closed.',
  'end with a ]': 'A list that begins with "[" ends with "]", which is missing before this.',
  'end with a }': 'A map that begins with "{" ends with "}", which is missing before this.',
};

function sentenceOf({ code, message }: YAMLError): string {
  const words = Object.entries(ADVICE_BY_WORDS).find(([text]) => message.includes(text));
  const advice = words?.[1] ?? ADVICE[code];
  if (advice !== undefined) return advice;
  const [first = ''] = message.split('\n', 1);
  return `This is no valid YAML: ${first.replace(/[.:]?$/, '')}.`;
}
