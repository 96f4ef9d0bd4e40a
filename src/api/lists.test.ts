import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';

const MONITORS = '/api/v1/monitors';
const HOST = 'https://up.example.com';

async function idsOf(api: TestApi, query: string, path = MONITORS): Promise<number[]> {
  const { status, body } = await api.call(api.alice, 'GET', `${path}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body['data'] as { id: number }[]).map(({ id }) => id);
}

eachDatabase((_name, open) => {
  describe('list of monitors', () => {
    test('the envelope, with absolute urls that keep the other parameters', async () => {
      const api = await openApi(await open());
      for (let index = 0; index < 5; index += 1) await api.create();
      await api.create({}, api.mallory);
      const page = async (path: string) => {
        const { data, ...envelope } = (await api.call(api.alice, 'GET', path)).body;
        return { ...envelope, count: (data as unknown[]).length };
      };
      const url = (number: number) =>
        `${HOST}${MONITORS}?per_page=2&search=ex%C3%A4%26&foo=b+r&page=${number}`;
      expect(await page(`/api/monitors/?per_page=2&page=2&search=ex%C3%A4%26&foo=b+r`)).toEqual({
        count: 0,
        current_page: 2,
        per_page: 2,
        total: 0,
        last_page: 1,
        from: null,
        to: null,
        first_page_url: url(1),
        last_page_url: url(1),
        next_page_url: null,
        prev_page_url: url(1),
        path: `${HOST}${MONITORS}`,
      });
      const plain = (number: number) => `${HOST}${MONITORS}?per_page=2&page=${number}`;
      const common = {
        per_page: 2,
        total: 5,
        last_page: 3,
        first_page_url: plain(1),
        last_page_url: plain(3),
        path: `${HOST}${MONITORS}`,
      };
      expect(await page(`${MONITORS}?per_page=2`)).toEqual({
        ...common,
        count: 2,
        current_page: 1,
        from: 1,
        to: 2,
        next_page_url: plain(2),
        prev_page_url: null,
      });
      expect(await page(`${MONITORS}?per_page=2&page=3`)).toEqual({
        ...common,
        count: 1,
        current_page: 3,
        from: 5,
        to: 5,
        next_page_url: null,
        prev_page_url: plain(2),
      });
      expect(await page(`${MONITORS}?per_page=2&page=9007199254740991`)).toMatchObject({
        count: 0,
        current_page: 9007199254740991,
        from: null,
        to: null,
        next_page_url: null,
        prev_page_url: plain(3),
      });
      expect(await page(MONITORS)).toMatchObject({ per_page: 20, total: 5, last_page: 1 });
    });

    test('pages cut a stable order: each monitor once', async () => {
      const api = await openApi(await open());
      const created = [];
      for (let index = 0; index < 7; index += 1)
        created.push((await api.create({ check_interval: 1 + (index % 2) })).id);
      for (const sort of ['url', 'status', 'check_interval', 'last_checked_at', 'created_at']) {
        const seen = [];
        for (const page of [1, 2, 3, 4])
          seen.push(...(await idsOf(api, `sort=${sort}&per_page=2&page=${page}`)));
        expect(seen.toSorted((a, b) => a - b)).toEqual(created);
      }
    });

    test('orders: newest first by default, nulls last, texts byte by byte [4.20]', async () => {
      const api = await openApi(await open());
      const a = await api.create({ url: 'https://B.example', check_interval: 5 });
      await api.clock.advance(1_000);
      const b = await api.create({ url: 'https://a.example', check_interval: 1 });
      const c = await api.create({ url: 'https://ä.example', check_interval: 5 });
      await api.database.transaction((tx) =>
        tx
          .updateTable('monitor_state')
          .set({ last_checked_at: 5, status: 'offline' })
          .where('monitor_id', '=', b.id)
          .execute(),
      );
      expect(await idsOf(api, '')).toEqual([c.id, b.id, a.id]);
      expect(await idsOf(api, 'direction=asc')).toEqual([a.id, b.id, c.id]);
      expect(await idsOf(api, 'sort=url')).toEqual([a.id, b.id, c.id]);
      expect(await idsOf(api, 'sort=url&direction=desc')).toEqual([c.id, b.id, a.id]);
      expect(await idsOf(api, 'sort=check_interval')).toEqual([b.id, a.id, c.id]);
      expect(await idsOf(api, 'sort=check_interval&direction=desc')).toEqual([c.id, a.id, b.id]);
      expect(await idsOf(api, 'sort=last_checked_at')).toEqual([b.id, a.id, c.id]);
      expect(await idsOf(api, 'sort=last_checked_at&direction=desc')).toEqual([b.id, c.id, a.id]);
      expect(await idsOf(api, 'sort=status')).toEqual([b.id, a.id, c.id]);
    });

    test('search matches part of the url whatever the case, and % _ \\ stand for themselves', async () => {
      const api = await openApi(await open());
      const urls = [
        'https://x.example/100%25',
        'https://x.example/a_b',
        'https://x.example/aXb',
        'https://ÄÖ.example/',
      ];
      const ids: number[] = [];
      for (const url of urls)
        ids.push((await api.create({ url, friendly_name: 'needle', tags: ['needle'] })).id);
      const backslash = await api.create({ url: 'https://x.example/?\\d' });
      const found = async (search: string) =>
        (await idsOf(api, `sort=created_at&search=${encodeURIComponent(search)}`)).toSorted(
          (x, y) => x - y,
        );
      expect(await found('X.EXAMPLE')).toEqual([ids[0], ids[1], ids[2], backslash.id]);
      expect(await found('%')).toEqual([ids[0]]);
      expect(await found('_')).toEqual([ids[1]]);
      expect(await found('a_b')).toEqual([ids[1]]);
      expect(await found('\\')).toEqual([backslash.id]);
      expect(await found('äö')).toEqual([ids[3]]);
      expect(await found('needle')).toEqual([]);
      expect(await found("' or 1=1 --")).toEqual([]);
    });

    test('q also looks at the name and at each tag', async () => {
      const api = await openApi(await open());
      const named = await api.create({ friendly_name: 'The Shop_Front' });
      const tagged = await api.create({ tags: ['prod"uction', 'EU'] });
      await api.create();
      expect(await idsOf(api, 'q=SHOP_')).toEqual([named.id]);
      expect(await idsOf(api, 'q=d%22u')).toEqual([tagged.id]);
      expect(await idsOf(api, 'q=eu')).toEqual([tagged.id]);
      expect(await idsOf(api, 'q=%2C')).toEqual([]);
      expect(await idsOf(api, 'q=%5B')).toEqual([]);
      expect(await idsOf(api, 'q=example.com')).toHaveLength(3);
    });

    test('filters by status, type and interval', async () => {
      const api = await openApi(await open());
      const http = await api.create({ check_interval: 0.5 });
      const ping = await api.create({
        monitor_type: 'ping',
        url: 'example.com',
        check_interval: 2,
      });
      expect(await idsOf(api, 'type=ping')).toEqual([ping.id]);
      expect(await idsOf(api, 'type=cron')).toEqual([]);
      expect(await idsOf(api, 'interval=0.5')).toEqual([http.id]);
      expect(await idsOf(api, 'status=pending&interval=2.0')).toEqual([ping.id]);
      expect(await idsOf(api, 'status=online')).toEqual([]);
    });
  });

  describe('incidents', () => {
    const MINUTE = 60_000;
    const start = Date.UTC(2030, 0, 1);

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
          region: null,
          started_at: start,
          ended_at: null,
          acknowledged_at: null,
          acknowledged_by: null,
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

    test('the shape of an incident in a list', async () => {
      const { api, one, ids } = await withIncidents();
      const { body } = await api.call(
        api.alice,
        'GET',
        '/api/incidents?status=resolved&type=regional',
      );
      expect(body).toMatchObject({ total: 1, path: `${HOST}/api/v1/incidents` });
      expect(body['data']).toEqual([
        {
          id: ids.short,
          monitor_id: one.id,
          type: 'regional',
          severity: 'warning',
          status: 'resolved',
          root_cause: 'Connection refused',
          started_at: '2030-01-01T00:00:00.000Z',
          ended_at: '2030-01-01T00:00:01.400Z',
          duration: 1,
          duration_seconds: 1,
          acknowledged_at: null,
          acknowledged_by: null,
          is_regional: true,
          region: 'ash',
          monitor: { id: one.id, url: 'https://example.com', friendly_name: 'One' },
          created_at: '2030-01-01T00:00:00.000Z',
          updated_at: '2030-01-01T00:00:00.000Z',
        },
      ]);
    });

    test('filters and orders', async () => {
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
      expect(await list('severity=warning')).toEqual([ids.other, ids.short]);
      expect(await list('start_date=2030-01-01')).toEqual([ids.other, ids.open, ids.short]);
      expect(await list('end_date=2029-12-31')).toEqual([ids.long]);
      expect(await list('start_date=2030-01-01T12:00:00Z&end_date=2030-01-01')).toHaveLength(3);
      expect(await list('type=ssl')).toEqual([]);
      expect(await list('status=open', `/api/v1/monitors/${one.id}/incidents`)).toEqual([ids.open]);
      expect(
        await list(`monitor_id=${two.id}`, `/api/v1/monitors/${one.id}/incidents`),
      ).toHaveLength(3);
    });

    test('each filter and order of all incidents is one of a monitor, too', async () => {
      const { api, one, ids } = await withIncidents();
      const list = (query: string) => idsOf(api, query, `/api/v1/monitors/${one.id}/incidents`);
      expect(await list('')).toEqual([ids.open, ids.short, ids.long]);
      expect(await list('direction=asc')).toEqual([ids.long, ids.short, ids.open]);
      expect(await list('status=resolved&sort=duration')).toEqual([ids.short, ids.long]);
      expect(await list('type=uptime&severity=critical')).toEqual([ids.open, ids.long]);
      expect(await list('severity=warning')).toEqual([ids.short]);
      expect(await list('start_date=2030-01-01&end_date=2030-01-01')).toEqual([
        ids.open,
        ids.short,
      ]);
      expect(await list('per_page=1&page=2')).toEqual([ids.short]);
    });

    test('orders: ties by id, nulls last in both directions', async () => {
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

    test('days are whole days in UTC, both inclusive', async () => {
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

    test('a list of very many is as exact', async () => {
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
    });

    test('one incident tells its log and evidence, and only to its team', async () => {
      const { api, ids } = await withIncidents();
      const evidence = {
        region: 'ash',
        failure: { code: 'http_status', text: 'HTTP 503 Service Unavailable' },
        checkedAt: start,
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

    test('a monitor shows its newest ten, and newest results; those of a deleted one are gone', async () => {
      const { api, one, ids } = await withIncidents();
      await api.database.transaction((tx) =>
        tx
          .updateTable('monitor_state')
          .set({
            newest: JSON.stringify({
              sin: { responseTimeMs: 12, statusCode: 200, checkedAt: start, failure: null },
              ash: {
                responseTimeMs: null,
                statusCode: null,
                checkedAt: start,
                failure: 'dns_timeout',
              },
            }),
          })
          .where('monitor_id', '=', one.id)
          .execute(),
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
});
