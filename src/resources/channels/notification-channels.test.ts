import { afterAll, describe, expect, it } from 'vitest';
import { createSecretBox } from '../../lib/secret-box.ts';
import { CHANNEL_TYPES } from '../../alerting/channels/index.ts';
import { channelOwner } from '../../store/database/sealed-columns.ts';
import { channelsOfTeam, channelDestinations } from '../../store/resources/alert-channels.ts';
import { teamStore } from '../../store/people/teams.ts';
import { openApi, unreachable, type TestApi } from '../../../test/support/api.ts';
import type { MailMessage } from '../../net/mail.ts';
import { giveSession } from '../../../test/support/people.ts';
import {
  BULLETS,
  client,
  expectRefused,
  expectStatus,
  NOW,
  type Json,
} from '../../../test/support/client.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';

const { get, post, put, del } = client();
const CHANNELS = '/notification-channels';
const NTFY = { type: 'ntfy', settings: { topic: 'tocsin-own' } };
const WEB_PUSH = CHANNEL_TYPES.find(({ type }) => type === 'web_push')!;

/** The key of the API under test. */
const BOX = createSecretBox(['a key for tests']);

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** An API of its own, whose people have confirmed addresses, and the mails that were sent. */
async function withMail(canMail = true) {
  const database = await openInMemory();
  closing.push(database.close);
  const mails: MailMessage[] = [];
  const mailer = {
    async send(mail: MailMessage) {
      mails.push(mail);
      return { outcome: 'sent' } as const;
    },
  };
  const tools = { ...unreachable(() => NOW), mailer: canMail ? mailer : null };
  const api = await openApi(database, { channelTools: tools });
  await database.transaction((tx) => tx.updateTable('person').set({ email_verified: 1 }).execute());
  return { api, database, mails, ...client(async () => api) };
}

/** The url that messages of Slack are sent to. */
const storedUrl = async ({ database }: TestApi) => {
  const row = await database.read
    .selectFrom('alert_channel')
    .select(['settings', 'team_id', 'person_id'])
    .where('type', '=', 'slack')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const opened = BOX.of('alert_channel', channelOwner(row)).open(row.settings!, 'settings');
  return (JSON.parse(opened) as Record<string, unknown>)['webhook_url'];
};

const entryOf = async ({ call, alice }: TestApi, type: string) => {
  const { body } = await call(alice, 'GET', `/api/v1${CHANNELS}`);
  return (body['data'] as Record<string, unknown>[]).find((one) => one['type'] === type)!;
};

describe('notification channels', () => {
  it("a person's own channels are one entry for each type, whose id is a word [34.13]", async () => {
    const { body } = await get(CHANNELS, 'vera');
    const types = CHANNEL_TYPES.filter(({ scopes }) => scopes.includes('person'));
    const data = body['data'] as Json[];
    expect(data.map(({ id }) => id)).toEqual(types.map(({ type }) => type));
    for (const entry of data) {
      expect(entry).toMatchObject({ name: expect.any(String), enabled: false, configured: false });
      expect(await get(`${CHANNELS}/${entry.id}`, 'vera')).toMatchObject({
        status: 200,
        body: entry,
      });
    }
  });

  it('a channel of a person is set up by POST, shown with masked secrets, and gone by DELETE [34.14]', async () => {
    const made = await post(CHANNELS, { ...NTFY, severities: ['critical'] });
    expectStatus(made, 201);
    expect(made.body).toMatchObject({
      id: 'ntfy',
      type: 'ntfy',
      name: 'ntfy',
      enabled: true,
      configured: true,
      available: true,
      severities: ['critical'],
      settings: { topic: BULLETS, token: null, server_url: null },
    });
    expect((await get(`${CHANNELS}/ntfy`)).body).toEqual(made.body);
    expect((await get(`${CHANNELS}/ntfy`, 'ed')).body['configured']).toBe(false);
    expectStatus(await post(CHANNELS, NTFY), 409);
    expectStatus(await del(`${CHANNELS}/ntfy`), 204);
    expectStatus(await del(`${CHANNELS}/ntfy`), 404);
    expect((await get(`${CHANNELS}/ntfy`)).body).toMatchObject({
      configured: false,
      enabled: false,
      settings: null,
    });
  });

  it('PUT changes a channel of a person by key, and sets up one that is not there [34.15]', async () => {
    const path = `${CHANNELS}/gotify`;
    expectRefused(await put(path, {}), 'settings.server_url', 'settings.token');
    const settings = { server_url: 'https://push.example.com', token: 'AKsjdf83hfVbx2P' };
    const made = await put(path, { settings });
    expect([made.status, made.body]).toMatchObject([200, { configured: true, enabled: true }]);
    expect((await put(path, { enabled: false, settings: { token: BULLETS } })).body).toMatchObject({
      enabled: false,
      configured: true,
      settings: { server_url: 'https://push.example.com', token: BULLETS },
    });
    expect((await put(path, { timezone: 'Asia/Tokyo' })).body).toMatchObject({ enabled: false });
    // A stored secret goes to no other server, but may go to another path of the same.
    const elsewhere = { server_url: 'https://elsewhere.example.com' };
    expectRefused(await put(path, { settings: elsewhere }), 'settings.token');
    expectRefused(
      await put(path, { settings: { ...elsewhere, token: BULLETS } }),
      'settings.token',
    );
    const below = { server_url: 'https://push.example.com/gotify', token: BULLETS };
    expectStatus(await put(path, { settings: below }), 200);
    expectStatus(await put(path, { settings: { ...elsewhere, token: 'AnotherOne' } }), 200);
    expectRefused(await put(path, { timezone: 'x', name: 7 }), 'timezone', 'name');
  });

  it("the audit log tells a team's admins that somebody set up a channel, and not its address [35.7]", async () => {
    const settings = {
      to: '+4915112345678',
      from: '+15017122661',
      account_sid: 'AC0123456789abcdef',
      auth_token: 'a-token-of-mine',
    };
    expectStatus(await post(CHANNELS, { type: 'sms', settings }, 'ed'), 201);
    expectStatus(await put(`${CHANNELS}/sms`, { settings: { to: '+4915187654321' } }, 'ed'), 200);
    const { body } = await get('/audit-log?per_page=2');
    const [changed, made] = body['data'] as { after: { settings: object } }[];
    expect(made!.after.settings).toMatchObject({ to: BULLETS, from: BULLETS, api_url: null });
    expect(changed).toMatchObject({
      action: 'notification_channel.updated',
      before: { settings: { to: BULLETS } },
      after: { settings: { to: `${BULLETS} (replaced)`, from: BULLETS } },
    });
    expect(JSON.stringify(body)).not.toContain('+49151');
    expectStatus(await del(`${CHANNELS}/sms`, 'ed'), 204);
  });

  it('an unknown word is 404, and an unknown type 422 [34.16]', async () => {
    for (const word of ['fax', '1', 'constructor', 'E-mail']) {
      expectStatus(await get(`${CHANNELS}/${word}`), 404);
      expectStatus(await put(`${CHANNELS}/${word}`, {}), 404);
      expectStatus(await post(`${CHANNELS}/${word}/test`), 404);
      expectRefused(await post(CHANNELS, { type: word }), 'type');
    }
    expectRefused(await post(CHANNELS, {}), 'type');
    for (const type of [{ toString: 1 }, 7, ['ntfy']])
      expectRefused(await post(CHANNELS, { type }), 'type');
  });

  it('own channels are open to every role, and to people without a team [3.4]', async () => {
    expectStatus(await post(CHANNELS, NTFY, 'vera'), 201);
    expectStatus(await get(CHANNELS, null), 401);
    const { api, database } = await withMail();
    const { personId, teamId } = api.vera;
    const session = await giveSession(database, api.vera, { now: NOW });
    await database.transaction(async (tx) => {
      await tx.deleteFrom('member').where('person_id', '=', personId).execute();
      await teamStore(tx).moveSessionsAway(teamId, personId);
    });
    const call = (method: string, path: string, body?: object) =>
      api.call(session, method, `/api/v1${CHANNELS}${path}`, body);
    expectStatus(await call('POST', '', NTFY), 201);
    expectStatus(await call('GET', ''), 200);
    expectStatus(await call('POST', '/ntfy/test'), 200);
    expectStatus(await call('DELETE', '/ntfy'), 204);
  });

  it('e-mail is there by default for those who edit, goes to their own address, and stays removed [30.17]', async () => {
    const {
      api,
      database,
      mails,
      post: send,
      put: change,
      del: remove,
      get: look,
    } = await withMail();
    expect(await entryOf(api, 'email')).toMatchObject({
      configured: true,
      enabled: true,
      available: true,
      settings: {},
      fields: [],
    });
    expect((await look(`${CHANNELS}/email`, 'vera')).body).toMatchObject({ configured: false });
    expectStatus(await send(CHANNELS, { type: 'email' }), 409);
    const answer = await send(`${CHANNELS}/email/test`);
    expect(answer.body).toMatchObject({ success: true });
    expect(mails).toMatchObject([{ to: 'alice@example.com', subject: 'Test of this channel' }]);
    expectRefused(
      await change(`${CHANNELS}/email`, { settings: { addresses: ['bob@example.com'] } }),
      'settings',
    );
    const told = async () => {
      const { teamId, personId } = api.alice;
      await database.transaction((tx) => channelDestinations(tx).ensurePersonalEmail(teamId, NOW));
      const rows = await channelsOfTeam(database.read, teamId);
      return rows.some((row) => row.person_id === personId);
    };
    expect(await told()).toBe(true);
    await change(`${CHANNELS}/email`, { enabled: false });
    expect(await entryOf(api, 'email')).toMatchObject({ configured: true, enabled: false });
    expect(await told()).toBe(false);
    await change(`${CHANNELS}/email`, { enabled: true });
    expect(await told()).toBe(true);
    expectStatus(await remove(`${CHANNELS}/email`), 204);
    expect(await entryOf(api, 'email')).toMatchObject({ configured: false, enabled: false });
    expect(await told()).toBe(false);
    expectStatus(await remove(`${CHANNELS}/email`), 404);
    expectStatus(await send(CHANNELS, { type: 'email' }), 201);
    expect(await told()).toBe(true);
  });

  it('e-mail is not available without SMTP or a confirmed address [34.17]', async () => {
    const { api } = await withMail(false);
    expect(await entryOf(api, 'email')).toMatchObject({ available: false, configured: false });
    expect((await get(`${CHANNELS}/email`)).body).toMatchObject({ available: false });
    await put(`${CHANNELS}/email`, {});
    const { body } = await post(`${CHANNELS}/email/test`);
    expect(body).toEqual({ success: false, message: expect.stringContaining('not confirmed') });
  });

  it('web push shows the key that browsers subscribe with, and keeps the newest subscription [34.18]', async () => {
    const examples = Object.entries(WEB_PUSH.fields).map(([name, { example }]) => [name, example]);
    const settings = Object.fromEntries(examples) as Record<string, unknown>;
    const made = await post(CHANNELS, { type: 'web_push', settings });
    expect(made).toMatchObject({ status: 201, body: { public_key: 'BPublic' } });
    const other = { ...settings, auth: 'AAAAAAAAAAAAAAAAAAAAAA' };
    expectStatus(await put(`${CHANNELS}/web_push`, { settings: other }), 200);
    const { data } = (await get(CHANNELS)).body as unknown as { data: Json[] };
    expect(data.filter(({ type }) => type === 'web_push')).toHaveLength(1);
  });

  describe('flat keys', () => {
    const HOOK = 'https://hooks.slack.example.com/services/T0/B0/s3cret';
    const OTHER = 'https://hooks.slack.example.com/services/T0/B0/0ther';
    const SMS = {
      to: '+4915112345678',
      from: '+15017122661',
      account_sid: 'AC0123456789abcdef',
      auth_token: 'a-token-of-mine',
    };

    it('stand beside the settings where they apply, secrets masked [34.43]', async () => {
      const { api } = await withMail();
      const { call, alice } = api;
      const path = `/api/v1${CHANNELS}`;
      const sent = { type: 'slack', enabled: true, webhook_url: HOOK };
      const made = await call(alice, 'POST', path, sent);
      expectStatus(made, 201);
      expect(made.headers['x-ignored-fields']).toBeUndefined();
      expect(made.body).toMatchObject({ webhook_url: BULLETS, settings: { webhook_url: BULLETS } });
      expect(made.text).not.toContain('s3cret');
      expect(await storedUrl(api)).toBe(HOOK);
      const { to, ...account } = SMS;
      const sms = { type: 'sms', phone_number: to, settings: account };
      const texted = await call(alice, 'PUT', `${path}/sms`, sms);
      expect(texted.body).toMatchObject({ phone_number: to, settings: { to, from: SMS.from } });
      expect(await entryOf(api, 'email')).toMatchObject({
        email: 'alice@example.com',
        verified: true,
      });
      const shown = async (type: string) =>
        Object.keys(await entryOf(api, type)).filter((key) =>
          ['webhook_url', 'phone_number', 'email', 'verified'].includes(key),
        );
      expect(await shown('mattermost')).toEqual(['webhook_url']);
      expect(await shown('sms')).toEqual(['phone_number']);
      expect(await shown('email')).toEqual(['email', 'verified']);
      expect(await shown('ntfy')).toEqual([]);
    });

    it('an answer can be sent back, and the key that was changed counts [34.43]', async () => {
      const { api } = await withMail();
      const { call, alice } = api;
      const path = `/api/v1${CHANNELS}/slack`;
      const { body } = await call(alice, 'PUT', path, { webhook_url: HOOK });
      const again = await call(alice, 'PUT', path, body);
      expect([again.status, await storedUrl(api)]).toEqual([200, HOOK]);
      // The masked twin of a changed key is stale, on either side.
      expectStatus(await call(alice, 'PUT', path, { ...body, webhook_url: OTHER }), 200);
      expect(await storedUrl(api)).toBe(OTHER);
      const nested = { ...body, settings: { webhook_url: HOOK } };
      expectStatus(await call(alice, 'PUT', path, nested), 200);
      expect(await storedUrl(api)).toBe(HOOK);
      const both = { webhook_url: OTHER, settings: { webhook_url: `${OTHER}2` } };
      expectRefused(await call(alice, 'PUT', path, both), 'webhook_url');
      expectStatus(await call(alice, 'PUT', path, { enabled: false }), 200);
      expect(await storedUrl(api)).toBe(HOOK);
      const { body: sms } = await call(alice, 'PUT', `/api/v1${CHANNELS}/sms`, { settings: SMS });
      const moved = { ...sms, phone_number: '+4915187654321' };
      const after = await call(alice, 'PUT', `/api/v1${CHANNELS}/sms`, moved);
      expect(after.body).toMatchObject({ settings: { to: '+4915187654321' } });
    });

    it('what is wrong is told on the key that was sent [34.43]', async () => {
      const slack = `${CHANNELS}/slack`;
      expectRefused(await put(slack, { webhook_url: 'ftp://x' }, 'ed'), 'webhook_url');
      expectRefused(await put(slack, { webhook_url: BULLETS }, 'ed'), 'webhook_url');
      expectRefused(await put(slack, { webhook_url: null }, 'ed'), 'webhook_url');
      expectRefused(await put(slack, {}, 'ed'), 'settings.webhook_url');
      const sms = { type: 'sms', phone_number: 'mine', settings: { ...SMS, to: undefined } };
      expectRefused(await post(CHANNELS, sms, 'ed'), 'phone_number');
      expectRefused(await put(slack, { type: 'sms', webhook_url: HOOK }, 'ed'), 'type');
    });

    it('those of other types are ignored, and named unless they are empty [34.43]', async () => {
      const sent = { ...NTFY, phone_number: '+4915112345678', webhook_url: null, email: '' };
      const made = await post(CHANNELS, sent, 'ed');
      expectStatus(made, 201);
      expect(made.headers['x-ignored-fields']).toBe('phone_number');
    });

    it('an e-mail address of others is refused: a new one has to be confirmed [34.44]', async () => {
      const { api } = await withMail();
      const { call, alice } = api;
      const path = `/api/v1${CHANNELS}/email`;
      for (const email of ['Alice@Example.com', null, '']) {
        const { status } = await call(alice, 'PUT', path, { type: 'email', enabled: true, email });
        expect([email, status]).toEqual([email, 200]);
      }
      for (const email of ['bob@example.com', 7]) {
        const refused = await call(alice, 'PUT', path, { email });
        expectRefused(refused, 'email');
        expect(refused.text).toContain('account page');
      }
      expect(await entryOf(api, 'email')).toMatchObject({ email: 'alice@example.com' });
    });
  });

  it('enabling e-mail without SMTP, or before the address is confirmed, says so [34.45]', async () => {
    const { api, database } = await withMail(false);
    const path = `/api/v1${CHANNELS}/email`;
    const enable = async (enabled: boolean) =>
      (await api.call(api.alice, 'PUT', path, { enabled })).body['warnings'];
    const noMail = expect.stringMatching(/^enabled is true, .* SMTP_URL/);
    expect(await enable(true)).toEqual([noMail]);
    expect(await enable(false)).toEqual([]);
    await database.transaction((tx) =>
      tx.updateTable('person').set({ email_verified: 0 }).execute(),
    );
    const unconfirmed = expect.stringMatching(/^verified is false: /);
    expect(await enable(true)).toEqual([noMail, unconfirmed]);
    const settings = { addresses: ['ops@example.com'] };
    const team = await api.call(api.alice, 'POST', '/api/v1/alert-channels', {
      type: 'email',
      settings,
    });
    expect([team.status, team.body['warnings']]).toEqual([201, [noMail]]);
    const { api: mailing } = await withMail();
    const { body } = await mailing.call(mailing.alice, 'POST', '/api/v1/alert-channels', {
      type: 'email',
      settings,
    });
    expect(body['warnings']).toEqual([]);
    expect(await entryOf(mailing, 'email')).toMatchObject({ warnings: [] });
  });

  it('POST /test of an own channel answers success and message [34.12]', async () => {
    await put(`${CHANNELS}/ntfy`, { settings: { topic: 'a' } });
    const answer = await post(`${CHANNELS}/ntfy/test`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: false, message: expect.stringContaining('could not be reached') },
    ]);
    expectStatus(await post(`${CHANNELS}/slack/test`), 404);
  });
});
