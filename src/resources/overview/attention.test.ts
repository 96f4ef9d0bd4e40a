import { expect, it } from 'vitest';
import { openApi, sharedApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { storeExpiry, storeIncident } from '../../../test/support/overviews.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { insertPage } from '../../../test/support/status-pages.ts';

const ATTENTION = '/api/v1/attention';
const MINUTE = 60_000;
const DAY = 86_400_000;

const get = (api: TestApi, query = '', who = api.alice) =>
  api.call(who, 'GET', `${ATTENTION}${query}`);

async function items(api: TestApi, query = '', who = api.alice): Promise<Json[]> {
  return (await get(api, query, who)).body['data'] as Json[];
}

const texts = async (api: TestApi, query = '', who = api.alice) =>
  (await items(api, query, who)).map(({ text }) => text);

/** Pauses a monitor, and dates its last change back by `agoMs` milliseconds. */
async function pause(api: TestApi, id: number, agoMs: number): Promise<void> {
  await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/pause`);
  await updateRows(api.database, 'monitor', { updated_at: api.clock.now() - agoMs }, { id });
}

eachDatabase((_name, open) => {
  it('lists open incidents by urgency, at most `limit`, and counts all [47.1, 47.3]', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const { id } = await api.create({ friendly_name: 'Shop' });
    const { id: other } = await api.create({ url: 'https://other.example.com' });
    const { id: gone } = await api.create();
    await storeIncident(api, id, now - 3 * MINUTE, { type: 'ssl', severity: 'warning' });
    await storeIncident(api, id, now - 2 * MINUTE);
    await storeIncident(api, other, now - 4 * MINUTE, { acknowledged_at: now - MINUTE });
    await storeIncident(api, other, now - 5 * MINUTE, { type: 'keyword', root_cause: 'No "Buy"' });
    await storeIncident(api, other, now - DAY, { type: 'ssl', ended_at: now - MINUTE });
    await storeIncident(api, gone, now - DAY);
    await api.call(api.alice, 'DELETE', `/api/v1/monitors/${gone}`);
    const { status, body } = await get(api);
    expect([status, body['checked_at'], body['total']]).toEqual([
      200,
      '2030-01-01T00:00:00.000Z',
      4,
    ]);
    expect((body['data'] as Json[])[0]).toEqual({
      kind: 'incident',
      severity: 'critical',
      text: 'https://other.example.com: No "Buy".',
      since: '2029-12-31T23:55:00.000Z',
      monitor: {
        id: other,
        name: 'https://other.example.com',
        url: 'https://other.example.com',
      },
      incident_id: expect.any(Number),
      acknowledged_at: null,
    });
    const cause = 'HTTP 503 Service Unavailable.';
    expect(await texts(api)).toEqual([
      'https://other.example.com: No "Buy".',
      `Shop: ${cause}`,
      `https://other.example.com: ${cause}`,
      `Shop: ${cause}`,
    ]);
    const first = await get(api, '?limit=1');
    expect(first.body).toMatchObject({
      total: 4,
      data: [{ text: 'https://other.example.com: No "Buy".' }],
    });
    expect(first.body['data']).toHaveLength(1);
    expect((await items(api))[2]).toMatchObject({ acknowledged_at: '2029-12-31T23:59:00.000Z' });
  });

  it('counts each monitor once, and those in maintenance [47.2, 47.3]', async () => {
    const api = await openApi(await open());
    const ids: number[] = [];
    for (const tags of [['prod'], ['prod'], [], []]) ids.push((await api.create({ tags })).id);
    const statuses = ['offline', 'online', 'degraded', 'offline'] as const;
    for (const [index, status] of statuses.entries())
      await updateRows(api.database, 'monitor_state', { status }, { monitor_id: ids[index]! });
    await pause(api, ids[3]!, 0);
    await api.create();
    await api.create({}, api.mallory);
    await storeIncident(api, ids[0]!, api.clock.now());
    expect((await get(api)).body['summary']).toEqual({
      monitors: 5,
      online: 1,
      offline: 1,
      degraded: 1,
      pending: 1,
      paused: 1,
      not_observed: 0,
      in_maintenance: 0,
    });
    const window = { tags: ['prod'], minutes: 30 };
    const path = '/api/v1/maintenance-windows/start';
    expect((await api.call(api.alice, 'POST', path, window)).status).toBe(201);
    expect((await get(api)).body['summary']).toMatchObject({ monitors: 5, in_maintenance: 2 });
    expect(await texts(api)).toEqual([
      'https://example.com: HTTP 503 Service Unavailable (in maintenance).',
    ]);
  });

  it('lists what expires while no incident about it is open [47.4]', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const shop = { url: 'https://www.example.com', check_types: ['ssl', 'domain'] };
    const { id } = await api.create({ ...shop, friendly_name: 'Shop' });
    const { id: patient } = await api.create({
      ...shop,
      friendly_name: 'Patient',
      ssl_expiry_threshold: 3,
      domain_expiry_threshold: 3,
    });
    const target = 'www.example.com:443';
    await storeExpiry(api, 'ssl', target, now + 14 * DAY);
    await storeExpiry(api, 'domain', 'example.com', now + 31 * DAY);
    expect(await items(api)).toEqual([]);
    await storeExpiry(api, 'ssl', target, now + 14 * DAY - 1);
    await storeExpiry(api, 'domain', 'example.com', now);
    expect(await texts(api)).toEqual([
      'Shop: the registration of example.com expired on 2030-01-01.',
      'Patient: the registration of example.com expired on 2030-01-01.',
      'Shop: the TLS certificate of www.example.com:443 expires in 13 days, on 2030-01-14.',
    ]);
    expect((await items(api))[2]).toMatchObject({
      kind: 'certificate',
      severity: 'warning',
      since: '2029-12-31T23:59:59.999Z',
      monitor: { id, url: 'https://www.example.com' },
      incident_id: null,
    });
    expect((await get(api, '?limit=1')).body).toMatchObject({ total: 3 });
    // The incident stands for it; that of another type does not.
    await storeIncident(api, id, now, { type: 'ssl', severity: 'warning' });
    await storeIncident(api, patient, now, { type: 'ssl', severity: 'warning' });
    await pause(api, patient, 0);
    expect((await items(api)).map(({ kind, monitor }) => [kind, (monitor as Json).id])).toEqual([
      ['domain', id],
      ['incident', id],
      ['incident', patient],
    ]);
  });

  it('lists monitors that are not checked, and regions without a probe [47.5, 47.6]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create({ friendly_name: 'Shop', check_interval: 5 });
    await api.create({ friendly_name: 'Far', monitored_regions: ['sin'] });
    const job = { monitor_type: 'heartbeat', friendly_name: 'Job', heartbeat_interval: 60 };
    await api.create({ ...job, url: undefined, check_interval: undefined });
    const far =
      'Far was created on 2030-01-01 at 00:00 UTC and never checked, although a check is due every minute.';
    const start = api.clock.now();
    const until = (agoMs: number) => api.clock.advance(start + agoMs - api.clock.now());
    await until(2 * MINUTE);
    expect(await texts(api)).toEqual([]);
    await until(2 * MINUTE + 1);
    expect(await texts(api)).toEqual([far]);
    await until(7 * MINUTE);
    expect(await texts(api)).toHaveLength(2);
    const checked = { last_checked_at: start + 2 * MINUTE, observed_until: start + 7.5 * MINUTE };
    await updateRows(api.database, 'monitor_state', checked, { monitor_id: id });
    expect(await texts(api)).toEqual([far]);
    await until(8.5 * MINUTE + 1);
    expect((await items(api))[1]).toMatchObject({
      kind: 'not_checked',
      severity: 'warning',
      text: 'Shop was last checked on 2030-01-01 at 00:02 UTC, although a check is due every 5 minutes.',
      since: '2030-01-01T00:02:00.000Z',
    });
    // An edit makes a check due.
    await api.call(api.alice, 'PUT', `/api/v1/monitors/${id}`, { request_timeout: 20 });
    expect(await texts(api)).toEqual([far]);

    api.deadRegions.add('sin');
    const dead = await items(api);
    expect(dead).toEqual([
      {
        kind: 'region',
        severity: 'critical',
        text: 'The region sin has no live probe: 1 monitor is not checked at all.',
        since: null,
        monitor: null,
        incident_id: null,
        acknowledged_at: null,
      },
    ]);
    const listed = (await api.call(api.alice, 'GET', '/api/v1/monitors?q=Far')).body['data'];
    await pause(api, (listed as Json[])[0]!.id, 0);
    expect(await texts(api)).toEqual([
      'The region sin has no live probe: 1 monitor is checked from other regions alone.',
    ]);
  });

  it('lists monitors paused for long, as the last [47.6]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create({ friendly_name: 'Old' });
    await pause(api, id, 7 * DAY);
    expect(await items(api)).toEqual([]);
    await pause(api, id, 7 * DAY + 1);
    const { id: down } = await api.create();
    await storeIncident(api, down, api.clock.now(), { severity: 'info' });
    expect((await items(api)).map(({ kind, severity }) => [kind, severity])).toEqual([
      ['incident', 'info'],
      ['paused', 'info'],
    ]);
  });

  it('lists pages, endpoints and channels that do not work, channels to those who may see them [47.7]', async () => {
    const api = await openApi(await open());
    const { database, alice, ed } = api;
    const now = api.clock.now();
    await insertPage(database, { team_id: alice.teamId, slug: 'fine', custom_domain: 'a.example' });
    const failing = { custom_domain: 'b.example', domain_error: 'b.example has no record.' };
    const since = { domain_failing_since: now - DAY };
    await insertPage(database, { team_id: alice.teamId, slug: 'bad', ...failing, ...since });
    const endpoint = { name: 'Chat', url: 'https://hooks.example.com/in' };
    const { body: made } = await api.call(alice, 'POST', '/api/v1/webhook-endpoints', endpoint);
    const off = { is_active: 0, deactivated_reason: 'It answered 410.', updated_at: now };
    await updateRows(database, 'webhook_endpoint', off, { id: made.id });
    const switchedOff = { ...endpoint, name: 'Unused', is_active: false };
    await api.call(alice, 'POST', '/api/v1/webhook-endpoints', switchedOff);
    const channel = { type: 'ntfy', name: 'Ops', settings: { topic: 'a-topic' } };
    await api.call(alice, 'POST', '/api/v1/alert-channels', channel);
    await api.call(ed, 'PUT', '/api/v1/notification-channels/ntfy', { settings: { topic: 'own' } });
    const down = { failing_since: now - MINUTE, last_error: 'ntfy.sh refused own.' };
    await updateRows(database, 'destination', { ...down, failures: 2 }, { kind: 'channel' });
    const domain =
      'The domain b.example of the status page Harbour could not be verified. b.example has no record.';
    const chat = 'The webhook endpoint Chat was deactivated. It answered 410.';
    expect(await texts(api)).toEqual([chat, domain]);
    await updateRows(database, 'destination', { failures: 3 }, { kind: 'channel' });
    const attempts = 'keeps failing: 3 attempts in a row did not arrive.';
    expect(await texts(api)).toEqual([chat, `The alert channel Ops ${attempts}`, domain]);
    expect(await texts(api, '', ed)).toEqual([
      chat,
      `Your notification channel ntfy ${attempts}`,
      domain,
    ]);
    expect(await texts(api, '', api.vera)).toEqual([chat, domain]);
    await updateRows(database, 'alert_channel', { enabled: 0 }, { name: 'Ops' });
    expect(await texts(api)).toEqual([chat, domain]);
  });
});

it('shows no ping URL, and nothing of other teams [47.8, 47.18]', async () => {
  const api = await openApi(await openInMemory());
  const job = await api.create({
    monitor_type: 'heartbeat',
    friendly_name: 'Backup',
    heartbeat_interval: 60,
    url: undefined,
    check_interval: undefined,
  });
  await storeIncident(api, job.id, api.clock.now(), { type: 'heartbeat', root_cause: 'No ping' });
  const { text, body } = await get(api);
  expect((body['data'] as Json[])[0]).toMatchObject({
    text: 'Backup: No ping.',
    monitor: { id: job.id, name: 'Backup', url: null },
  });
  expect(text).not.toContain('/ping/');
  const theirs = await get(api, '', api.mallory);
  expect(theirs.body).toMatchObject({ summary: { monitors: 0 }, total: 0, data: [] });
});

const shared = sharedApi();

it.each([
  ['0', 'limit must be a whole number from 1 to 100.'],
  ['101', 'limit must be a whole number from 1 to 100.'],
  ['1.5', 'limit must be a whole number from 1 to 100.'],
  ['all', 'limit must be a whole number from 1 to 100.'],
])('refuses limit=%s [47.1]', async (limit, message) => {
  const { status, body } = await get(await shared(), `?limit=${limit}`);
  expect([status, body['errors']]).toEqual([422, { limit: [message] }]);
});
