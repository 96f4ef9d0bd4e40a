import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { giveTeam } from '../../test/support/deliveries.ts';
import { createMonitor, type MonitorFields } from '../../test/support/monitor-rows.ts';
import { insertRows, updateRows } from '../../test/support/rows.ts';
import {
  insertAnnouncement,
  insertPage,
  insertServices,
  insertUpdate,
} from '../../test/support/status-pages.ts';
import { emptyHistogram, record, encodeSummary, type Summary } from '../engine/history/summary.ts';
import type { SpanStatus } from '../model/incident.ts';
import type { Database } from '../store/database/contract.ts';
import { insertRow } from '../store/database/rows.ts';
import { rollupChanges } from '../store/engine/rollups.ts';
import { changeSpans } from '../store/engine/spans.ts';
import { DEFAULT_BRAND } from './facts/model.ts';
import { readAnnouncementFacts, readMonthFacts, readPageFacts } from './read-facts.ts';
import { renderAnnouncement } from './render/announcements.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2030, 5, 15, 12);

async function setStatus(
  database: Database,
  { id, teamId }: { id: number; teamId: number },
  changes: [status: SpanStatus, at: number][],
) {
  await database.transaction((tx) =>
    changeSpans(
      tx,
      changes.map(([status, at]) => ({ monitorId: id, teamId, status, at })),
    ),
  );
  const status = changes.at(-1)![0];
  await updateRows(
    database,
    'monitor_state',
    { status, observed_until: NOW + 60_000 },
    { monitor_id: id },
  );
}

eachDatabase((_, open) => {
  /** A page of a team with monitors that were created ten days ago. */
  async function openPage(columns: Parameters<typeof insertPage>[1] | object = {}) {
    const database = await open();
    const teamId = await giveTeam(database);
    const pageId = await insertPage(database, { team_id: teamId, slug: 'harbour', ...columns });
    const monitor = async (fields: MonitorFields = {}) => {
      const id = await createMonitor(database, NOW - 10 * DAY, { team_id: teamId, ...fields });
      await updateRows(database, 'monitor_state', { team_id: teamId }, { monitor_id: id });
      return id;
    };
    return { database, teamId, pageId, monitor };
  }

  describe('a page', () => {
    test('that does not exist has no facts', async () => {
      const { database } = await openPage();
      expect(await readPageFacts(database, 999, NOW)).toBeNull();
    });

    test('without services and announcements', async () => {
      const { database, pageId, teamId } = await openPage({
        language: 'de',
        timezone: 'Europe/Berlin',
        custom_domain: 'status.example.com',
        images: '{"logo":{"type":"image/png","hash":"h"}}',
        draft: 1,
      });
      const facts = await readPageFacts(database, pageId, NOW, {
        canSubscribe: true,
        baseUrl: () => 'https://up.example.com',
      });
      expect(facts).toMatchObject({ readAt: NOW, groups: [], announcements: [] });
      expect(facts!.page).toEqual({
        id: pageId,
        teamId,
        slug: 'harbour',
        name: 'Harbour',
        description: null,
        // Not verified.
        customDomain: null,
        baseUrl: 'https://up.example.com',
        language: 'de',
        timezone: 'Europe/Berlin',
        settings: expect.objectContaining({ show_uptime_percentage: true }),
        brand: DEFAULT_BRAND,
        images: { logo: { type: 'image/png', hash: 'h' } },
        isDraft: true,
        access: 'public',
        subscribeBy: ['email', 'slack', 'microsoft_teams'],
      });
    });

    test('shows services without a group first, each group in its order, and no deleted one [42.1]', async () => {
      const { database, pageId, monitor } = await openPage();
      const [late, early] = await database.transaction(async (tx) => [
        await insertRow(tx, 'status_page_group', { page_id: pageId, position: 1, name: 'Late' }),
        await insertRow(tx, 'status_page_group', { page_id: pageId, position: 0, name: 'Early' }),
      ]);
      const ids = [await monitor(), await monitor({ friendly_name: 'Shop' }), await monitor()];
      const [named, deleted] = [await monitor({ friendly_name: 'API' }), await monitor()];
      await updateRows(database, 'monitor', { deleted_at: NOW }, { id: deleted });
      await updateRows(database, 'monitor', { host: '' }, { id: ids[2]! });
      await insertServices(database, pageId, [
        { id: ids[0]!, groupId: late },
        { id: named, groupId: early, label: 'Public API' },
        { id: ids[1]!, display: 'figure' },
        { id: ids[2]!, groupId: early },
        { id: deleted },
      ]);
      const { groups } = (await readPageFacts(database, pageId, NOW))!;
      expect(groups.map(({ name, services }) => [name, services.map((one) => one.name)])).toEqual([
        [null, ['Shop']],
        ['Early', ['Public API', `#${ids[2]}`]],
        ['Late', ['target.example']],
      ]);
      expect(groups[0]!.services[0]).toMatchObject({ display: 'figure', status: 'pending' });
    });
  });

  test('a service has 90 days, and figures from its creation [42.2, 42.3]', async () => {
    const { database, pageId, teamId, monitor } = await openPage({ timezone: 'Europe/Berlin' });
    const id = await monitor();
    await insertServices(database, pageId, [{ id }]);
    await setStatus(database, { id, teamId }, [
      ['online', NOW - 10 * DAY],
      ['offline', NOW - 36 * HOUR],
      ['online', NOW - 34 * HOUR],
      ['unobserved', NOW - 3 * HOUR],
      ['online', NOW - 2 * HOUR],
    ]);
    const { groups } = (await readPageFacts(database, pageId, NOW))!;
    const [service] = groups[0]!.services;
    expect(service!.days).toHaveLength(90);
    expect(service!.days[0]).toMatchObject({
      from: Date.parse('2030-03-17T23:00Z'),
      upMs: 0,
      beforeMs: DAY,
    });
    // The day on which clocks are set forward.
    expect(service!.days[13]).toMatchObject({ beforeMs: 23 * HOUR });
    expect(service!.days.at(-3)).toMatchObject({ downMs: 0, upMs: 24 * HOUR });
    expect(service!.days.at(-2)).toMatchObject({ downMs: 2 * HOUR, upMs: 22 * HOUR });
    expect(service!.days.at(-1)).toMatchObject({
      upMs: 13 * HOUR,
      unobservedMs: HOUR,
      futureMs: 10 * HOUR,
    });
    expect(service).toMatchObject({
      status: 'online',
      statusSince: NOW - 34 * HOUR,
      observedUntil: NOW + 60_000,
      maintenanceUntil: null,
      uncorrected: null,
    });
    expect(service!.uptimePercent).toBeCloseTo((100 * 237) / 239);
    expect(service!.observedPercent).toBeCloseTo((100 * 239) / 240);
  });

  test('corrections count, and both figures are known where they change them [42.9]', async () => {
    const { database, pageId, teamId, monitor } = await openPage();
    const ids = [await monitor(), await monitor()];
    await insertServices(
      database,
      pageId,
      ids.map((id) => ({ id })),
    );
    for (const id of ids)
      await setStatus(database, { id, teamId }, [
        ['online', NOW - 10 * DAY],
        ['offline', NOW - DAY],
      ]);
    await insertRows(database, 'correction', {
      team_id: teamId,
      monitor_id: ids[0]!,
      from_at: NOW - DAY,
      to_at: NOW,
      counts_as: 'false_alarm',
      reason: 'A fault of ours.',
      created_at: NOW,
      updated_at: NOW,
    });
    const { groups } = (await readPageFacts(database, pageId, NOW))!;
    const [corrected, plain] = groups[0]!.services;
    expect(corrected).toMatchObject({
      status: 'offline',
      statusSince: NOW - DAY,
      uptimePercent: 100,
      uncorrected: { uptimePercent: 90, observedPercent: 100 },
    });
    expect(plain).toMatchObject({ uptimePercent: 90, uncorrected: null });
  });

  test('maintenance is that of the monitor, and tells when it ends [42.4]', async () => {
    const { database, pageId, teamId, monitor } = await openPage();
    const ids = [await monitor(), await monitor({ tags: '["db"]' })];
    await insertServices(
      database,
      pageId,
      ids.map((id) => ({ id })),
    );
    const scope = { team_id: teamId, monitors: '[]', groups: '[]', tags: '["db"]' };
    const window = await database.transaction((tx) =>
      insertRow(tx, 'maintenance_window', {
        ...scope,
        name: 'Move',
        starts_at: NOW,
        ends_at: NOW + HOUR,
        rrule: null,
        timezone: 'UTC',
        created_at: NOW,
        updated_at: NOW,
      } as never),
    );
    await insertRows(database, 'maintenance_occurrence', [
      { ...scope, window_id: window, from_at: NOW - 5 * HOUR, to_at: NOW - 4 * HOUR },
      { ...scope, window_id: window, from_at: NOW, to_at: NOW + HOUR },
    ] as never);
    const { groups } = (await readPageFacts(database, pageId, NOW))!;
    const [plain, maintained] = groups[0]!.services;
    expect(plain).toMatchObject({ maintenanceUntil: null });
    expect(plain!.days.at(-1)!.maintenanceMs).toBe(0);
    expect(maintained).toMatchObject({ maintenanceUntil: NOW + HOUR });
    expect(maintained!.days.at(-1)!.maintenanceMs).toBe(HOUR);
  });

  test('a response time is the median of the last 24 hours, where it is shown [42.5]', async () => {
    const { database, pageId, monitor } = await openPage();
    const ids = [await monitor(), await monitor(), await monitor()];
    const result = { responseTimeMs: 80, statusCode: 200, checkedAt: NOW, failure: null };
    await updateRows(
      database,
      'monitor_state',
      {
        newest: JSON.stringify({
          ash: result,
          pdx: { ...result, responseTimeMs: 120 },
          fsn: { ...result, responseTimeMs: 300 },
          sin: { ...result, responseTimeMs: 9_000, failure: 'timeout' },
        }),
      },
      { monitor_id: ids[1]! },
    );
    const responseTimes = emptyHistogram();
    for (const time of [100, 110, 900]) record(responseTimes, time);
    const none = { count: 0, sumTenths: 0 };
    const summary: Summary = new Map([
      [
        'ash',
        {
          up: 3,
          down: 0,
          unknown: 0,
          responseTimes,
          phases: { dns: none, tcp: none, tls: none, ttfb: none },
        },
      ],
    ]);
    const data = encodeSummary(summary);
    await database.transaction((tx) =>
      rollupChanges(tx).write('rollup_hour', [
        { monitorId: ids[0]!, at: NOW - 23 * HOUR, data },
        { monitorId: ids[1]!, at: NOW - 24 * HOUR, data },
        { monitorId: ids[2]!, at: NOW - HOUR, data },
      ]),
    );
    await insertServices(database, pageId, [
      { id: ids[0]!, display: 'response_time' },
      { id: ids[1]!, display: 'response_time' },
      { id: ids[2]! },
    ]);
    const read = async () => {
      const { groups } = (await readPageFacts(database, pageId, NOW))!;
      return groups[0]!.services.map(({ responseTimeMs }) => responseTimeMs);
    };
    const [rolledUp, newest, hidden] = await read();
    expect(rolledUp! / 110).toBeCloseTo(1, 1);
    expect([newest, hidden]).toEqual([120, null]);
    await updateRows(database, 'status_page', { settings: '{"show_response_time":true}' });
    expect((await read())[2]! / 110).toBeCloseTo(1, 1);
  });

  describe('announcements', () => {
    test('open ones, those to come within 14 days and those that ended within 15 [42.6]', async () => {
      const { database, pageId, teamId, monitor } = await openPage();
      const other = await insertPage(database, { team_id: teamId, slug: 'other' });
      const [shown, hidden] = [await monitor({ friendly_name: 'Shop' }), await monitor()];
      await insertServices(database, pageId, [{ id: shown }]);
      const add = (
        columns: Partial<Parameters<typeof insertAnnouncement>[1]> & { started_at: number },
        pages = [pageId],
      ) =>
        insertAnnouncement(
          database,
          { team_id: teamId, ...columns },
          { pages, monitors: [shown, hidden] },
        );
      const lasting = await add({ started_at: NOW - 100 * DAY, title: 'Old' });
      const recent = await add({ started_at: NOW - 16 * DAY, ended_at: NOW - 14 * DAY });
      const soon = await add({ kind: 'maintenance', started_at: NOW + 13 * DAY });
      await add({ started_at: NOW - 20 * DAY, ended_at: NOW - 16 * DAY });
      await add({ kind: 'maintenance', started_at: NOW + 15 * DAY });
      await add({ started_at: NOW }, [other]);
      await add({ started_at: NOW, deleted_at: NOW });
      const { announcements } = (await readPageFacts(database, pageId, NOW))!;
      expect(announcements.map(({ id }) => id)).toEqual([soon, recent, lasting]);
      expect(announcements[0]!.services).toEqual([{ monitorId: shown, name: 'Shop' }]);
    });

    test('an incident counts as downtime what was observed of it, as uptime does [33.20]', async () => {
      const { database, pageId, teamId, monitor } = await openPage();
      const shop = await monitor();
      const began = NOW - HOUR;
      await setStatus(database, { id: shop, teamId }, [
        ['online', NOW - DAY],
        ['offline', began],
        ['unobserved', began + 65_000],
        ['online', began + 241_000],
      ]);
      const times = { started_at: began, ended_at: began + 241_000 };
      await insertRows(database, 'incident', {
        team_id: teamId,
        monitor_id: shop,
        type: 'uptime',
        severity: 'critical',
        is_regional: 0,
        created_at: began,
        updated_at: began,
        ...times,
      } as never);
      const id = await insertAnnouncement(
        database,
        { team_id: teamId, ...times },
        { pages: [pageId], monitors: [shop] },
      );
      const read = async () => (await readAnnouncementFacts(database, pageId, id, NOW))!;
      expect((await read()).announcement.unobservedMs).toBe(0);
      const row = await database.read.selectFrom('incident').select('id').executeTakeFirstOrThrow();
      await insertRows(database, 'announcement_incident', {
        incident_id: row.id,
        announcement_id: id,
      } as never);
      expect((await read()).announcement.unobservedMs).toBe(176_000);
      const html = renderAnnouncement(await read(), NOW);
      expect(html).toMatch(
        /<dt>Duration<\/dt>\s*<dd>1 min[\s\S]*<dt>Not observed<\/dt>\s*<dd>2 min/,
      );
    });

    test('updates are those of the page that are not deleted; a post-mortem shows once published [42.7]', async () => {
      const { database, pageId, teamId } = await openPage();
      const id = await insertAnnouncement(
        database,
        { team_id: teamId, started_at: NOW - DAY, post_mortem: 'A draft' },
        { pages: [pageId] },
      );
      const add = (at: number, body: string | undefined, pages = [pageId]) =>
        insertUpdate(database, id, { pages, at, ...(body !== undefined && { body }) });
      const [first, second] = [await add(NOW - DAY, undefined), await add(NOW - HOUR, 'Found.')];
      await add(NOW, 'Elsewhere', [pageId + 1]);
      const deleted = await add(NOW, 'Wrong');
      await updateRows(database, 'announcement_update', { deleted_at: NOW }, { id: deleted });
      const read = async () => (await readAnnouncementFacts(database, pageId, id, NOW))!;
      const { announcement, page } = await read();
      expect(page.slug).toBe('harbour');
      expect(announcement.updates).toEqual([
        { id: second, state: 'investigating', text: 'Found.', at: NOW - HOUR, editedAt: null },
        { id: first, state: 'investigating', text: null, at: NOW - DAY, editedAt: null },
      ]);
      expect(announcement).toMatchObject({ postMortem: null, updatedAt: NOW - HOUR });
      await updateRows(database, 'announcement', { post_mortem_at: NOW + 1 }, { id });
      expect((await read()).announcement).toMatchObject({
        postMortem: { text: 'A draft', at: NOW + 1 },
        updatedAt: NOW + 1,
      });
      expect(await readAnnouncementFacts(database, pageId + 1, id, NOW)).toBeNull();
      expect(await readAnnouncementFacts(database, pageId, id + 1, NOW)).toBeNull();
    });

    test('a month in the zone of the page, and its neighbors with announcements [42.8]', async () => {
      const { database, pageId, teamId } = await openPage({ timezone: 'Europe/Berlin' });
      const add = (at: string) =>
        insertAnnouncement(
          database,
          { team_id: teamId, started_at: Date.parse(at) },
          { pages: [pageId] },
        );
      await add('2030-01-10T00:00Z');
      const first = await add('2030-02-28T23:30Z');
      const last = await add('2030-03-31T21:59Z');
      const next = await add('2030-03-31T22:00Z');
      const month = (name: string) => readMonthFacts(database, pageId, name, NOW);
      const march = (await month('2030-03'))!;
      expect(march).toMatchObject({ month: '2030-03', previous: '2030-02', next: '2030-04' });
      expect(march.announcements.map(({ id }) => id)).toEqual([last, first]);
      expect((await month('2030-04'))!).toMatchObject({
        previous: '2030-03',
        next: '2030-05',
        announcements: [{ id: next }],
      });
      expect(await month('2030-06')).toMatchObject({
        previous: '2030-05',
        next: null,
        announcements: [],
      });
      expect(await month('2030-01')).toMatchObject({ previous: null, next: '2030-02' });
      for (const none of ['2029-12', '2030-07', '2030-13', 'x'])
        expect(await month(none)).toBeNull();
    });

    test('a month has the days of the services whose days the page shows, until today [42.61]', async () => {
      const { database, pageId, teamId, monitor } = await openPage();
      const [shop, api] = [await monitor({ friendly_name: 'Shop' }), await monitor()];
      await insertServices(database, pageId, [{ id: shop }, { id: api, display: 'figure' }]);
      await setStatus(database, { id: shop, teamId }, [
        ['online', NOW - 10 * DAY],
        ['offline', NOW - 2 * DAY],
        ['online', NOW - 2 * DAY + HOUR],
      ]);
      const { services, previous, next } = (await readMonthFacts(
        database,
        pageId,
        '2030-06',
        NOW,
      ))!;
      expect(services.map(({ name, days }) => [name, days.length])).toEqual([['Shop', 15]]);
      expect(services[0]!.days.map(({ downMs }) => downMs / HOUR).indexOf(1)).toBe(12);
      expect(services[0]!.days[0]).toMatchObject({ beforeMs: DAY, upMs: 0 });
      expect([previous, next]).toEqual([null, null]);
      const settings = JSON.stringify({ show_incident_history: false });
      await updateRows(database, 'status_page', { settings }, { id: pageId });
      expect((await readMonthFacts(database, pageId, '2030-06', NOW))!.services).toEqual([]);
    });
  });
});
