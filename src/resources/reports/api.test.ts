import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { NO_MAIL, openApi, sharedApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { untilLockWait } from '../../../test/support/lock-waits.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { readReportFacts } from '../../report/read-facts.ts';
import { JobEnded, JobsWaiting } from '../../lib/child-jobs.ts';
import type { ReportPrinter } from '../../report/pdf/printer.ts';
import type { SpanStatus } from '../../model/incident.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import { lockAnyReport, setNextMail, setRecipients } from '../../store/resources/reports.ts';

const REPORTS = '/api/v1/reports';

const mailNow = (api: TestApi, id: number) =>
  api.call(api.ed, 'POST', `${REPORTS}/${id}/runs`, { mail: true });
const DAY = 86_400_000;
const HOUR = 3_600_000;
/** The clock of the tests. */
const NOW = Date.UTC(2030, 0, 1);

const BUSY: ReportPrinter = { run: () => Promise.reject(new JobsWaiting()), stop() {} };

type Figures = Record<string, unknown>;

async function create(api: TestApi, body: object, who = api.ed) {
  const { status, body: report, text } = await api.call(who, 'POST', REPORTS, body);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return report;
}

async function get(api: TestApi, path: string): Promise<Record<string, any>> {
  const { status, body, text } = await api.call(api.vera, 'GET', `${REPORTS}${path}`);
  expect(status, text).toBe(200);
  return body;
}

/** A monitor that was created 60 days ago, with its changes of status in hours before now. */
async function watched(
  api: TestApi,
  changes: [SpanStatus, hoursAgo: number][],
  body: Record<string, unknown> = {},
): Promise<number> {
  const { id } = await api.create(body);
  await updateRows(api.database, 'monitor', { created_at: NOW - 60 * DAY }, { id });
  await api.database.transaction(async (tx) => {
    const { teamId } = api.alice;
    for (const [status, hoursAgo] of changes)
      await changeSpans(tx, [{ monitorId: id, teamId, status, at: NOW - hoursAgo * HOUR }]);
  });
  await updateRows(api.database, 'monitor_state', { observed_until: NOW }, { monitor_id: id });
  return id;
}

eachDatabase((_name, open) => {
  test('a report is found by its name, and says when it is mailed next [45.1]', async () => {
    const api = await openApi(await open());
    const body = { name: 'Shop', frequency: 'monthly', timezone: 'Europe/Berlin' };
    const { id, next_mail_at } = await create(api, body);
    expect(next_mail_at).toBe('2030-01-01T06:00:00.000Z');
    const weekly = { frequency: 'weekly', name: 'Weekly' };
    const changed = await api.call(api.ed, 'PUT', `${REPORTS}/${id}`, weekly);
    expect(changed.body['next_mail_at']).toBe('2030-01-07T06:00:00.000Z');
    await create(api, { name: 'Another' });
    expect((await get(api, '?search=WEEK')).data).toEqual([changed.body]);
  });

  test('the data has figures of monitors, groups, tags and all together [45.5, 45.8]', async () => {
    const api = await openApi(await open());
    const { body: group } = await api.call(api.ed, 'POST', '/api/v1/groups', { name: 'Web' });
    const shop = { friendly_name: 'Shop', group_id: group.id, tags: ['prod'] };
    const down = await watched(
      api,
      [
        ['online', 480],
        ['offline', 100],
        ['online', 76],
      ],
      shop,
    );
    const up = await watched(api, [['online', 480]], { friendly_name: 'API', tags: ['prod'] });
    const data = await get(api, `/uptime?monitors[]=${down},${up}&from=2029-12-12`);
    expect(data).toMatchObject({
      report_id: null,
      name: null,
      from: '2029-12-12T00:00:00.000Z',
      to: '2030-01-01T00:00:00.000Z',
      corrected: true,
      incidents: [],
      exclusions: [],
    });
    const of = (part: Figures) =>
      ['uptime_percent', 'observed_percent', 'down_seconds', 'incidents', 'mttr_seconds'].map(
        (name) => part[name],
      );
    expect(data['monitors'].map((one: Figures) => one['name'])).toEqual(['API', 'Shop']);
    const [good, bad] = data['monitors'] as [Figures, Figures];
    expect(of(good)).toEqual([100, 100, 0, 0, null]);
    expect(of(bad)).toEqual([95, 100, 86_400, 1, 86_400]);
    expect(of(data['total'])).toEqual([97.5, 100, 86_400, 1, 86_400]);
    expect(data['groups'].map(of)).toEqual([of(bad)]);
    expect(data['tags'].map(of)).toEqual([of(data['total'])]);
    const days = bad['days'] as { down_seconds: number }[];
    expect(days).toHaveLength(20);
    expect(days.reduce((sum, day) => sum + day.down_seconds, 0)).toBe(86_400);
  });

  test('corrections change the figures, and both are shown with the reason [45.9, 45.10]', async () => {
    const api = await openApi(await open());
    const id = await watched(api, [
      ['online', 240],
      ['offline', 48],
      ['online', 24],
    ]);
    const body = {
      from: new Date(NOW - 48 * HOUR).toISOString(),
      to: new Date(NOW - 36 * HOUR).toISOString(),
      as: 'false_alarm',
      reason: 'The probe lost its network',
    };
    const made = await api.call(api.ed, 'POST', `/api/v1/monitors/${id}/corrections`, body);
    expect(made.status, made.text).toBe(201);
    const [corrected, recorded] = [
      await get(api, `/uptime?monitors=${id}&from=2029-12-22`),
      await get(api, `/uptime?monitors=${id}&from=2029-12-22&corrected=false`),
    ];
    const both = {
      corrected: expect.objectContaining({ uptime_percent: 95, down_seconds: 43_200 }),
      uncorrected: expect.objectContaining({ uptime_percent: 90, down_seconds: 86_400 }),
    };
    expect(corrected['total']).toMatchObject({ uptime_percent: 95, compared: both });
    expect(recorded['total']).toMatchObject({ uptime_percent: 90, compared: both });
    expect(corrected['exclusions']).toEqual([
      {
        kind: 'false_alarm',
        reason: 'The probe lost its network',
        author: 'Ed',
        from: body.from,
        to: body.to,
        monitors: ['example.com'],
      },
    ]);
    const csv = await api.call(
      api.vera,
      'GET',
      `${REPORTS}/uptime?monitors=${id}&from=2029-12-22&format=csv&delimiter=%3B`,
    );
    const [line] = parse(csv.text, { delimiter: ';', columns: true }) as Record<string, string>[];
    expect([line!['corrected_uptime_percent'], line!['uncorrected_uptime_percent']]).toEqual([
      '95',
      '90',
    ]);
  });

  test('a report knows the period before it, with corrections or without them', async () => {
    const api = await openApi(await open());
    const id = await watched(api, [
      ['online', 240],
      ['offline', 48],
      ['online', 24],
    ]);
    const at = (hoursAgo: number) => new Date(NOW - hoursAgo * HOUR).toISOString();
    const body = { from: at(48), to: at(36), as: 'false_alarm', reason: 'The probe was cut off' };
    await api.call(api.ed, 'POST', `/api/v1/monitors/${id}/corrections`, body);
    const before = async (days: number, isCorrected = true) => {
      const period = { from: NOW - days * DAY, to: NOW };
      const scope = { monitors: [id], groupId: null, tags: [] };
      const request = { reportId: null, name: null, timezone: 'UTC', language: 'en' as const };
      const teamId = api.alice.teamId;
      const facts = { ...request, period, isCorrected, teamId, scope };
      return (await readReportFacts(api.database, facts, NOW)).before;
    };
    const day = { from: NOW - 2 * DAY, to: NOW - DAY };
    expect(await before(1)).toEqual({ ...day, uptimePercent: 50 });
    expect(await before(1, false)).toEqual({ ...day, uptimePercent: 0 });
    // A quarter of it or nothing was observed then, or the monitor did not exist.
    expect(await before(8)).toEqual(null);
    expect(await before(12)).toEqual(null);
    expect(await before(31)).toEqual(null);
  });

  test('maintenance is excluded, and named with its window [45.10]', async () => {
    const api = await openApi(await open());
    const id = await watched(api, [
      ['online', 240],
      ['offline', 48],
      ['online', 24],
    ]);
    const window = {
      name: 'Database upgrade',
      starts_at: new Date(NOW - 48 * HOUR).toISOString(),
      ends_at: new Date(NOW - 36 * HOUR).toISOString(),
      monitors: [id],
    };
    await api.call(api.ed, 'POST', '/api/v1/maintenance-windows', window);
    const data = await get(api, `/uptime?from=2029-12-22`);
    expect(data['total']).toMatchObject({ excluded_seconds: 43_200, down_seconds: 43_200 });
    expect(data['exclusions']).toMatchObject([
      { kind: 'maintenance', reason: 'Database upgrade', author: null, from: window.starts_at },
    ]);
  });

  test('incidents have their causes and the time that lies in the period [45.11]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create();
    const body = {
      monitor_id: id,
      started_at: '2029-12-20T00:00:00Z',
      ended_at: '2029-12-20T03:00:00Z',
      status: 'resolved',
      root_cause: 'A disk was full',
    };
    const made = await api.call(api.ed, 'POST', '/api/v1/incidents', body);
    expect(made.status, made.text).toBe(201);
    const data = await get(api, '/uptime?from=2029-12-20T02:00:00Z');
    expect([data['incidents_total'], data['incidents']]).toMatchObject([
      1,
      [{ monitor_id: id, root_cause: 'A disk was full', seconds_in_period: 3_600 }],
    ]);
    expect((await get(api, '/uptime?from=2029-12-20T03:00:00Z'))['incidents_total']).toBe(0);
  });

  test('incidents last as long as they were observed, as the downtime does [33.20]', async () => {
    const api = await openApi(await open());
    const id = await watched(api, [
      ['online', 48],
      ['offline', 24],
      ['unobserved', 22],
      ['online', 19],
    ]);
    const began = NOW - 24 * HOUR;
    const body = {
      monitor_id: id,
      started_at: new Date(began).toISOString(),
      ended_at: new Date(began + 5 * HOUR).toISOString(),
      status: 'resolved',
    };
    const made = await api.call(api.ed, 'POST', '/api/v1/incidents', body);
    expect(made.status, made.text).toBe(201);
    const data = await get(api, `/uptime?from=2029-12-22`);
    expect(data['total']).toMatchObject({ down_seconds: 7_200 });
    expect(data['incidents']).toMatchObject([{ seconds_in_period: 7_200 }]);
  });
});

onPostgres((open) => {
  test('a change keeps what an unsubscription and the worker store at the same moment [45.23, 45.25]', async () => {
    const database = await open();
    const api = await openApi(database);
    const recipients = ['one@example.com', 'two@example.com'];
    const { id } = await create(api, { name: 'Shop', frequency: 'weekly', recipients });
    const [written, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stored = { recipients: ['two@example.com'], unsubscribed: ['one@example.com'] };
    const earlier = database.transaction(async (tx) => {
      await lockAnyReport(tx, id);
      await setRecipients(tx, id, stored, NOW);
      await setNextMail(tx, id, NOW + 30 * DAY);
      written.resolve();
      await release.promise;
    });
    await written.promise;
    const late = api.call(api.ed, 'PUT', `${REPORTS}/${id}`, { name: 'Renamed' });
    await untilLockWait(database);
    release.resolve();
    await earlier;
    expect((await late).status).toBe(200);
    expect(await get(api, `/${id}`)).toMatchObject({
      name: 'Renamed',
      ...stored,
      next_mail_at: '2030-01-31T00:00:00.000Z',
    });
  });
});

describe('a report', () => {
  test('begins no earlier than each monitor [45.5]', async () => {
    const api = await openApi(await openInMemory());
    const id = await watched(api, [['online', 48]]);
    await updateRows(api.database, 'monitor', { created_at: NOW - 2 * DAY }, { id });
    const { total } = await get(api, '/uptime?period=last_30_days');
    expect(total).toMatchObject({ observed_percent: 100, up_seconds: 172_800 });
  });

  test('has days in the zone of the report, also over a change of clocks [45.4]', async () => {
    const api = await openApi(await openInMemory());
    await watched(api, [['online', 24 * 59]]);
    const { from, to, monitors } = await get(
      api,
      '/uptime?timezone=Pacific/Apia&from=2029-12-30&to=2029-12-31',
    );
    expect([from, to]).toEqual(['2029-12-29T11:00:00.000Z', '2029-12-31T11:00:00.000Z']);
    expect(monitors[0].days.map((day: { from: string }) => day.from)).toEqual([
      '2029-12-29T11:00:00.000Z',
      '2029-12-30T11:00:00.000Z',
    ]);
  });

  test('about a deleted group or deleted monitors is about nothing, rather than about all [45.3]', async () => {
    const api = await openApi(await openInMemory());
    const { body: group } = await api.call(api.ed, 'POST', '/api/v1/groups', { name: 'Web' });
    const [kept, gone] = [await api.create(), await api.create()];
    const byGroup = await create(api, { name: 'Group', group_id: group.id });
    const byIds = await create(api, { name: 'Ids', monitors: [gone.id] });
    const whole = await create(api, { name: 'Whole' });
    await api.call(api.ed, 'DELETE', `/api/v1/groups/${group.id}`);
    await api.call(api.ed, 'DELETE', `/api/v1/monitors/${gone.id}`);
    const monitorsOf = async (id: number) =>
      (await get(api, `/${id}/data`))['monitors'].map((one: { id: number }) => one.id);
    expect(await monitorsOf(byGroup.id)).toEqual([]);
    expect(await monitorsOf(byIds.id)).toEqual([]);
    expect(await monitorsOf(whole.id)).toEqual([kept.id]);
    const renamed = await api.call(api.ed, 'PUT', `${REPORTS}/${byIds.id}`, { name: 'Renamed' });
    expect(renamed.status).toBe(200);
  });

  test('names no monitor of another team [45.2]', async () => {
    const api = await openApi(await openInMemory());
    const theirs = await api.create({}, api.mallory);
    const refused = await api.call(api.ed, 'POST', REPORTS, { name: 'x', monitors: [theirs.id] });
    expect([refused.status, Object.keys(refused.body['errors'] as object)]).toEqual([
      422,
      ['monitors.0'],
    ]);
    const adHoc = await api.call(api.ed, 'GET', `${REPORTS}/uptime?monitors=${theirs.id}`);
    expect(adHoc.status).toBe(422);
  });

  test('names a monitor by its host where it has no name, and never shows its URL [45.12]', async () => {
    const api = await openApi(await openInMemory());
    await api.create({ url: 'https://shop.example.com/health?token=secret-of-the-url' });
    const { text } = await api.call(api.vera, 'GET', `${REPORTS}/uptime`);
    expect(text).toContain('"name":"shop.example.com"');
    expect(text).not.toContain('secret-of-the-url');
  });

  test('with a frequency needs mail [45.20]', async () => {
    const api = await openApi(await openInMemory(), { mailQueue: NO_MAIL });
    const body = { name: 'x', frequency: 'weekly' };
    const refused = await api.call(api.ed, 'POST', REPORTS, body);
    expect([refused.status, Object.keys(refused.body['errors'] as object)]).toEqual([
      422,
      ['frequency'],
    ]);
  });

  test('is mailed now to its recipients, where there are any and mail is configured [45.31]', async () => {
    const refused = {
      status: 422,
      body: { errors: { mail: [expect.stringContaining('must be false')] } },
    };
    const api = await openApi(await openInMemory());
    const { id } = await create(api, { name: 'x', recipients: ['ada@example.org'] });
    expect(await mailNow(api, id)).toMatchObject({ status: 202, body: { status: 'queued' } });
    const run = await api.database.read
      .selectFrom('report_run')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(run).toMatchObject({ is_mailed: 1, report_id: id });

    expect(await mailNow(api, (await create(api, { name: 'y' })).id)).toMatchObject(refused);
    const mute = await openApi(await openInMemory(), { mailQueue: NO_MAIL });
    const ours = await create(mute, { name: 'x', recipients: ['ada@example.org'] });
    expect(await mailNow(mute, ours.id)).toMatchObject(refused);
  });

  test('with open sign-up is mailed to confirmed addresses of members only [45.28]', async () => {
    const api = await openApi(await openInMemory(), { openSignup: true });
    for (const { personId } of [api.ed, api.mallory])
      await updateRows(api.database, 'person', { email_verified: 1 }, { id: personId });
    const save = (recipients: string[]) =>
      api.call(api.ed, 'POST', REPORTS, { name: 'x', frequency: 'weekly', recipients });
    for (const address of ['victim@example.org', 'vera@example.com', 'mallory@example.com']) {
      const { status, body } = await save(['ed@example.com', address]);
      expect([status, Object.keys(body['errors'] as object)]).toEqual([422, ['recipients.1']]);
    }
    const { body, status } = await save(['Ed@example.com']);
    expect(status).toBe(201);
    const path = `${REPORTS}/${String(body.id)}`;
    const changed = await api.call(api.ed, 'PUT', path, { recipients: ['victim@example.org'] });
    expect(changed.status).toBe(422);
    await updateRows(api.database, 'person', { email_verified: 0 }, { id: api.ed.personId });
    expect((await api.call(api.ed, 'PUT', path, { name: 'y' })).status).toBe(200);
  });

  test('is 503 with a time to come back while another PDF file of the team waits [45.30]', async () => {
    const api = await openApi(await openInMemory(), { reportPrinter: BUSY });
    const report = await create(api, { name: 'Shop' });
    const answer = await api.call(api.vera, 'GET', `${REPORTS}/${report.id}/data?format=pdf`);
    expect([answer.status, answer.headers['retry-after'], answer.body['message']]).toEqual([
      503,
      '5',
      'Others are being worked on at the moment. Try again in a few seconds.',
    ]);
  });

  test('is 503 with what to do where the process that draws it ends [45.32]', async () => {
    const reportPrinter = { run: () => Promise.reject(new JobEnded('Killed.')), stop() {} };
    const api = await openApi(await openInMemory(), { reportPrinter });
    const report = await create(api, { name: 'Shop' });
    const answer = await api.call(api.vera, 'GET', `${REPORTS}/${report.id}/data?format=pdf`);
    expect([answer.status, answer.headers['retry-after'], answer.body['message']]).toEqual([
      503,
      '5',
      expect.stringMatching(/^The PDF file could not be made: .* Try again\. .*fewer monitors/),
    ]);
  });

  test('is a tagged PDF file [45.16]', async () => {
    const api = await openApi(await openInMemory());
    await watched(api, [
      ['online', 480],
      ['offline', 100],
      ['online', 76],
    ]);
    const report = await create(api, { name: 'Shop: Łódź & 東京', language: 'de' });
    const { rawPayload, headers, statusCode } = await api.app.inject({
      url: `${REPORTS}/${report.id}/data?format=pdf`,
      headers: { authorization: `Bearer ${api.vera.token}` },
    });
    expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      'attachment; filename="shop-odz-2029-12-02-to-2029-12-31.pdf"',
    ]);
    const text = rawPayload.toString('latin1');
    expect(text.startsWith('%PDF-1.7')).toBe(true);
    expect(text).toContain('/MarkInfo');
    expect(text).toContain('/StructTreeRoot');
    expect(text).toContain('/Lang (de)');
  });
});

describe('what is wrong is told', () => {
  const api = sharedApi();

  test.each<[object, Record<string, string[]>]>([
    [
      { name: 'x', recipients: ['nobody'] },
      { 'recipients.0': ['recipients.0 must be an e-mail address, such as ed@example.com.'] },
    ],
    [
      { name: 'x', recipients: ['a@example.com', 'A@example.com'] },
      {
        recipients: [
          'recipients must be a list of at most 50 e-mail addresses, each at most once.',
        ],
      },
    ],
    [
      { name: 'x', timezone: 'Mars/Phobos' },
      { timezone: ['timezone must be the IANA name of a time zone, such as Europe/Berlin.'] },
    ],
    [
      { name: 'x', group_id: 999_999, status_page_id: 999_999 },
      {
        group_id: ['group_id must be the id of a group of your team.'],
        status_page_id: ['status_page_id must be the id of a status page of your team.'],
      },
    ],
  ])('%j [45.1]', async (body, errors) => {
    const { ed, call } = await api();
    const answer = await call(ed, 'POST', REPORTS, body);
    expect([answer.status, answer.body['errors']]).toEqual([422, errors]);
  });

  test.each([
    ['from=2030-02-01', 'from'],
    ['from=2029-12-02&to=2029-12-01', 'to'],
    ['from=2028-01-01', 'from'],
    ['from=yesterday', 'from'],
    ['period=last_month&from=2029-12-01', 'period'],
    ['format=xlsx', 'format'],
    ['delimiter=x', 'delimiter'],
    ['corrected=maybe', 'corrected'],
    ['monitors=one', 'monitors.0'],
    ['monitors[]=%20', 'monitors.0'],
    ['timezone=Mars/Phobos', 'timezone'],
    ['group_id=999999', 'group_id'],
  ])('%s [45.13]', async (query, field) => {
    const { ed, call } = await api();
    const answer = await call(ed, 'GET', `${REPORTS}/uptime?${query}`);
    expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([422, [field]]);
  });
});
