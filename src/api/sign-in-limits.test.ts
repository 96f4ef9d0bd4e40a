import { describe, expect, it, vi } from 'vitest';
import { LIMITS, openApi, type TestApi } from '../../test/support/api.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import {
  aliceSignedIn,
  freezeDates,
  givePassword,
  PASSWORD,
  SIGN_IN,
  signIn,
} from '../../test/support/sign-in.ts';
import { sharedCounters, createRateLimits } from '../identity/rate-limits.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';

const ALICE = 'alice@example.com';
const MINUTE_MS = 60_000;

freezeDates();

async function limited(database?: Database, settings = {}): Promise<TestApi> {
  const opened = database ?? (await openInMemory());
  const count =
    database?.engine === 'postgres' ? sharedCounters({ database, log: silentLog }) : undefined;
  const rateLimits = createRateLimits({
    limits: LIMITS,
    clock: systemClock,
    ...(count && { count }),
  });
  return openApi(opened, {}, { rateLimits }, settings);
}

/** Guesses a password that many times. */
async function guess(api: TestApi, times: number, address = '198.51.100.66', email = ALICE) {
  const browser = openBrowser(api, { address });
  const answers = [];
  for (let index = 0; index < times; index += 1) {
    answers.push(await signIn(browser, email, `wrong guess ${index}`));
  }
  return answers;
}

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

eachDatabase((_name, open) => {
  it('guessing a password does not lock its owner out: a correct sign-in works elsewhere [5.8]', async () => {
    const api = await limited(await open());
    await givePassword(api, api.alice);
    const guesses = await guess(api, 11);
    expect(statuses(guesses)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect(guesses[10]!.headers['retry-after']).toBe('60');
    expect(guesses[10]!.body['message']).toMatch(
      /^Too many sign-ins .* try again in 60 seconds\.$/,
    );
    // From many networks at once, too.
    for (let network = 1; network <= 5; network += 1) await guess(api, 10, `203.0.113.${network}`);
    const owner = await signIn(openBrowser(api, { address: '192.0.2.1' }));
    expect([owner.status, owner.headers['x-ratelimit-remaining']]).toEqual([200, '10']);
    // Where the guesses came from, the right password is refused as well: it would end the guessing.
    const thief = await signIn(openBrowser(api, { address: '198.51.100.66' }));
    expect(thief.status).toBe(429);
  });

  it('each time the failures are used up, their client waits twice as long [5.7]', async () => {
    const api = await limited(await open());
    await givePassword(api, api.alice);
    const waits = [];
    for (let round = 0; round < 4; round += 1) {
      expect(statuses(await guess(api, 10))).toEqual(Array.from({ length: 10 }, () => 401));
      const [refused] = await guess(api, 1);
      const wait = Number(refused!.headers['retry-after']);
      waits.push(wait / 60);
      vi.setSystemTime(Date.now() + wait * 1000 - 1);
      expect(statuses(await guess(api, 1))).toEqual([429]);
      vi.setSystemTime(Date.now() + 1);
    }
    expect(waits).toEqual([1, 2, 4, 8]);
  });

  it('of parallel guesses no more than the limit reach the password [5.7]', async () => {
    const api = await limited(await open());
    await givePassword(api, api.alice);
    const guesses = Array.from({ length: 30 }, (_, index) =>
      signIn(openBrowser(api), ALICE, `wrong guess ${index}`),
    );
    const answered = statuses(await Promise.all(guesses));
    expect(answered.filter((status) => status === 401)).toHaveLength(10);
    expect(answered.filter((status) => status === 429)).toHaveLength(20);
    expect((await signIn(openBrowser(api))).status).toBe(429);
  });
});

describe('failed sign-ins', () => {
  it('are counted for one e-mail address apart from others, and unknown ones alike [36.3]', async () => {
    const api = await limited();
    await givePassword(api, api.alice);
    const known = await guess(api, 11);
    const unknown = await guess(api, 11, '198.51.100.66', 'nobody@example.com');
    const shown = (answers: typeof known) =>
      answers.map(({ status, headers, body }) => [
        status,
        headers['x-ratelimit-remaining'],
        headers['retry-after'],
        body,
      ]);
    expect(shown(known)).toEqual(shown(unknown));
    await givePassword(api, api.ed);
    const ed = await signIn(openBrowser(api, { address: '198.51.100.66' }), 'ed@example.com');
    expect(ed.status).toBe(200);
  });

  it('of one client are limited for all e-mail addresses, and in an hour [5.8]', async () => {
    const api = await limited();
    await givePassword(api, api.alice);
    const spray = [];
    for (let index = 0; index < 61; index += 1) {
      spray.push(...(await guess(api, 1, '198.51.100.66', `person${index}@example.com`)));
    }
    expect(statuses(spray).filter((status) => status === 401)).toHaveLength(60);
    expect(spray.at(-1)!.status).toBe(429);

    // Nine a minute are never blocked by the minute's limit.
    let reached = 0;
    for (let minute = 0; minute < 8; minute += 1) {
      vi.setSystemTime(Date.now() + MINUTE_MS);
      reached += statuses(await guess(api, 9)).filter((status) => status === 401).length;
    }
    expect(reached).toBe(60);
  });

  it('are none with the right password: signed in, or not confirmed [5.8]', async () => {
    const api = await limited();
    await givePassword(api, api.alice);
    for (let index = 0; index < 25; index += 1) {
      expect((await signIn(openBrowser(api))).status).toBe(200);
    }
    const open = await limited(undefined, { openSignup: true });
    const person = { name: 'Newton', email: 'newton@example.com', password: PASSWORD };
    expect((await openBrowser(open).post('/api/auth/sign-up/email', person)).status).toBe(200);
    for (let index = 0; index < 25; index += 1) {
      expect((await signIn(openBrowser(open), person.email)).status).toBe(403);
    }
  });

  it('are none without an e-mail address and a password', async () => {
    const api = await limited();
    await givePassword(api, api.alice);
    const browser = openBrowser(api);
    for (const body of [{}, { email: ALICE }, { email: ` ${ALICE}`, password: 'x' }]) {
      for (let index = 0; index < 12; index += 1) {
        expect((await browser.post(SIGN_IN, body)).status).toBe(400);
      }
    }
    expect((await signIn(browser)).status).toBe(200);
  });
});

describe('other budgets of sign-in', () => {
  it('allows ten requests a minute by address [5.7]', async () => {
    const api = await limited();
    for (let index = 0; index < LIMITS.auth; index += 1) {
      const { status } = await openBrowser(api).get('/api/auth/get-session');
      expect(status).toBe(200);
    }
    const refused = await openBrowser(api).get('/api/auth/get-session');
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '0',
    });
    expect(refused.body).toMatchObject({
      retry_after: expect.any(Number),
      error: expect.any(String),
    });
    const elsewhere = await openBrowser(api, { address: '198.51.100.1' }).get(
      '/api/auth/get-session',
    );
    expect(elsewhere.status).toBe(200);
  });

  it('requests without a token use up neither the sign-ins of their address nor its second factors [5.23]', async () => {
    const api = await limited();
    await givePassword(api, api.alice);
    const browser = openBrowser(api);
    for (let index = 0; index < LIMITS.anonymous; index += 1) await browser.get('/api/v1/monitors');
    for (let index = 0; index < LIMITS.auth; index += 1) await browser.get('/api/auth/unknown');
    expect((await browser.get('/api/v1/monitors')).status).toBe(429);
    expect((await browser.get('/api/auth/unknown')).status).toBe(429);
    const factor = await browser.post('/api/auth/two-factor/verify-totp', { code: '123456' });
    expect(factor.status).toBe(401);
    expect((await browser.get('/api/auth/oauth2/authorize?client_id=x')).status).toBe(302);
    expect((await signIn(browser, ALICE, PASSWORD)).status).toBe(200);
  });

  it('signed-in people spend the budget of their account on routes that test no secret', async () => {
    const api = await limited();
    const browser = await aliceSignedIn(api);
    for (let index = 0; index < 2 * LIMITS.auth; index += 1) {
      const { status, headers } = await browser.get('/api/auth/get-session');
      expect([status, headers['x-ratelimit-limit']]).toEqual([200, String(LIMITS.session)]);
    }
    expect((await browser.post('/api/auth/sign-out', {})).status).toBe(200);
    const { headers } = await openBrowser(api).get('/api/auth/get-session');
    expect(headers['x-ratelimit-remaining']).toBe(String(LIMITS.auth - 1));
  });

  it('requests for mails neither use up those for signing in, nor the other way round [5.7]', async () => {
    const api = await limited();
    await givePassword(api, api.alice);
    const reset = (address: string) =>
      openBrowser(api, { address }).post('/api/auth/request-password-reset', { email: ALICE });
    await guess(api, 11);
    expect((await reset('198.51.100.66')).status).toBe(200);
    for (let index = 1; index < LIMITS.auth_mail; index += 1) await reset('198.51.100.66');
    expect((await reset('198.51.100.66')).status).toBe(429);
    expect((await reset('192.0.2.1')).status).toBe(200);
    for (let index = 0; index < LIMITS.auth_mail; index += 1) await reset('192.0.2.1');
    expect((await signIn(openBrowser(api))).status).toBe(200);
    await api.signIn.close();
  });

  it('a password is guessed no faster from a stolen session, from whatever addresses', async () => {
    const api = await limited();
    const cookie = (await aliceSignedIn(api)).cookie();
    const seen = [];
    for (let index = 0; index <= LIMITS.auth; index += 1) {
      const thief = openBrowser(api, { address: `198.51.100.${index + 1}` });
      const body = { password: `wrong guess ${index}` };
      seen.push(await thief.post('/api/auth/two-factor/disable', body, { cookie }));
    }
    expect(seen.at(-1)!.status).toBe(429);
    expect(statuses(seen).slice(0, -1)).not.toContain(429);
  });

  it('refuses a sign-in while too many passwords are waiting, and counts nothing [5.21]', async () => {
    const api = await limited();
    await givePassword(api, api.alice);
    const busy = vi.spyOn(api.signIn, 'isBusy').mockReturnValue(true);
    const refused = await guess(api, 11);
    expect(new Set(statuses(refused))).toEqual(new Set([503]));
    expect(refused[0]!.headers['retry-after']).toBe('5');
    expect(refused[0]!.body['message']).toBe(
      'Too many people are signing in at the moment. Try again in a few seconds.',
    );
    busy.mockRestore();
    const { status } = await signIn(openBrowser(api, { address: '198.51.100.66' }));
    expect(status).toBe(200);
  });
});
