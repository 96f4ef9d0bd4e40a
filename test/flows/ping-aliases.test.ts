import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createIngest } from '../../src/engine/heartbeat/ingest.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openApi } from '../support/api.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openInMemory } from '../support/memory-database.ts';
import { LEAST } from '../support/monitor-bodies.ts';
import { call } from '../support/ping-edge.ts';

const UUID = '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278';
const KEY = 'fqOOd6-F4MMNuCEnzTU01w';
const PUSH = 'dX9bq4Yc2LmN8sTzW0aRkP3uVhJ6eGfQ';

/** Calls as the documentation of each service has them, and what the list of pings shows then, oldest first. */
const SERVICES: [title: string, path: string, calls: string[], pings: object[], answer: string][] =
  [
    [
      'Healthchecks',
      `/ping/${UUID}`,
      [
        `/ping/${UUID}/start?rid=${UUID}`,
        `/ping/${UUID}?rid=${UUID}`,
        `/${UUID}/log`,
        `/${UUID}/9`,
      ],
      [
        { kind: 'start', run_id: UUID },
        { kind: 'success', duration_ms: 0 },
        { kind: 'log' },
        { kind: 'failure', exit_code: 9 },
      ],
      'OK',
    ],
    [
      'Healthchecks by slug',
      `https://hc-ping.com/${KEY}/nightly-backup`,
      [`/ping/${KEY}/nightly-backup`, `/${KEY}/nightly-backup/fail?create=1`],
      [{ kind: 'success' }, { kind: 'failure' }],
      'OK',
    ],
    [
      'Uptime Kuma',
      `https://kuma.example.com/api/push/${PUSH}?status=up&msg=OK&ping=`,
      [`/api/push/${PUSH}?status=up&msg=OK&ping=12`, `/api/push/${PUSH}?status=down&msg=disk+full`],
      [
        { kind: 'success', body: 'OK', duration_ms: 12 },
        { kind: 'failure', body: 'disk full', duration_ms: null },
      ],
      '{"ok":true}',
    ],
    [
      'UptimeRobot',
      '/m790172323-b3d887182ce0abcfcd3a8ca01eb842816a4ae1f1',
      ['/m790172323-b3d887182ce0abcfcd3a8ca01eb842816a4ae1f1'],
      [{ kind: 'success' }],
      'OK',
    ],
    [
      'Better Stack',
      '/api/v1/heartbeat/ggS7szqbF5aWxoeMyMLyxj2U',
      ['', '/fail', '/2'].map((end) => `/api/v1/heartbeat/ggS7szqbF5aWxoeMyMLyxj2U${end}`),
      [
        { kind: 'success' },
        { kind: 'failure', exit_code: null },
        { kind: 'failure', exit_code: 2 },
      ],
      'OK',
    ],
    [
      'Cronitor',
      '/p/70f15f445cc1490ba2183404be52079c/nightly-job',
      ['run&series=1', 'complete&series=1&metric=duration:3', 'fail&message=no'].map(
        (state) => `/p/70f15f445cc1490ba2183404be52079c/nightly-job?state=${state}`,
      ),
      [
        { kind: 'start', run_id: '1' },
        { kind: 'success', duration_ms: 3_000 },
        { kind: 'failure', body: 'no' },
      ],
      'OK',
    ],
  ];

test.each(SERVICES)(
  'a job that reports to %s goes on as it is [12.42, 12.43, 12.44, 12.45]',
  async (_title, path, calls, pings, answer) => {
    const database = await openInMemory();
    const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
    const ingest = createIngest({
      database,
      clock: { ...systemClock, now: () => clock.now() },
      limit: 120,
    });
    const api = await openApi(database, {}, { pings: ingest, clock });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    try {
      const { port } = api.app.server.address() as AddressInfo;
      const { id } = await api.create(LEAST.heartbeat);
      const monitor = `/api/v1/monitors/${id}`;
      expect((await call({ port }, calls[0]!)).status).toBe(404);
      await api.call(api.alice, 'POST', `${monitor}/ping-aliases`, { path });
      for (const target of calls) {
        const answered = await call({ port }, target, { headers: { host: 'kuma.example.com' } });
        expect([target, answered.status, answered.text]).toEqual([target, 200, answer]);
      }
      const { body } = await api.call(api.alice, 'GET', `${monitor}/pings`);
      expect((body['data'] as object[]).toReversed()).toMatchObject(pings);
    } finally {
      await api.app.close();
      await ingest.close();
    }
  },
);
