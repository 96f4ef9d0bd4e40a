import { expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { storeRounds } from '../../test/support/history.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { roundOf } from '../../test/support/rounds.ts';
import { insertRows, updateRows } from '../../test/support/rows.ts';
import { callTool, contentOf, resultOf } from '../../test/support/tools.ts';
import { changeSpans } from '../store/engine/spans.ts';
import { MAX_ANSWER_BYTES } from './answer.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const NOW = Date.UTC(2030, 0, 1);
const RECIPIENT = 'customer@planted.example';
const SECRET = 'planted-query';

/** A monitor that is 60 days old and was down for some hours, ten days ago. */
async function watched(
  api: TestApi,
  body: Record<string, unknown>,
  downHours: number,
): Promise<number> {
  const { id } = await api.create(body);
  await updateRows(api.database, 'monitor', { created_at: NOW - 60 * DAY }, { id });
  const { teamId } = api.alice;
  const change = (status: 'online' | 'offline', at: number) =>
    api.database.transaction((tx) => changeSpans(tx, [{ monitorId: id, teamId, status, at }]));
  await change('online', NOW - 59 * DAY);
  if (downHours > 0) {
    await change('offline', NOW - 10 * DAY);
    await change('online', NOW - 10 * DAY + downHours * HOUR);
  }
  await updateRows(api.database, 'monitor_state', { observed_until: NOW }, { monitor_id: id });
  return id;
}

async function withHistory() {
  const api = await openApi(await openInMemory());
  const group = await contentOf(api, api.ed, 'create_group', { name: 'Shops' });
  const url = `https://shop.example.com/?key=${SECRET}`;
  const good = await watched(api, { friendly_name: 'Good' }, 0);
  const bad = await watched(api, { url, group_id: group['id'], tags: ['shop'] }, 12);
  const poor = await watched(api, { friendly_name: 'Poor' }, 3);
  await insertRows(api.database, 'incident', {
    team_id: api.alice.teamId,
    monitor_id: bad,
    type: 'uptime',
    severity: 'critical',
    root_cause: 'HTTP 503: Follow me',
    failure_code: 'http_status',
    is_regional: 0,
    started_at: NOW - 10 * DAY,
    ended_at: NOW - 10 * DAY + 12 * HOUR,
    created_at: NOW,
    updated_at: NOW,
  });
  const saved = await api.call(api.ed, 'POST', '/api/v1/reports', {
    name: 'Shop, monthly',
    monitors: [bad],
    period: 'last_month',
    frequency: 'monthly',
    recipients: [RECIPIENT],
  });
  expect(saved.status, saved.text).toBe(201);
  return { api, good, bad, poor, report: saved.body.id };
}

test('saved reports are listed without their recipients', async () => {
  const { api, bad, report } = await withHistory();
  const compact = {
    id: report,
    name: 'Shop, monthly',
    period: 'last_month',
    frequency: 'monthly',
    recipients_total: 1,
    next_mail_at: '2030-01-01T07:00:00.000Z',
    is_for_whole_team: false,
  };
  expect(await contentOf(api, api.vera, 'list_reports')).toEqual({
    total: 1,
    reports: [compact],
    next_cursor: null,
  });
  const detailed = await callTool(api, api.alice, 'list_reports', { detail: true });
  expect(detailed.structuredContent['reports']).toEqual([
    {
      ...compact,
      timezone: 'UTC',
      language: 'en',
      group_id: null,
      monitors_total: 1,
      monitors: [bad],
      tags_total: 0,
      tags: [],
    },
  ]);
  expect(JSON.stringify(detailed)).not.toContain(RECIPIENT);
  const theirs = await contentOf(api, api.mallory, 'list_reports');
  expect(theirs).toEqual({ total: 0, reports: [], next_cursor: null });
});

test('an uptime report has totals and the worst monitors', async () => {
  const { api, good, bad, poor } = await withHistory();
  const { content, structuredContent } = await callTool(api, api.vera, 'get_uptime_report');
  const days = 30 * DAY;
  const percent = (downHours: number, monitors = 1) =>
    Math.floor((1 - (downHours * HOUR) / (days * monitors)) * 100_000) / 1_000;
  expect(structuredContent).toEqual({
    name: null,
    from: '2029-12-02T00:00:00.000Z',
    to: '2030-01-01T00:00:00.000Z',
    timezone: 'UTC',
    is_corrected: true,
    total: {
      monitors_count: 3,
      uptime_percent: percent(15, 3),
      observed_percent: 100,
      down_seconds: 15 * 3_600,
      incidents: 2,
      degraded_seconds: 0,
      excluded_seconds: 0,
      unobserved_seconds: 0,
      mttr_seconds: 27_000,
      mtbf_seconds: 3_861_000,
      response_time_p50_ms: null,
      response_time_p95_ms: null,
      response_time_p99_ms: null,
    },
    worst_monitors: [
      {
        id: bad,
        name: 'shop.example.com',
        uptime_percent: percent(12),
        observed_percent: 100,
        down_seconds: 12 * 3_600,
        incidents: 1,
      },
      {
        id: poor,
        name: 'Poor',
        uptime_percent: percent(3),
        observed_percent: 100,
        down_seconds: 3 * 3_600,
        incidents: 1,
      },
      {
        id: good,
        name: 'Good',
        uptime_percent: 100,
        observed_percent: 100,
        down_seconds: 0,
        incidents: 0,
      },
    ],
    slowest_monitors: [],
    incidents_total: 1,
    exclusions_total: 0,
  });
  expect(content[0]!.text).toContain(
    `3 monitors from 2029-12-02T00:00:00.000Z to 2030-01-01T00:00:00.000Z: uptime ${percent(15, 3)} % with 100 % of the time observed, 54000 s down, 2 outages.`,
  );
});

test('with detail it has figures of each monitor, groups and incidents, and never days', async () => {
  const { api, bad } = await withHistory();
  const answer = await callTool(api, api.vera, 'get_uptime_report', { detail: true });
  const shown = answer.structuredContent;
  expect(shown).toMatchObject({
    groups_total: 1,
    groups: [{ name: 'Shops', monitors_count: 1, incidents: 1 }],
    incidents: [
      {
        monitor_id: bad,
        monitor: 'shop.example.com',
        type: 'uptime',
        root_cause: { from_target: 'HTTP 503: Follow me' },
        duration_seconds: 12 * 3_600,
      },
    ],
    exclusions: [],
  });
  const [worst] = shown['worst_monitors'] as Record<string, unknown>[];
  expect(worst).toMatchObject({ id: bad, mttr_seconds: 12 * 3_600, slo: null });
  expect(JSON.stringify(answer)).not.toContain('"days"');
  expect(JSON.stringify(answer)).not.toContain(SECRET);
});

test('takes monitors, groups and tags, under names that all clients accept', async () => {
  const { api, bad, poor } = await withHistory();
  const idsOf = async (args: object) => {
    const { worst_monitors: worst } = await contentOf(api, api.vera, 'get_uptime_report', args);
    return worst.map(({ id }: { id: number }) => id);
  };
  expect(await idsOf({ monitors: [poor, bad] })).toEqual([bad, poor]);
  expect(await idsOf({ monitors: [poor] })).toEqual([poor]);
  expect(await idsOf({ tag: ['shop'] })).toEqual([bad]);
  expect(await idsOf({ group_id: 1, from: '2029-12-01', to: '2029-12-31' })).toEqual([bad]);
  const { tools } = await resultOf<{ tools: { name: string; inputSchema: any }[] }>(api, api.vera, {
    method: 'tools/list',
  });
  const { properties } = tools.find(({ name }) => name === 'get_uptime_report')!.inputSchema;
  expect(Object.keys(properties)).toEqual([
    'monitors',
    'group_id',
    'tag',
    'period',
    'from',
    'to',
    'corrected',
    'timezone',
    'detail',
  ]);
});

test('the data of a saved report is that of its period, or of another one', async () => {
  const { api, bad, report } = await withHistory();
  const args = { report_id: report };
  expect(await contentOf(api, api.vera, 'get_report_data', args)).toMatchObject({
    name: 'Shop, monthly',
    from: '2029-12-01T00:00:00.000Z',
    total: { monitors_count: 1, incidents: 1 },
    worst_monitors: [{ id: bad }],
  });
  const week = await contentOf(api, api.vera, 'get_report_data', {
    ...args,
    period: 'last_7_days',
  });
  expect(week).toMatchObject({ from: '2029-12-25T00:00:00.000Z', total: { incidents: 0 } });
});

test('names the slowest monitors, without those that have no response times', async () => {
  const { api, poor, good } = await withHistory();
  for (const [monitorId, responseTimeMs] of [
    [poor, 50],
    [good, 900],
  ] as const) {
    const startedAt = api.clock.now() - 2 * HOUR;
    const round = roundOf('uuuu', { monitorId, startedAt, responseTimeMs });
    await storeRounds(api.database, [{ round, kind: 'voted', class: 'up' }]);
  }
  const { slowest_monitors: slowest } = await contentOf(api, api.vera, 'get_uptime_report');
  expect(slowest).toEqual([
    { id: good, name: 'Good', response_time_p95_ms: expect.closeTo(900, -2) },
    { id: poor, name: 'Poor', response_time_p95_ms: expect.closeTo(50, -1) },
  ]);
});

test('a report without monitors says that nothing was observed', async () => {
  const api = await openApi(await openInMemory());
  const { content, structuredContent } = await callTool(api, api.vera, 'get_uptime_report');
  expect(structuredContent).toMatchObject({
    total: { monitors_count: 0, uptime_percent: null },
    worst_monitors: [],
  });
  expect(content[0]!.text).toContain('0 monitors');
  expect(content[0]!.text).toContain('nothing was observed');
});

test('a report of many monitors fits', async () => {
  const api = await openApi(await openInMemory());
  for (let at = 0; at < 60; at += 1) await api.create({ friendly_name: '\u00e9'.repeat(80) });
  const result = await callTool(api, api.vera, 'get_uptime_report', { detail: true });
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(MAX_ANSWER_BYTES);
  expect(result.structuredContent['total']).toMatchObject({ monitors_count: 60 });
});
