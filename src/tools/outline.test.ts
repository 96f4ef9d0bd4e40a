import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { outline } from './outline.ts';

it.each([
  ['a text', { name: 'Shop' }, 'name: Shop'],
  ['a time', { at: '2030-01-01T00:00:00Z' }, 'at: 2030-01-01T00:00:00Z'],
  ['a number', { id: 7, share: 99.5 }, 'id: 7\nshare: 99.5'],
  ['a list of words', { tags: ['a', 'b c'] }, 'tags: [a, b c]'],
  ['nothing', { list: [], map: {}, none: null }, 'list: []\nmap: none\nnone: null'],
  [
    'objects in a list',
    { monitors: [{ id: 1, tags: [{ a: 1 }] }, { id: 2 }] },
    'monitors:\n  - id: 1\n    tags:\n      - a: 1\n  - id: 2',
  ],
  [
    'alike things as a table',
    {
      monitors: [
        { id: 1, seen: { from_target: 'a|b' }, since: null },
        { id: 2, tags: ['x'] },
      ],
    },
    'monitors:\n  id | seen.from_target | tags\n  1 | "a|b" | -\n  2 | - | [x]',
  ],
  ['an absent value', { id: 1, detail: undefined }, 'id: 1'],
])('writes %s', (_what, value, expected) => {
  expect(outline(value)).toBe(expected);
});

it.each([
  ['a further line', 'up\nis_admin: true', '"up\\nis_admin: true"'],
  ['a line break of Unicode', 'up\u2028is_admin: true', '"up\\u2028is_admin: true"'],
  ['the next line of C1', 'up\u0085down', '"up\\u0085down"'],
  ['a hidden tag', 'up\u{e0041}', '"up\\udb40\\udc41"'],
  ['a number', '12', '"12"'],
  ['a word of ours', 'null', '"null"'],
  ['an item', '- id: 1', '"- id: 1"'],
  ['a list', '[a, b]', '"[a, b]"'],
  ['blanks', ' a ', '" a "'],
  ['nothing', '', '""'],
])('quotes a text that looks like %s', (_what, text, expected) => {
  expect(outline({ value: text })).toBe(`value: ${expected}`);
});

it('quotes names that are no plain words', () => {
  expect(outline({ 'a: b\nc': 1 })).toBe('"a: b\\nc": 1');
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('true', 'null', '-', '- a', 'a: b', 'a, b', '1e5', '.5', 'x\ny: 1', '[1]'),
);
const name = fc
  .oneof(fc.stringMatching(/^[a-z_]{1,8}$/), text)
  .filter((one) => one !== '__proto__');
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (one === 0 ? 0 : one)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

it('can be read back whatever the texts hold, so that none forges a line or a name', () => {
  fc.assert(
    fc.property(fc.dictionary(name, anything, { maxKeys: 4, noNullPrototype: true }), (value) => {
      expect(withoutNulls(readOutline(outline(value)))).toEqual(withoutNulls(value));
    }),
    { numRuns: 500 },
  );
});

/** A table leaves out what is null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const some = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(some.map(([key, one]) => [key, withoutNulls(one)]));
}

/** Reads an outline as a strict reader does: by lines, indents and the first name of each line. */
function readOutline(written: string): unknown {
  const lines = written === '' ? [] : written.split(/[\n\r\u0085\u2028\u2029]/);
  const reader = { lines, at: 0 };
  const value = readBlock(reader, 0);
  expect(reader.at).toBe(lines.length);
  return value;
}

interface Reader {
  lines: string[];
  at: number;
}

function readBlock(reader: Reader, depth: number): unknown {
  const line = reader.lines[reader.at];
  if (HEADER.test(line?.slice(depth * 2) ?? '')) return readTable(reader, depth);
  return line?.slice(depth * 2).startsWith('- ') === true
    ? readItems(reader, depth)
    : readNames(reader, depth);
}

/** Reads the rows of a table, whose names stand in its first line. */
function readTable(reader: Reader, depth: number): unknown[] {
  const cells = () =>
    [...reader.lines[reader.at++]!.slice(depth * 2).matchAll(CELL)].map(([, one]) => one!);
  const names = cells();
  const rows: unknown[] = [];
  while (isAt(reader, depth)) {
    const row: Record<string, any> = {};
    cells().forEach((cell, column) => {
      if (cell === '-') return;
      const path = names[column]!.split('.');
      const last = path.pop()!;
      path.reduce((thing, step) => (thing[step] ??= {}), row)[last] = readSimple(cell);
    });
    rows.push(row);
  }
  return rows;
}

const HEADER = /^[\w.]+(?: \| [\w.]+)*$/;
const CELL = /((?:"(?:[^"\\]|\\.)*"|[^"|])+?)(?: \| |$)/g;

function isAt(reader: Reader, depth: number): boolean {
  const line = reader.lines[reader.at];
  return line !== undefined && /^ */.exec(line)![0].length === depth * 2;
}

function readItems(reader: Reader, depth: number): unknown[] {
  const items: unknown[] = [];
  while (isAt(reader, depth) && reader.lines[reader.at]!.startsWith('- ', depth * 2)) {
    const rest = reader.lines[reader.at]!.slice(depth * 2 + 2);
    if (rest.startsWith('- ') || NAME.test(rest)) {
      // The first line of the item stands behind its dash.
      reader.lines[reader.at] = ' '.repeat((depth + 1) * 2) + rest;
      items.push(readBlock(reader, depth + 1));
    } else {
      items.push(readSimple(rest));
      reader.at += 1;
    }
  }
  return items;
}

const NAME = /^(\w+|"(?:[^"\\]|\\.)*"):(?: |$)/;

function readNames(reader: Reader, depth: number): object {
  const entries: [string, unknown][] = [];
  while (isAt(reader, depth)) {
    const line = reader.lines[reader.at]!.slice(depth * 2);
    const [begin, written] = NAME.exec(line)!;
    const read = written!.startsWith('"') ? (JSON.parse(written!) as string) : written!;
    reader.at += 1;
    const rest = line.slice(begin.length);
    entries.push([
      read,
      line === begin && !begin.endsWith(' ') ? readBlock(reader, depth + 1) : readSimple(rest),
    ]);
  }
  return Object.fromEntries(entries);
}

function readSimple(written: string): unknown {
  if (written === 'none') return {};
  if (!written.startsWith('[')) return readScalar(written);
  const inner = written.slice(1, -1);
  return [...inner.matchAll(/"(?:[^"\\]|\\.)*"|[^,"]+/g)]
    .map(([one]) => one.trim())
    .filter((one) => one !== '')
    .map(readScalar);
}

function readScalar(written: string): unknown {
  if (written.startsWith('"')) return JSON.parse(written);
  if (['true', 'false', 'null'].includes(written)) return JSON.parse(written);
  return /^-?\d[\d.]*(?:e[+-]?\d+)?$/.test(written) ? Number(written) : written;
}
