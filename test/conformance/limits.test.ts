import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimits, createUncountedRateLimits } from '../../src/identity/rate-limits.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openJobs } from './job-line.ts';
import {
  client,
  expectStatus,
  freshApi,
  MINUTE,
  NOW,
  REQUIRED,
  SECOND,
  type Answer,
} from './support.ts';

const LIMITS = {
  standard: 120,
  monitor_check: 20,
  check_url: 20,
  webhook_test: 10,
  session: 600,
  anonymous: 120,
  ping: 120,
  auth: 10,
  auth_hour: 60,
};
const BEGIN = Date.UTC(2030, 0, 1, 12, 0, 0, 250);

beforeEach(
  () => void vi.useFakeTimers({ now: BEGIN, toFake: ['Date', 'setTimeout', 'clearTimeout'] }),
);
afterEach(() => void vi.useRealTimers());

/** An API that counts. */
function counting(limits = LIMITS) {
  const opened = freshApi({}, { rateLimits: createRateLimits({ limits, clock: systemClock }) });
  return client(() => opened);
}

const figures = ({ headers }: Pick<Answer, 'headers'>) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`]));

async function times<Answered>(count: number, ask: () => Promise<Answered>): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (let turn = 0; turn < count; turn += 1) answers.push(await ask());
  return answers;
}

const statusesOf = (answers: { status: number }[]) => [
  ...new Set(answers.map(({ status }) => status)),
];

describe('rate limits', () => {
  it('standard requests: 120 per minute, counted per account [5.1]', async () => {
    const { get } = counting();
    const answers = await times(120, () => get('/monitors'));
    expect(statusesOf(answers)).toEqual([200]);
    expectStatus(await get('/monitors'), 429);
    expectStatus(await get('/incidents'), 429);
    expectStatus(await get('/monitors', 'ed'), 200);
  });

  it('POST /monitors/{id}/check: 20 per minute, apart from the standard budget [5.3]', async () => {
    const { get, post, monitor } = counting();
    const [one, other] = [await monitor(), await monitor()];
    const answers = await times(10, () => post(`/monitors/${one.id}/check`));
    answers.push(...(await times(10, () => post(`/monitors/${other.id}/check`))));
    expect(statusesOf(answers)).toEqual([200]);
    expect(figures(answers.at(-1)!).slice(0, 2)).toEqual([20, 0]);
    expectStatus(await post(`/monitors/${one.id}/check`), 429);
    // Two monitors were created.
    expect(figures(await get('/monitors')).slice(0, 2)).toEqual([120, 117]);
  });

  it('POST /webhook-endpoints/{id}/test: 10 per minute, apart from the standard budget [5.3]', async () => {
    const { get, post } = counting();
    const { body } = await post('/webhook-endpoints', { name: 'Chat', url: 'https://example.com' });
    const test = () => post(`/webhook-endpoints/${body.id}/test`);
    const answers = await times(10, test);
    expect(statusesOf(answers)).toEqual([202]);
    expect(figures(answers.at(-1)!).slice(0, 2)).toEqual([10, 0]);
    expectStatus(await test(), 429);
    // The endpoint was created.
    expect(figures(await get('/monitors')).slice(0, 2)).toEqual([120, 118]);
  });

  it('GET /check-url: 20 per minute, apart from the standard budget and from manual checks [5.3]', async () => {
    const { get, post, monitor } = counting();
    const { id } = await monitor();
    const ask = () => get('/check-url?url=https://example.com');
    // What is refused for its query costs as much.
    const answers = await times(19, ask);
    expectStatus(await get('/check-url?url=x'), 422);
    expect(statusesOf(answers)).toEqual([200]);
    expect(answers.map((answer) => figures(answer)[1]).slice(0, 2)).toEqual([19, 18]);
    expectStatus(await ask(), 429);
    expectStatus(await get('/check-url?url=https://example.com', 'ed'), 200);
    expect(figures(await post(`/monitors/${id}/check`)).slice(0, 2)).toEqual([20, 19]);
    expect(figures(await get('/monitors')).slice(0, 2)).toEqual([120, 118]);
  });

  it('the public ping ingest: 120 per minute [5.13]', async () => {
    const line = await openJobs({ limit: 120 });
    const job = await line.monitor('heartbeat');
    const answers = await times(120, () => line.ping(job));
    expect(statusesOf(answers)).toEqual([200]);
    expect(answers.map((answer) => figures(answer)[1])).toEqual(
      Array.from({ length: 120 }, (_, index) => 119 - index),
    );
    expect((await line.ping(job)).status).toBe(429);
    expect((await line.get(`/monitors/${job.id}/pings`)).body).toMatchObject({ total: 120 });
  });

  it('the headers tell the limit, what remains in the window and the Unix time of its end [5.9]', async () => {
    const { get } = counting();
    expect(figures(await get('/monitors'))).toEqual([120, 119, Math.ceil(BEGIN / 1000) + 60]);
    vi.advanceTimersByTime(20 * SECOND);
    expect(figures(await get('/monitors'))).toEqual([120, 118, Math.ceil(BEGIN / 1000) + 60]);
  });

  it('an exceeded limit is 429 with message and retry_after, an integer [5.11]', async () => {
    const { get } = counting({ ...LIMITS, standard: 1 });
    await get('/monitors');
    const { status, body } = await get('/monitors');
    expect([status, body]).toEqual([
      429,
      expect.objectContaining({ message: expect.any(String), retry_after: expect.any(Number) }),
    ]);
    expect(Number.isInteger(body['retry_after'])).toBe(true);
  });

  it('429 also has error and the header Retry-After, the same whole seconds as retry_after [5.11]', async () => {
    const { get } = counting({ ...LIMITS, standard: 1 });
    await get('/monitors');
    vi.advanceTimersByTime(15 * SECOND);
    const { body, headers } = await get('/monitors');
    expect(body).toMatchObject({ error: expect.stringMatching(/\S/), retry_after: 45 });
    expect(String(headers['retry-after'])).toBe('45');
    expect(headers['x-request-id']).toMatch(/\S/);
  });

  it('a window of 60 s begins with the first request of a key, and is fresh after it [5.10]', async () => {
    const { get } = counting({ ...LIMITS, standard: 3 });
    vi.advanceTimersByTime(50 * SECOND);
    await times(3, () => get('/monitors'));
    vi.advanceTimersByTime(59 * SECOND);
    expectStatus(await get('/monitors'), 429);
    vi.advanceTimersByTime(SECOND);
    const fresh = await get('/monitors');
    expectStatus(fresh, 200);
    expect(figures(fresh)).toEqual([3, 2, Math.ceil(BEGIN / 1000) + 50 + 60 + 60]);
  });

  it('a refused request costs nothing [5.12]', async () => {
    const { get } = counting({ ...LIMITS, standard: 2 });
    await times(2, () => get('/monitors'));
    const refused = await times(5, () => get('/monitors'));
    expect(statusesOf(refused)).toEqual([429]);
    for (const answer of refused)
      expect(figures(answer)).toEqual([2, 0, Math.ceil(BEGIN / 1000) + 60]);
    vi.advanceTimersByTime(60 * SECOND);
    expect(figures(await get('/monitors')).slice(0, 2)).toEqual([2, 1]);
  });

  it('all tokens of a user account spend from one budget [5.1]', async () => {
    const { get, token } = counting({ ...LIMITS, standard: 2 });
    const second = await token(['read']);
    await get('/monitors');
    expectStatus(await get('/monitors', second), 200);
    expectStatus(await get('/monitors', second), 429);
    expectStatus(await get('/monitors'), 429);
  });

  it('the standard budget is for all under /api but the rows of their own, whatever the answer [5.2]', async () => {
    const { call, get, post } = counting();
    await get('');
    await get('/test');
    await get('/teams');
    await get('/users');
    await get('/nothing');
    await get('/monitors/0');
    await call('alice', 'PATCH', '/monitors');
    await post('/monitors', {});
    await post('/monitors', '{');
    expect(figures(await get('/groups')).slice(0, 2)).toEqual([120, 110]);
  });

  it('requests without a valid token: 120 per client address [5.6]', async () => {
    const { open, get } = counting();
    const { app } = await open();
    const from = async (remoteAddress: string) =>
      (await app.inject({ url: '/api/v1/monitors', remoteAddress })).statusCode;
    const answers: number[] = [];
    for (let turn = 0; turn < 121; turn += 1) answers.push(await from('192.0.2.1'));
    expect(answers.filter((status) => status === 401)).toHaveLength(120);
    expect(answers.at(-1)).toBe(429);
    expect(await from('192.0.2.2')).toBe(401);
    expectStatus(await get('/monitors'), 200);
  });

  it('each limit can be changed by configuration [5.17]', async () => {
    const { get, post, monitor } = counting({
      ...LIMITS,
      standard: 7,
      monitor_check: 3,
      check_url: 4,
      anonymous: 5,
      ping: 7,
    });
    const { id } = await monitor();
    expect(figures(await get('/monitors')).slice(0, 2)).toEqual([7, 5]);
    expect(figures(await post(`/monitors/${id}/check`)).slice(0, 2)).toEqual([3, 2]);
    expect(figures(await get('/check-url?url=https://example.com')).slice(0, 2)).toEqual([4, 3]);
    expect(figures(await get('/monitors', null)).slice(0, 2)).toEqual([5, 4]);
  });

  it('RATE_LIMITS=off sends the headers with a full budget [5.18]', async () => {
    const rateLimits = createUncountedRateLimits({ limits: LIMITS, clock: systemClock });
    const opened = freshApi({}, { rateLimits });
    const { get, post } = client(() => opened);
    const answers = await times(130, () => get('/monitors'));
    expect(statusesOf(answers)).toEqual([200]);
    for (const answer of [...answers, await post('/monitors', REQUIRED.http)])
      expect(figures(answer).slice(0, 2)).toEqual([120, 120]);
  });

  it('pings are counted by their token, whatever the method, the suffix and the address [5.13]', async () => {
    const line = await openJobs({ limit: 5 });
    const [job, other] = [await line.monitor('heartbeat'), await line.monitor('cron')];
    const calls = [
      ['', { method: 'GET' }],
      ['', { method: 'HEAD' }],
      ['/fail', { method: 'POST' }],
      ['/start', { localAddress: '127.0.0.2' }],
      ['/log', { localAddress: '127.0.0.3' }],
    ] as const;
    const left: unknown[] = [];
    for (const [suffix, options] of calls) {
      const answer = await line.ping(job, suffix, options);
      left.push([answer.status, figures(answer)[1]]);
    }
    expect(left).toEqual([4, 3, 2, 1, 0].map((remaining) => [200, remaining]));
    for (const localAddress of ['127.0.0.1', '127.0.0.4'])
      expect((await line.ping(job, '', { localAddress })).status).toBe(429);
    expect(figures(await line.ping(other)).slice(0, 2)).toEqual([5, 4]);
  });

  it('a refused ping is 429 with message, error, retry_after and Retry-After [5.11]', async () => {
    const line = await openJobs({ limit: 1 });
    const job = await line.monitor('heartbeat');
    await line.ping(job);
    await line.pass(20 * SECOND);
    const { status, body, headers } = await line.ping(job, '/fail');
    expect([status, body]).toEqual([
      429,
      { message: expect.stringMatching(/\w+ \w+/), error: expect.any(String), retry_after: 40 },
    ]);
    expect(headers['retry-after']).toBe('40');
    const head = await line.ping(job, '', { method: 'HEAD' });
    expect([head.status, head.text, head.headers['retry-after']]).toEqual([429, '', '40']);
  });

  it('a refused ping costs nothing, and nothing is recorded [5.12]', async () => {
    const line = await openJobs({ limit: 2 });
    const job = await line.monitor('heartbeat');
    await times(2, () => line.ping(job));
    const reset = NOW / SECOND + 60;
    for (let turn = 0; turn < 5; turn += 1) {
      await line.pass(10 * SECOND);
      expect(figures(await line.ping(job, '/fail'))).toEqual([2, 0, reset]);
    }
    expect(await line.read(job)).toMatchObject({ status: 'online', incidents: [] });
    expect(await line.pingsOf(job)).toHaveLength(2);
    await line.pass(10 * SECOND);
    expect(figures(await line.ping(job))).toEqual([2, 1, reset + 60]);
  });

  it('the window of a ping token begins with its first ping [5.10]', async () => {
    const line = await openJobs({ limit: 2 });
    const job = await line.monitor('heartbeat');
    await line.pass(30 * SECOND);
    const reset = NOW / SECOND + 90;
    expect(figures(await line.ping(job))).toEqual([2, 1, reset]);
    await line.pass(59 * SECOND);
    expect(figures(await line.ping(job))).toEqual([2, 0, reset]);
    await line.pass(SECOND);
    expect(figures(await line.ping(job))).toEqual([2, 1, reset + 60]);
    await line.pass(MINUTE);
    expect(figures(await line.ping(job))).toEqual([2, 1, reset + 120]);
  });

  it('unknown ping tokens are counted together by client address [5.14]', async () => {
    const rateLimits = createRateLimits({ limits: { ...LIMITS, ping: 3 }, clock: systemClock });
    const line = await openJobs({ limit: 9, rateLimits });
    const job = await line.monitor('heartbeat');
    const from = (localAddress: string, path: string) => line.dial(path, { localAddress });
    expect(figures(await from('127.0.0.1', '/ping/one')).slice(0, 2)).toEqual([3, 2]);
    expect(figures(await from('127.0.0.1', '/ping/two/fail')).slice(0, 2)).toEqual([3, 1]);
    expect((await from('127.0.0.1', '/ping/three')).status).toBe(404);
    const refused = await from('127.0.0.1', '/ping/four');
    expect([refused.status, refused.body['retry_after']]).toEqual([429, 60]);
    expect(refused.headers['retry-after']).toBe('60');
    expect((await from('127.0.0.2', '/ping/one')).status).toBe(404);
    expect(figures(await line.ping(job)).slice(0, 2)).toEqual([9, 8]);
  });

  it('pings spend nothing of the budgets of the API [5.16]', async () => {
    const rateLimits = createRateLimits({ limits: LIMITS, clock: systemClock });
    const line = await openJobs({ limit: 120, rateLimits });
    const job = await line.monitor('heartbeat');
    await times(10, () => line.ping(job));
    await times(10, () => line.dial('/ping/nobody'));
    expect(figures(await line.get('/monitors')).slice(0, 2)).toEqual([120, 118]);
    expect(figures(await line.get('/monitors', null)).slice(0, 2)).toEqual([120, 119]);
  });

  it('RATE_LIMITS=off sends a full budget with pings [5.18]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    const answers = await times(130, () => line.ping(job));
    expect(statusesOf(answers)).toEqual([200]);
    for (const answer of [...answers, await line.dial('/ping/nobody')])
      expect(figures(answer).slice(0, 2)).toEqual([120, 120]);
  });
});
