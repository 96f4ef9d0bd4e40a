import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gatherUntil, GATHER_MS, groupByCause, MANY_AT, STORM_AT } from './gather.ts';

const NOW = 1_000_000_000;
const CALM = {
  arising: 1,
  gatheringUntil: null,
  newestAt: null,
  isStormy: false,
  isAnotherSuspected: false,
};

const of = (...lists: string[][]) => lists.map((causes, index) => ({ id: index + 1, causes }));

describe('waiting for others', () => {
  test.for([
    ['one alone is told at once', {}, null],
    ['several at once wait', { arising: 2 }, NOW + GATHER_MS],
    ['one beside a suspect waits', { isAnotherSuspected: true }, NOW + GATHER_MS],
    ['one in a storm that goes on waits', { isStormy: true }, NOW + GATHER_MS],
    ['one soon after another waits', { newestAt: NOW - GATHER_MS + 1 }, NOW + GATHER_MS],
    ['one long after another does not', { newestAt: NOW - GATHER_MS }, null],
    ['who waits already sets the end', { gatheringUntil: NOW + 7 }, NOW + 7],
    ['an end that is past counts no more', { gatheringUntil: NOW }, null],
  ] as const)('%s', ([, around, until]) => {
    expect(gatherUntil({ ...CALM, ...around }, NOW)).toBe(until);
  });
});

describe('what shares a cause', () => {
  const none = new Set<string>();

  test.for([
    ['three of one address', of(['a'], ['a'], ['a']), [{ cause: 'a', ids: [1, 2, 3] }]],
    ['two are too few', of(['a'], ['a']), []],
    [
      'the cause of most comes first',
      of(['a', 'g'], ['a', 'g'], ['a', 'g'], ['g']),
      [{ cause: 'g', ids: [1, 2, 3, 4] }],
    ],
    [
      'of equals the more telling one',
      of(['a', 'g'], ['a', 'g'], ['a', 'g']),
      [{ cause: 'a', ids: [1, 2, 3] }],
    ],
    [
      'each is in one group',
      of(['a'], ['a'], ['a'], ['b'], ['b'], ['b']),
      [
        { cause: 'a', ids: [1, 2, 3] },
        { cause: 'b', ids: [4, 5, 6] },
      ],
    ],
    ['few that share nothing', of(['a'], ['b'], ['c'], []), []],
  ] as const)('%s', ([, incidents, groups]) => {
    expect(groupByCause(incidents, none)).toEqual(groups);
  });

  test('a storm that was told of takes in one alone', () => {
    expect(groupByCause(of(['a'], ['b']), new Set(['b']))).toEqual([{ cause: 'b', ids: [2] }]);
  });

  test('many that share nothing are one message all the same', () => {
    const many = of(...Array.from({ length: MANY_AT }, (_, index) => [`only ${index}`]));
    expect(groupByCause(many, none)).toEqual([{ cause: null, ids: many.map(({ id }) => id) }]);
  });

  test('nobody is in two groups, and no group is too small', () => {
    const causes = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(causes, { maxLength: 30 }), (lists) => {
        const groups = groupByCause(of(...lists), none);
        const ids = groups.flatMap((group) => group.ids);
        expect(new Set(ids).size).toBe(ids.length);
        for (const group of groups) {
          expect(group.ids.length).toBeGreaterThanOrEqual(STORM_AT);
          if (group.cause !== null)
            for (const id of group.ids) expect(lists[id - 1]).toContain(group.cause);
        }
        // What is left is little.
        expect(lists.length - ids.length).toBeLessThan(MANY_AT + 4 * STORM_AT);
      }),
    );
  });
});
