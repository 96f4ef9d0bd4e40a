import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonPath } from './json-path.ts';

test.each([
  ['status', ['status']],
  ['data.items.0.name', ['data', 'items', '0', 'name']],
  ['0', ['0']],
  ['$', []],
  ['$.status', ['status']],
  ['$[0]', ['0']],
  ['$["a.b"].c', ['a.b', 'c']],
  ['["a.b"]', ['a.b']],
  ['data["a.b"].c', ['data', 'a.b', 'c']],
  ['data.["a.b"]', ['data', 'a.b']],
  ['items[0].name', ['items', '0', 'name']],
  ['[1][2]', ['1', '2']],
  ['[""]', ['']],
  [String.raw`["say \"hi\" \u00e9"]`, ['say "hi" é']],
  // $ means the document only alone or before a dot or bracket.
  ['$id', ['$id']],
  ['$$.a', ['$$', 'a']],
  ['a b-c.ü', ['a b-c', 'ü']],
  ['__proto__.x', ['__proto__', 'x']],
])('%s', (path, segments) => {
  expect(parseJsonPath(path)).toEqual({ ok: true, segments });
});

test.each([
  ['', 1],
  ['.', 1],
  ['.a', 1],
  ['a.', 2],
  ['a..b', 2],
  ['$.', 2],
  ['$..a', 2],
  ['a]', 2],
  ['a[', 2],
  ['a[]', 2],
  ['a[-1]', 2],
  ['a[*]', 2],
  ['a[0', 2],
  ['a["b]', 2],
  [String.raw`a["\x"]`, 2],
  ['a["b"]c', 7],
  ["a['b']", 2],
])('%j cannot be parsed from character %i on', (path, character) => {
  const fault = new RegExp(`^can't be read from character ${character} on: `);
  expect(parseJsonPath(path)).toEqual({ ok: false, fault: expect.stringMatching(fault) });
});

test('brackets can address any key', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (keys) => {
      const path = keys.map((key) => `[${JSON.stringify(key)}]`).join('');
      expect(parseJsonPath(path)).toEqual({ ok: true, segments: keys });
    }),
  );
});
