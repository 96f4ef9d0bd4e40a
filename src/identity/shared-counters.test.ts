import { afterEach, expect, test, vi } from 'vitest';
import { onPostgres } from '../../test/support/databases.ts';
import { silentLog } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { expire } from '../store/engine/expiry.ts';
import { sharedCounters, createRateLimits, type RateLimits } from './rate-limits.ts';

const LIMITS = {
  standard: 12,
  monitor_check: 2,
  check_url: 2,
  webhook_test: 2,
  check_team: 2,
  check_host: 2,
  subscriber_import: 2,
  tool_server: 2,
  session: 60,
  anonymous: 5,
  web: 1_200,
  ping: 5,
  auth: 3,
  auth_mail: 3,
  sign_in: 3,
  sign_in_hour: 9,
  sign_in_client: 6,
  register_client: 20,
  refresh_token: 60,
};
const clock = { now: () => Date.now() };

afterEach(() => {
  vi.useRealTimers();
});

onPostgres((open) => {
  /** Those of two processes on one database. */
  async function pair(): Promise<{
    database: Database;
    both: [RateLimits, RateLimits];
    lines: string[];
  }> {
    const database = await open();
    const lines: string[] = [];
    const note = (_fields: object, line: string) => void lines.push(line);
    const log = { ...silentLog, info: note, warn: note };
    const node = () =>
      createRateLimits({ limits: LIMITS, clock, count: sharedCounters({ database, log }) });
    return { database, both: [node(), node()], lines };
  }

  test('two processes together allow as many requests as one, in any order', async () => {
    const { both } = await pair();
    const spent = await Promise.all(
      Array.from({ length: 40 }, (_, index) => both[index % 2 ? 0 : 1].spend('standard', '7')),
    );
    expect(spent.filter(({ allowed }) => allowed)).toHaveLength(12);
    const left = spent.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
    expect(left.toSorted((a, b) => b - a)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    for (const limits of both) {
      expect(await limits.spend('standard', '7')).toMatchObject({ allowed: false, remaining: 0 });
      expect((await limits.spend('standard', '8')).allowed).toBe(true);
      expect((await limits.spend('monitor_check', '7')).allowed).toBe(true);
    }
  });

  test('deletes windows that expired long ago, and no others', async () => {
    const { database, both } = await pair();
    await both[0].spend('session', '1');
    await both[0].spend('session', '2');
    const end = Date.now() + 60_000;
    expect(await expire.rateLimits(database, end - 120_000)).toBe(false);
    expect((await both[1].show('session', '1')).remaining).toBe(59);
    await expire.rateLimits(database, end + 60_000);
    expect((await both[1].show('session', '1')).remaining).toBe(60);
  });

  test('the window ends for both at once', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
    const [one, other] = (await pair()).both;
    const resetAt = Date.UTC(2030, 0, 1) / 1000 + 60;
    await one.spend('monitor_check', '7');
    vi.setSystemTime(Date.now() + 20_000);
    expect(await other.show('monitor_check', '7')).toMatchObject({ remaining: 1, resetAt });
    expect(await other.spend('monitor_check', '7')).toEqual({
      allowed: true,
      limit: 2,
      remaining: 0,
      resetAt,
      retryAfter: 40,
    });
    for (const limits of [one, other, one, other]) {
      const refused = { allowed: false, limit: 2, remaining: 0, resetAt, retryAfter: 40 };
      expect(await limits.spend('monitor_check', '7')).toEqual(refused);
    }
    vi.setSystemTime(Date.now() + 39_999);
    expect((await one.spend('monitor_check', '7')).allowed).toBe(false);
    vi.setSystemTime(Date.now() + 1);
    const fresh = { allowed: true, remaining: 1, resetAt: resetAt + 60 };
    expect(await other.show('monitor_check', '7')).toMatchObject({ remaining: 2 });
    expect(await other.spend('monitor_check', '7')).toMatchObject(fresh);
    expect(await one.spend('monitor_check', '7')).toMatchObject({ ...fresh, remaining: 0 });
  });

  test('without the database each process counts alone, and logs that once', async () => {
    const { database, both, lines } = await pair();
    await database.close();
    for (const limits of both) {
      expect(await limits.show('monitor_check', '7')).toMatchObject({ remaining: 2 });
      expect(await limits.spend('monitor_check', '7')).toMatchObject({ remaining: 1 });
      expect((await limits.spend('monitor_check', '7')).allowed).toBe(true);
      expect((await limits.spend('monitor_check', '7')).allowed).toBe(false);
    }
    const alone = 'Rate limits are counted by this process alone: the database is unavailable.';
    expect(lines).toEqual([alone, alone]);
  });

  test('logs when the database is back', async () => {
    const { database, both, lines } = await pair();
    const read = database.read;
    const away = vi.spyOn(database, 'read', 'get').mockImplementation(() => {
      throw new Error('away');
    });
    await both[0].spend('standard', '7');
    away.mockImplementation(() => read);
    expect(await both[0].spend('standard', '7')).toMatchObject({ remaining: 11 });
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/again/);
  });
});
