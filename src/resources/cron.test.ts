import { describe, expect, test } from 'vitest';
import { openApi, sharedApi } from '../../test/support/api.ts';
import { LEAST } from '../../test/support/monitor-bodies.ts';
import { openInMemory } from '../../test/support/memory-database.ts';

const PREVIEW = '/api/v1/cron-preview';
const EVERY_MINUTE = '*+*+*+*+*';

const shared = sharedApi();

async function preview(query: string) {
  const { call, vera } = await shared();
  return call(vera, 'GET', `${PREVIEW}?${query}`);
}

describe('a preview', () => {
  test('has the expression, its zone, its words and its next times [11.22, 11.23]', async () => {
    const { status, body } = await preview(
      'expression=30+2+*+3+sun&timezone=Europe/Berlin&count=6',
    );
    expect([status, body]).toEqual([
      200,
      {
        expression: '30 2 * 3 sun',
        timezone: 'Europe/Berlin',
        description: 'at 02:30 on Sunday in March',
        // On the last Sunday 02:30 is skipped: the job is due right after the jump.
        data: [
          '2030-03-03T01:30:00.000Z',
          '2030-03-10T01:30:00.000Z',
          '2030-03-17T01:30:00.000Z',
          '2030-03-24T01:30:00.000Z',
          '2030-03-31T01:00:00.000Z',
          '2031-03-02T01:30:00.000Z',
        ],
      },
    ]);
  });

  test('has ten times in UTC unless told otherwise [11.23]', async () => {
    for (const query of ['', '&timezone=&count=', '&other=1']) {
      const { status, body } = await preview(`expression=0+2+*+*+1${query}`);
      expect([status, body['timezone']]).toEqual([200, 'UTC']);
      expect(body['data']).toEqual(
        Array.from({ length: 10 }, (_, week) =>
          new Date(Date.UTC(2030, 0, 7 + 7 * week, 2)).toISOString(),
        ),
      );
    }
  });

  test.each([
    ['0+2+*+*+1', '0 2 * * 1', 'at 02:00 on Monday'],
    ['0%202%20*%20*%201', '0 2 * * 1', 'at 02:00 on Monday'],
    ['0%202%20%2A%20%2A%201', '0 2 * * 1', 'at 02:00 on Monday'],
    ['0 2 * * 1', '0 2 * * 1', 'at 02:00 on Monday'],
    ['++0%09002++*+*+MON+', '  0\t002  * * MON ', 'at 02:00 on Monday'],
    [
      '*/5+9-17+*+*+1-5',
      '*/5 9-17 * * 1-5',
      'every 5 minutes from 09:00 to 17:55 on Monday to Friday',
    ],
    ['0+0+13,15+*+5', '0 0 13,15 * 5', 'at 00:00 on days 13 and 15 of the month or on Friday'],
  ])('of ?expression=%s is of %j', async (sent, expression, description) => {
    const { status, body } = await preview(`expression=${sent}&count=1`);
    expect([status, body['expression'], body['description']]).toEqual([
      200,
      expression,
      description,
    ]);
  });

  test.each(['europe/BERLIN', 'Asia/Calcutta', 'Etc/GMT%2B5', 'America%2FNew_York'])(
    'gives the zone back as it was sent: %s',
    async (timezone) => {
      const { status, body } = await preview(`expression=${EVERY_MINUTE}&timezone=${timezone}`);
      expect([status, body['timezone']]).toEqual([200, decodeURIComponent(timezone)]);
    },
  );

  test.each([1, 50])('has as many times as were asked for: %d [11.23]', async (count) => {
    const { body } = await preview(`expression=${EVERY_MINUTE}&count=${count}`);
    expect(body['data']).toHaveLength(count);
  });

  test('of the rarest job there is reaches over centuries', async () => {
    const { body } = await preview('expression=0+0+29+2+*/7&timezone=Europe/Berlin&count=50');
    const times = body['data'] as string[];
    expect([times.length, times[0]]).toEqual([50, '2032-02-28T23:00:00.000Z']);
    expect(times.toSorted()).toEqual(times);
  });

  test.each([
    ['*/7 3-5 * * mon,sun', 'Australia/Lord_Howe'],
    ['0 0 29 2 *', 'America/Santiago'],
    ['15 9 13 * 5', 'Asia/Kathmandu'],
  ])('of %s in %s begins when a monitor expects its job [11.22]', async (expression, timezone) => {
    const { create } = await shared();
    const made = await create({
      ...LEAST.cron,
      heartbeat_cron_expression: expression,
      heartbeat_timezone: timezone,
    });
    const { body } = await preview(`${new URLSearchParams({ expression, timezone })}`);
    expect((body['data'] as string[])[0]).toBe(made['heartbeat_expected_at']);
  });

  test('begins after now [11.23]', async () => {
    const database = await openInMemory();
    const api = await openApi(database);
    const first = async () => {
      const { body } = await api.call(api.alice, 'GET', `${PREVIEW}?expression=1+0+*+*+*&count=1`);
      return body['data'];
    };
    expect(await first()).toEqual(['2030-01-01T00:01:00.000Z']);
    await api.clock.advance(59_999);
    expect(await first()).toEqual(['2030-01-01T00:01:00.000Z']);
    await api.clock.advance(1);
    expect(await first()).toEqual(['2030-01-02T00:01:00.000Z']);
    await database.close();
  });
});

describe('a bad preview', () => {
  const five = 'must be a cron expression of 5 fields, such as "0 3 * * *"';
  const zone = 'must be the IANA name of a time zone, such as Europe/Berlin';
  const range = 'must be a whole number from 1 to 50';
  test.each([
    ['', 'expression', five],
    ['expression=', 'expression', five],
    ['expression=*&expression=*', 'expression', five],
    [
      'expression=+',
      'expression',
      'has no fields, but must have five: minute, hour, day of month, month, day of week',
    ],
    [
      'expression=0+2+*+*',
      'expression',
      'has 4 fields, but must have five: minute, hour, day of month, month, day of week',
    ],
    ['expression=61+*+*+*+*', 'expression', 'has 61 in the minute field: minutes are 0 to 59'],
    [
      'expression=@daily',
      'expression',
      'must be five fields such as "0 3 * * *", not a word such as "@daily"',
    ],
    ['expression=0+0+30+2+*', 'expression', 'never fires: February has no day 30'],
    [`expression=${'0,'.repeat(130)}0+*+*+*+*`, 'expression', 'must have at most 255 characters'],
    [`expression=${EVERY_MINUTE}&timezone=Mars/Phobos`, 'timezone', zone],
    [`expression=${EVERY_MINUTE}&timezone=%2B02:00`, 'timezone', zone],
    [`expression=${EVERY_MINUTE}&timezone=CEST`, 'timezone', zone],
    [`expression=${EVERY_MINUTE}&timezone=UTC&timezone=UTC`, 'timezone', zone],
    [`expression=${EVERY_MINUTE}&timezone=${'x'.repeat(4000)}`, 'timezone', zone],
    [`expression=${EVERY_MINUTE}&count=0`, 'count', range],
    [`expression=${EVERY_MINUTE}&count=51`, 'count', range],
    [`expression=${EVERY_MINUTE}&count=1.5`, 'count', range],
    [`expression=${EVERY_MINUTE}&count=-1`, 'count', range],
    [`expression=${EVERY_MINUTE}&count=ten`, 'count', range],
    [`expression=${EVERY_MINUTE}&count=1&count=2`, 'count', range],
  ])('?%s [11.24]', async (query, field, predicate) => {
    const { status, body } = await preview(query);
    expect([status, body['errors']]).toEqual([422, { [field]: [`${field} ${predicate}.`] }]);
  });

  test('is told all that is wrong at once', async () => {
    const { status, body } = await preview('timezone=Mars&count=99');
    expect([status, body['errors']]).toEqual([
      422,
      {
        expression: [`expression ${five}.`],
        timezone: [`timezone ${zone}.`],
        count: [`count ${range}.`],
      },
    ]);
  });
});
