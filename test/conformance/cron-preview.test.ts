import { describe, expect, it } from 'vitest';
import { client, expectRefused, expectStatus, ISO_TIME, NOW } from './support.ts';

const { get, monitor, token, call } = client();

const preview = (parameters: Record<string, string>) =>
  get(`/cron-preview?${new URLSearchParams(parameters).toString()}`);

describe('cron previews', () => {
  it('GET /cron-preview shows the next times, as a cron monitor expects them [11.22]', async () => {
    for (const [expression, timezone] of [
      ['*/7 3-5 * * mon,sun', 'Australia/Lord_Howe'],
      ['0 0 29 2 *', 'America/Santiago'],
      ['15 9 13 * 5', 'Asia/Kathmandu'],
    ] as const) {
      const { body } = await preview({ expression, timezone });
      const times = body['data'] as string[];
      const made = await monitor('cron', {
        heartbeat_cron_expression: expression,
        heartbeat_timezone: timezone,
      });
      expect(times[0]).toBe(made['heartbeat_expected_at']);
      expect(new Set(times).size).toBe(10);
      expect(times.toSorted()).toEqual(times);
    }
  });

  it('a cron preview has expression, timezone, description and data [11.23]', async () => {
    const answer = await preview({
      expression: '0 2 * * 1',
      timezone: 'America/New_York',
      count: '2',
    });
    expectStatus(answer, 200);
    expect(answer.body).toEqual({
      expression: '0 2 * * 1',
      timezone: 'America/New_York',
      description: 'at 02:00 on Monday',
      data: ['2030-01-07T07:00:00.000Z', '2030-01-14T07:00:00.000Z'],
    });
  });

  it('a cron preview has 1 to 50 times after now, 10 unless count says otherwise [11.23]', async () => {
    for (const count of [undefined, 1, 10, 50]) {
      const { body } = await preview({
        expression: '* * * * *',
        ...(count !== undefined && { count: `${count}` }),
      });
      const times = body['data'] as string[];
      expect(times).toHaveLength(count ?? 10);
      for (const time of times) {
        expect(time).toMatch(ISO_TIME);
        expect(Date.parse(time)).toBeGreaterThan(NOW);
      }
    }
  });

  it('an unusable expression, timezone or count of a cron preview is 422 on that parameter [11.24]', async () => {
    expectRefused(await get('/cron-preview'), 'expression');
    for (const expression of ['', '0 2 * *', '0 0 0 2 * *', '@daily', '0 0 L * *', '0 0 30 2 *'])
      expectRefused(await preview({ expression }), 'expression');
    for (const timezone of ['Mars/Phobos', '+02:00', 'CEST'])
      expectRefused(await preview({ expression: '* * * * *', timezone }), 'timezone');
    for (const count of ['0', '51', '-1', '1.5', 'x'])
      expectRefused(await preview({ expression: '* * * * *', count }), 'count');
    expectRefused(await preview({ timezone: 'x', count: 'x' }), 'expression', 'timezone', 'count');
  });

  it('a cron preview needs the read permission [3.5]', async () => {
    const path = '/cron-preview?expression=0+2+*+*+1';
    expectStatus(await call(await token(['read']), 'GET', path), 200);
    expectStatus(await call(await token(['create', 'update', 'delete']), 'GET', path), 403);
    expectStatus(await call(null, 'GET', path), 401);
  });
});
