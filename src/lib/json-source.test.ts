import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourcesAt } from './json-source.ts';

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
