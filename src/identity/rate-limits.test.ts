import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createRateLimits,
  createUncountedRateLimits,
  type Allowance,
  type Budget,
  type RateLimits,
} from './rate-limits.ts';

const LIMITS = {
  standard: 120,
  monitor_check: 20,
  check_url: 20,
  webhook_test: 10,
  check_team: 400,
  check_host: 120,
  subscriber_import: 10,
  tool_server: 60,
  session: 600,
  anonymous: 120,
  web: 1_200,
  ping: 120,
  auth: 10,
  auth_mail: 10,
  sign_in: 10,
  sign_in_hour: 60,
  sign_in_client: 60,
  register_client: 20,
  refresh_token: 60,
};
const START = Date.UTC(2030, 0, 1) + 250;
const clock = { now: () => Date.now() };

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

async function spendTimes(
  times: number,
  limits: RateLimits,
  budget: Budget,
  key: string,
): Promise<Allowance> {
  let last = await limits.spend(budget, key);
  for (let spent = 1; spent < times; spent++) last = await limits.spend(budget, key);
  return last;
}

describe('counting', () => {
  test.each(Object.entries(LIMITS) as [Budget, number][])(
    '%s: the last of %i is allowed, the next is not, until a new window starts',
    async (budget, limit) => {
      const limits = createRateLimits({ limits: LIMITS, clock });
      const windowMs = ['sign_in_hour', 'register_client', 'refresh_token'].includes(budget)
        ? 3_600_000
        : 60_000;
      const resetAt = Math.ceil((START + windowMs) / 1000);
      expect(await limits.spend(budget, 'a')).toEqual({
        allowed: true,
        limit,
        remaining: limit - 1,
        resetAt,
        retryAfter: windowMs / 1000,
      });
      vi.advanceTimersByTime(10_500);
      const last = await spendTimes(limit - 1, limits, budget, 'a');
      expect(last).toEqual({
        allowed: true,
        limit,
        remaining: 0,
        resetAt,
        retryAfter: windowMs / 1000 - 10,
      });
      for (let refused = 0; refused < 3 * limit; refused++) {
        expect(await limits.spend(budget, 'a')).toEqual({ ...last, allowed: false });
      }
      vi.advanceTimersByTime(windowMs - 10_501);
      expect(await limits.spend(budget, 'a')).toMatchObject({ allowed: false, retryAfter: 1 });
      vi.advanceTimersByTime(1);
      expect(await limits.spend(budget, 'a')).toMatchObject({
        allowed: true,
        remaining: limit - 1,
        resetAt: resetAt + windowMs / 1000,
      });
    },
  );

  test('a window begins with the first request of its key, not at a full minute', async () => {
    const limits = createRateLimits({ limits: LIMITS, clock });
    const first = await limits.spend('standard', 'a');
    vi.advanceTimersByTime(30_000);
    const later = await limits.spend('standard', 'b');
    expect(later.resetAt - first.resetAt).toBe(30);
    expect(await limits.spend('standard', 'a')).toMatchObject({
      remaining: 118,
      resetAt: first.resetAt,
    });
  });

  test('keys and budgets are independent', async () => {
    const limits = createRateLimits({ limits: LIMITS, clock });
    await spendTimes(21, limits, 'monitor_check', '1');
    expect((await limits.spend('monitor_check', '1')).allowed).toBe(false);
    expect(await limits.spend('monitor_check', '2')).toMatchObject({ remaining: 19 });
    expect(await limits.spend('standard', '1')).toMatchObject({ remaining: 119 });
    expect(await limits.spend('anonymous', '1')).toMatchObject({ remaining: 119 });
  });

  test('show takes nothing and starts no window', async () => {
    const limits = createRateLimits({ limits: LIMITS, clock });
    const full = { allowed: true, limit: 120, remaining: 120 };
    expect(await limits.show('anonymous', 'a')).toMatchObject(full);
    vi.advanceTimersByTime(1_000);
    const spent = await limits.spend('anonymous', 'a');
    expect(await limits.show('anonymous', 'a')).toEqual(spent);
    // The window has expired, and the timer that deletes it is late.
    vi.setSystemTime(Date.now() + 60_000);
    expect(await limits.show('anonymous', 'a')).toMatchObject(full);
  });

  test('in any order of requests a window allows exactly the limit', async () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.nat({ max: 2 })), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (requests) => {
        const limits = createRateLimits({ limits: { ...LIMITS, standard: 3 }, clock });
        const windows = new Map<number, { endsAt: number; used: number }>();
        for (const [wait, key] of requests) {
          vi.advanceTimersByTime(wait);
          let window = windows.get(key);
          if (window === undefined || window.endsAt <= Date.now()) {
            window = { endsAt: Date.now() + 60_000, used: 0 };
            windows.set(key, window);
          }
          const allowed = window.used < 3;
          if (allowed) window.used += 1;
          expect(await limits.spend('standard', String(key))).toEqual({
            allowed,
            limit: 3,
            remaining: 3 - window.used,
            resetAt: Math.ceil(window.endsAt / 1000),
            retryAfter: Math.ceil((window.endsAt - Date.now()) / 1000),
          });
        }
      }),
    );
  });

  test('an expired window is deleted', async () => {
    const limits = createRateLimits({ limits: LIMITS, clock });
    await limits.spend('standard', 'a');
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('off: the budget stays full', async () => {
  const limits = createUncountedRateLimits({ limits: LIMITS, clock });
  const full = {
    allowed: true,
    limit: 20,
    remaining: 20,
    resetAt: Math.ceil(START / 1000) + 60,
    retryAfter: 60,
  };
  expect(await spendTimes(500, limits, 'monitor_check', 'a')).toEqual(full);
  expect(await limits.show('monitor_check', 'a')).toEqual(full);
});

describe('blocks', () => {
  test('last twice as long each time, up to an hour, and are short again after six hours', async () => {
    const limits = createRateLimits({ limits: LIMITS, clock });
    const minutes = [];
    for (let times = 0; times < 8; times += 1) {
      const { allowed, remaining, retryAfter } = await limits.block('sign_in', 'a');
      expect([allowed, remaining]).toEqual([false, 0]);
      minutes.push(retryAfter / 60);
      vi.advanceTimersByTime(retryAfter * 1000 - 1);
      expect((await limits.spend('sign_in', 'a')).allowed).toBe(false);
      vi.advanceTimersByTime(1);
      expect((await limits.spend('sign_in', 'a')).allowed).toBe(true);
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    vi.advanceTimersByTime(6 * 3_600_000);
    expect((await limits.block('sign_in', 'a')).retryAfter).toBe(60);
    expect((await limits.block('sign_in', 'b')).retryAfter).toBe(60);
  });

  test('what is given back can be spent again', async () => {
    const limits = createRateLimits({ limits: LIMITS, clock });
    await spendTimes(10, limits, 'sign_in', 'a');
    expect(await limits.giveBack('sign_in', 'a')).toMatchObject({ remaining: 1 });
    expect((await limits.spend('sign_in', 'a')).allowed).toBe(true);
    expect((await limits.spend('sign_in', 'a')).allowed).toBe(false);
  });
});
