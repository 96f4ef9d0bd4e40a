import { readFileSync } from 'node:fs';
import { Counter, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { LIMITS, openApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { WRAPPER } from '../../test/support/snippets.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { createClientKeys, createUncountedRateLimits } from '../identity/rate-limits.ts';
import { buildApi } from './app.ts';

eachDatabase((_name, open) => {
  test('who am I, and test [3.17, 3.18]', async () => {
    const api = await openApi(await open());
    const whole = {
      user: { id: api.ed.personId, name: 'Ed', email: 'ed@example.com', timezone: 'UTC' },
      team: { id: api.ed.teamId, name: 'Team ours', slug: 'ours', personal_team: true },
      token: { name: 'test', permissions: ['read', 'create', 'update', 'delete'] },
      api: { name: 'Tocsin', version: '0.0.0' },
    };
    for (const path of ['/api', '/api/', '/api/v1', '/api/v1/']) {
      expect((await api.call(api.ed, 'GET', path)).body).toEqual(whole);
    }
    const { status, body } = await api.call(api.ed, 'GET', '/api/v1/test');
    expect(status).toBe(200);
    expect(body).toEqual({
      message: expect.any(String),
      user: { id: api.ed.personId, name: 'Ed', email: 'ed@example.com' },
    });
  });

  test('the wrapper for jobs can be installed from the service [12.38]', async () => {
    const { app } = await openApi(await open());
    const { statusCode, headers, rawPayload } = await app.inject('/tocsin-run');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/x-shellscript; charset=utf-8');
    expect(rawPayload.equals(readFileSync(WRAPPER))).toBe(true);
  });

  test('health and readiness need no token [39.20]', async () => {
    const api = await openApi(await open());
    expect((await api.call(null, 'GET', '/healthz')).body).toEqual({ status: 'alive' });
    const whole = {
      roles: ['api', 'scheduler', 'worker', 'probe'],
      database: true,
      schedule_lag_ms: 3,
      checks_due: 40,
      checks_late: 2,
      rounds_in_flight: 4,
      probes: { ash: 1 },
      probe_overload: null,
      quarantined_regions: ['ash'],
      disk_low: false,
      problems: [{ kind: 'role_missing', subject: 'worker', since: '2030-01-01T00:00:00.000Z' }],
      nats: null,
    };
    api.readiness.quarantinedRegions.push('ash');
    api.readiness.problems = [
      {
        kind: 'role_missing',
        subject: 'worker',
        since: Date.UTC(2030, 0, 1),
        value: null,
        processes: [],
      },
    ];
    const ready = await api.call(null, 'GET', '/readyz');
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready', ...whole }]);
    Object.assign(api.readiness, { ready: false, database: false });
    const away = await api.call(null, 'GET', '/readyz');
    expect([away.status, away.body]).toEqual([
      503,
      { status: 'not ready', ...whole, database: false },
    ]);
  });

  test('readiness reports overloaded probes, and stays 200', async () => {
    const api = await openApi(await open());
    const since = Date.UTC(2030, 0, 1);
    api.readiness.overload = { since, reason: '9 checks wait for a slot' };
    const { status, body } = await api.call(null, 'GET', '/readyz');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ready',
      probe_overload: { since: '2030-01-01T00:00:00.000Z', reason: '9 checks wait for a slot' },
    });
  });
});

test('metrics are those of the given registry', async () => {
  const metrics = new Registry();
  new Counter({ name: 'rounds_total', help: 'Rounds', registers: [metrics] }).inc(3);
  const app = buildApi({
    services: { routes: [] } as never,
    authenticator: { authenticate: async () => null },
    rateLimits: createUncountedRateLimits({ limits: LIMITS, clock: systemClock }),
    clientKeys: createClientKeys('a key for tests'),
    plans: {} as never,
    pings: {} as never,
    clock: systemClock,
    baseUrl: () => '',
    readiness: () => Promise.reject(new Error('not asked')),
    metrics,
    log: silentLog,
  });
  const answer = await app.inject('/metrics');
  expect(answer.headers['content-type']).toMatch(/^text\/plain/);
  expect(answer.body).toContain('rounds_total 3');
});
