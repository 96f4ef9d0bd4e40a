import { CsvError, parse } from 'csv-parse/sync';
import { ImportError, START, type ImportSource } from './importer.ts';
import { objectOf } from './values.ts';

/** Parses JSON. Throws an ImportError with the place of the fault. @param expected what to give instead, a sentence. */
export function parseJson({ file, text }: ImportSource, expected: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  if (json.trim() === '') throw new ImportError(`${file} is empty. ${expected}`);
  try {
    return JSON.parse(json);
  } catch {
    const index = indexOfFault(json);
    const what = index >= json.trimEnd().length ? 'ends too early' : 'is no JSON from here on';
    throw new ImportError(`${file} ${what}. ${expected}`, placeOf(json, index));
  }
}

/** Maximum number of answers in a file. */
const MAX_PAGES = 10_000;

/** Parses JSON values that stand one after another, such as the pages of a list. Throws an ImportError like `parseJson`. */
export function parseJsonPages(source: ImportSource, expected: string): unknown[] {
  const json = source.text.replace(/^\uFEFF/, '');
  const pages: unknown[] = [];
  for (let from = 0; pages.length < MAX_PAGES;) {
    const rest = json.slice(from);
    if (pages.length > 0 && rest.trim() === '') return pages;
    try {
      pages.push(JSON.parse(rest));
      return pages;
    } catch {
      const end = indexOfFault(rest);
      const page = parsed(rest.slice(0, end));
      if (page === undefined) {
        // Says what is wrong, and where.
        parseJson({ ...source, text: json.slice(0, from).replace(/[^\n]/g, ' ') + rest }, expected);
      }
      pages.push(page);
      from += end;
    }
  }
  throw new ImportError(`${source.file} has more than ${MAX_PAGES} answers in it. ${expected}`);
}

/**
 * Answers of an API that stand one after another, or in a list, as `jq -s` makes it; and what they have as `data`, or
 * they themselves where they have none. Throws an ImportError like `parseJson`.
 */
export function parseAnswers(source: ImportSource, expected: string) {
  const answers = parseJsonPages(source, expected).flat(2).map(objectOf);
  const entries = answers.flatMap((answer): unknown[] => {
    const { data = answer } = answer;
    return Array.isArray(data) ? data : [data];
  });
  return { answers, entries: entries.map(objectOf) };
}

/** Whether all pages of each list are there. @param pages each with what its list and it have alone, and their number. */
export function hasAllPages(pages: readonly { list: string; page: string; count: number }[]) {
  const lists = [...Map.groupBy(pages, ({ list }) => list).values()];
  return lists.every((own) => new Set(own.map(({ page }) => page)).size >= own[0]!.count);
}

/** Undefined for what is no JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** Line and column of an index, from 1. */
export function placeOf(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  return { line, column: index - before.lastIndexOf('\n') };
}

const SPACE = /[ \t\r\n]*/y;
/** A text holds anything from the space on, but no quote and no backslash by itself. */
const TOKEN =
  /[[\]{},:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma';

/** Where a text stops being JSON, which `JSON.parse` says of some faults only. */
function indexOfFault(text: string): number {
  const open: string[] = [];
  let expected: Expected | null = 'value';
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    at += SPACE.exec(text)![0].length;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    expected = token === undefined ? null : after(token, expected, open);
    if (token === undefined || expected === null) return at;
    at += token.length;
  }
}

/** What is expected after a token; null when it must not stand there. @param open brackets that are open. */
function after(token: string, expected: Expected, open: string[]): Expected | null {
  const isValue = expected === 'value' || expected === 'value or end';
  const inner = open.at(-1);
  switch (token) {
    case '{':
    case '[':
      if (!isValue) return null;
      open.push(token);
      return token === '{' ? 'name or end' : 'value or end';
    case '}':
    case ']': {
      const isEmpty = expected === (token === '}' ? 'name or end' : 'value or end');
      if (inner !== (token === '}' ? '{' : '[') || !(isEmpty || expected === 'comma')) return null;
      open.pop();
      return 'comma';
    }
    case ',':
      if (expected !== 'comma' || inner === undefined) return null;
      return inner === '{' ? 'name' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : null;
    default:
      if (isValue) return 'comma';
      return token.startsWith('"') && expected.startsWith('name') ? 'colon' : null;
  }
}

/** A line of a CSV file. */
export interface CsvRecord {
  /** From 1. */
  line: number;
  /** By the names of the columns in lower case; none of columns without a name. */
  cells: ReadonlyMap<string, string>;
}

/**
 * Reads CSV with a line of names at its top, divided by commas, semicolons or tabs. Throws an ImportError with the line.
 *
 * @param names one of which its columns have at least.
 * @param expected what to give instead, a sentence.
 */
export function parseCsv(
  { file, text }: ImportSource,
  names: readonly string[],
  expected: string,
): CsvRecord[] {
  const [head, ...records] = csvRows({ file, text }, expected);
  if (head === undefined) throw new ImportError(`${file} is empty. ${expected}`);
  const columns = head.record.map((name) => name.trim().toLowerCase());
  if (!names.some((name) => columns.includes(name)))
    throw new ImportError(
      `${file} has none of the columns ${names.join(', ')}. ${expected}`,
      START,
    );
  return records.map(({ line, record }) => ({
    line,
    cells: new Map(
      columns.flatMap((name, index) => (name === '' ? [] : [[name, (record[index] ?? '').trim()]])),
    ),
  }));
}

function csvRows({ file, text }: Pick<ImportSource, 'file' | 'text'>, expected: string) {
  const [head = ''] = text.split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((delimiter) => head.split(delimiter).length);
  const delimiter = [',', ';', '\t'][counts.indexOf(Math.max(...counts))]!;
  try {
    const rows = parse(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as { info: { lines: number }; record: string[] }[];
    return rows.map(({ info, record }) => ({ line: info.lines, record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as { lines?: number };
    throw new ImportError(
      `${file} is no CSV: it has a quote in a wrong place, or one too few. ${expected}`,
      { line: lines, column: 1 },
    );
  }
}
