import { describe, expect, it } from 'vitest';
import {
  at,
  client,
  expectRefused,
  expectStatus,
  freshApi,
  MINUTE,
  PUSH_TYPES,
  REQUIRED,
  SECOND,
  type MonitorType,
} from './support.ts';

const { open, post, monitor } = client();

/** An API whose clock only this test moves. */
function alone() {
  const opened = freshApi();
  return client(() => opened);
}

const cron = (expression: unknown, timezone?: string) => ({
  ...REQUIRED.cron,
  heartbeat_cron_expression: expression,
  ...(timezone !== undefined && { heartbeat_timezone: timezone }),
});

describe('push monitors', () => {
  it.each([
    ['heartbeat', { heartbeat_interval: 300 }],
    ['cron', { heartbeat_cron_expression: '30 2 * * *' }],
  ] as const)(
    'changing the schedule of a %s monitor recomputes heartbeat_expected_at [11.10]',
    async (type, change) => {
      const { monitor: make, put: send, get: read } = alone();
      const made = await make(type);
      const changed = await send(`/monitors/${made.id}`, change);
      expectStatus(changed, 200);
      expect(changed.body['heartbeat_expected_at']).toBe(
        type === 'heartbeat' ? at(300 * SECOND) : '2030-01-01T02:30:00.000Z',
      );
      expect((await read(`/monitors/${made.id}`)).body['heartbeat_expected_at']).toBe(
        changed.body['heartbeat_expected_at'],
      );
    },
  );

  it.each(PUSH_TYPES)(
    'last_heartbeat_at of a %s monitor is null before its first ping [11.2]',
    async (type) => {
      expect((await monitor(type))['last_heartbeat_at']).toBeNull();
    },
  );

  it('a new push monitor is pending [11.1]', async () => {
    for (const type of PUSH_TYPES) expect((await monitor(type))['status']).toBe('pending');
  });

  it('a heartbeat is expected an interval after creation [11.4]', async () => {
    const { open: opened, monitor: make } = alone();
    const { clock } = await opened();
    await clock.advance(90 * SECOND);
    expect((await make('heartbeat'))['heartbeat_expected_at']).toBe(at(90 * SECOND + 3_600_000));
  });

  it('a cron job is expected at its next fire [11.4]', async () => {
    const { monitor: make } = alone();
    expect((await make('cron'))['heartbeat_expected_at']).toBe('2030-01-01T06:00:00.000Z');
  });

  it('a cron job is expected by the clock of its timezone [11.7]', async () => {
    const { monitor: make } = alone();
    const expected = async (timezone: string) =>
      (await make('cron', { heartbeat_timezone: timezone }))['heartbeat_expected_at'];
    expect(await expected('Europe/Berlin')).toBe('2030-01-01T05:00:00.000Z');
    expect(await expected('America/New_York')).toBe('2030-01-01T11:00:00.000Z');
    expect(await expected('Asia/Kolkata')).toBe('2030-01-01T00:30:00.000Z');
  });

  it('changing interval, expression or timezone recomputes the expected time from now [11.10]', async () => {
    const { open: opened, monitor: make, put: change } = alone();
    const { clock } = await opened();
    const heartbeat = await make('heartbeat');
    const job = await make('cron');
    await clock.advance(10 * MINUTE);
    const expected = async (id: number, fields: object) =>
      (await change(`/monitors/${id}`, fields)).body['heartbeat_expected_at'];
    expect(await expected(heartbeat.id, { heartbeat_interval: 60 })).toBe(at(11 * MINUTE));
    expect(await expected(job.id, { heartbeat_cron_expression: '*/15 * * * *' })).toBe(
      at(15 * MINUTE),
    );
    expect(
      await expected(job.id, {
        heartbeat_cron_expression: '0 6 * * *',
        heartbeat_timezone: 'Europe/Berlin',
      }),
    ).toBe('2030-01-01T05:00:00.000Z');
    expect(await expected(job.id, { heartbeat_timezone: 'UTC' })).toBe('2030-01-01T06:00:00.000Z');
  });

  it('another change leaves the expected time [11.11]', async () => {
    const { open: opened, monitor: make, put: change } = alone();
    const { clock } = await opened();
    const made = await make('heartbeat');
    await clock.advance(10 * MINUTE);
    const changed = await change(`/monitors/${made.id}`, { friendly_name: 'Other', tags: ['x'] });
    expect(changed.body['heartbeat_expected_at']).toBe(made['heartbeat_expected_at']);
  });

  it.each([
    '* * * * *',
    '0 0 1 1 *',
    '*/5 0-12/2 1,15 * 1-5',
    '0 9 * jan-mar mon',
    '0 9 * JAN Sun',
    '0 0 * * 7',
    '0 0 13 * 5',
    '0 0 29 2 *',
  ])('cron has five fields, names, ranges, steps and lists: %s [11.13]', async (expression) => {
    const made = await post('/monitors', cron(expression));
    expectStatus(made, 201);
    expect(made.body['heartbeat_cron_expression']).toBe(expression);
  });

  it.each([
    ['seconds', '0 * * * * *'],
    ['four fields', '* * * *'],
    ['a minute past 59', '60 * * * *'],
    ['an hour past 23', '0 24 * * *'],
    ['day 0', '0 0 0 * *'],
    ['month 13', '0 0 1 13 *'],
    ['weekday 8', '0 0 * * 8'],
    ['L', '0 0 L * *'],
    ['W', '0 0 15W * *'],
    ['#', '0 0 * * 1#2'],
    ['?', '0 0 ? * *'],
    ['@ words', '@daily'],
    ['a step of 0', '*/0 * * * *'],
    ['a range backwards', '30-10 * * * *'],
    ['words', 'every day at noon'],
    ['a number', 5],
  ])('cron has no %s [11.14]', async (_what, expression) => {
    expectRefused(await post('/monitors', cron(expression)), 'heartbeat_cron_expression');
  });

  it('an expression that never fires is refused [11.15]', async () => {
    for (const expression of ['0 0 30 2 *', '0 0 31 4,6 *'])
      expectRefused(await post('/monitors', cron(expression)), 'heartbeat_cron_expression');
  });

  it('7 is Sunday [11.13]', async () => {
    const { post: create } = alone();
    const made = await create('/monitors', cron('0 12 * * 7'));
    // 1 January 2030 is a Tuesday.
    expect(made.body['heartbeat_expected_at']).toBe('2030-01-06T12:00:00.000Z');
  });

  it('a job fires when day of month or day of week fits, if both are restricted [11.16]', async () => {
    const { post: create } = alone();
    const made = await create('/monitors', cron('0 0 13 * 5'));
    expect(made.body['heartbeat_expected_at']).toBe('2030-01-04T00:00:00.000Z');
  });

  it.each([
    // In Berlin the clock jumps from 02:00 to 03:00 on 31 March 2030, and back from 03:00 to 02:00 on 27 October.
    [
      'a fixed time in the skipped hour: right after the jump',
      '2030-03-30T12:00',
      '30 2 * * *',
      '2030-03-31T01:00:00.000Z',
    ],
    [
      'a wildcard job follows the wall clock over the jump',
      '2030-03-31T00:45',
      '*/30 * * * *',
      '2030-03-31T01:00:00.000Z',
    ],
    [
      'a fixed time in the repeated hour: once',
      '2030-10-27T00:45',
      '30 2 * * *',
      '2030-10-28T01:30:00.000Z',
    ],
    [
      'a wildcard job runs in the repeated hour too',
      '2030-10-27T00:45',
      '*/30 * * * *',
      '2030-10-27T01:00:00.000Z',
    ],
  ])('daylight saving as Debian does it: %s [11.17]', async (_what, now, expression, expected) => {
    const { open: opened, post: create } = alone();
    const { clock } = await opened();
    clock.stepWall(Date.parse(`${now}Z`) - clock.now());
    const made = await create('/monitors', cron(expression, 'Europe/Berlin'));
    expect(made.body['heartbeat_expected_at']).toBe(expected);
  });

  it('the ping url is a secret of at least 128 bits [11.21]', async () => {
    const tokens = new Set<string>();
    for (let index = 0; index < 20; index += 1)
      tokens.add(((await monitor('heartbeat'))['ping_url'] as string).split('/').at(-1)!);
    expect(tokens.size).toBe(20);
    // 22 characters of 62 are 131 bits.
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{22,}$/);
  });

  it('the ping url is stored encrypted and found by its hash [11.21]', async () => {
    const { database } = await open();
    const made = await monitor('heartbeat');
    const token = (made['ping_url'] as string).split('/').at(-1)!;
    const row = await database.read
      .selectFrom('monitor')
      .selectAll()
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it.each([
    [
      'heartbeat',
      { heartbeat_timezone: 'UTC', heartbeat_grace: 60, heartbeat_wait_for_first_ping: false },
    ],
    ['cron', { heartbeat_timezone: 'UTC', heartbeat_grace: 60, heartbeat_max_runtime: null }],
  ] satisfies [MonitorType, object][])(
    'the defaults of a %s monitor [7.2]',
    async (type, defaults) => {
      expect(await monitor(type)).toMatchObject(defaults);
    },
  );

  it.each(PUSH_TYPES)(
    'resuming a %s monitor recomputes its expected time from now [11.10]',
    async (type) => {
      const { open: opened, monitor: make, post: act, get: read } = alone();
      const { clock } = await opened();
      const made = await make(type);
      await act(`/monitors/${made.id}/pause`);
      await clock.advance(24 * 60 * MINUTE);
      await act(`/monitors/${made.id}/resume`);
      expect((await read(`/monitors/${made.id}`)).body['heartbeat_expected_at']).toBe(
        type === 'heartbeat' ? at(25 * 60 * MINUTE) : '2030-01-02T06:00:00.000Z',
      );
    },
  );
});
