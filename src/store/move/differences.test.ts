import { expect, test } from 'vitest';
import { RowWriter, type ColumnType, type Value } from './copy-format.ts';
import { differencesOf, type Difference } from './copy.ts';

const TYPES: readonly ColumnType[] = ['text', 'int8', 'text', 'float8'];
const COLUMNS = { names: ['region', 'id', 'name', 'share'], types: TYPES, keyLength: 2 };

function streamOf(rows: readonly (readonly Value[])[]): Buffer {
  const writer = new RowWriter(TYPES, 2);
  for (const row of rows) writer.write(row);
  return writer.take();
}

const A: Value[] = ['a', 1, 'one', 0.5];
const B: Value[] = ['a', 2, null, null];
const C: Value[] = ['é', -5, 'three', 1];
const D: Value[] = ['é', 3, 'four', 2];

const missing = (...key: (string | number)[]): Difference => ({
  kind: 'missing',
  key,
  columns: [],
});
const extra = (...key: (string | number)[]): Difference => ({ kind: 'extra', key, columns: [] });

test.each([
  ['the same rows', [A, B, C], [A, B, C], []],
  ['no rows', [], [], []],
  ['none of all', [A, B], [], [missing('a', 1), missing('a', 2)]],
  ['all of none', [], [A, C], [extra('a', 1), extra('é', -5)]],
  ['the first missing', [A, B, C], [B, C], [missing('a', 1)]],
  ['the last missing', [A, B, C], [A, B], [missing('é', -5)]],
  ['one too many in the middle', [A, C], [A, B, C], [extra('a', 2)]],
  ['one instead of another', [A, C], [B, C], [missing('a', 1), extra('a', 2)]],
  ['negative numbers before others', [C, D], [D], [missing('é', -5)]],
  ['texts by their bytes', [['Z', 1, '', 0], A], [A], [missing('Z', 1)]],
  [
    'a changed text',
    [A, B],
    [['a', 1, 'One', 0.5], B],
    [{ kind: 'changed', key: ['a', 1], columns: ['name'] }],
  ],
  [
    'an empty text instead of null, and a number',
    [A, B],
    [A, ['a', 2, '', 0]],
    [{ kind: 'changed', key: ['a', 2], columns: ['name', 'share'] }],
  ],
] as [string, Value[][], Value[][], Difference[]][])('%s', (_, source, target, differences) => {
  expect(differencesOf(streamOf(source), streamOf(target), COLUMNS)).toEqual(differences);
});
