import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../resources/common/errors.ts';
import {
  digestOf,
  encodeCursor,
  nextPosition,
  positionOf,
  requireNotShorter,
  type Position,
} from './cursor.ts';

const CALL = digestOf(['list_monitors', {}, {}, false]);
const START = { page: 1, skip: 0, total: null, of: CALL };

it('begins with the first page, of 20 items unless a limit is given', () => {
  expect(positionOf({}, CALL)).toEqual({ ...START, perPage: 20 });
  expect(positionOf({ limit: 100, cursor: null }, CALL)).toEqual({ ...START, perPage: 100 });
});

it.each([0, 101, 1.5, '20', true, {}])('refuses the limit %j', (limit) => {
  expect(() => positionOf({ limit }, CALL)).toThrow('limit must be a whole number from 1 to 100.');
});

it.each([
  ['a text', 'abc'],
  ['a number', 7],
  ['a list', [encodeCursor({ ...START, page: 2, perPage: 1 })]],
  ['page 0', encodeCursor({ ...START, page: 0, perPage: 20 })],
  ['a page too large', encodeCursor({ ...START, page: 2, perPage: 101 })],
  ['a long one', 'W'.repeat(10_000)],
])('refuses %s as a cursor', (_what, cursor) => {
  expect(() => positionOf({ cursor }, CALL)).toThrow(
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
        .tuple(fc.integer(), fc.integer(), fc.integer(), fc.constantFrom(CALL, 'other'))
        .map((one) => Buffer.from(JSON.stringify(one)).toString('base64url')),
    );
    fc.assert(
      fc.property(given, (cursor) => {
        try {
          const { page, perPage, skip } = positionOf({ cursor }, CALL);
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
      let position: Position | null = positionOf({ limit }, CALL);
      for (let call = 0; position !== null; call += 1) {
        const { page, perPage, skip }: Position = position;
        const left = all.slice((page - 1) * perPage, page * perPage).slice(skip);
        const sent = left.slice(0, rooms[call % rooms.length]);
        seen.push(...sent);
        const isLastPage = page * perPage >= count;
        const counts = { sent: sent.length, left: left.length, total: count };
        const next = nextPosition(position, { ...counts, isLastPage });
        position = next === null ? null : positionOf({ cursor: encodeCursor(next) }, CALL);
      }
      expect(seen).toEqual(all);
    }),
    { numRuns: 300 },
  );
});

it('refuses the cursor of another call, and a limit that is no limit beside it', () => {
  const cursor = encodeCursor({ ...START, page: 2, perPage: 5 });
  const other = digestOf(['list_monitors', {}, { tag: ['odd'] }, false]);
  expect(() => positionOf({ cursor }, other)).toThrow('belongs to a call with other arguments');
  expect(() => positionOf({ cursor, limit: 1_000 }, CALL)).toThrow('limit must be');
});

it('goes on at the same item with another limit', () => {
  const cursor = encodeCursor({ ...START, page: 3, perPage: 5, skip: 2 });
  const { page, perPage, skip } = positionOf({ cursor, limit: 7 }, CALL);
  expect((page - 1) * perPage + skip).toBe(12);
  expect(perPage).toBe(7);
});

it('refuses to go on in a list that became shorter, whose items moved up', () => {
  const cursor = encodeCursor({ ...START, page: 2, perPage: 2, total: 6 });
  const position = positionOf({ cursor }, CALL);
  expect(() => requireNotShorter(position, 5)).toThrow('begin again without cursor');
  expect(() => requireNotShorter(position, 6)).not.toThrow();
  expect(() => requireNotShorter(position, 9)).not.toThrow();
});
