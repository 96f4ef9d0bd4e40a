import { describe, expect, it } from 'vitest';
import {
  isFrequent,
  nextStarts,
  ONCE,
  recurrenceOf,
  ruleOf,
  type Recurrence,
} from './recurrence.ts';

/** A Sunday, the second of its month. */
const START = '2030-01-13T02:00';

const CASES: [Partial<Recurrence>, string | null, string[]][] = [
  [{ repeat: 'none' }, null, ['2030-01-13T02:00']],
  [{ repeat: 'daily' }, 'FREQ=DAILY', ['2030-01-13T02:00', '2030-01-14T02:00', '2030-01-15T02:00']],
  [
    { repeat: 'daily', interval: 3, until: '2030-01-17' },
    'FREQ=DAILY;INTERVAL=3;UNTIL=20300117T235959',
    ['2030-01-13T02:00', '2030-01-16T02:00'],
  ],
  [
    { repeat: 'weekly', days: ['TU', 'SU'] },
    'FREQ=WEEKLY;BYDAY=TU,SU',
    ['2030-01-13T02:00', '2030-01-15T02:00', '2030-01-20T02:00'],
  ],
  [
    { repeat: 'weekly', interval: 2, days: ['MO'] },
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
    ['2030-01-21T02:00', '2030-02-04T02:00', '2030-02-18T02:00'],
  ],
  [
    { repeat: 'monthday' },
    'FREQ=MONTHLY;BYMONTHDAY=13',
    ['2030-01-13T02:00', '2030-02-13T02:00', '2030-03-13T02:00'],
  ],
  [
    { repeat: 'weekday' },
    'FREQ=MONTHLY;BYDAY=2SU',
    ['2030-01-13T02:00', '2030-02-10T02:00', '2030-03-10T02:00'],
  ],
  [
    { repeat: 'last' },
    'FREQ=MONTHLY;BYDAY=-1SU',
    ['2030-01-27T02:00', '2030-02-24T02:00', '2030-03-31T02:00'],
  ],
];

describe('a recurrence by choices', () => {
  it.each(CASES)('%o is %s', (choice, rule, starts) => {
    const recurrence = { ...ONCE, ...choice };
    expect(ruleOf(recurrence, START)).toBe(rule);
    expect(nextStarts(recurrence, START, '2030-01-01T00:00', 3)).toEqual(starts);
    expect(recurrenceOf(rule, START)).toEqual(recurrence);
  });

  it('leaves out days that a month does not have', () => {
    const monthly: Recurrence = { ...ONCE, repeat: 'monthday' };
    expect(nextStarts(monthly, '2030-01-31T10:00', '2030-01-01T00:00', 3)).toEqual([
      '2030-01-31T10:00',
      '2030-03-31T10:00',
      '2030-05-31T10:00',
    ]);
  });

  it('shows no start that is over', () => {
    const weekly: Recurrence = { ...ONCE, repeat: 'weekly' };
    expect(nextStarts(weekly, START, '2030-01-20T02:01', 1)).toEqual(['2030-01-27T02:00']);
  });

  it('keeps a rule that is none of the choices', () => {
    const rule = 'FREQ=YEARLY;BYMONTH=1;BYDAY=1SU';
    const custom = recurrenceOf(rule, START);
    expect(custom).toEqual({ ...ONCE, repeat: 'custom', rule });
    expect(ruleOf(custom, START)).toBe(rule);
    expect(nextStarts(custom, START, START, 3)).toBeNull();
  });

  it.each<[Partial<Recurrence>, boolean]>([
    [{ repeat: 'none' }, false],
    [{ repeat: 'daily', interval: 6 }, true],
    [{ repeat: 'daily', interval: 7 }, false],
    [{ repeat: 'weekly', days: ['MO'] }, false],
    [{ repeat: 'weekly', days: ['MO', 'FR'], interval: 2 }, true],
    [{ repeat: 'last' }, false],
  ])('%j is frequent: %s', (choice, is) => {
    expect(isFrequent({ ...ONCE, ...choice })).toBe(is);
  });

  it('reads a rule in another order and case', () => {
    expect(recurrenceOf('RRULE:byday=2SU;freq=monthly', START)).toEqual({
      ...ONCE,
      repeat: 'weekday',
    });
  });
});
