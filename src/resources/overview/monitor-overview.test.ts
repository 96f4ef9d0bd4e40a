import { callOf } from '../../../test/support/call.ts';
import { createRegions } from '../../model/regions.ts';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openApi, sharedApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { storeIncident } from '../../../test/support/overviews.ts';
import { callerOf } from '../../../test/support/people.ts';
import { insertRows, updateRows } from '../../../test/support/rows.ts';
import type { SpanStatus } from '../../model/incident.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import { getMonitorOverview } from './monitor-overview.ts';

const ONLY_ASH = createRegions([{ code: 'ash', title: 'Ashburn' }]);

const OVERVIEW = '/api/v1/monitors/overview';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const get = (api: TestApi, who = api.alice, headers = {}) =>
  api.call(who, 'GET', OVERVIEW, undefined, headers);

const monitorsOf = ({ body }: { body: Json }) => body['monitors'] as Json[];

async function monitorOf(api: TestApi, id: number): Promise<Json> {
  return monitorsOf(await get(api)).find((one) => one.id === id)!;
}

type Change = readonly [SpanStatus, hoursAgo: number];

/** Records changes of status as the engine does, seen until now. */
async function recordChanges(api: TestApi, id: number, changes: readonly Change[]): Promise<void> {
  const now = api.clock.now();
  const { teamId } = api.alice;
  const seen = { observed_until: now, last_checked_at: now, status: changes.at(-1)![0] };
  await api.database.transaction((tx) =>
    changeSpans(
      tx,
      changes.map(([status, ago]) => ({ monitorId: id, teamId, status, at: now - ago * HOUR })),
    ),
  );
  await updateRows(api.database, 'monitor_state', seen, { monitor_id: id });
}

/** A monitor of 100 days ago with these changes of status. */
async function monitorWith(
  api: TestApi,
  changes: readonly Change[],
  body: Record<string, unknown> = {},
): Promise<number> {
  const { id } = await api.create(body);
  await updateRows(api.database, 'monitor', { created_at: api.clock.now() - 100 * DAY }, { id });
  await recordChanges(api, id, changes);
  return id;
}

/** Stores maintenance of all monitors with that tag, in hours before now. */
async function storeMaintenance(api: TestApi, tag: string, from: number, to: number) {
  const now = api.clock.now();
  const times = { from_at: now - from * HOUR, to_at: now - to * HOUR };
  const scope = { monitors: '[]', groups: '[]', tags: JSON.stringify([tag]) };
  const { teamId: team_id } = api.alice;
  await insertRows(api.database, 'maintenance_window', {
    id: 1,
    team_id,
    name: 'Deploy',
    starts_at: times.from_at,
    ends_at: times.to_at,
    timezone: 'UTC',
    ...scope,
    created_at: now,
    updated_at: now,
  });
  await insertRows(api.database, 'maintenance_occurrence', {
    window_id: 1,
    team_id,
    ...scope,
    ...times,
  });
}

const FINE: Change[] = [['online', 95 * 24]];
const OUTAGE: Change[] = [...FINE, ['offline', 3], ['online', 2]];

const result = (failure: string | null, responseTimeMs: number | null) => ({
  failure,
  responseTimeMs,
  statusCode: null,
  checkedAt: 0,
});

eachDatabase((name, open) => {
  it('shows every monitor of the team with what concerns it [51.1, 51.2, 51.3, 51.5]', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const group = await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'Shops' });
    const shop = await monitorWith(api, OUTAGE, {
      url: 'https://shop.example.com/health?key=hunter2',
      group_id: group.body.id,
      tags: ['prod'],
      check_types: ['ssl'],
    });
    // As versions before stored it.
    const url = 'https://user:hunter2@shop.example.com/health?key=hunter2';
    await updateRows(api.database, 'monitor', { url }, { id: shop });
    const newest = {
      ash: result(null, 100),
      pdx: result(null, 200),
      nbg: result('http_status', 3),
      sin: result('no_probe', null),
    };
    await updateRows(
      api.database,
      'monitor_state',
      { newest: JSON.stringify(newest) },
      { monitor_id: shop },
    );
    await storeIncident(api, shop, now - HOUR, { type: 'ssl', severity: 'warning' });
    await storeIncident(api, shop, now - 2 * MINUTE);
    const job = { monitor_type: 'cron', friendly_name: 'Backup', url: undefined };
    const schedule = { heartbeat_cron_expression: '0 3 * * *', heartbeat_timezone: 'Europe/Rome' };
    const { id: backup, ping_url: pingUrl } = await api.create({ ...job, ...schedule });
    await insertRows(api.database, 'ping', {
      monitor_id: backup,
      number: 1,
      at: now - 5_000,
      kind: 'success',
      duration_ms: 2_500,
      source_address: '192.0.2.1',
      is_body_cut: 0,
    });
    const pinged = { last_heartbeat_at: now - 5_000, ping_count: 1 };
    await updateRows(api.database, 'monitor_state', pinged, { monitor_id: backup });
    await api.create({}, api.mallory);
    const answer = await get(api, api.vera);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('hunter2');
    expect(answer.text).not.toContain(String(pingUrl).split('/').at(-1));
    expect(answer.body).toEqual({
      generated_at: new Date(now).toISOString(),
      slot_minutes: 30,
      bar_starts_at: '2029-12-31T00:30:00.000Z',
      regions: ['ash', 'pdx', 'nbg', 'sin'],
      groups: [{ id: group.body.id, name: 'Shops' }],
      monitors: [
        {
          id: shop,
          name: 'shop.example.com/health',
          target: 'shop.example.com/health',
          since: (now - 2 * HOUR) / 1_000,
          response_ms: 150,
          uptime_90d: 99.953,
          group_id: group.body.id,
          tags: ['prod'],
          type: 'http',
          status: 'online',
          check_types: ['ssl'],
          regions: 'uud?',
          bar: `${'u'.repeat(41)}dd${'u'.repeat(4)}?`,
          incident: {
            id: expect.any(Number),
            severity: 'critical',
            cause: 'HTTP 503 Service Unavailable',
            since: (now - 2 * MINUTE) / 1_000,
            open: 2,
          },
        },
        {
          id: backup,
          name: 'Backup',
          since: now / 1_000,
          last_ping_at: now / 1_000 - 5,
          next_expected_at: Date.UTC(2030, 0, 1, 2) / 1_000,
          last_duration: 2.5,
          schedule: { cron: '0 3 * * *', timezone: 'Europe/Rome' },
          type: 'cron',
          status: 'pending',
          bar: `${'-'.repeat(47)}?`,
        },
      ],
    });
  });

  it('has the uptime of each monitor alone, with maintenance, corrections and gaps [51.6]', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const ids = [
      await monitorWith(api, OUTAGE),
      await monitorWith(api, OUTAGE, { tags: ['prod'] }),
      await monitorWith(api, [
        ['degraded', 90 * 24],
        ['unobserved', 200],
        ['online', 3],
      ]),
      await monitorWith(api, OUTAGE),
      await monitorWith(
        api,
        [
          ['online', 1_000],
          ['offline', 30],
          ['online', 1],
        ],
        {
          monitor_type: 'heartbeat',
          friendly_name: 'Job',
          heartbeat_interval: 60,
        },
      ),
    ];
    await storeMaintenance(api, 'prod', 3, 2.5);
    await insertRows(api.database, 'service_gap', {
      from_at: now - 20 * HOUR,
      to_at: now - 9 * HOUR,
    });
    const correction = {
      from: new Date(now - 3 * HOUR).toISOString(),
      to: new Date(now - 2.25 * HOUR).toISOString(),
      as: 'false_alarm',
      reason: 'The probe was moved.',
    };
    // Twice: what was read before the correction is in memory.
    for (const corrected of [false, true]) {
      const path = `/api/v1/monitors/${ids[3]}/corrections`;
      if (corrected) expect((await api.call(api.alice, 'POST', path, correction)).status).toBe(201);
      const monitors = monitorsOf(await get(api));
      expect(monitors).toHaveLength(ids.length);
      for (const { id, uptime_90d: uptime, observed_90d: observed = null } of monitors) {
        const from = new Date(now - 90 * DAY).toISOString();
        const one = `/api/v1/monitors/${id}/uptime?from=${from}`;
        const { uptime_percent, observed_percent } = (await api.call(api.alice, 'GET', one)).body;
        expect({ uptime, observed }).toEqual({
          uptime: uptime_percent,
          observed: (observed_percent as number) < 99.5 ? observed_percent : null,
        });
      }
      const barOf = (id: number) => monitors.find((one) => one.id === id)!['bar'];
      expect(barOf(ids[1]!)).toBe(`${'u'.repeat(41)}md${'u'.repeat(4)}?`);
      expect(barOf(ids[3]!)).toBe(`${'u'.repeat(41)}${corrected ? 'ud' : 'dd'}${'u'.repeat(4)}?`);
      expect(barOf(ids[4]!)).toBe(`${'d'.repeat(7)}${'?'.repeat(22)}${'d'.repeat(16)}uu?`);
    }
  });

  it('shows within a second what any process recorded [51.7]', async () => {
    const api = await openApi(await open());
    const id = await monitorWith(api, FINE);
    const read = getMonitorOverview.create({ ...api, regions: ONLY_ASH });
    const other = async () =>
      JSON.parse((await read(callOf(callerOf(api.alice)))).plain.toString());
    expect((await other()).monitors).toMatchObject([{ id, status: 'online' }]);
    expect(await monitorOf(api, id)).toMatchObject({ id, status: 'online' });
    const both = async () => [await monitorOf(api, id), (await other()).monitors[0]];
    const steps: [() => Promise<void>, object][] = [
      [() => recordChanges(api, id, [['offline', 0.1]]), { status: 'offline' }],
      [() => recordChanges(api, id, [['degraded', 0]]), { status: 'degraded' }],
      [
        () =>
          recordChanges(api, id, [
            ['unobserved', -0.1],
            ['degraded', -0.2],
          ]),
        { status: 'degraded' },
      ],
      [() => storeIncident(api, id, api.clock.now()), { incident: { open: 1 } }],
      [
        () => updateRows(api.database, 'incident', { acknowledged_at: 7_000 }, { monitor_id: id }),
        { incident: { acknowledged_at: 7 } },
      ],
      [
        () =>
          updateRows(
            api.database,
            'monitor_state',
            { newest: JSON.stringify({ ash: result(null, 12) }), last_slot: 1 },
            { monitor_id: id },
          ),
        { response_ms: 12 },
      ],
    ];
    for (const [step, shown] of steps) {
      await step();
      await api.clock.advance(1_000);
      const [own, others] = await both();
      expect([own, others]).toMatchObject([shown, shown]);
      expect(own!['bar']).toBe(others['bar']);
      expect(own!['since']).toBe(others['since']);
    }
    await updateRows(api.database, 'incident', { ended_at: 9_000 }, { monitor_id: id });
    await api.clock.advance(1_000);
    for (const shown of await both()) expect(shown).not.toHaveProperty('incident');
    await storeMaintenance(api, 'prod', 1, -1);
    await api.call(api.alice, 'PUT', `/api/v1/monitors/${id}`, { tags: ['prod'] });
    await api.clock.advance(1_000);
    for (const shown of await both())
      expect(shown).toMatchObject({ tags: ['prod'], maintenance_until: expect.any(Number) });
    await api.clock.advance(HOUR);
    for (const shown of await both()) expect(shown).not.toHaveProperty('maintenance_until');
    expect((await both()).map(({ bar }) => String(bar).includes('m'))).toEqual([true, true]);
  });

  it('shows at once what event streams report, four times a second at most [51.7]', async () => {
    const api = await openApi(await open());
    const id = await monitorWith(api, FINE);
    const waits: number[] = [];
    const clock = {
      now: api.clock.now,
      monotonic: api.clock.monotonic,
      after: (milliseconds: number, call: () => void) => {
        waits.push(milliseconds);
        return api.clock.after(milliseconds, call);
      },
    };
    const read = getMonitorOverview.create({ ...api, clock, regions: ONLY_ASH });
    const shown = async () =>
      JSON.parse((await read(callOf(callerOf(api.alice)))).plain.toString()).monitors[0];
    expect(await shown()).toMatchObject({ status: 'online' });
    await api.clock.advance(300);
    await recordChanges(api, id, [['offline', 0]]);
    expect(await shown()).toMatchObject({ status: 'offline' });
    expect(waits).toEqual([]);
    await api.clock.advance(50);
    await storeIncident(api, id, api.clock.now());
    // Both wait for the same answer.
    const both = Promise.all([shown(), shown()]);
    await expect.poll(() => waits).toEqual([200]);
    await api.clock.advance(200);
    for (const one of await both) expect(one).toMatchObject({ incident: { open: 1 } });
    expect(waits).toEqual([200]);
  });

  it('shows at once what people change [51.7]', async () => {
    const api = await openApi(await open());
    const path = '/api/v1/monitors';
    const first = await monitorWith(api, FINE);
    const ids = async () => monitorsOf(await get(api)).map(({ id }) => id);
    expect(await ids()).toEqual([first]);
    const { id: second } = await api.create();
    expect(await ids()).toEqual([first, second]);
    await api.call(api.alice, 'PUT', `${path}/${first}`, { friendly_name: 'Shop' });
    expect(await monitorOf(api, first)).toMatchObject({ name: 'Shop' });
    const { body: group } = await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'G' });
    await api.call(api.alice, 'PUT', `${path}/${first}`, { group_id: group.id });
    expect(await monitorOf(api, first)).toMatchObject({ group_id: group.id });
    await api.call(api.alice, 'DELETE', `/api/v1/groups/${group.id}`);
    expect(await monitorOf(api, first)).not.toHaveProperty('group_id');
    await api.call(api.alice, 'POST', `${path}/${first}/pause`);
    expect(await monitorOf(api, first)).toMatchObject({ is_paused: true });
    await api.clock.advance(2 * HOUR);
    expect((await monitorOf(api, first))['bar']).toMatch(/u\?pppp$|uppppp?$/);
    await api.call(api.alice, 'POST', `${path}/${first}/resume`);
    expect(await monitorOf(api, first)).not.toHaveProperty('is_paused');
    await api.call(api.alice, 'DELETE', `${path}/${first}`);
    expect(await ids()).toEqual([second]);
  });

  if (name === 'sqlite')
    it('has a tag, and is compressed [51.4]', async () => {
      const api = await openApi(await open());
      const id = await monitorWith(api, FINE);
      for (let count = 0; count < 20; count += 1) await api.create();
      const { headers, text } = await get(api);
      const etag = headers['etag'] as string;
      expect(etag).toMatch(/^W\/"/);
      await api.clock.advance(5_000);
      expect((await get(api, api.vera, { 'if-none-match': etag })).status).toBe(304);
      const { rawPayload, headers: compressed } = await api.app.inject({
        url: OVERVIEW,
        headers: { authorization: `Bearer ${api.alice.token}`, 'accept-encoding': 'gzip' },
      });
      expect(compressed).toMatchObject({
        'content-encoding': 'gzip',
        vary: 'accept-encoding',
        etag,
      });
      expect(gunzipSync(rawPayload).toString()).toBe(text);
      await recordChanges(api, id, [['offline', 0]]);
      await api.clock.advance(1_000);
      const after = await get(api, api.alice, { 'if-none-match': etag });
      expect([after.status, after.headers['etag'] === etag]).toEqual([200, false]);
    });
});

const shared = sharedApi();

it('shows nothing of other teams [51.1]', async () => {
  const api = await shared();
  const { id } = await api.create();
  await get(api);
  expect(monitorsOf(await get(api, api.mallory)).map((one) => one.id)).not.toContain(id);
});
