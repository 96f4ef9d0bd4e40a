import { expect, test } from 'vitest';
import type { ImportError } from './importer.ts';
import { parseYaml } from './yaml-source.ts';

const parse = (text: string) => parseYaml({ file: 'a.yml', text, now: 0 }, 'Give something else.');

const map = (data: Record<string, string>) => JSON.stringify({ kind: 'ConfigMap', data });

test.each<[string, unknown[]]>([
  ['a: 1\n---\nb: 2\n', [{ a: 1 }, { b: 2 }]],
  ['\uFEFFa: 1\r\nb: [x, y]\r\n', [{ a: 1, b: ['x', 'y'] }]],
  ['x: &x {a: 1}\ny: {<<: *x, b: 2}', [{ x: { a: 1 }, y: { a: 1, b: 2 } }]],
  ['a: 1\na: 2', [{ a: 2 }]],
  ['a: !unknown x', [{ a: 'x' }]],
  ['? [a, b]\n: c', [{ '[ a, b ]': 'c' }]],
  [map({ 'a.yaml': 'b: 1', 'c.yml': 'd: 2', 'e.txt': '[', 'f.yml': '' }), [{ b: 1 }, { d: 2 }]],
  ['null', [null]],
])('%j', (text, documents) => {
  expect(parse(text)).toEqual(documents);
});

test('a name that objects have by themselves is a name like others', () => {
  const [document] = parse('__proto__: {polluted: 1}\nconstructor: 2');
  expect(Object.keys(document as object)).toEqual(['__proto__', 'constructor']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

/** Lists of nine aliases in each other. */
const BOMB = [
  'a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]',
  ...[...'bcdefghi'].map((name, index) => {
    const before = 'abcdefgh'[index];
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`;
  }),
].join('\n');

test.each<[string, string, number | null, number | null]>([
  ['', 'a.yml is empty. Give something else.', null, null],
  ['# a comment', 'a.yml is empty.', null, null],
  ['a:\n\t- b', 'Tabs are not allowed as indentation', 2, 1],
  ['a: "b', 'Missing closing "quote', 1, 6],
  ['['.repeat(20_000), 'it is nested too deep', 1, expect.any(Number) as number],
  ['- '.repeat(20_000), 'it is nested too deep', 1, expect.any(Number) as number],
  ['a: *b', 'its aliases (*name)', 1, 1],
  ['a: &a [*a]', 'its aliases (*name)', 1, 1],
  ['x: 1\n---\ny: {<<: 3}', 'its aliases (*name)', 2, 1],
  [BOMB, 'its aliases (*name)', 1, 1],
  [map({ 'b.yaml': 'c: [' }), 'a.yml, b.yaml is no YAML here', 1, 5],
  [`a: ${'x'.repeat(10_000_000)}`, 'has more than 10 MB', null, null],
  ['\n'.repeat(500_001), 'has more than 500000 lines', null, null],
])('refuses broken text %#', (text, message, line, column) => {
  expect(() => parse(text)).toThrow(message);
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ name: 'ImportError', line, column }) as ImportError,
  );
});
