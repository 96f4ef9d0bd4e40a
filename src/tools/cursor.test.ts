import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../resources/common/errors.ts';
import { encodeCursor, nextPosition, positionOf, type Position } from './cursor.ts';

it('begins with the first page, of 20 items unless a limit is given', () => {
  expect(positionOf({})).toEqual({ page: 1, perPage: 20, skip: 0 });
  expect(positionOf({ limit: 100, cursor: null })).toEqual({ page: 1, perPage: 100, skip: 0 });
});

it.each([0, 101, 1.5, '20', true, {}])('refuses the limit %j', (limit) => {
  expect(() => positionOf({ limit })).toThrow('limit must be a whole number from 1 to 100.');
});

it.each([
  ['a text', 'abc'],
  ['a number', 7],
  ['a list', [encodeCursor({ page: 1, perPage: 1, skip: 0 })]],
  ['page 0', encodeCursor({ page: 0, perPage: 20, skip: 0 })],
  ['a page too large', encodeCursor({ page: 1, perPage: 101, skip: 0 })],
  ['a long one', 'W'.repeat(10_000)],
])('refuses %s as a cursor', (_what, cursor) => {
  expect(() => positionOf({ cursor })).toThrow(
    'cursor must be the next_cursor of an earlier answer of this tool.',
  );
});

describe('any cursor', () => {
  it('is a position or is refused on its own field', () => {
    const given = fc.oneof(
      fc.anything(),
      fc.string(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
      fc
        .tuple(fc.integer(), fc.integer(), fc.integer())
        .map((one) => Buffer.from(JSON.stringify(one)).toString('base64url')),
    );
    fc.assert(
      fc.property(given, (cursor) => {
        try {
          const { page, perPage, skip } = positionOf({ cursor });
          expect([page, perPage, skip].every(Number.isSafeInteger)).toBe(true);
          expect(page >= 1 && perPage >= 1 && perPage <= 100 && skip >= 0).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
          expect(Object.keys((error as InvalidInput).errors)).toEqual(['cursor']);
        }
      }),
      { numRuns: 500 },
    );
  });
});

it('leads through every item exactly once, for any limit and however few items an answer has room for', () => {
  const walks = fc.record({
    count: fc.integer({ min: 0, max: 120 }),
    limit: fc.integer({ min: 1, max: 100 }),
    rooms: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 }),
  });
  fc.assert(
    fc.property(walks, ({ count, limit, rooms }) => {
      const all = Array.from({ length: count }, (_, index) => index);
      const seen: number[] = [];
      let position: Position | null = positionOf({ limit });
      for (let call = 0; position !== null; call += 1) {
        const { page, perPage, skip }: Position = position;
        const left = all.slice((page - 1) * perPage, page * perPage).slice(skip);
        const sent = left.slice(0, rooms[call % rooms.length]);
        seen.push(...sent);
        const isLastPage = page * perPage >= count;
        const next = nextPosition(position, { sent: sent.length, left: left.length, isLastPage });
        position = next === null ? null : positionOf({ cursor: encodeCursor(next) });
      }
      expect(seen).toEqual(all);
    }),
    { numRuns: 300 },
  );
});
