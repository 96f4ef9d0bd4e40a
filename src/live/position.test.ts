import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesText, readPosition, seenText } from './position.ts';

const mark = fc.oneof(
  fc.nat().map(String),
  fc
    .tuple(fc.nat(), fc.nat(), fc.array(fc.nat(), { minLength: 1 }))
    .map((parts) => parts.join(':')),
);

test('a position is read as it was written', () => {
  const positions = fc.record({
    at: fc.nat({ max: 2 ** 42 }),
    after: mark,
    known: fc.array(fc.record({ until: mark, id: fc.nat() }), { maxLength: 4 }),
    seen: fc
      .uniqueArray(fc.tuple(fc.nat(), fc.nat({ max: 2 ** 42 })), {
        maxLength: 5,
        selector: ([id]) => id,
      })
      .map((entries) => new Map(entries)),
  });
  fc.assert(
    fc.property(positions, (position) => {
      const text = changesText(position) + seenText(position.seen);
      expect(readPosition(text)).toEqual(position);
      expect(text).toMatch(/^[!-~]+$/);
    }),
  );
});

test.each(['', 'x', ';', '1;', '1;2;3', '1;2;3/', '1;2;3=', '1;2\n', `1;${'1'.repeat(9_000)}`])(
  '%j is no position',
  (text) => {
    expect(readPosition(text)).toBeNull();
  },
);
