import { expect, test } from 'vitest';
import { BASE_URL, openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { changeSpans } from '../../store/engine/spans.ts';

const MONITORS = '/api/v1/monitors';

async function idsOf(api: TestApi, query: string, path: string): Promise<number[]> {
  const { status, body, text } = await api.call(api.alice, 'GET', `${path}?${query}`);
  expect(status, text).toBe(200);
  return (body['data'] as { id: number }[]).map(({ id }) => id);
}

eachDatabase((_name, open) => {
  const MINUTE = 60_000;
  const start = Date.UTC(2030, 0, 1);

  test('one incident says how much of it was not observed, as the uptime does [21.46]', async () => {
    const api = await openApi(await open());
    const { id, path } = await monitorThatWasNotObserved(api);
    const { body } = await api.call(api.alice, 'POST', '/api/v1/incidents', {
      monitor_id: id,
      started_at: new Date(api.clock.now() - 10 * MINUTE).toISOString(),
      status: 'open',
    });
    const read = await api.call(api.alice, 'GET', `/api/v1/incidents/${body.id}`);
    expect(read.body).toMatchObject({ unobserved_seconds: 6 * 60 });
    const uptime = await api.call(api.alice, 'GET', `${path}/uptime`);
    expect(uptime.body).toMatchObject({ down_seconds: 4 * 60, unobserved_seconds: 6 * 60 });
  });

  /** Down for ten minutes, of which the last six were not observed. */
  async function monitorThatWasNotObserved(api: TestApi) {
    const { id } = await api.create();
    const now = api.clock.now();
    await updateRows(api.database, 'monitor', { created_at: now - 60 * MINUTE }, { id });
    await updateRows(
      api.database,
      'monitor_state',
      { observed_until: now - 6 * MINUTE },
      { monitor_id: id },
    );
    await api.database.transaction((tx) =>
      changeSpans(
        tx,
        [
          { status: 'online' as const, at: now - 60 * MINUTE },
          { status: 'offline' as const, at: now - 10 * MINUTE },
        ].map((change) => ({ ...change, monitorId: id, teamId: api.alice.teamId })),
      ),
    );
    return { id, path: `${MONITORS}/${id}` };
  }

  async function withIncidents() {
    const api = await openApi(await open());
    const [one, two] = [await api.create({ friendly_name: 'One' }), await api.create()];
    const theirs = await api.create({}, api.mallory);
    const insert = async (monitor: { id: number }, teamId: number, fields: object) => {
      const row = {
        team_id: teamId,
        monitor_id: monitor.id,
        type: 'uptime',
        severity: 'critical',
        root_cause: 'Connection refused',
        failure_code: 'connection_refused',
        is_regional: 0,
        started_at: start,
        created_at: start,
        updated_at: start,
        ...fields,
      };
      const query = api.database.transaction((tx) =>
        tx.insertInto('incident').values(row).returning('id').executeTakeFirstOrThrow(),
      );
      return (await query).id;
    };
    const team = api.alice.teamId;
    const day = 24 * 60 * MINUTE;
    const ids = {
      long: await insert(one, team, {
        started_at: start - day,
        ended_at: start - day + 15 * MINUTE,
      }),
      short: await insert(one, team, {
        started_at: start,
        ended_at: start + 1_400,
        type: 'regional',
        severity: 'warning',
        is_regional: 1,
        region: 'ash',
      }),
      open: await insert(one, team, { started_at: start + 5 * MINUTE }),
      other: await insert(two, team, {
        started_at: start + day - 1,
        type: 'slow_response',
        severity: 'warning',
      }),
      theirs: await insert(theirs, api.mallory.teamId, {}),
    };
    return { api, one, two, ids };
  }

  test('a detected one in a list [21.23]', async () => {
    const { api, one, ids } = await withIncidents();
    const { body } = await api.call(
      api.alice,
      'GET',
      '/api/incidents?status=resolved&type=regional',
    );
    expect(body).toMatchObject({ total: 1, path: `${BASE_URL}/api/v1/incidents` });
    expect(body['data']).toMatchObject([
      {
        id: ids.short,
        monitor_id: one.id,
        type: 'regional',
        severity: 'warning',
        root_cause: 'Connection refused',
        ended_at: '2030-01-01T00:00:01.400Z',
        duration: 1,
        duration_seconds: 1,
        is_regional: true,
        region: 'ash',
        monitor: { friendly_name: 'One' },
      },
    ]);
  });

  test('filters and orders [4.14, 4.15, 4.16, 4.26, 4.27, 4.28, 21.27]', async () => {
    const { api, one, two, ids } = await withIncidents();
    const list = (query: string, path = '/api/v1/incidents') => idsOf(api, query, path);
    expect(await list('')).toEqual([ids.other, ids.open, ids.short, ids.long]);
    expect(await list('direction=asc')).toEqual([ids.long, ids.short, ids.open, ids.other]);
    expect(await list('sort=started_at')).toEqual([ids.long, ids.short, ids.open, ids.other]);
    expect(await list('sort=ended_at')).toEqual([ids.long, ids.short, ids.open, ids.other]);
    expect(await list('sort=duration&direction=desc')).toEqual([
      ids.long,
      ids.short,
      ids.other,
      ids.open,
    ]);
    expect(await list('sort=status&status=open')).toEqual([ids.open, ids.other]);
    expect(await list('status=resolved')).toEqual([ids.short, ids.long]);
    expect(await list(`monitor_id=${two.id}`)).toEqual([ids.other]);
    expect(await list('monitor_id=999999')).toEqual([]);
    expect(await list('type=slow_response')).toEqual([ids.other]);
    expect(await list('severity=warning')).toEqual([ids.other, ids.short]);
    expect(await list('start_date=2030-01-01')).toEqual([ids.other, ids.open, ids.short]);
    expect(await list('end_date=2029-12-31')).toEqual([ids.long]);
    expect(await list('start_date=2030-01-01T12:00:00Z&end_date=2030-01-01')).toHaveLength(3);
    expect(await list('type=ssl')).toEqual([]);
    expect(await list('status=open', `/api/v1/monitors/${one.id}/incidents`)).toEqual([ids.open]);
    expect(await list(`monitor_id=${two.id}`, `/api/v1/monitors/${one.id}/incidents`)).toHaveLength(
      3,
    );
  });

  test('each filter and order of all incidents is one of a monitor, too [4.15, 21.28]', async () => {
    const { api, one, ids } = await withIncidents();
    const list = (query: string) => idsOf(api, query, `/api/v1/monitors/${one.id}/incidents`);
    expect(await list('')).toEqual([ids.open, ids.short, ids.long]);
    expect(await list('direction=asc')).toEqual([ids.long, ids.short, ids.open]);
    expect(await list('status=resolved&sort=duration')).toEqual([ids.short, ids.long]);
    expect(await list('type=uptime&severity=critical')).toEqual([ids.open, ids.long]);
    expect(await list('severity=warning')).toEqual([ids.short]);
    expect(await list('start_date=2030-01-01&end_date=2030-01-01')).toEqual([ids.open, ids.short]);
    expect(await list('per_page=1&page=2')).toEqual([ids.short]);
  });

  test('orders: ties by id, nulls last in both directions [4.18, 4.19]', async () => {
    const { api, ids } = await withIncidents();
    const list = (query: string) => idsOf(api, query, '/api/v1/incidents');
    expect(await list('sort=ended_at&direction=desc')).toEqual([
      ids.short,
      ids.long,
      ids.other,
      ids.open,
    ]);
    expect(await list('sort=duration')).toEqual([ids.short, ids.long, ids.open, ids.other]);
    expect(await list('sort=status')).toEqual([ids.open, ids.other, ids.long, ids.short]);
    expect(await list('sort=status&direction=desc')).toEqual([
      ids.short,
      ids.long,
      ids.other,
      ids.open,
    ]);
    expect(await list('sort=started_at&direction=desc')).toEqual(await list(''));
  });

  test('days are whole days in UTC, both inclusive [4.29]', async () => {
    const { api, one, ids } = await withIncidents();
    const at = (started_at: string) =>
      api
        .call(api.alice, 'POST', '/api/v1/incidents', {
          monitor_id: one.id,
          started_at,
          status: 'open',
        })
        .then(({ body }) => body.id);
    const last = await at('2029-12-30T23:59:59.999Z');
    const list = (query: string) => idsOf(api, `type=manual&${query}`, '/api/v1/incidents');
    expect(await list('start_date=2029-12-30&end_date=2029-12-30')).toEqual([last]);
    expect(await list('start_date=2029-12-31')).toEqual([]);
    expect(await list('end_date=2029-12-29')).toEqual([]);
    expect(await list('end_date=2029-12-31T00:30:00%2B01:00')).toEqual([last]);
    expect(await list('start_date=2029-12-31T00:30:00')).toEqual([]);
    expect(await list('start_date=2029-12-31&end_date=2029-12-29')).toEqual([]);
    expect(await idsOf(api, 'end_date=2029-12-31', '/api/incidents')).toEqual([ids.long, last]);
  });

  test('a list of very many is as exact [6.17]', async () => {
    const { api, one, ids } = await withIncidents();
    const row = {
      team_id: api.alice.teamId,
      monitor_id: one.id,
      type: 'manual',
      severity: 'info',
      is_regional: 0,
      created_at: start,
      updated_at: start,
    };
    for (let part = 0; part < 11; part += 1) {
      const rows = Array.from({ length: 200 }, (_, index) => {
        const at = start - MINUTE * (1 + Math.floor((part * 200 + index) / 2));
        return { ...row, started_at: at, ended_at: index % 2 ? at + 1 : null };
      });
      await api.database.transaction((tx) => tx.insertInto('incident').values(rows).execute());
    }
    const page = async (query: string) => {
      const { body } = await api.call(api.alice, 'GET', `/api/v1/incidents?${query}`);
      return {
        total: body['total'],
        ids: (body['data'] as { id: number }[]).map(({ id }) => id),
      };
    };
    expect(await page('per_page=3')).toEqual({
      total: 2204,
      ids: [ids.other, ids.open, ids.short],
    });
    const running = await page('status=open&type=manual&sort=started_at&per_page=100&page=11');
    expect(running.total).toBe(1100);
    expect(running.ids).toEqual(running.ids.toSorted((a, b) => b - a));
    const tied = await page('severity=info&per_page=4&page=550');
    const [first = 0] = tied.ids;
    expect(tied).toEqual({ total: 2200, ids: [first, first - 1, first + 2, first + 1] });
    expect((await page('page=9999')).ids).toEqual([]);
    const ofMonitor = `${MONITORS}/${one.id}`;
    const { body } = await api.call(api.alice, 'GET', ofMonitor);
    expect((body['incidents'] as { id: number }[]).map(({ id }) => id)).toEqual(
      await idsOf(api, 'per_page=10', `${ofMonitor}/incidents`),
    );
  });

  test('one incident tells its log and evidence, and only to its team [21.22]', async () => {
    const { api, ids } = await withIncidents();
    const evidence = {
      region: 'ash',
      failure: { code: 'http_status', text: 'HTTP 503 Service Unavailable' },
      checkedAt: start,
      attempts: [],
      timings: { dnsMs: 1, tcpMs: 2, tlsMs: null, ttfbMs: 3, totalMs: 6 },
      statusCode: 503,
      remoteAddress: '192.0.2.1',
      answer: {
        statusLine: 'HTTP/1.1 503 Service Unavailable',
        headers: { 'X-Served-By': 'a' },
        body: 'down',
        redirects: [],
        tls: null,
      },
    };
    await api.database.transaction(async (tx) => {
      const activity = {
        team_id: api.alice.teamId,
        incident_id: ids.open,
        type: 'opened',
        created_at: start,
      };
      await tx
        .insertInto('activity')
        .values([
          { ...activity, description: 'HTTP 503.', person_id: null },
          { ...activity, description: 'Seen.', type: 'acknowledged', person_id: api.ed.personId },
        ])
        .execute();
      await tx
        .insertInto('incident_evidence')
        .values({ incident_id: ids.open, region: 'ash', evidence: JSON.stringify(evidence) })
        .execute();
    });
    const { status, body } = await api.call(api.vera, 'GET', `/api/v1/incidents/${ids.open}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: ids.open,
      status: 'open',
      ended_at: null,
      duration: null,
      duration_seconds: null,
      activities: [
        {
          id: expect.any(Number),
          type: 'opened',
          description: 'HTTP 503.',
          user: null,
          created_at: '2030-01-01T00:00:00.000Z',
        },
        { type: 'acknowledged', user: { id: api.ed.personId, name: 'Ed' } },
      ],
      evidence: [
        {
          region: 'ash',
          failure: evidence.failure,
          status_code: 503,
          remote_address: '192.0.2.1',
          timings: { dns_ms: 1, tcp_ms: 2, tls_ms: null, ttfb_ms: 3, total_ms: 6 },
          status_line: 'HTTP/1.1 503 Service Unavailable',
          headers: { 'X-Served-By': 'a' },
          body: 'down',
        },
      ],
    });
    for (const id of [ids.open, ids.theirs, 999_999, 'x']) {
      const who = id === ids.open ? api.mallory : api.alice;
      expect((await api.call(who, 'GET', `/api/v1/incidents/${id}`)).status).toBe(404);
    }
  });

  test('a monitor shows its newest ten, and newest results; those of a deleted one are gone [6.17, 6.18]', async () => {
    const { api, one, ids } = await withIncidents();
    await updateRows(
      api.database,
      'monitor_state',
      {
        newest: JSON.stringify({
          sin: { responseTimeMs: 12, statusCode: 200, checkedAt: start, failure: null },
          ash: {
            responseTimeMs: null,
            statusCode: null,
            checkedAt: start,
            failure: 'dns_timeout',
          },
        }),
      },
      { monitor_id: one.id },
    );
    const { body } = await api.call(api.alice, 'GET', `${MONITORS}/${one.id}`);
    expect((body['incidents'] as { id: number }[]).map(({ id }) => id)).toEqual([
      ids.open,
      ids.short,
      ids.long,
    ]);
    const at = '2030-01-01T00:00:00.000Z';
    expect(body['response_times']).toEqual([
      { region: 'ash', response_time: null, status_code: null, checked_at: at },
      { region: 'sin', response_time: 12, status_code: 200, checked_at: at },
    ]);
    await api.call(api.alice, 'DELETE', `${MONITORS}/${one.id}`);
    expect(await idsOf(api, '', '/api/v1/incidents')).toEqual([ids.other]);
    expect((await api.call(api.alice, 'GET', `/api/v1/incidents/${ids.open}`)).status).toBe(404);
  });
});
