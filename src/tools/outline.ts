import { isExactNumber } from '../lib/exact-json.ts';

/**
 * Writes a value as an indented outline, which models read well and which is shorter than JSON. Texts stand in quotes, as in
 * JSON, when they could be taken for something else: no text can look like a further line, a name, a number or a list.
 */
export function outline(value: unknown, depth = 0): string {
  return linesOf(value, depth).join('\n');
}

/** Things of a list from which on they are a table. */
const TABLE_FROM = 2;

/** Texts that need no quotes: words without line breaks, quotes and brackets. */
const PLAIN = /^[\p{L}\p{N}_#/.+*%$€@?=&;~(][\p{L}\p{N}_#/.+*%$€@?=&;,~()': -]*$/u;
/** Texts that would be taken for another value. */
const OTHER_VALUE = /^(?:true|false|null|none|[+.]?\d[\d.]*(?:e[+-]?\d+)?)$/i;
const PLAIN_NAME = /^\w+$/;
/** Characters that break lines or are not seen, and that JSON leaves as they are. */
const HIDDEN = /[\u007f-\u009f\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

function linesOf(value: unknown, depth: number): string[] {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value)) return value.flatMap((one) => itemLines(one, indent, depth));
  if (typeof value !== 'object' || value === null) return [indent + scalar(value)];
  return Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .flatMap(([name, one]) => {
      const begin = `${indent}${PLAIN_NAME.test(name) ? name : quoted(name)}:`;
      const table = tableLines(one, `${indent}  `);
      if (table !== null) return [begin, ...table];
      return isSimple(one) ? [`${begin} ${simple(one)}`] : [begin, ...linesOf(one, depth + 1)];
    });
}

/** A list of alike things as a table, which says their names once: `-` for null or nothing. Null for any other value. */
function tableLines(value: unknown, indent: string): string[] | null {
  if (!Array.isArray(value) || value.length < TABLE_FROM) return null;
  const rows = value.map(cellsOf);
  if (!rows.every((row) => row !== null)) return null;
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  // One name says no more at the head of a column than on each line, where it marks texts of targets.
  if (names.length < 2) return null;
  const lines = rows.map((row) => names.map((name) => row.get(name) ?? '-').join(' | '));
  return [names.join(' | '), ...lines].map((line) => indent + line);
}

/** The cells of a thing by name, `timings.dns_ms` for one of a thing in it; null for a thing with lists of things. */
function cellsOf(thing: unknown): Map<string, string> | null {
  if (typeof thing !== 'object' || thing === null || Array.isArray(thing)) return null;
  const cells = new Map<string, string>();
  for (const [name, value] of Object.entries(thing)) {
    if (value === null || value === undefined) continue;
    const parts = isSimple(value) ? new Map([['', cell(value)]]) : cellsOf(value);
    if (parts === null || !PLAIN_NAME.test(name)) return null;
    for (const [part, text] of parts) cells.set(part === '' ? name : `${name}.${part}`, text);
  }
  return cells;
}

/** A value in a table. A text that looks like a line with a name stands in quotes. */
function cell(value: unknown): string {
  return typeof value === 'string' && value.includes(': ') ? quoted(value) : simple(value);
}

function itemLines(item: unknown, indent: string, depth: number): string[] {
  if (isSimple(item)) return [`${indent}- ${simple(item, true)}`];
  const [first = '', ...others] = linesOf(item, depth + 1);
  return [`${indent}- ${first.trimStart()}`, ...others];
}

/** True for what stands on the line of its name: scalars, empty things and lists of scalars. */
function isSimple(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return true;
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object' || one === null);
  return Object.values(value).every((one) => one === undefined);
}

/** @param isItem true where a colon or a comma would be taken for structure. */
function simple(value: unknown, isItem = false): string {
  if (Array.isArray(value)) return `[${value.map((one) => scalar(one, true)).join(', ')}]`;
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === 'object' && value !== null ? 'none' : scalar(value, isItem);
}

function scalar(value: unknown, isItem = false): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = PLAIN.test(value) && value.trim() === value && !OTHER_VALUE.test(value);
  return isPlain && !(isItem && /[,:]/.test(value)) ? value : quoted(value);
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, escaped);
}

/** A character as JSON escapes it, by its UTF-16 units. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
