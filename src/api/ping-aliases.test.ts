import { afterEach, describe, expect, test } from 'vitest';
import {
  ALLOWANCE,
  call,
  closeAll,
  LIMITS,
  openPings,
  PING,
} from '../../test/support/ping-edge.ts';
import { readAliasTarget } from '../engine/heartbeat/aliases.ts';
import { ROUTES } from '../resources/nouns.ts';
import { PAGES, VISITOR_PAGES } from './dashboard-pages.gen.ts';
import { hashToken } from '../identity/token.ts';
import { createUncountedRateLimits } from '../identity/rate-limits.ts';
import { systemClock } from '../lib/clock.ts';

afterEach(closeAll);

const UUID = '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278';
const HEALTHCHECKS = `/ping/${UUID}`;
const KUMA = '/api/push/dX9bq4Yc2LmN8sTzW0aRkP3uVhJ6eGfQ';
const STACK = '/api/v1/heartbeat/ggS7szqbF5aWxoeMyMLyxj2U';

const uncounted = () => createUncountedRateLimits({ limits: LIMITS, clock: systemClock });

test('no path of ours is an address of another service, whatever stands in it [12.42]', () => {
  const paths = [...PAGES, ...VISITOR_PAGES, ...ROUTES.map(({ path }) => `/api/v1${path}`)];
  const taken = paths.flatMap((path) =>
    [UUID, 'a'.repeat(22), 'm1-'.padEnd(40, 'a')]
      .map((value) => path.replaceAll(/:\w+/g, value))
      .filter((target) => readAliasTarget(target) !== null),
  );
  expect([paths.length > 100, taken]).toEqual([true, []]);
});

describe('a call of an address of another service', () => {
  test('is a ping like others, found by the hash of the address [12.42, 12.43]', async () => {
    const edge = await openPings();
    await call(edge, `https://hc-ping.com/${UUID}/3?rid=${UUID}`, { method: 'POST', body: 'out' });
    await call(edge, HEALTHCHECKS, { method: 'PUT', body: Buffer.from('a log') });
    const shared = { tokenHash: hashToken(HEALTHCHECKS), sourceAddress: '127.0.0.1' };
    expect(edge.taken).toMatchObject([
      { ...shared, kind: 'failure', exitCode: 3, runId: UUID, body: 'out', isBodyCut: false },
      { ...shared, kind: 'success', exitCode: null, runId: null, body: 'a log' },
    ]);
  });

  test('may have its text and duration in the query [12.44]', async () => {
    const edge = await openPings();
    await call(edge, `${KUMA}?status=down&msg=full%00&ping=1200.4`);
    await call(edge, `${KUMA}?msg=${'x'.repeat(11_000)}`);
    await call(edge, PING);
    expect(edge.taken[0]).toMatchObject({ kind: 'failure', body: 'full\ufffd', reportedMs: 1_200 });
    expect(edge.taken[1]?.body).toHaveLength(10_240);
    expect(edge.taken[2]).not.toHaveProperty('reportedMs');
  });

  test.each<
    [target: string, kind: 'recorded' | 'ignored' | 'unknown', status: number, text: string]
  >([
    [HEALTHCHECKS, 'recorded', 200, 'OK'],
    [HEALTHCHECKS, 'ignored', 200, 'OK'],
    [HEALTHCHECKS, 'unknown', 404, 'not found'],
    [KUMA, 'recorded', 200, '{"ok":true}'],
    [KUMA, 'ignored', 200, '{"ok":true}'],
    [KUMA, 'unknown', 404, '{"ok":false,"msg":"Monitor not found or not active."}'],
    [STACK, 'recorded', 200, 'OK'],
    [STACK, 'unknown', 404, 'not found'],
  ])(
    '%s, %s, is answered as there: %i %s [12.43, 12.44, 12.45]',
    async (target, kind, status, text) => {
      const outcome = kind === 'unknown' ? { kind } : { kind, allowance: ALLOWANCE };
      const edge = await openPings(() => outcome, { rateLimits: uncounted() });
      const answer = await call(edge, target);
      expect([answer.status, answer.text]).toEqual([status, text]);
      expect(answer.headers['x-ratelimit-limit']).toBeDefined();
      const head = await call(edge, target, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([status, '']);
    },
  );

  test('has the headers that clients of Healthchecks read [12.43]', async () => {
    const { headers } = await call(await openPings(), HEALTHCHECKS);
    expect(headers).toMatchObject({
      'ping-body-limit': '10240',
      'access-control-allow-origin': '*',
    });
  });

  test('by another method is refused [12.42]', async () => {
    const edge = await openPings();
    const answer = await call(edge, KUMA, { method: 'DELETE' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, POST, HEAD, PUT']);
    expect((await call(edge, PING, { method: 'PUT' })).status).toBe(405);
    expect(edge.taken).toEqual([]);
  });

  test('is limited by its monitor, and by its client where it is unknown [12.42]', async () => {
    const allowance = { ...ALLOWANCE, remaining: 0 };
    const limited = await call(
      await openPings(() => ({ kind: 'limited', allowance })),
      HEALTHCHECKS,
    );
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '60']);
    const edge = await openPings(() => ({ kind: 'unknown' }));
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await call(edge, KUMA)).status);
    expect(statuses).toEqual([404, 404, 404, 429]);
  });

  test('is in no log line, not even when it fails [12.46]', async () => {
    const edge = await openPings(() => {
      throw new Error('A fault.');
    });
    expect((await call(edge, HEALTHCHECKS)).status).toBe(500);
    expect(edge.faults).toHaveLength(1);
    expect(JSON.stringify(edge.faults)).not.toContain(UUID);
  });
});
