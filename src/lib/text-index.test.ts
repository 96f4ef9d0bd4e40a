import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTextIndex, type TextEntry } from './text-index.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'abc', 'é', '\u{1F600}', '\u00FF', '%', ' ', '\n'), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

const change = fc.record({
  id: fc.integer({ min: 1, max: 60 }),
  texts: fc.option(fc.array(text, { minLength: 1, maxLength: 3 }), { nil: null, freq: 4 }),
});

/** So that positions and ids go in different orders, and positions are shared. */
const entryOf = ({ id, texts }: Pick<TextEntry, 'id' | 'texts'>): TextEntry => ({
  id,
  position: (id * 7) % 20,
  texts,
});

const many = (count: number, textsOf: (id: number) => string[]): TextEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    position: index,
    texts: textsOf(index + 1),
  }));

describe('an index of texts', () => {
  test('finds what a look at each text finds, after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 40 }), { maxLength: 8 }),
        fc.array(text, { minLength: 1, maxLength: 8 }),
        async (batches, parts) => {
          const index = createTextIndex();
          const known = new Map<number, TextEntry & { texts: readonly string[] }>();
          for (const changes of batches) {
            const entries = changes.map(entryOf);
            index.apply(entries);
            for (const { texts, ...key } of entries) {
              if (texts === null) known.delete(key.id);
              else known.set(key.id, { ...key, texts });
            }
            const inOrder = [...known.values()].toSorted(
              (one, other) => one.position - other.position || one.id - other.id,
            );
            const idsWith = (isFound: (texts: readonly string[]) => boolean) =>
              inOrder.filter(({ texts }) => isFound(texts)).map(({ id }) => id);
            for (const part of parts) {
              expect(await index.find(part, 'any')).toEqual(
                idsWith((texts) => texts.some((one) => one.includes(part))),
              );
              expect(await index.find(part, 'first')).toEqual(
                idsWith(([first]) => first!.includes(part)),
              );
            }
          }
          index.apply([...known.values()].map((entry) => ({ ...entry, texts: null })));
          expect(index.bytes).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a search in progress finds what was there when it began', async () => {
    const index = createTextIndex();
    const entries = many(20_000, (id) => [`target ${id}`]);
    index.apply(entries);
    const found = index.find('target', 'any');
    index.apply(entries.map((entry) => ({ ...entry, texts: ['other'] })));
    expect(await found).toHaveLength(20_000);
    expect(await index.find('target', 'any')).toEqual([]);
  });

  test('an entry may be larger than a block of others', async () => {
    const index = createTextIndex();
    const long = 'x'.repeat(100_000);
    index.apply(many(100, (id) => [`${long}${id}`, 'last']));
    expect(await index.find('x77', 'first')).toEqual([77]);
    expect(await index.find('last', 'any')).toHaveLength(100);
    expect(await index.find('last', 'first')).toEqual([]);
  });

  test('100,000 entries of 100 bytes take less than 25 MiB', () => {
    const index = createTextIndex();
    index.apply(many(100_000, (id) => [`${id}`.padEnd(60, 'ab/'), `name ${id}`.padEnd(37, 'cd ')]));
    expect(index.bytes).toBeLessThan(25 * 1024 * 1024);
  });
});
