import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import {
  ALLOWANCE,
  budgetOf,
  call,
  closeAll,
  dial,
  hears,
  LIMITS,
  openPings,
  PING,
  post,
  RECORDED,
  TOKEN,
  type PingAnswer,
} from '../../test/support/ping-edge.ts';
import type { IncomingPing, PingOutcome } from '../engine/heartbeat/ingest.ts';
import { createUncountedRateLimits } from '../identity/rate-limits.ts';
import { hashToken } from '../identity/token.ts';
import { systemClock } from '../lib/clock.ts';
import { DatabaseUnavailable } from '../store/database/errors.ts';

afterEach(closeAll);

/** The headers that are equal in all answers. */
function comparable({ headers }: PingAnswer) {
  return { ...headers, date: '', 'x-request-id': '' };
}

const COUNTED =
  'The ping was recorded: its status is unknown, and counted as a success. Send status=fail for a failure.';

describe('a ping', () => {
  test('is recorded with the hash of its token, and its source', async () => {
    const edge = await openPings();
    await call(edge, `${PING}/3?rid=night`, { headers: { 'user-agent': 'curl/8.14.1' } });
    expect(edge.taken).toEqual([
      {
        tokenHash: hashToken(TOKEN),
        receivedAt: edge.clock.now(),
        kind: 'failure',
        exitCode: 3,
        runId: 'night',
        sourceAddress: '127.0.0.1',
        userAgent: 'curl/8.14.1',
        body: null,
        isBodyCut: false,
      },
    ]);
    await call(edge, PING, { headers: { 'user-agent': 'x'.repeat(400) } });
    expect(edge.taken[1]?.userAgent).toBe('x'.repeat(300));
    await call(edge, PING);
    expect(edge.taken[2]?.userAgent).toBeNull();
  });

  test.each([
    ['', 'The ping was recorded: the job went well.'],
    ['/0', 'The ping was recorded: the job went well.'],
    ['?status=', 'The ping was recorded: the job went well.'],
    ['?status=success', 'The ping was recorded: the job went well.'],
    ['?status=failed', COUNTED],
    ['?status=down&rid=1', COUNTED],
    ['/fail', 'The ping was recorded: the job failed.'],
    ['/3', 'The ping was recorded: the job failed with exit code 3.'],
    ['/start', 'The ping was recorded: a run has started.'],
    ['/log', 'The ping was recorded in the list of pings, and changes nothing else.'],
  ])('to %j is answered: %s [12.17]', async (suffix, message) => {
    const answer = await call(await openPings(), PING + suffix);
    expect([answer.status, answer.body]).toEqual([200, { success: true, message }]);
  });

  test('by HEAD is answered with the same headers and no body [12.20]', async () => {
    const edge = await openPings();
    const [get, head] = [await call(edge, PING), await call(edge, PING, { method: 'HEAD' })];
    expect(comparable(head)).toEqual(comparable(get));
    expect([head.text, get.text.length]).toEqual(['', Number(head.headers['content-length'])]);
  });

  test('is answered only after it is recorded [12.21]', async () => {
    const disk = Promise.withResolvers<PingOutcome>();
    const edge = await openPings(() => disk.promise);
    let isAnswered = false;
    const answer = call(edge, PING).finally(() => (isAnswered = true));
    await edge.takes(1);
    await edge.clock.settle();
    expect(isAnswered).toBe(false);
    disk.resolve(RECORDED);
    expect((await answer).status).toBe(200);
  });

  test('is recognized with an absolute target, and with an upgrade to HTTP/2', async () => {
    const edge = await openPings();
    const socket = await dial(edge);
    socket.write(`GET http://up.example.com${PING}/start HTTP/1.1\r\nHost: x\r\n\r\n`);
    await hears(socket, /a run has started/);
    const upgrade = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAAP__',
    };
    expect((await call(edge, PING, { headers: upgrade })).status).toBe(200);
    expect((await post(edge, 'log', { headers: upgrade })).status).toBe(200);
    expect(edge.taken.map(({ body }) => body)).toEqual([null, null, 'log']);
  });

  test('other paths go to the API', async () => {
    const edge = await openPings();
    const { status, headers } = await call(edge, '/api/v1/monitors');
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect((await call(edge, '/pings')).status).toBe(404);
    expect(edge.taken).toEqual([]);
  });
});

describe('outcomes', () => {
  const reset = Math.ceil(ALLOWANCE.resetAt / 1000);

  test('paused: 200, ignored [12.18]', async () => {
    const answer = await call(
      await openPings(() => ({ kind: 'ignored', allowance: ALLOWANCE })),
      PING,
    );
    const message = 'The ping was ignored: its monitor is paused.';
    expect([answer.status, answer.body]).toEqual([200, { success: true, message }]);
    expect(budgetOf(answer)).toEqual([120, 119, reset]);
  });

  test('too many: 429, in the format of the API [5.11]', async () => {
    const allowance = { ...ALLOWANCE, remaining: 0 };
    const answer = await call(await openPings(() => ({ kind: 'limited', allowance })), PING);
    const message = 'The limit of 120 requests a minute is reached: try again in 60 seconds.';
    expect([answer.status, answer.body]).toEqual([
      429,
      { message, error: message, retry_after: 60 },
    ]);
    expect([budgetOf(answer), answer.headers['retry-after']]).toEqual([[120, 0, reset], '60']);
  });

  test('the database is unavailable: 503 with Retry-After', async () => {
    const edge = await openPings(() => ({ kind: 'unavailable', allowance: ALLOWANCE }));
    const answer = await call(edge, PING);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.body).toEqual({ message: expect.stringContaining('Send it again') });
    expect([budgetOf(answer), edge.faults]).toEqual([[120, 119, reset], []]);
  });

  test.each([
    [
      'a fault',
      new Error('boom'),
      500,
      { message: 'Server error.', request_id: expect.any(String) },
    ],
    [
      'a database that is away',
      new DatabaseUnavailable('away'),
      503,
      { message: expect.any(String) },
    ],
  ])('%s is logged without the token [12.30]', async (_, error, status, body) => {
    const edge = await openPings(() => Promise.reject(error));
    const answer = await call(edge, `${PING}/fail?rid=7`);
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(budgetOf(answer).slice(0, 2)).toEqual([3, 3]);
    expect(edge.faults).toEqual([
      {
        error,
        request_id: answer.headers['x-request-id'],
        method: 'GET',
        route: '/ping/{token}',
        kind: 'failure',
      },
    ]);
    expect(JSON.stringify(edge.faults)).not.toContain(TOKEN);
  });

  test('an internal error while answering closes the connection, and is logged', async () => {
    const broken = {
      spend: () => Promise.reject(new Error('boom')),
      show: async () => ({}) as never,
      giveBack: async () => ({}) as never,
      block: async () => ({}) as never,
    };
    const edge = await openPings(() => RECORDED, { rateLimits: broken });
    await expect(call(edge, '/ping')).rejects.toThrow('socket hang up');
    expect(edge.faults).toMatchObject([{ error: new Error('boom') }]);
    expect((await call(edge, PING)).status).toBe(200);
  });
});

test('every answer has the headers of the rate limit, the request id, and against caching [12.29]', async () => {
  const outcomes: PingOutcome[] = [
    RECORDED,
    { kind: 'ignored', allowance: ALLOWANCE },
    { kind: 'limited', allowance: ALLOWANCE },
    { kind: 'unavailable', allowance: ALLOWANCE },
    { kind: 'unknown' },
  ];
  const edge = await openPings(() => outcomes.shift() ?? Promise.reject(new Error('boom')));
  const requests: [path: string, method?: string][] = [
    ...Array.from({ length: 6 }, (): [string] => [PING]),
    ['/ping/T/nonsense'],
    [PING, 'DELETE'],
    ['/ping'],
  ];
  const ids = new Set<unknown>();
  const statuses: number[] = [];
  for (const [path, method = 'GET'] of requests) {
    const { status, headers } = await call(edge, path, { method });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      'x-request-id': expect.stringMatching(/^.{8,}$/),
    });
    ids.add(headers['x-request-id']);
    statuses.push(status);
  }
  expect(statuses).toEqual([200, 200, 429, 503, 404, 500, 404, 405, 429]);
  expect(ids.size).toBe(requests.length);
});

describe('other requests', () => {
  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    '%s is 405, on any path [12.4]',
    async (method) => {
      const edge = await openPings();
      for (const path of [PING, '/ping/T/nonsense']) {
        const answer = await call(edge, path, { method });
        const message = `${method} is not possible here: use GET, POST, HEAD.`;
        expect([answer.status, answer.headers.allow, answer.body]).toEqual([
          405,
          'GET, POST, HEAD',
          { message },
        ]);
      }
      expect(edge.taken).toEqual([]);
    },
  );
});

const unlessKnown = ({ tokenHash }: IncomingPing): PingOutcome =>
  tokenHash === hashToken(TOKEN) ? RECORDED : { kind: 'unknown' };

describe('calls of unknown ping URLs', () => {
  test('are counted by address, with 429 beyond the limit, which a known token never gets [5.15]', async () => {
    const edge = await openPings(unlessKnown);
    const statuses: [number, number | undefined][] = [];
    for (const [path, method] of [
      ['/ping/unknown', 'GET'],
      [`${PING}/nonsense`, 'GET'],
      [PING, 'PUT'],
      ['/ping/unknown', 'GET'],
      [`${PING}/nonsense`, 'GET'],
      [PING, 'PUT'],
    ] as const) {
      const answer = await call(edge, path, { method });
      statuses.push([answer.status, budgetOf(answer)[1]]);
    }
    expect(statuses).toEqual([
      [404, 2],
      [404, 1],
      [405, 0],
      [429, 0],
      [429, 0],
      [429, 0],
    ]);
    const refused = await call(edge, '/ping');
    expect(refused.body).toMatchObject({ retry_after: expect.any(Number) });
    expect(refused.headers['retry-after']).toBe(String(refused.body['retry_after']));
    const ping = await call(edge, PING);
    expect([ping.status, budgetOf(ping)[0]]).toEqual([200, 120]);
  });

  test('beyond the limit of unknown tokens are counted by address, and get Retry-After', async () => {
    const edge = await openPings(() => ({ kind: 'crowded' }));
    const first = await call(edge, PING);
    expect([first.status, budgetOf(first)[1]]).toEqual([503, 2]);
    expect(first.body).toMatchObject({ message: expect.stringMatching(/was not recorded/) });
    expect(first.headers).toHaveProperty('retry-after');
    for (const status of [503, 503, 429]) expect((await call(edge, PING)).status).toBe(status);
  });

  test('by HEAD are refused without a body [12.20]', async () => {
    const answer = await call(await openPings(unlessKnown), '/ping/unknown', { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([404, '']);
  });

  test('without limits show a full budget', async () => {
    const rateLimits = createUncountedRateLimits({ limits: LIMITS, clock: systemClock });
    const edge = await openPings(unlessKnown, { rateLimits });
    for (let made = 0; made < 5; made++) {
      const answer = await call(edge, '/ping/unknown');
      expect([answer.status, ...budgetOf(answer).slice(0, 2)]).toEqual([404, 3, 3]);
    }
  });
});

const line = (suffix: string, body = '') =>
  `POST ${PING}${suffix} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe('connections', () => {
  test('many pings in one packet are answered in order, even if recorded in another', async () => {
    const first = Promise.withResolvers<PingOutcome>();
    const edge = await openPings(({ kind }) => (kind === 'start' ? first.promise : RECORDED));
    const socket = await dial(edge);
    socket.write(line('/start') + line('/log', 'hello') + line('/7'));
    await edge.takes(3);
    await edge.clock.settle();
    expect(socket.heard()).toBe('');
    first.resolve(RECORDED);
    const heard = await hears(socket, /exit code 7/);
    expect(heard.match(/a run has started|changes nothing else|exit code 7/g)).toEqual([
      'a run has started',
      'changes nothing else',
      'exit code 7',
    ]);
    expect(edge.taken.map(({ body }) => body)).toEqual([null, 'hello', null]);
  });

  test('with too many waiting pings are closed, and no others', async () => {
    const disk = Promise.withResolvers<PingOutcome>();
    const edge = await openPings(() => disk.promise);
    const [greedy, calm] = [await dial(edge), await dial(edge)];
    calm.write(line('/log').repeat(32));
    const ended = once(greedy, 'close');
    greedy.write(line('/start').repeat(300));
    await Promise.all([ended, edge.takes(64)]);
    await edge.clock.settle();
    expect(edge.taken).toHaveLength(64);
    disk.resolve(RECORDED);
    const answers = async (count: number) => {
      while (calm.heard().split('HTTP/1.1 200 OK').length <= count) await once(calm, 'data');
    };
    await answers(32);
    // Those that were answered wait no more.
    calm.write(line('/start').repeat(32));
    await answers(64);
    expect(edge.faults).toEqual([]);
  });

  test('are also closed with too many other waiting requests', async () => {
    const edge = await openPings();
    const socket = await dial(edge);
    const ended = once(socket, 'close');
    socket.write('GET /api/v1/monitors HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(33));
    await ended;
    expect((await call(edge, PING)).status).toBe(200);
    expect(edge.faults).toEqual([]);
  });

  test('that close before the answer do no harm', async () => {
    const disk = Promise.withResolvers<PingOutcome>();
    const edge = await openPings(() => disk.promise);
    const socket = await dial(edge);
    socket.write(`GET ${PING} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await edge.takes(1);
    socket.resetAndDestroy();
    await once(socket, 'close');
    disk.resolve(RECORDED);
    expect((await call(edge, PING)).status).toBe(200);
    expect(edge.faults).toEqual([]);
  });

  test('are kept alive, and with HTTP/1.0 closed', async () => {
    const edge = await openPings();
    const socket = await dial(edge);
    socket.write(`GET ${PING} HTTP/1.0\r\n\r\n`);
    const ended = once(socket, 'end');
    expect(await hears(socket, /went well/)).toMatch(/connection: close/i);
    await ended;
    const kept = await call(edge, PING, { headers: { connection: 'keep-alive' } });
    expect(kept.headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=72' });
  });
});

describe('closing', () => {
  test('waits for the ping in flight, whose answer closes its connection', async () => {
    const disk = Promise.withResolvers<PingOutcome>();
    const edge = await openPings(() => disk.promise);
    const socket = await dial(edge);
    socket.write(`GET ${PING} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await edge.takes(1);
    let isClosed = false;
    const closed = edge.close().then(() => (isClosed = true));
    await edge.clock.settle();
    expect(isClosed).toBe(false);
    const ended = once(socket, 'end');
    disk.resolve(RECORDED);
    await Promise.all([ended, closed]);
    expect(socket.heard()).toMatch(/^HTTP\/1\.1 200 OK[^]*connection: close/i);
  });

  test('does not wait for bodies: the ping counts with the received part', async () => {
    const edge = await openPings();
    const socket = await dial(edge);
    socket.write(`POST ${PING} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`);
    while (edge.clock.pending().timers === 0) await edge.clock.settle();
    const ended = once(socket, 'end');
    await Promise.all([edge.close(), ended]);
    expect(socket.heard()).toMatch(/^HTTP\/1\.1 200 OK[^]*connection: close/i);
    expect(edge.taken).toMatchObject([{ body: 'half', isBodyCut: true }]);
    expect(edge.clock.pending().timers).toBe(0);
  });
});
