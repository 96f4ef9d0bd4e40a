import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ImportError } from './importer.ts';
import { parseCsv, parseJson } from './sources.ts';

const source = (text: string) => ({ file: 'backup.json', text, now: 0 });
const EXPECTED = 'Give a backup.';

function refusalOf(read: () => unknown): ImportError {
  try {
    read();
  } catch (error) {
    if (error instanceof ImportError) return error;
    throw error;
  }
  throw new Error('It was read.');
}

describe('JSON', () => {
  test.each([
    ['{"a": x}', 1, 7],
    ['{"a": 1,\n "b" 2}', 2, 6],
    ['[1,\r\n2,]', 2, 3],
    ['{"a": "one\ntwo"}', 1, 7],
    ['{"a": 1}}', 1, 9],
    ['[01]', 1, 3],
    ['{,}', 1, 2],
    ['[1}', 1, 3],
    ['{"a":"\\x"}', 1, 6],
    ['{"a": [1, 2', 1, 12],
    ['{"a": "b', 1, 7],
    ['nul', 1, 1],
    ['[1, TRUE]', 1, 5],
    ['\uFEFF{"a":', 1, 6],
  ])('%j is refused in line %d, column %d', (text, line, column) => {
    const refusal = refusalOf(() => parseJson(source(text), EXPECTED));
    expect([refusal.line, refusal.column]).toEqual([line, column]);
    expect(refusal.message).toMatch(
      /^backup\.json (is no JSON from here on|ends too early)\. Give a backup\.$/,
    );
  });

  test('an empty file has no place', () => {
    const refusal = refusalOf(() => parseJson(source(' \n'), EXPECTED));
    expect([refusal.message, refusal.line]).toEqual(['backup.json is empty. Give a backup.', null]);
  });

  test.each([
    '['.repeat(1_000_000),
    `{"a":"${'x'.repeat(5_000_000)}`,
    `"${'\\u12'.repeat(500_000)}"`,
  ])('large faults are found, too', (text) => {
    expect(refusalOf(() => parseJson(source(text), EXPECTED)).line).toBe(1);
  });

  test('whatever JSON.parse takes is taken, and a fault has a place in the text', () => {
    const texts = fc
      .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
      .map(([json, at, more]) => {
        const index = at % (json.length + 1);
        return json.slice(0, index) + more + json.slice(index + more.length);
      });
    fc.assert(
      fc.property(texts, (text) => {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          const { line } = refusalOf(() => parseJson(source(text), EXPECTED));
          return line === null ? text.trim() === '' : line <= text.split('\n').length;
        }
        expect(parseJson(source(text), EXPECTED)).toEqual(value);
        return true;
      }),
      { numRuns: 300 },
    );
  });
});

const read = (text: string) => parseCsv(source(text), ['name', 'url'], EXPECTED);

describe('CSV', () => {
  test.each([
    ['Name,URL\r\nShop,https://a.example\r\n'],
    ['\uFEFF"Name";"URL"\n"Shop";"https://a.example"'],
    ['name\turl\n\nShop\thttps://a.example\n'],
  ])('%j', (text) => {
    const [record] = read(text);
    expect(Object.fromEntries(record!.cells)).toEqual({ name: 'Shop', url: 'https://a.example' });
  });

  test('short and long lines, quoted lines and odd names of columns', () => {
    const records = read('name,__proto__,,url\n"a\nb"\nc,d,e,f,g\n');
    expect(records.map(({ line, cells }) => [line, [...cells]])).toEqual([
      [
        3,
        [
          ['name', 'a\nb'],
          ['__proto__', ''],
          ['url', ''],
        ],
      ],
      [
        4,
        [
          ['name', 'c'],
          ['__proto__', 'd'],
          ['url', 'f'],
        ],
      ],
    ]);
  });

  test.each([
    ['', 'backup.json is empty. Give a backup.', null],
    ['one,two\n1,2', 'backup.json has none of the columns name, url. Give a backup.', 1],
    [
      'name,url\nShop,"https://a',
      'backup.json is no CSV: it has a quote in a wrong place, or one too few. Give a backup.',
      2,
    ],
    [
      'name,url\n"Shop"x,y\n',
      'backup.json is no CSV: it has a quote in a wrong place, or one too few. Give a backup.',
      2,
    ],
  ])('%j is refused', (text, message, line) => {
    const refusal = refusalOf(() => read(text));
    expect([refusal.message, refusal.line]).toEqual([message, line]);
  });
});
