import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { windowEnd, GROUPING_MS } from './holds.ts';
import { storms, MIN_ANY_AUDIENCE, type Groupable } from './storms.ts';

const NOW = 1_000_000_000;

/** Ready ones by their causes; `held a` and `notified a` are in that state. */
const of = (...texts: string[]): Groupable[] =>
  texts.map((text, index) => {
    const words = text.split(' ');
    const state = words.find((word) => word === 'held' || word === 'notified') ?? 'ready';
    const causes = words.filter((word) => !['held', 'notified', ''].includes(word));
    return { id: index + 1, state: state as Groupable['state'], size: 1, causes, audience: 'ops' };
  });
const groups = (alerts: Groupable[], open: string[] = []) =>
  storms({ alerts, openCauses: new Set(open) }).groups.map(
    ({ cause, ids }) => [cause, ids] as const,
  );

describe('the end of a grouping window', () => {
  test.for([
    ['nothing was sent', undefined, 'critical', null],
    ['the same was just sent', { openedAt: NOW - 1_000, severity: 'critical' }, 'critical', 29_000],
    ['worse was just sent', { openedAt: NOW - 1_000, severity: 'critical' }, 'warning', 29_000],
    ['something lesser was just sent', { openedAt: NOW, severity: 'warning' }, 'critical', null],
    ['it was sent long ago', { openedAt: NOW - GROUPING_MS, severity: 'critical' }, 'info', null],
    ['the clock was set back', { openedAt: NOW + 1, severity: 'critical' }, 'critical', null],
  ] as const)('%s', ([, window, severity, left]) => {
    expect(windowEnd(window, severity, NOW)).toBe(left === null ? null : NOW + left);
  });
});

describe('alerts that become one', () => {
  const ABC = of('a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c');
  // What is there, and the groups: their cause, or none, and their alerts; then causes of open storms.
  test.for<[string, Groupable[], string, string[]?]>([
    ['one alone is none', of('a'), ''],
    ['two share a message, and name no cause', of('a', 'a'), '-: 1 2'],
    ['three of one cause name it', of('a', 'a', 'a'), 'a: 1 2 3'],
    ['the more specific cause is named', of('a g', 'a g', 'a g'), 'a: 1 2 3'],
    ['the cause of most is named', of('a g', 'a g', 'a g', 'g'), 'g: 1 2 3 4'],
    ['what shares nothing stays apart from a storm', of('a', 'a', 'a', 'b'), 'a: 1 2 3'],
    ['two storms at once are two', of('a', 'a', 'a', 'b', 'b', 'b'), 'a: 1 2 3, b: 4 5 6'],
    ['causes that few share make one message', ABC, '-: 1 2 3 4 5 6 7 8 9'],
    ['an open storm takes in one alone', of('a', 'b'), 'b: 2', ['b']],
    ['an open storm takes in what is held', of('held b'), 'b: 1', ['b']],
    ['what was just sent takes in those of its cause', of('notified a', 'a', 'a'), 'a: 1 2 3'],
    ['two are too few for that', of('notified a', 'a'), ''],
    ['what was just sent takes in nothing unrelated', of('notified', 'a', 'b'), '-: 2 3'],
    ['what was just sent is no group', of('notified a', 'notified a', 'notified a'), ''],
    ['what is held joins its cause alone', of('a', 'a', 'held a', 'held b'), 'a: 1 2 3'],
  ])('%s', ([, alerts, expected, open]) => {
    const shown = groups(alerts, open).map(([cause, ids]) => `${cause ?? '-'}: ${ids.join(' ')}`);
    expect(shown.join(', ')).toBe(expected);
  });

  test('few of different channels stay apart, many do not', () => {
    const some = of('a', 'b', 'c', 'd').map((one, index) => ({ ...one, audience: `${index % 2}` }));
    expect(groups(some)).toEqual([
      [null, [1, 3]],
      [null, [2, 4]],
    ]);
    const many = Array.from(
      { length: MIN_ANY_AUDIENCE },
      (_, index) => of('')[0]! && { ...of('')[0]!, id: index, audience: `${index}` },
    );
    expect(groups(many)).toEqual([[null, many.map(({ id }) => id)]]);
  });

  test('no alert is in two groups, each shares its cause, and messages stay few [32.8]', () => {
    const causes = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
    const state = fc.constantFrom('', 'held', 'notified');
    fc.assert(
      fc.property(fc.array(fc.tuple(state, causes), { maxLength: 40 }), (drawn) => {
        const alerts = of(...drawn.map(([kind, own]) => [kind, ...own].join(' ')));
        const made = storms({ alerts, openCauses: new Set() }).groups;
        const ids = made.flatMap((group) => group.ids);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { cause, ids: own } of made) {
          const sharing = own.map((id) => alerts[id - 1]!);
          expect(sharing.some((one) => one.state === 'ready')).toBe(true);
          if (cause !== null) for (const one of sharing) expect(one.causes).toContain(cause);
        }
        const grouped = new Set(ids);
        const alone = alerts.filter((one) => one.state === 'ready' && !grouped.has(one.id));
        expect(alone.length).toBeLessThanOrEqual(1);
        const ready = alerts.filter((one) => one.state === 'ready').length;
        // Each cause takes at least half of what is left.
        expect(made.length).toBeLessThanOrEqual(2 + Math.log2(Math.max(1, ready)));
      }),
    );
  });
});
