import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCron, type Cron } from './cron-expression.ts';
import { describeCron } from './cron-words.ts';

const MONTH_NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAY_NAMES = 'sun mon tue wed thu fri sat'.split(' ');

function cronOf(expression: string): Cron {
  const read = parseCron(expression);
  if (!read.ok) throw new Error(`${expression} ${read.fault}`);
  return read.cron;
}

const words = (expression: string) => describeCron(cronOf(expression));

/** `[expression, words]`, one a line. */
function table(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+=\s+/));
}

const ODD_DAYS = '1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29 and 31';
const EVEN_HOURS = '0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 22';

describe('times', () => {
  test.each(
    table(`
    * * * * *              = every minute
    */1 * * * *            = every minute
    */5 * * * *            = every 5 minutes
    0-59/15 * * * *        = every 15 minutes
    0,30 * * * *           = every 30 minutes
    0 * * * *              = every hour at minute 0
    15 * * * *             = every hour at minute 15
    */90 * * * *           = every hour at minute 0
    */25 * * * *           = every hour at minutes 0, 25 and 50
    */7 * * * *            = every hour at minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56
    0-10,30 * * * *        = every hour at minutes 0 to 10 and 30
    1-59/2 * * * *         = every 2 minutes from 00:01 to 23:59
    3-59/10 * * * *        = every 10 minutes from 00:03 to 23:53
    15 */2 * * *           = every 2 hours from 00:15 to 22:15
    0 1-23/2 * * *         = every 2 hours from 01:00 to 23:00
    0 */5 * * *            = every 5 hours from 00:00 to 20:00
    0 */6 * * *            = every 6 hours from 00:00 to 18:00
    0 */8 * * *            = at 00:00, 08:00 and 16:00 every day
    0 */12 * * *           = at 00:00 and 12:00 every day
    0 */24 * * *           = at 00:00 every day
    0 0-23 * * *           = every hour at minute 0
    * 9-17 * * *           = every minute from 09:00 to 17:59
    */15 9-17 * * *        = every 15 minutes from 09:00 to 17:45
    0 9-17 * * *           = every hour from 09:00 to 17:00
    * 2 * * *              = every minute from 02:00 to 02:59
    */7 2 * * *            = every 7 minutes from 02:00 to 02:56
    10-20 2 * * *          = every minute from 02:10 to 02:20
    */20 2 * * *           = at 02:00, 02:20 and 02:40 every day
    05 004 * * *           = at 04:05 every day
    0,30 2 * * *           = at 02:00 and 02:30 every day
    0 22,6,14 * * *        = at 06:00, 14:00 and 22:00 every day
    0,30 9,12,15 * * *     = at 09:00, 09:30, 12:00, 12:30, 15:00 and 15:30 every day
    0 8-11,14-17 * * *     = at minute 0 of hours 8 to 11 and 14 to 17 every day
    0-10 9-17 * * *        = at minutes 0 to 10 of hours 9 to 17 every day
    0,20,45 9-17 * * *     = at minutes 0, 20 and 45 of hours 9 to 17 every day
    1,2,4,8,16-18,32 3 * * * = at minutes 1, 2, 4, 8, 16 to 18 and 32 of hour 3 every day
    * 9,12,15 * * *        = every minute of hours 9, 12 and 15
    * */2 * * *            = every minute of hours ${EVEN_HOURS}
    */30 */2 * * *         = at minutes 0 and 30 of hours ${EVEN_HOURS} every day
    `),
  )('%s: %s', (expression, expected) => {
    expect(words(expression!)).toBe(expected);
  });
});

describe('days', () => {
  test.each(
    table(`
    0 2 * * 1              = at 02:00 on Monday
    0 2 * * 7              = at 02:00 on Sunday
    0 2 * * 0,7            = at 02:00 on Sunday
    0 2 * * SUN            = at 02:00 on Sunday
    0 2 * * mon-fri        = at 02:00 on Monday to Friday
    0 2 * * fri-sun        = at 02:00 on Friday to Sunday
    0 2 * * 6,0            = at 02:00 on Saturday and Sunday
    0 2 * * sun-tue        = at 02:00 on Monday, Tuesday and Sunday
    0 2 * * 1-5/2          = at 02:00 on Monday, Wednesday and Friday
    0 2 * * */2            = at 02:00 on Tuesday, Thursday, Saturday and Sunday
    0 2 * * 0-7            = at 02:00 every day
    0 9-17 * * 1-5         = every hour from 09:00 to 17:00 on Monday to Friday
    */5 * * * 1            = every 5 minutes on Monday
    0 2 1 * *              = at 02:00 on day 1 of the month
    0 2 15,1 * *           = at 02:00 on days 1 and 15 of the month
    0 2 1-7 * *            = at 02:00 on days 1 to 7 of the month
    0 2 1-7,15,20-21 * *   = at 02:00 on days 1 to 7, 15, 20 and 21 of the month
    0 2 */2 * *            = at 02:00 on days ${ODD_DAYS} of the month
    0 2 1-31 * *           = at 02:00 every day
    0 0 1 1 *              = at 00:00 on 1 January
    0 0 1,15 1 *           = at 00:00 on days 1 and 15 of January
    0 0 1 */3 *            = at 00:00 on day 1 of January, April, July and October
    0 0 1 3-10 *           = at 00:00 on day 1 of each month from March to October
    0 0 29 feb *           = at 00:00 on 29 February
    0 0 * 3 *              = at 00:00 every day in March
    0 0 * MAR-oct *        = at 00:00 every day from March to October
    0 0 * 11,12,1 *        = at 00:00 every day in January, November and December
    0 0 * 1-12 *           = at 00:00 every day
    */5 * * 3,4 *          = every 5 minutes in March and April
    0 0 * 3-10 1-5         = at 00:00 on Monday to Friday from March to October
    `),
  )('%s: %s', (expression, expected) => {
    expect(words(expression!)).toBe(expected);
  });

  test.each(
    table(`
    0 0 13 * 5             = at 00:00 on day 13 of the month or on Friday
    10 2 1-7 * 0           = at 02:10 on days 1 to 7 of the month or on Sunday
    0 0 1,15 * mon-fri     = at 00:00 on days 1 and 15 of the month or on Monday to Friday
    0 0 13 3 5             = at 00:00 on day 13 of the month or on Friday, only in March
    0 0 1,2,5 3-5 1-5      = at 00:00 on days 1, 2 and 5 of the month or on Monday to Friday, only from March to May
    0 0 30 2 1             = at 00:00 on day 30 of the month or on Monday, only in February
    0 0 13 * 0-6           = at 00:00 every day
    0 0 1-31 6 1           = at 00:00 every day in June
    `),
  )('either of them, %s: %s', (expression, expected) => {
    expect(words(expression!)).toBe(expected);
  });

  test.each(
    table(`
    0 0 13 * */5           = at 00:00 on day 13 of the month if it is a Friday or Sunday
    0 0 */2 * 5            = at 00:00 on days ${ODD_DAYS} of the month that are a Friday
    0 0 1-7 * */7          = at 00:00 on days 1 to 7 of the month that are a Sunday
    0 0 1-7 3-5 */7        = at 00:00 on days 1 to 7 of each month from March to May that are a Sunday
    0 0 13 1 */7           = at 00:00 on 13 January if it is a Sunday
    0 0 13 * */1           = at 00:00 on day 13 of the month
    0 0 */1 * 5            = at 00:00 on Friday
    `),
  )('both of them, where one begins with a star, %s: %s', (expression, expected) => {
    expect(words(expression!)).toBe(expected);
  });
});

describe('of any expression', () => {
  test('the words are a plain line of text', () => {
    fc.assert(
      fc.property(anyCron(), ({ cron }) => {
        const text = describeCron(cron);
        expect(text).toMatch(/^(every|at)( [\w:]+,?)* [\w:]+$/);
        expect(text).not.toMatch(/NaN|undefined|null|, (and|or) /);
      }),
      { numRuns: 1000 },
    );
  });

  test('the same words mean the same times [11.25]', () => {
    const meanings = new Map<string, string>();
    let repeated = 0;
    fc.assert(
      fc.property(anyCron(), ({ text, cron }) => {
        const description = describeCron(cron);
        const known = meanings.get(description);
        if (known !== undefined) repeated += 1;
        else meanings.set(description, meaningOf(cron));
        expect([text, meaningOf(cron)]).toEqual([text, meanings.get(description)]);
      }),
      { numRuns: 3000 },
    );
    expect(repeated).toBeGreaterThan(10);
  });

  test('so they do for every minute with every step, at several hours', () => {
    const meanings = new Map<string, string>();
    for (const hours of ['*', '*/2', '1-23/2', '9-17', '9-11,14', '2']) {
      for (let minute = 0; minute < 60; minute++) {
        for (let step = 1; step <= 60; step++) {
          const expression = `${minute}-59/${step} ${hours} * * *`;
          const meaning = meaningOf(cronOf(expression));
          const known = meanings.get(words(expression)) ?? meaning;
          if (known !== meaning) expect([expression, meaning]).toEqual([expression, known]);
          meanings.set(words(expression), meaning);
        }
      }
    }
    // Nor are there two ways to say the same.
    expect(meanings.size).toBe(new Set(meanings.values()).size);
  });

  test('and the least other times have other words', () => {
    fc.assert(
      fc.property(anyCron(), fc.nat(), fc.nat(), ({ cron }, which, value) => {
        const other = altered(cron, which, value);
        const isSameTimes = meaningOf(other) === meaningOf(cron);
        expect(describeCron(other) === describeCron(cron)).toBe(isSameTimes);
      }),
      { numRuns: 3000 },
    );
  });
});

/** Every field of an expression, written in one of the many ways. */
function anyCron(): fc.Arbitrary<{ text: string; cron: Cron }> {
  return fc
    .tuple(
      anyField(0, 59),
      anyField(0, 23),
      anyField(1, 31),
      fc.oneof(anyField(1, 12), named(MONTH_NAMES)),
      fc.oneof(anyField(0, 7), named(DAY_NAMES)),
    )
    .map((fields) => fields.join(' '))
    .filter((text) => parseCron(text).ok)
    .map((text) => ({ text, cron: cronOf(text) }));
}

function anyField(lowest: number, highest: number): fc.Arbitrary<string> {
  const number = fc.integer({ min: lowest, max: highest });
  const step = fc.oneof(
    fc.constantFrom('', '/1', '/2', '/5', '/15'),
    fc.integer({ min: 1, max: 70 }).map((by) => `/${by}`),
  );
  const range = fc
    .tuple(number, number, step)
    .map(([one, other, by]) => `${Math.min(one, other)}-${Math.max(one, other)}${by}`);
  const item = fc.oneof(
    { arbitrary: number.map(String), weight: 4 },
    { arbitrary: range, weight: 2 },
    { arbitrary: step.map((by) => `*${by}`), weight: 1 },
  );
  return fc.oneof(
    fc.constant('*'),
    step.map((by) => `*${by}`),
    fc.array(item, { minLength: 1, maxLength: 5 }).map((items) => items.join(',')),
  );
}

function named(names: string[]): fc.Arbitrary<string> {
  return fc.subarray(names, { minLength: 1 }).map((some) => some.join(','));
}

/** The same but for one number that is added to a field or taken from it, or for the sense of its two days. */
function altered(cron: Cron, which: number, value: number): Cron {
  switch (which % 6) {
    case 0:
      return { ...cron, minutes: rising(toggled(cron.minutes, value % 60)) };
    case 1:
      return { ...cron, hours: rising(toggled(cron.hours, value % 24)) };
    case 2:
      return { ...cron, daysOfMonth: toggled(cron.daysOfMonth, 1 + (value % 31)) };
    case 3:
      return { ...cron, months: toggled(cron.months, 1 + (value % 12)) };
    case 4:
      return { ...cron, daysOfWeek: toggled(cron.daysOfWeek, value % 7) };
    default:
      return { ...cron, isEitherDay: !cron.isEitherDay };
  }
}

function toggled(numbers: Iterable<number>, number: number): Set<number> {
  const some = new Set(numbers);
  if (!some.delete(number) || some.size === 0) some.add(number);
  return some;
}

function rising(numbers: Set<number>): number[] {
  return [...numbers].toSorted((one, other) => one - other);
}

/** All times of the wall clock that fit: minutes, hours, months, and the days that any month could have. */
function meaningOf({ minutes, hours, months, ...days }: Cron): string {
  const fitting: string[] = [];
  for (let date = 1; date <= 31; date++) {
    for (let weekday = 0; weekday < 7; weekday++) {
      const [isDate, isWeekday] = [days.daysOfMonth.has(date), days.daysOfWeek.has(weekday)];
      if (days.isEitherDay ? isDate || isWeekday : isDate && isWeekday) {
        fitting.push(`${date}.${weekday}`);
      }
    }
  }
  return JSON.stringify([minutes, hours, rising(months), fitting]);
}
