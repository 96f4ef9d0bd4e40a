import { afterAll, describe, expect, it } from 'vitest';
import { CHANNEL_TYPES } from '../../alerting/channels/index.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import type { OpenDatabase } from '../../store/database/database.ts';
import { openApi, unreachable } from '../../../test/support/api.ts';
import { startProvider, type Provider } from '../../../test/support/provider.ts';
import {
  BULLETS,
  client,
  expectRefused,
  expectStatus,
  ISO_TIME,
  NOW,
  type Json,
} from '../../../test/support/client.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';

const { open, get, post, put, del } = client();
const HOOK = 'https://hooks.slack.example/services/T0/B0/secret';
const SLACK = { type: 'slack', settings: { webhook_url: HOOK } };
const QUIET = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' };

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function channel(fields: object = {}): Promise<Json> {
  const answer = await post('/alert-channels', { ...SLACK, ...fields });
  expectStatus(answer, 201);
  return answer.body;
}

const read = async (id: number) => (await get(`/alert-channels/${id}`)).body;

it('points from the type webhook to the endpoints for programs', async () => {
  const answer = await post('/alert-channels', { ...SLACK, type: 'webhook' });
  expectStatus(answer, 422);
  expect(answer.text).toContain('/webhook-endpoints');
});

const email = (addresses: unknown) =>
  post('/alert-channels', { type: 'email', settings: { addresses } });

/** An API of its own whose channels reach a local server. */
async function withProvider() {
  const provider: Provider = await startProvider();
  const database: OpenDatabase = await openInMemory();
  closing.push(provider.close, database.close);
  const tools = { ...unreachable(() => NOW), http: provider.http };
  const api = await openApi(database, { channelTools: tools });
  return { provider, database, ...client(async () => api) };
}

describe('alert channels', () => {
  it('an alert channel shows what it is, and its secrets as eight bullets [30.18, 34.1]', async () => {
    const made = await channel();
    expect(made).toEqual({
      id: expect.any(Number),
      type: 'slack',
      name: 'Slack',
      enabled: true,
      is_default: true,
      severities: ['critical', 'warning'],
      quiet_hours: null,
      timezone: null,
      settings: { webhook_url: BULLETS },
      warnings: [],
      last_delivered_at: null,
      failing_since: null,
      last_error: null,
      created_at: expect.stringMatching(ISO_TIME),
      updated_at: expect.stringMatching(ISO_TIME),
    });
    expect(await read(made.id)).toEqual(made);
  });

  it('secrets of a channel are encrypted at rest, and in no log [35.9]', async () => {
    const { webhook_url } = { webhook_url: `${HOOK}/nowhere-to-be-seen` };
    await channel({ settings: { webhook_url } });
    const { database } = await open();
    for (const table of ['alert_channel', 'audit_entry'] as const) {
      const rows = await database.read.selectFrom(table).selectAll().execute();
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain('nowhere-to-be-seen');
    }
  });

  it('alert channels are a page of those of the team, filtered by type and enabled [34.2]', async () => {
    const { get: list, post: create } = await withProvider();
    const slack = (await create('/alert-channels', SLACK)).body;
    const ntfy = { type: 'ntfy', enabled: false, settings: { topic: 'a' } };
    const off = (await create('/alert-channels', ntfy)).body;
    await create('/alert-channels', SLACK, 'mallory');
    const idsOf = async (query: string) => {
      const { data } = (await list(`/alert-channels${query}`)).body as unknown as { data: Json[] };
      return data.map(({ id }) => id);
    };
    expect((await list('/alert-channels')).body).toMatchObject({ total: 2, current_page: 1 });
    expect(await idsOf('')).toEqual([off.id, slack.id]);
    expect(await idsOf('?type=ntfy')).toEqual([off.id]);
    expect(await idsOf('?enabled=true')).toEqual([slack.id]);
    expect(await idsOf('?enabled=false&type=slack')).toEqual([]);
    expect(await idsOf('?per_page=1&page=2')).toEqual([slack.id]);
    for (const wrong of ['type=fax', 'enabled=1', 'sort=name', 'per_page=101'])
      expectRefused(await list(`/alert-channels?${wrong}`), wrong.split('=')[0]!);
  });

  it('everything that is wrong with a channel is told at once, settings by their dotted name [34.3]', async () => {
    const wrong = {
      type: 'pushover',
      name: 'x'.repeat(101),
      severities: ['fatal'],
      timezone: 'Mars/Phobos',
      quiet_hours: { ...QUIET, to: '24:00' },
      settings: { token: 'short', user: BULLETS, emergency_retry: '60' },
    };
    const answer = await post('/alert-channels', wrong);
    expectStatus(answer, 422);
    expect(Object.keys(answer.body['errors'] as object).toSorted()).toEqual([
      'name',
      'quiet_hours.to',
      'settings.emergency_retry',
      'settings.token',
      'settings.user',
      'severities.0',
      'timezone',
    ]);
    expectRefused(await post('/alert-channels', {}), 'type');
    expectRefused(await post('/alert-channels', { type: 'web_push' }), 'type');
    expectRefused(await post('/alert-channels', { type: 'slack' }), 'settings.webhook_url');
    expectRefused(await post('/alert-channels', { ...SLACK, settings: [] }), 'settings');
  });

  it('settings that the type does not have, and more than 16 KiB of them, are 422 [1.20]', async () => {
    const settings = { webhook_url: HOOK, webhok_url: HOOK };
    const answer = await post('/alert-channels', { ...SLACK, settings });
    expectRefused(answer, 'settings.webhok_url');
    expect(answer.text).toContain('is not a known setting: use webhook_url');
    const large = { webhook_url: `${HOOK}${'x'.repeat(16_384)}` };
    expectRefused(await post('/alert-channels', { ...SLACK, settings: large }), 'settings');
  });

  it.each([
    ['http://hooks.example.com/x', 'ALLOW_HTTP_WEBHOOKS'],
    ['https://169.254.169.254/x', 'link-local'],
    ['https://user:secret@example.com/x', 'user name or password'],
    ['ftp://example.com', 'https'],
    ['', 'https'],
  ])('a url in settings is https and may be aimed at: %s [34.4]', async (url, why) => {
    const answer = await post('/alert-channels', { ...SLACK, settings: { webhook_url: url } });
    expectRefused(answer, 'settings.webhook_url');
    expect(answer.text).toContain(why);
  });

  it('a list of addresses is judged one by one [34.5]', async () => {
    expectStatus(await email(['ops@example.com', 'o@example.org']), 201);
    expectRefused(await email(['ops@example.com', 'nobody']), 'settings.addresses.1');
    for (const wrong of [[], ['a@example.com', 'A@example.com'], 'a@example.com'])
      expectRefused(await email(wrong), 'settings.addresses');
  });

  it('a change of settings keeps what is left out, and a secret that comes as eight bullets [34.6]', async () => {
    const sms = { to: '+15558675310', from: 'Tocsin', account_sid: 'AC1', auth_token: 'secret' };
    const made = await channel({ type: 'sms', settings: { ...sms, api_url: 'https://a.example' } });
    const change = async (settings: object) =>
      (await put(`/alert-channels/${made.id}`, { settings })).body['settings'];
    expect(await change({ auth_token: BULLETS, to: '+4915112345678' })).toMatchObject({
      to: '+4915112345678',
      from: 'Tocsin',
      auth_token: BULLETS,
      api_url: 'https://a.example',
    });
    expect(await change({ api_url: null })).toMatchObject({ api_url: null, auth_token: BULLETS });
    const unset = await put(`/alert-channels/${made.id}`, { settings: { auth_token: null } });
    expectRefused(unset, 'settings.auth_token');
    expectRefused(
      await post('/alert-channels', { type: 'sms', settings: { ...sms, auth_token: BULLETS } }),
      'settings.auth_token',
    );
    // The secret is still the one that was sent first.
    const { provider, post: send, put: alter } = await withProvider();
    const { id } = (await send('/alert-channels', SLACK)).body;
    await alter(`/alert-channels/${id}`, { name: 'Ops', settings: { webhook_url: BULLETS } });
    await send(`/alert-channels/${id}/test`);
    expect(provider.requests.map(({ url }) => url)).toEqual([HOOK]);
  });

  it('PUT of a channel is partial, what was read can be put back, and its type stays [34.7]', async () => {
    const made = await channel({
      quiet_hours: { ...QUIET, days: ['fri', 'sat'] },
      is_default: true,
    });
    const path = `/alert-channels/${made.id}`;
    expect((await put(path, made)).body).toEqual(made);
    expect((await put(path, { name: 'Night' })).body).toMatchObject({
      name: 'Night',
      is_default: true,
      quiet_hours: { ...QUIET, days: ['fri', 'sat'], allow_critical: true },
    });
    const unset = { name: null, quiet_hours: null, severities: null, is_default: null };
    expect((await put(path, unset)).body).toMatchObject({
      name: 'Slack',
      quiet_hours: null,
      severities: ['critical', 'warning'],
      is_default: true,
    });
    expectRefused(await put(path, { type: 'discord' }), 'type');
    expectRefused(await put(path, { type: null }), 'type');
  });

  it.each([
    [{ ...QUIET, from: '7:00' }, 'quiet_hours.from'],
    [{ ...QUIET, to: '22:00' }, 'quiet_hours.to'],
    [{ ...QUIET, days: [] }, 'quiet_hours.days'],
    [{ ...QUIET, days: ['monday'] }, 'quiet_hours.days.0'],
    [{ ...QUIET, days: ['mon', 'mon'] }, 'quiet_hours.days'],
    [{ ...QUIET, timezone: 'Berlin' }, 'quiet_hours.timezone'],
    [{ ...QUIET, allow_critical: 'yes' }, 'quiet_hours.allow_critical'],
    [{ ...QUIET, allow_critcal: true }, 'quiet_hours.allow_critcal'],
    [{ from: '22:00', to: '07:00' }, 'quiet_hours.timezone'],
    ['22:00', 'quiet_hours'],
  ])('quiet hours %j are refused [34.8]', async (quiet_hours, field) => {
    expectRefused(await post('/alert-channels', { ...SLACK, quiet_hours }), field);
  });

  it('a disabled channel drops what waits, and an enabled one has no troubles [34.9]', async () => {
    const { database, post: create, put: change, get: look } = await withProvider();
    const { id } = (await create('/alert-channels', SLACK)).body;
    const path = `/alert-channels/${id}`;
    const { destination_id: destinationId } = await database.read
      .selectFrom('alert_channel')
      .select('destination_id')
      .executeTakeFirstOrThrow();
    const message = { destinationId, teamId: null, messageId: 'msg_1', kind: 'alarm' };
    const empty = { eventType: null, incidentId: null, alertId: null, body: '{}' };
    await database.transaction(async (tx) => {
      await destinationStore(tx).enqueue([{ ...message, ...empty }], NOW);
      await tx.updateTable('destination').set({ failing_since: NOW, last_error: 'No.' }).execute();
    });
    expect((await look(path)).body).toMatchObject({
      failing_since: '2030-01-01T00:00:00.000Z',
      last_error: 'No.',
    });
    const log = async () => (await look(`${path}/deliveries`)).body['data'];
    expect(await log()).toMatchObject([{ kind: 'alarm', status: 'pending', attempts_count: 0 }]);
    await change(path, { enabled: false });
    expect(await log()).toMatchObject([{ status: 'failed', next_attempt_at: null }]);
    expect((await look(`${path}/deliveries?status=pending`)).body).toMatchObject({ total: 0 });
    expect((await change(path, { enabled: true })).body).toMatchObject({
      enabled: true,
      failing_since: null,
      last_error: null,
    });
  });

  it('a deleted channel is gone with its log [34.10]', async () => {
    const { id } = await channel();
    expectStatus(await del(`/alert-channels/${id}`), 204);
    expectStatus(await del(`/alert-channels/${id}`), 404);
    expectStatus(await get(`/alert-channels/${id}/deliveries`), 404);
  });

  it('a team has at most 100 channels [34.11]', async () => {
    const { post: create } = await withProvider();
    for (let made = 0; made < 100; made += 1)
      expectStatus(await create('/alert-channels', SLACK), 201);
    expectRefused(await create('/alert-channels', SLACK), 'alert_channels');
    expectStatus(await create('/alert-channels', SLACK, 'mallory'), 201);
  });

  it('POST /test of a channel sends a message at once and answers success and message [34.12]', async () => {
    const { provider, post: send } = await withProvider();
    const { id } = (await send('/alert-channels', { ...SLACK, enabled: false })).body;
    const path = `/alert-channels/${id}/test`;
    provider.answer({ status: 200, body: 'ok' }, { status: 404, body: 'no_team' });
    const sent = await send(path);
    expect([sent.status, sent.body]).toEqual([
      200,
      { success: true, message: expect.stringContaining('Slack') },
    ]);
    expect(provider.requests[0]!.body).toContain('Test of this channel');
    expect(provider.requests[0]!.body).toContain('Team ours');
    const refused = await send(path);
    expect([refused.status, refused.body]).toEqual([
      200,
      { success: false, message: expect.stringMatching(/^Slack .+\.$/) },
    ]);
    expect(refused.text).not.toContain(HOOK);
  });

  it('a channel that is not saved is tried out by what would create it [34.46]', async () => {
    const { provider, get: read_, post: send } = await withProvider();
    provider.answer({ status: 200, body: 'ok' });
    const sent = await send('/alert-channels/test', SLACK);
    expect([sent.status, sent.body]).toEqual([
      200,
      { success: true, message: expect.stringContaining('Slack') },
    ]);
    expect(provider.requests).toHaveLength(1);
    expectRefused(await send('/alert-channels/test', { type: 'slack' }), 'settings.webhook_url');
    const settings = { webhook_url: 'http://hooks.slack.example/' };
    expectRefused(
      await send('/alert-channels/test', { ...SLACK, settings }),
      'settings.webhook_url',
    );
    expectStatus(await send('/alert-channels/test', SLACK, 'ed'), 403);
    expect(provider.requests).toHaveLength(1);
    expect((await read_('/alert-channels')).body).toMatchObject({ total: 0 });
  });

  it.each(CHANNEL_TYPES.filter(({ scopes }) => scopes.includes('team')))(
    'a channel of type $type is made of the examples of its settings [34.19]',
    async ({ type, title, fields }) => {
      const examples = Object.entries(fields).map(([name, { example }]) => [name, example]);
      const settings = Object.fromEntries(examples);
      const { name, settings: shown } = await channel({ type, settings });
      expect(name).toBe(title);
      const wanted = Object.entries(fields).map(([key, { secret, example }]) => [
        key,
        secret ? BULLETS : example,
      ]);
      expect(shown).toEqual(Object.fromEntries(wanted));
    },
  );
});
