import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { waitUntil } from '../../../test/support/event-loop.ts';
import { LEAST } from '../../../test/support/monitor-bodies.ts';
import { giveToken } from '../../../test/support/people.ts';
import { checkResult, REGIONS, roundOf } from '../../../test/support/rounds.ts';
import type { CheckResult } from '../../model/check.ts';
import type { UnknownCode } from '../../model/failure.ts';
import { evaluateRound } from '../../engine/verdict/evaluate.ts';
import { openDatabase } from '../../store/database/database.ts';
import { lockStates } from '../../store/engine/monitor-state.ts';
import { listResults } from '../../store/engine/result-history.ts';
import { rowOf, updateRows } from '../../../test/support/rows.ts';

const MONITORS = '/api/v1/monitors';

/** What no edit of another field may change. */
function untouched(monitor: Record<string, unknown>): Record<string, unknown> {
  const { next_check_at: _next, updated_at: _updated, ...rest } = monitor;
  return rest;
}

const unknownBy = (code: UnknownCode, text: string): CheckResult =>
  checkResult('unknown', { failure: { code, text } });

function isStorable(value: unknown): boolean {
  return !/\\u0000|\0/.test(JSON.stringify(value));
}

eachDatabase((_name, open) => {
  describe('monitors', () => {
    test('create answers every field of the shape, null where not set [1.6, 6.2, 6.5, 6.8, 6.15, 6.16, 6.23, 7.2, 7.9, 7.11]', async () => {
      const api = await openApi(await open());
      const { status, body } = await api.call(api.alice, 'POST', MONITORS, {
        url: 'https://Example.com/Path',
        check_interval: 0.5,
      });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.any(Number),
        monitor_type: 'http',
        url: 'https://Example.com/Path',
        friendly_name: null,
        status: 'pending',
        observed_until: null,
        check_interval: 0.5,
        check_types: [],
        monitored_regions: REGIONS,
        is_paused: false,
        last_checked_at: null,
        next_check_at: '2030-01-01T00:00:00.000Z',
        last_heartbeat_at: null,
        heartbeat_expected_at: null,
        ping_url: null,
        port: null,
        heartbeat_interval: null,
        heartbeat_cron_expression: null,
        heartbeat_timezone: null,
        heartbeat_grace: null,
        heartbeat_wait_for_first_ping: null,
        heartbeat_max_runtime: null,
        group_id: null,
        keyword_settings: null,
        json_assertion_settings: null,
        auth_type: null,
        auth_username: null,
        http_method: 'GET',
        accepted_status_codes: null,
        follow_redirects: true,
        request_timeout: 30,
        request_headers: null,
        request_body: null,
        verify_ssl: true,
        ssl_expiry_threshold: 14,
        domain_expiry_threshold: 30,
        slow_response_threshold: null,
        error_text_detection: false,
        failure_threshold: 2,
        recovery_threshold: 1,
        check_both_families: false,
        tags: [],
        depends_on: [],
        notification_settings: null,
        created_at: '2030-01-01T00:00:00.000Z',
        updated_at: '2030-01-01T00:00:00.000Z',
      });
      expect(api.nudges).toEqual([body.id % 256]);
      const got = await api.call(api.alice, 'GET', `${MONITORS}/${body.id}`);
      expect(got.status).toBe(200);
      expect(got.body).toEqual({ ...body, incidents: [], response_times: [] });
      const listed = await api.call(api.alice, 'GET', MONITORS);
      expect(listed.body['data']).toEqual([body]);
    });

    test('stores what the scheduler needs, at the shard version of the edit [6.24, 14.8]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      const read = async () => ({
        monitor: await rowOf(api.database, 'monitor', { id }),
        state: await rowOf(api.database, 'monitor_state', { monitor_id: id }),
        shard: await rowOf(api.database, 'shard', { shard: id % 256 }),
      });
      const start = api.clock.now();
      const created = await read();
      expect(created.monitor).toMatchObject({ shard: id % 256, version: 1, revision: 1 });
      expect(created.state).toMatchObject({
        revision: 1,
        status: 'pending',
        observed_until: null,
        run_at: start,
        is_paused: 0,
        tracks: '{}',
      });
      expect(created.shard.version).toBe(1);

      await api.clock.advance(5_000);
      await api.call(api.alice, 'PUT', `${MONITORS}/${id}`, { friendly_name: 'Name', tags: ['x'] });
      const renamed = await read();
      expect(renamed.monitor).toMatchObject({ version: 2, revision: 1, updated_at: start + 5_000 });
      expect(renamed.monitor.created_at).toBe(start);
      expect(renamed.state).toMatchObject({ revision: 1, run_at: start });

      await api.call(api.alice, 'PUT', `${MONITORS}/${id}`, { check_interval: 2 });
      const revised = await read();
      expect(revised.monitor).toMatchObject({ version: 3, revision: 3 });
      expect(revised.state).toMatchObject({
        revision: 3,
        run_at: start + 5_000,
        status: 'pending',
        observed_until: null,
      });

      await updateRows(
        api.database,
        'monitor_state',
        { observed_until: start + 60_000, status: 'online' },
        { monitor_id: id },
      );
      await api.call(api.alice, 'POST', `${MONITORS}/${id}/pause`);
      const paused = await read();
      expect(paused.monitor).toMatchObject({ version: 4, revision: 4, is_paused: 1 });
      expect(paused.state).toMatchObject({
        revision: 4,
        run_at: null,
        is_paused: 1,
        observed_until: start + 5_000,
        status: 'online',
      });

      await api.call(api.alice, 'PUT', `${MONITORS}/${id}`, { url: 'https://example.org' });
      expect((await read()).state).toMatchObject({ revision: 5, run_at: null, is_paused: 1 });

      await api.call(api.alice, 'POST', `${MONITORS}/${id}/resume`);
      expect((await read()).state).toMatchObject({
        revision: 6,
        run_at: start + 5_000,
        is_paused: 0,
        status: 'online',
      });

      await api.call(api.alice, 'DELETE', `${MONITORS}/${id}`);
      const deleted = await read();
      expect(deleted.monitor).toMatchObject({ version: 7, revision: 7, deleted_at: start + 5_000 });
      expect(deleted.state).toMatchObject({ revision: 7, run_at: null, is_paused: 1 });
      expect(deleted.shard.version).toBe(7);
      expect(api.nudges).toEqual(Array(7).fill(id % 256));
    });

    test('an update that changes nothing writes nothing [1.24]', async () => {
      const api = await openApi(await open());
      const created = await api.create({ request_headers: { 'X-Key': 'one' }, tags: ['a'] });
      await api.clock.advance(1_000);
      const { status, body } = await api.call(api.alice, 'PUT', `${MONITORS}/${created.id}`, {
        monitor_type: 'http',
        url: created['url'],
        request_headers: { 'X-Key': 'one' },
        tags: ['a'],
      });
      expect(status).toBe(200);
      expect(body).toEqual({ ...created, next_check_at: body['next_check_at'] });
      expect(api.nudges).toHaveLength(1);
    });

    test('a random subset of fields changes exactly these and leaves the rest [1.22, 6.15, 6.20]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create({
        check_types: ['dns'],
        keyword_settings: { keywords: [{ phrase: 'Welcome', mode: 'must_contain' }] },
        http_method: 'POST',
        request_body: 'a=b',
        auth_type: 'basic',
        auth_username: 'watcher',
        auth_password: 'secret',
      });
      const changes = fc.record(
        {
          // Of the same host: another one would not get the stored secrets.
          url: fc
            .tuple(fc.webPath(), fc.webQueryParameters())
            .map(([path, query]) => `https://example.com${path}?${query}`)
            .filter((url) => url.length < 2048),
          friendly_name: fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })),
          check_interval: fc.integer({ min: 1, max: 120 }).map((half) => half / 2),
          monitored_regions: fc.shuffledSubarray([...REGIONS], { minLength: 1 }),
          tags: fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }), {
            maxLength: 20,
          }),
          accepted_status_codes: fc.option(
            fc.uniqueArray(fc.constantFrom('200', '2xx', '404'), { minLength: 1 }),
          ),
          follow_redirects: fc.boolean(),
          http_method: fc.constantFrom('POST', 'PUT', 'PATCH'),
          request_body: fc.stringMatching(/^[ -~]+$/),
          request_timeout: fc.integer({ min: 1, max: 60 }),
          request_headers: fc.option(
            fc.dictionary(fc.stringMatching(/^X-[A-Z]{1,5}$/), fc.stringMatching(/^[ -~]*$/)),
          ),
          verify_ssl: fc.boolean(),
          ssl_expiry_threshold: fc.integer({ min: 1, max: 365 }),
          domain_expiry_threshold: fc.integer({ min: 1, max: 365 }),
          slow_response_threshold: fc.option(fc.integer({ min: 100, max: 60_000 })),
          error_text_detection: fc.boolean(),
          check_both_families: fc.boolean(),
          failure_threshold: fc.integer({ min: 1, max: 10 }),
          recovery_threshold: fc.integer({ min: 1, max: 10 }),
          check_types: fc.shuffledSubarray(['ssl', 'dns', 'domain', 'keyword']),
          auth_type: fc.constantFrom('basic', 'bearer', 'digest'),
          auth_username: fc.stringMatching(/^[ -9;-~]+$/),
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(changes.filter(isStorable), async (change) => {
          const before = (await api.call(api.alice, 'GET', `${MONITORS}/${id}`)).body;
          const { status, body } = await api.call(api.alice, 'PUT', `${MONITORS}/${id}`, change);
          const after = (await api.call(api.alice, 'GET', `${MONITORS}/${id}`)).body;
          expect(status, JSON.stringify(body)).toBe(200);
          expect(untouched(after)).toEqual(
            JSON.parse(JSON.stringify({ ...untouched(before), ...change })),
          );
          expect(untouched({ ...body, incidents: [], response_times: [] })).toEqual(
            untouched(after),
          );
        }),
        { numRuns: 40 },
      );
    });

    test('pause, resume and unpause are idempotent and keep the status [9.1, 9.2, 9.3, 9.4]', async () => {
      const api = await openApi(await open());
      const { id, url } = await api.create();
      const act = async (action: string) =>
        (await api.call(api.alice, 'POST', `/api/monitors/${id}/${action}`)).body;
      const answer = (isPaused: boolean, message: RegExp) => ({
        success: true,
        message: expect.stringMatching(message),
        monitor: { id, url, is_paused: isPaused },
      });
      expect(await act('pause')).toEqual(answer(true, /paused/));
      expect(await act('pause')).toEqual(answer(true, /already/));
      expect((await api.call(api.alice, 'GET', `${MONITORS}/${id}`)).body).toMatchObject({
        is_paused: true,
        status: 'pending',
        observed_until: null,
        next_check_at: null,
      });
      expect(await act('unpause')).toEqual(answer(false, /resumed/));
      expect(await act('resume')).toEqual(answer(false, /already/));
    });

    test('a deleted monitor is gone [1.6, 9.5]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      const deleted = await api.call(api.alice, 'DELETE', `${MONITORS}/${id}`);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      for (const [method, path] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/pause'],
        ['POST', '/check'],
        ['GET', '/incidents'],
        ['GET', '/uptime'],
        ['GET', '/results'],
        ['GET', '/pings?kind=nonsense'],
        ['GET', '/dns?page=0'],
        ['GET', '/certificates'],
        ['GET', '/activities'],
      ]) {
        expect((await api.call(api.alice, method!, `${MONITORS}/${id}${path}`)).status).toBe(404);
      }
      expect((await api.call(api.alice, 'GET', MONITORS)).body['total']).toBe(0);
    });

    test('two edits at once of different fields both hold', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      const edits = [
        { friendly_name: 'both' },
        { check_interval: 7 },
        { tags: ['t'] },
        { request_timeout: 9 },
      ];
      const answers = await Promise.all(
        edits.map((edit) => api.call(api.alice, 'PUT', `${MONITORS}/${id}`, edit)),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const { body } = await api.call(api.alice, 'GET', `${MONITORS}/${id}`);
      expect(body).toMatchObject(Object.assign({}, ...edits));
    });
  });

  describe('secrets of a monitor', () => {
    const secrets = {
      http_method: 'POST',
      request_headers: { Authorization: 'Bearer hunter2-header' },
      request_body: 'hunter2-body',
    };

    test('are shown to tokens that may update, and to no others [7.36]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create(secrets);
      const seen = async (who: typeof api.ed) =>
        (await api.call(who, 'GET', `${MONITORS}/${id}`)).body;
      expect(await seen(api.ed)).toMatchObject(secrets);
      expect(await seen(api.vera)).toMatchObject({ request_headers: null, request_body: null });
      const listed = await api.call(api.vera, 'GET', MONITORS);
      expect(listed.text).not.toContain('hunter2');
      const reader = await giveToken(api.database, api.alice, {
        permissions: ['read', 'create'],
        now: api.clock.now(),
      });
      const created = await api.call(reader, 'POST', MONITORS, { ...LEAST.http, ...secrets });
      const read = await api.call(reader, 'GET', `${MONITORS}/${id}`);
      for (const { body } of [created, read])
        expect(body).toMatchObject({ request_headers: null, request_body: null });
    });
  });

  describe('manual check', () => {
    test('answers what was seen, stores it without a vote and hurries the next round [9.6, 9.9, 9.12, 9.13]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create({
        monitored_regions: ['nbg', 'sin'],
        request_headers: { 'X-A': 'b' },
      });
      await api.clock.advance(10_000);
      api.deadRegions.add('nbg');
      const { status, body } = await api.call(api.alice, 'POST', `${MONITORS}/${id}/check`);
      expect(status).toBe(200);
      expect(body).toEqual({
        uptime: {
          is_up: true,
          status: 'online',
          response_time: 20,
          status_code: 200,
          checked_from_region: 'sin',
          error: null,
          timings: { dns_ms: null, tcp_ms: null, tls_ms: null, ttfb_ms: null, total_ms: 20 },
        },
        ssl: null,
        not_run: {},
      });
      expect(api.checks[0]!.request).toMatchObject({ headers: { 'X-A': 'b' } });
      expect(api.checks[0]!.request.timeoutMs).toBeLessThanOrEqual(22_000);
      const state = await rowOf(api.database, 'monitor_state', { monitor_id: id });
      expect(state).toMatchObject({
        run_at: api.clock.now(),
        revision: 1,
        status: 'pending',
        observed_until: null,
        last_slot: null,
      });
      const monitor = await api.database.read
        .selectFrom('monitor')
        .select(['version', 'revision'])
        .where('id', '=', id)
        .executeTakeFirst();
      expect(monitor).toMatchObject({ version: 2, revision: 1 });
      expect(api.nudges).toHaveLength(2);
      const stored = await listResults(api.database, id, {
        from: 0,
        to: api.clock.now() + 1,
        page: 1,
        perPage: 10,
      });
      expect(stored.results).toEqual([
        expect.objectContaining({
          kind: 'manual',
          region: 'sin',
          vote: 'up',
          startedAt: api.clock.now(),
        }),
      ]);
    });

    test('shows its result at once, and a round that began before it shows nothing older [9.31]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create({ monitored_regions: ['ash', 'sin'] });
      const read = async () => (await api.call(api.alice, 'GET', `${MONITORS}/${id}`)).body;
      await api.clock.advance(10_000);
      const startedAt = api.clock.now() - 1_000;
      const round = { ...roundOf('uu', { startedAt }), monitorId: id, slot: startedAt };
      api.setTarget(() => checkResult('up', { responseTimeMs: 12.345 }));
      await api.call(api.alice, 'POST', `${MONITORS}/${id}/check`);
      const shown = await read();
      expect(shown).toMatchObject({
        status: 'pending',
        observed_until: null,
        last_checked_at: '2030-01-01T00:00:10.000Z',
        response_times: [
          {
            region: 'ash',
            response_time: 12.3,
            status_code: 200,
            checked_at: '2030-01-01T00:00:10.000Z',
          },
        ],
      });
      const manual = await api.database.transaction(async (tx) =>
        (await lockStates(tx, [id])).get(id)!,
      );
      const { state: after } = evaluateRound(manual, round, api.clock.now());
      expect(after).toMatchObject({ lastSlot: startedAt, lastCheckedAt: api.clock.now() });
      expect(after.newest['ash']).toMatchObject({ responseTimeMs: 12.345 });
      expect(after.newest['pdx']).toMatchObject({ responseTimeMs: 20 });
      // The clock was set back since.
      const { state: setBack } = evaluateRound(manual, round, startedAt);
      expect(setBack).toMatchObject({ lastCheckedAt: startedAt });
    });

    test('a failing target is an answer with its cause [9.7]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      for (const [result, uptime] of [
        [checkResult('down'), { is_up: false, status_code: null, error: expect.any(String) }],
        [
          checkResult('down', {
            statusCode: 503,
            failure: { code: 'http_status', text: 'HTTP 503 Service Unavailable' },
          }),
          { is_up: false, status_code: 503, error: 'HTTP 503 Service Unavailable' },
        ],
        [checkResult('up', { statusCode: 204 }), { is_up: true, status_code: 204, error: null }],
        [checkResult('up', { statusCode: null }), { is_up: true, status_code: null, error: null }],
      ] as const) {
        api.setTarget(() => result);
        const { status, body } = await api.call(api.alice, 'POST', `/api/monitors/${id}/check`, '');
        expect(status).toBe(200);
        const word = uptime.is_up ? 'online' : 'offline';
        expect(body['uptime']).toMatchObject({ ...uptime, status: word });
      }
    });

    const LAGGED = 'The probe was stalled for 3 s during the check';
    const NO_PING = 'There is no ping program';
    // Attempts begin a second after each other, the last one 2 s before the end of the checks' 21 s.
    test.each<[string, CheckResult, number, number, string]>([
      ['was stalled once', unknownBy('probe_lagged', LAGGED), 1, 2, ''],
      ['was stalled for long', unknownBy('probe_lagged', LAGGED), 19, 20, ''],
      ['is restarted', unknownBy('no_probe', 'No probe is running'), 5, 6, ''],
      [
        'was stalled all the time',
        unknownBy('probe_lagged', LAGGED),
        Infinity,
        20,
        `The probe could not tell: ${LAGGED}. Try again in a minute.`,
      ],
      [
        'is restarted again and again',
        unknownBy('no_probe', 'No probe is running'),
        Infinity,
        20,
        "No probe in the monitor's regions can check it right now. Try again in a minute.",
      ],
      [
        'can not at all',
        unknownBy('probe_unable', NO_PING),
        Infinity,
        4,
        `The probe could not tell: ${NO_PING}. Try again in a minute.`,
      ],
    ])(
      'a live probe that %s is asked again [9.40]',
      async (_, result, times, attempts, message) => {
        const api = await openApi(await open());
        const { id } = await api.create({ monitored_regions: ['ash'] });
        const before = api.checks.length;
        api.setTarget(() => (api.checks.length - before <= times ? result : checkResult('up')));
        const answer = api.call(api.alice, 'POST', `${MONITORS}/${id}/check`);
        for (let count = 1; count < attempts; count += 1) {
          await waitUntil(() => api.checks.length >= before + count);
          await api.clock.advance(1_000);
        }
        await waitUntil(() => api.checks.length >= before + attempts);
        if (times === Infinity) await api.clock.advance(1_000);
        const { status, body } = await answer;
        expect(api.checks.length - before).toBe(attempts);
        expect([status, body['message'] ?? '']).toEqual([message === '' ? 200 : 503, message]);
      },
    );

    test('without a live probe: 503, and nothing is stored [2.15]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      for (const region of REGIONS) api.deadRegions.add(region);
      const dead = await api.call(api.alice, 'POST', `${MONITORS}/${id}/check`);
      expect([dead.status, dead.headers['retry-after']]).toEqual([503, '30']);
      expect(dead.body['message']).toMatch(/probe/i);
      expect(api.checks).toEqual([]);
      expect(api.nudges).toHaveLength(1);
    });

    test('a paused monitor is checked and stays paused [9.15]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      await api.call(api.alice, 'POST', `${MONITORS}/${id}/pause`);
      expect((await api.call(api.alice, 'POST', `${MONITORS}/${id}/check`)).status).toBe(200);
      expect((await api.call(api.alice, 'GET', `${MONITORS}/${id}`)).body['next_check_at']).toBe(
        null,
      );
      const query = api.database.read.selectFrom('monitor_state').select('run_at');
      expect(await query.where('monitor_id', '=', id).executeTakeFirst()).toMatchObject({
        run_at: null,
      });
    });
  });
});

test('no file of the database holds a secret in clear [35.9]', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-api-'));
  try {
    const database = await openDatabase({ engine: 'sqlite', directory });
    const api = await openApi(database);
    await api.create({
      friendly_name: 'readable-name',
      http_method: 'POST',
      request_headers: { 'X-Key': 'hunter2-header' },
      request_body: 'hunter2-body',
      auth_type: 'basic',
      auth_username: 'hunter2-name',
      auth_password: 'hunter2-password',
    });
    const { ping_url } = await api.create(LEAST.heartbeat);
    const pingToken = (ping_url as string).split('/').at(-1)!;
    // Before it is closed, so that the write-ahead log is looked at as well.
    const contents = readdirSync(directory).map((name) => readFileSync(join(directory, name)));
    await database.close();
    contents.push(...readdirSync(directory).map((name) => readFileSync(join(directory, name))));
    const holds = (text: string) => contents.some((content) => content.includes(text));
    expect(holds('readable-name')).toBe(true);
    for (const secret of ['hunter2', pingToken, api.alice.token]) expect(holds(secret)).toBe(false);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
