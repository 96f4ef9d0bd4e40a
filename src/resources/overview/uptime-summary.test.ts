import { callOf } from '../../../test/support/call.ts';
import { expect, it } from 'vitest';
import { openApi, sharedApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { storeIncident } from '../../../test/support/overviews.ts';
import { callerOf } from '../../../test/support/people.ts';
import { insertRows, updateRows } from '../../../test/support/rows.ts';
import type { SpanStatus } from '../../model/incident.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import { getUptimeSummary } from './uptime-summary.ts';

const SUMMARY = '/api/v1/uptime-summary';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const get = (api: TestApi, query = '', who = api.alice) =>
  api.call(who, 'GET', `${SUMMARY}${query}`);

/** A monitor of 40 days ago, with its changes of status as hours before now. */
async function monitorWith(
  api: TestApi,
  changes: readonly (readonly [SpanStatus, hoursAgo: number])[],
  body: Record<string, unknown> = {},
): Promise<number> {
  const { id } = await api.create(body);
  const now = api.clock.now();
  await updateRows(api.database, 'monitor', { created_at: now - 40 * DAY }, { id });
  if (changes.length === 0) return id;
  const seen = { observed_until: now, status: changes.at(-1)![0] };
  await updateRows(api.database, 'monitor_state', seen, { monitor_id: id });
  const { teamId } = api.alice;
  await api.database.transaction((tx) =>
    changeSpans(
      tx,
      changes.map(([status, ago]) => ({ monitorId: id, teamId, status, at: now - ago * HOUR })),
    ),
  );
  return id;
}

const worstOf = ({ body }: { body: Json }) => body['worst'] as Json[];
const idsOf = (answer: { body: Json }) =>
  worstOf(answer).map(({ monitor }) => (monitor as Json).id);

/** An hour of downtime within the last day, and another one in the last week. */
const TWO_OUTAGES = [
  ['online', 900],
  ['offline', 101],
  ['online', 100],
  ['offline', 2],
  ['online', 1],
] as const;
const FINE = [['online', 900]] as const;

eachDatabase((_name, open) => {
  it('sums up the monitors of a team [47.12, 47.14, 47.15, 47.16]', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const shop = await monitorWith(api, TWO_OUTAGES, { friendly_name: 'Shop' });
    const fine = await monitorWith(api, FINE);
    const young = await monitorWith(api, []);
    await storeIncident(api, shop, now - 2 * HOUR, { ended_at: now - HOUR });
    await storeIncident(api, shop, now - 30 * HOUR, { type: 'ssl', severity: 'warning' });
    await storeIncident(api, fine, now - DAY, { type: 'error_budget' });
    await api.call(api.alice, 'POST', `/api/v1/monitors/${young}/pause`);
    await api.create({}, api.mallory);
    const { status, body } = await get(api);
    const url = 'https://example.com';
    expect([status, body]).toEqual([
      200,
      {
        period: 'last_24_hours',
        from: '2029-12-31T00:00:00.000Z',
        to: '2030-01-01T00:00:00.000Z',
        monitors: 3,
        monitors_measured: 3,
        by_status: { online: 2, offline: 0, degraded: 0, pending: 0, paused: 1, not_observed: 0 },
        incidents: 2,
        open_incidents: 2,
        uptime_percent: 97.916,
        observed_percent: 66.666,
        downtime_seconds: 3_600,
        worst: [
          {
            monitor: { id: shop, name: 'Shop', url },
            status: 'online',
            uptime_percent: 95.833,
            observed_percent: 100,
            downtime_seconds: 3_600,
            incidents: 1,
          },
          {
            monitor: { id: fine, name: url, url },
            status: 'online',
            uptime_percent: 100,
            observed_percent: 100,
            downtime_seconds: 0,
            incidents: 1,
          },
          {
            monitor: { id: young, name: url, url },
            status: 'paused',
            uptime_percent: null,
            observed_percent: 0,
            downtime_seconds: 0,
            incidents: 0,
          },
        ],
      },
    ]);
    const week = await get(api, '?period=last_7_days&limit=1');
    expect(week.body).toMatchObject({
      period: 'last_7_days',
      from: '2029-12-25T00:00:00.000Z',
      incidents: 3,
      open_incidents: 2,
      downtime_seconds: 7_200,
    });
    expect(idsOf(week)).toEqual([shop]);
  });

  it('has the uptime of each monitor alone, with maintenance and corrections [47.13]', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const ids = [
      await monitorWith(api, TWO_OUTAGES),
      await monitorWith(
        api,
        [
          ['degraded', 700],
          ['offline', 600],
          ['unobserved', 80],
          ['online', 3],
        ],
        {
          tags: ['prod'],
        },
      ),
      await monitorWith(api, FINE),
      await monitorWith(api, TWO_OUTAGES, { tags: ['prod'] }),
      await monitorWith(api, [['offline', 5]]),
      await monitorWith(api, []),
    ];
    await updateRows(api.database, 'monitor', { created_at: now - 5 * HOUR }, { id: ids[4]! });
    const path = `/api/v1/monitors/${ids[0]}/corrections`;
    const correction = {
      from: new Date(now - 2 * HOUR).toISOString(),
      to: new Date(now - 1.5 * HOUR).toISOString(),
      as: 'false_alarm',
      reason: 'The probe was moved.',
    };
    expect((await api.call(api.alice, 'POST', path, correction)).status).toBe(201);
    await insertRows(api.database, 'maintenance_window', {
      id: 1,
      team_id: api.alice.teamId,
      name: 'Deploy',
      starts_at: now - 2 * HOUR,
      ends_at: now - 1.25 * HOUR,
      timezone: 'UTC',
      monitors: '[]',
      groups: '[]',
      tags: '["prod"]',
      created_at: now,
      updated_at: now,
    });
    await insertRows(api.database, 'maintenance_occurrence', {
      window_id: 1,
      team_id: api.alice.teamId,
      monitors: '[]',
      groups: '[]',
      tags: '["prod"]',
      from_at: now - 2 * HOUR,
      to_at: now - 1.25 * HOUR,
    });
    for (const [period, length] of [
      ['last_24_hours', DAY],
      ['last_7_days', 7 * DAY],
      ['last_30_days', 30 * DAY],
    ] as const) {
      const worst = worstOf(await get(api, `?period=${period}`));
      expect(worst).toHaveLength(ids.length);
      for (const { monitor, uptime_percent, observed_percent, downtime_seconds } of worst) {
        const from = new Date(now - length).toISOString();
        const one = `/api/v1/monitors/${(monitor as Json).id}/uptime?from=${from}`;
        const { body: alone } = await api.call(api.alice, 'GET', one);
        expect({ uptime_percent, observed_percent, down_seconds: downtime_seconds }).toEqual({
          uptime_percent: alone['uptime_percent'],
          observed_percent: alone['observed_percent'],
          down_seconds: alone['down_seconds'],
        });
      }
    }
    const last = worstOf(await get(api));
    const downOf = (id: number) =>
      last.find(({ monitor }) => (monitor as Json).id === id)!['downtime_seconds'];
    expect([downOf(ids[0]!), downOf(ids[3]!)]).toEqual([1_800, 900]);
  });

  it('is narrowed by group, with its subgroups, and by tags [47.12]', async () => {
    const api = await openApi(await open());
    const group = async (name: string, parent_id: number | null = null) =>
      (await api.call(api.alice, 'POST', '/api/v1/groups', { name, parent_id })).body.id;
    const shops = await group('Shops');
    const eu = await group('EU', shops);
    const [one, two, three] = [
      await monitorWith(api, TWO_OUTAGES, { group_id: shops, tags: ['prod', 'eu'] }),
      await monitorWith(api, FINE, { group_id: eu, tags: ['prod'] }),
      await monitorWith(api, FINE, { tags: ['prod'] }),
    ];
    await storeIncident(api, three, api.clock.now() - HOUR);
    for (const [query, expected, incidents] of [
      [`?group_id=${shops}`, [one, two], 0],
      [`?group_id=${eu}`, [two], 0],
      ['?tag=prod', [one, two, three], 1],
      ['?tag=prod&tag=eu', [one], 0],
      [`?tag=prod&group_id=${eu}`, [two], 0],
      ['?tag=none', [], 0],
    ] as const) {
      const answer = await get(api, query);
      expect([query, answer.status, idsOf(answer).toSorted((a, b) => a - b)]).toEqual([
        query,
        200,
        expected,
      ]);
      expect(answer.body).toMatchObject({
        monitors: expected.length,
        monitors_measured: expected.length,
        incidents,
        open_incidents: incidents,
      });
    }
    const none = await get(api, '?tag=none');
    expect(none.body).toMatchObject({ uptime_percent: null, observed_percent: null, worst: [] });
  });
});

it('says how many monitors it measured [47.17]', async () => {
  const api = await openApi(await openInMemory());
  const ids = [
    await monitorWith(api, FINE),
    await monitorWith(api, TWO_OUTAGES),
    await monitorWith(api, [['offline', 900]]),
  ];
  await storeIncident(api, ids[2]!, api.clock.now() - HOUR);
  const summarize = getUptimeSummary.create({ ...api, maxMeasured: 2 });
  expect(await summarize(callOf(callerOf(api.alice)))).toMatchObject({
    monitors: 3,
    monitors_measured: 2,
    by_status: { online: 2, offline: 1 },
    incidents: 1,
    open_incidents: 1,
    downtime_seconds: 3_600,
    worst: [{ monitor: { id: ids[1] } }, { monitor: { id: ids[0] } }],
  });
});

const shared = sharedApi();

it.each([
  ['period=last_year', 'period', 'must be one of last_24_hours, last_7_days, last_30_days'],
  ['limit=51', 'limit', 'must be a whole number from 1 to 50'],
  ['group_id=4711', 'group_id', 'must be a group of your team'],
])('refuses ?%s [47.12]', async (query, field, predicate) => {
  const { status, body } = await get(await shared(), `?${query}`);
  expect([status, Object.keys(body['errors'] as object)]).toEqual([422, [field]]);
  expect(JSON.stringify(body['errors'])).toContain(predicate);
});
