import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshPostgres, postgres } from '../../../test/support/databases.ts';
import { inPostgres } from '../../../test/support/odd-rows.ts';
import {
  RowWriter,
  UnstorableValue,
  readRows,
  type ColumnType,
  type Value,
} from './copy-format.ts';
import { CopyIn, CopyOut } from './target.ts';

const TYPES: readonly ColumnType[] = ['int8', 'int4', 'float8', 'text', 'bytea'];

const nothing = (value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 5 });

function streamOf(rows: readonly (readonly Value[])[], types = TYPES): Buffer {
  const writer = new RowWriter(types, 1);
  for (const row of rows) writer.write(row);
  return writer.take();
}

test('a row has the bytes that the documentation of Postgres names', () => {
  const row = streamOf([[-2, 3, 1.5, 'é', Uint8Array.of(0, 255)]]);
  expect(row.toString('hex')).toBe(
    [
      '5047434f50590aff0d0a00',
      '0000000000000000',
      '0005',
      '00000008fffffffffffffffe',
      '0000000400000003',
      '000000083ff8000000000000',
      '00000002c3a9',
      '0000000200ff',
      'ffff',
    ].join(''),
  );
});

test('null has no bytes, and an empty text has none either but is not null', () => {
  const [row] = [...readRows(streamOf([[1, null, null, '', null]]))];
  expect(row!.fields.map((field) => field?.length ?? null)).toEqual([8, null, null, 0, null]);
});

test('a writer that was emptied begins anew', () => {
  const writer = new RowWriter(TYPES, 1);
  writer.write([1, 2, 3, 'a\0', Uint8Array.of(4)]);
  expect([writer.rows, writer.replaced]).toEqual([1, 1]);
  const first = writer.take();
  const kept = Buffer.from(first);
  writer.write([5, 6, 7, 'b'.repeat(500_000), Uint8Array.of(8)]);
  expect([writer.rows, writer.replaced]).toEqual([1, 0]);
  expect([...readRows(writer.take())]).toHaveLength(1);
  expect(first.equals(kept)).toBe(true);
});

test.each([
  ['a NUL character in the key', ['text'], ['a\0']],
  ['a fraction among integers', ['int8'], [0.5]],
  ['an integer beyond 2^53', ['int8'], [2 ** 60]],
  ['a text among integers', ['int8'], ['1']],
] as [string, ColumnType[], Value[]][])('%s is refused', (_, types, row) => {
  expect(() => streamOf([row], types)).toThrow(UnstorableValue);
});

describe.skipIf('missing' in postgres)('on Postgres', () => {
  test('Postgres reads and writes the same bytes, and the values are those that were written', async () => {
    const { place, remove } = await freshPostgres('empty');
    const row = fc.tuple(
      fc.maxSafeInteger(),
      nothing(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      nothing(fc.double({ noNaN: true })),
      nothing(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))),
      nothing(fc.uint8Array()),
    );
    await inPostgres(place, async (client) => {
      await client.query('create table odd (a int8, b int4, c float8, d text, e bytea)');
      await fc.assert(
        fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
          await client.query('truncate odd');
          const stream = streamOf(rows);
          await client.query(new CopyIn('copy odd from stdin (format binary)', stream)).result;
          const out = new CopyOut('copy odd to stdout (format binary)');
          expect((await client.query(out).result).equals(stream)).toBe(true);
          const found = await client.query<Record<string, unknown>>('select * from odd');
          const values = found.rows.map((one) =>
            Object.values(one).map((value) => (Buffer.isBuffer(value) ? [...value] : value)),
          );
          const expected = rows.map((one) =>
            one.map((value) => (value instanceof Uint8Array ? [...value] : value)),
          );
          expect(values).toEqual(expected);
        }),
        { numRuns: 100 },
      );
    });
    await remove();
  });

  test('an error of the server rejects, and the connection goes on', async () => {
    const { place, remove } = await freshPostgres('empty');
    await inPostgres(place, async (client) => {
      const stream = streamOf([[1]], ['int8']);
      const lost = new CopyIn('copy missing from stdin (format binary)', stream);
      await expect(client.query(lost).result).rejects.toThrow('"missing" does not exist');
      await client.query('create table few (a int8 check (a > 1))');
      const refused = new CopyIn('copy few from stdin (format binary)', stream);
      await expect(client.query(refused).result).rejects.toThrow('violates check constraint');
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });
    await remove();
  });
});
