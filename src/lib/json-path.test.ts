import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonPath, sourcesAt } from './json-path.ts';

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

const DOCUMENT = String.raw` { "a" : [1.0, {"b" : 2e3 , "c\"]}" : -0 },"x,]}\\" , [ ] ] ,"n":1,"n" : {"n":9007199254740993}
,"\u0065":{}, "":true} `;

test.each([
  [[], DOCUMENT.trim()],
  [['a', '0'], '1.0'],
  [['a', '00'], '1.0'],
  [['a', '1'], String.raw`{"b" : 2e3 , "c\"]}" : -0 }`],
  [['a', '1', 'b'], '2e3'],
  [['a', '1', 'c"]}'], '-0'],
  [['a', '2'], String.raw`"x,]}\\"`],
  [['a', '3'], '[ ]'],
  [['a', '4'], undefined],
  [['a', '0', '0'], undefined],
  [['a', 'b'], undefined],
  [['n', 'n'], '9007199254740993'],
  [['e'], '{}'],
  [[''], 'true'],
  [['b'], undefined],
])('%j leads to %s', (segments, source) => {
  expect(sourcesAt(DOCUMENT, [segments])[0]).toBe(source);
});

test('leads to what JSON.parse finds', () => {
  fc.assert(
    fc.property(fc.json(), fc.array(fc.string()), fc.nat(3), (json, names, spaces) => {
      const text = JSON.stringify(JSON.parse(json), null, spaces);
      const paths = [names, ...pathsIn(JSON.parse(json))];
      const sources = sourcesAt(text, paths);
      for (const [index, path] of paths.entries()) {
        const source = sources[index];
        const found = path.reduce<unknown>(valueOf, JSON.parse(text));
        expect(source === undefined ? undefined : JSON.parse(source)).toEqual(found);
      }
    }),
  );
});

function valueOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([name, each]) =>
    pathsIn(each).map((path) => [name, ...path]),
  );
  return [[], ...inner];
}
