import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openApi, NO_MAIL, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { giveSubscriber } from '../../../test/support/subscribers.ts';
import { wrapDatabase } from '../../../test/support/wrapped-database.ts';
import { createMailQueue } from '../../store/alerting/mails.ts';
import { createSecretBox } from '../../lib/secret-box.ts';
import type { Database } from '../../store/database/contract.ts';

const SECRET = 'a key for tests';

async function openPage(api: TestApi) {
  const { id: monitorId } = await api.create();
  const page = { name: 'Acme', slug: 'acme', monitors: [{ id: monitorId }] };
  const { body } = await api.call(api.alice, 'POST', '/api/v1/status-pages', page);
  return {
    monitorId,
    pageId: body.id as number,
    path: `/api/v1/status-pages/${body.id}/subscribers`,
  };
}

const errorsOf = (body: object) => (body as { errors: Record<string, string[]> }).errors;

const subscriptionMails = async (api: TestApi) =>
  (await api.mails()).filter(({ kind }) => kind === 'subscription');

/** Bodies of messages that ask for a confirmation. */
async function challenges(api: TestApi): Promise<Record<string, unknown>[]> {
  const rows = await api.database.read
    .selectFrom('delivery')
    .select('body')
    .where('kind', '=', 'subscription.confirm')
    .orderBy('id')
    .execute();
  return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

/** A database in which something happens after an import has read the page, and before it writes. */
function interrupted(database: Database) {
  const between: { happens: (() => Promise<unknown>) | null } = { happens: null };
  let isRead = false;
  const wrapped = wrapDatabase(database, {
    get scan() {
      isRead = true;
      return database.scan;
    },
    async transaction(work) {
      const { happens } = between;
      if (isRead && happens !== null) {
        between.happens = null;
        await happens();
      }
      return database.transaction(work);
    },
  });
  return { between, wrapped };
}

/** Adds webhooks to a page. */
async function giveWebhooks(database: Database, pageId: number, count: number): Promise<void> {
  await database.transaction((tx) =>
    sql`
      insert into subscriber
        (page_id, kind, address, address_hash, monitors, confirmed_at, created_at, updated_at)
      with recursive numbers(n) as
        (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
      select ${sql.lit(pageId)}, 'webhook', '', 'hash ' || n, '[]', 0, 0, 0 from numbers
    `.execute(tx),
  );
}

eachDatabase((_engine, open) => {
  test('nobody is asked to confirm a subscription of a draft [41.27]', async () => {
    const api = await openApi(await open());
    const { path, pageId } = await openPage(api);
    await api.call(api.ed, 'PUT', `/api/v1/status-pages/${pageId}`, { draft: true });
    for (const one of [
      { address: 'sam@example.com' },
      { kind: 'webhook', address: 'https://example.com/hook' },
    ])
      expect((await api.call(api.ed, 'POST', path, one)).text).toContain('draft');
    const csv = 'address\nsam@example.com\n';
    const { body } = await api.call(api.ed, 'POST', `${path}/import`, { csv });
    expect(errorsOf(body)['consent']![0]).toContain('draft');
    const consented = { csv, consent: 'Moved from our former page, where they subscribed.' };
    expect((await api.call(api.ed, 'POST', `${path}/import`, consented)).body['added']).toBe(1);
    expect([await subscriptionMails(api), await challenges(api)]).toEqual([[], []]);
  });

  test('somebody who is added by e-mail gets a mail to confirm it, in the words of the page [44.1]', async () => {
    const api = await openApi(await open());
    const { path, monitorId } = await openPage(api);
    const input = { address: 'sam@example.com', monitors: [monitorId] };
    const { status, body } = await api.call(api.ed, 'POST', path, input);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: 1,
      kind: 'email',
      address: 's…@example.com',
      state: 'pending',
      ended_reason: null,
      monitors: [monitorId],
      created_by: api.ed.personId,
      confirmed_at: null,
      created_at: '2030-01-01T00:00:00.000Z',
      updated_at: '2030-01-01T00:00:00.000Z',
      signing_secret: null,
    });
    const [mail] = await subscriptionMails(api);
    expect(mail).toMatchObject({
      to: 'sam@example.com',
      subject: 'Confirm your subscription to Acme',
    });
    expect(mail!.text).toMatch(
      /https:\/\/up\.example\.com\/status\/acme\/confirm\?token=[\w-]{37,}/,
    );
  });

  test('a webhook gets a signing secret once, Slack gets none, and both are asked to confirm [44.2]', async () => {
    const api = await openApi(await open());
    const { path } = await openPage(api);
    const hook = { kind: 'webhook', address: 'https://hooks.example.com/in/s3cret' };
    const { body: made } = await api.call(api.ed, 'POST', path, hook);
    expect(made).toMatchObject({ state: 'pending', address: 'hooks.example.com/…' });
    expect(made.signing_secret).toMatch(/^whsec_/);
    const { body: shown } = await api.call(api.ed, 'GET', `${path}/${made.id}`);
    expect(shown).not.toHaveProperty('signing_secret');
    const slack = { kind: 'slack', address: 'https://hooks.slack.com/services/T0/B0/x' };
    expect((await api.call(api.ed, 'POST', path, slack)).body).toMatchObject({
      state: 'pending',
      signing_secret: null,
    });
    const [toHook, toSlack] = await challenges(api);
    expect(toHook).toEqual({
      event: 'subscription.confirm',
      timestamp: '2030-01-01T00:00:00.000Z',
      page: { id: 1, name: 'Acme', url: 'https://up.example.com/status/acme' },
      challenge: expect.stringMatching(/^[\w-]{37,}$/),
      confirm_url: `https://up.example.com/status/acme/confirm?token=${toHook!['challenge']}`,
      expires_at: '2030-01-03T00:00:00.000Z',
      // Written where it is sent: the queue holds no right to end a subscription.
      subscription: {
        manage_url: 'https://up.example.com/status/acme/subscription?token={subscription-token}',
        unsubscribe_url:
          'https://up.example.com/status/acme/unsubscribe?token={subscription-token}',
      },
    });
    expect(JSON.stringify(toSlack)).toContain('https://up.example.com/status/acme/confirm?token=');
  });

  test('a subscription that is pending is asked for again, with the services of the newest request [44.28]', async () => {
    const api = await openApi(await open());
    const { path, monitorId } = await openPage(api);
    const hook = { kind: 'webhook', address: 'https://hooks.example.com/in' };
    const { body: first } = await api.call(api.ed, 'POST', path, hook);
    await api.clock.advance(1_000);
    const again = await api.call(api.ed, 'POST', path, { ...hook, monitors: [monitorId] });
    expect([again.status, again.body]).toMatchObject([
      201,
      { id: first.id, state: 'pending', monitors: [monitorId], signing_secret: null },
    ]);
    const [, asked] = await challenges(api);
    expect(asked!['confirm_url']).toContain(`&monitors=${monitorId}`);
  });

  test('open sign-up bounds what a team aims at one host: subscriptions, and how often they are asked for [44.29]', async () => {
    const api = await openApi(await open(), { openSignup: true });
    const { path } = await openPage(api);
    const add = (address: string) => api.call(api.ed, 'POST', path, { kind: 'webhook', address });
    for (let index = 0; index < 10; index += 1)
      expect((await add(`https://hooks.example.com/${index}`)).status).toBe(201);
    const { body } = await add('https://Hooks.Example.com:8443/more');
    expect(errorsOf(body)['subscribers']).toEqual([
      'subscribers must be at most 10 of a team at one host, and hooks.example.com has as many: delete one that is no longer used.',
    ]);
    for (let index = 0; index < 10; index += 1)
      expect((await add(`https://h${index}.example.net/`)).status).toBe(201);
    const refused = await add('https://one.more.example.net/');
    expect([refused.status, refused.body.message]).toEqual([
      429,
      expect.stringContaining(
        '20 subscriptions of webhooks, channels and phones an hour for one team',
      ),
    ]);
    expect(await challenges(api)).toHaveLength(20);
  });

  test.each([
    [{}, 'address', 'is required'],
    [{ address: 'nobody' }, 'address', 'must be an e-mail address'],
    [{ kind: 'pigeon', address: 'a@b' }, 'kind', 'must be one of'],
    [{ kind: 'webhook', address: 'http://example.com/' }, 'address', 'https://'],
    [{ kind: 'webhook', address: 'https://169.254.169.254/' }, 'address', 'link-local'],
    [{ kind: 'slack', address: 'a@example.com' }, 'address', 'must be an absolute https URL'],
    [{ address: 'a@example.com', monitors: [99] }, 'monitors', 'services of this status page'],
  ])('%j is refused [44.3]', async (body, field, text) => {
    const api = await openApi(await open());
    const { path } = await openPage(api);
    const answer = await api.call(api.ed, 'POST', path, body);
    expect(answer.status).toBe(422);
    expect(errorsOf(answer.body)[field]![0]).toContain(text);
  });

  test('an address has one subscription for each page, however it is written [44.4]', async () => {
    const api = await openApi(await open());
    const { path } = await openPage(api);
    const hook = { kind: 'webhook', address: 'https://hooks.example.com/in' };
    expect((await api.call(api.ed, 'POST', path, hook)).status).toBe(201);
    await updateRows(api.database, 'subscriber', { confirmed_at: 0 }, { kind: 'webhook' });
    expect((await api.call(api.ed, 'POST', path, hook)).status).toBe(422);
    const first = await api.call(api.ed, 'POST', path, { address: 'Sam+a@example.com' });
    const again = await api.call(api.ed, 'POST', path, { address: 'sam@example.com' });
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    expect(await subscriptionMails(api)).toHaveLength(2);
  });

  test('the list is filtered, and shows whole addresses to admins only [44.5]', async () => {
    const api = await openApi(await open());
    const { path } = await openPage(api);
    await api.call(api.ed, 'POST', path, { address: 'sam@example.com' });
    const hook = { kind: 'webhook', address: 'https://hooks.example.com/in' };
    await api.call(api.ed, 'POST', path, hook);
    const list = async (who: TestApi['ed'], query: string) =>
      ((await api.call(who, 'GET', `${path}?${query}`)).body.data as { address: string }[]).map(
        ({ address }) => address,
      );
    expect(await list(api.ed, 'kind=email&state=pending')).toEqual(['s…@example.com']);
    expect(await list(api.alice, 'kind=webhook')).toEqual(['https://hooks.example.com/in']);
    expect(await list(api.alice, 'state=ended')).toEqual([]);
    expect((await api.call(api.vera, 'GET', path)).status).toBe(403);
  });

  test('nobody is flooded with mails to confirm: three an hour for an address, a hundred for a page [44.6]', async () => {
    const api = await openApi(await open());
    const { path } = await openPage(api);
    const add = (address: string) => api.call(api.ed, 'POST', path, { address });
    for (let index = 0; index < 3; index += 1)
      expect((await add('sam@example.com')).status).toBe(201);
    const refused = await add('sam@example.com');
    expect(refused.status).toBe(429);
    expect(refused.body.message).toContain('mails to confirm a subscription');
    for (let index = 0; index < 97; index += 1)
      expect((await add(`a${index}@example.com`)).status).toBe(201);
    expect((await add('one-more@example.com')).body.message).toContain('for one status page');
    expect(await subscriptionMails(api)).toHaveLength(100);
  });

  test('without SMTP_URL nobody is added by e-mail [44.7]', async () => {
    const api = await openApi(await open(), { mailQueue: NO_MAIL });
    const { path } = await openPage(api);
    const answer = await api.call(api.ed, 'POST', path, { address: 'sam@example.com' });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      expect.stringContaining('SMTP_URL'),
    ]);
  });

  test('a file with consent subscribes at once and is recorded, and is exported without formulas [44.8, 44.9]', async () => {
    const api = await openApi(await open());
    const { path, monitorId } = await openPage(api);
    await api.call(api.ed, 'POST', path, { address: 'known@example.com' });
    const csv = [
      'Name;Email;Monitors',
      `Sam;sam@example.com;${monitorId}`,
      'Sam again;SAM@example.com;',
      'Known;known@example.com;',
      '"=Formula";"+sum@example.com";',
      'Nobody;no address;',
      'Elsewhere;pat@example.com;999',
    ].join('\n');
    const consent = 'They had subscribed to our former page.';
    const dry = await api.call(api.ed, 'POST', `${path}/import`, { csv, consent, dry_run: true });
    expect(dry.body).toMatchObject({ dry_run: true, added: 2, known: 2, refused: 2 });
    const { body } = await api.call(api.ed, 'POST', `${path}/import`, { csv, consent });
    expect(body.rows).toEqual([
      { line: 2, outcome: 'added', reason: null },
      { line: 3, outcome: 'known', reason: null },
      { line: 4, outcome: 'known', reason: null },
      { line: 5, outcome: 'added', reason: null },
      { line: 6, outcome: 'refused', reason: expect.stringContaining('e-mail address') },
      { line: 7, outcome: 'refused', reason: expect.stringContaining('services of this status') },
    ]);
    expect(await subscriptionMails(api)).toHaveLength(1);
    const log = await api.call(api.alice, 'GET', '/api/v1/audit-log?target_type=status_page');
    expect((log.body.data as object[])[0]).toMatchObject({
      action: 'status_page.subscribers_imported',
      after: { imported: 2, consent },
    });
    expect((await api.call(api.ed, 'GET', `${path}/export`)).status).toBe(403);
    const file = await api.call(api.alice, 'GET', `${path}/export`);
    expect(file.text).toBe(
      [
        'kind,address,state,monitors,confirmed_at,created_at',
        'email,known@example.com,pending,,,2030-01-01T00:00:00.000Z',
        `email,sam@example.com,active,${monitorId},2030-01-01T00:00:00.000Z,2030-01-01T00:00:00.000Z`,
        "email,'+sum@example.com,active,,2030-01-01T00:00:00.000Z,2030-01-01T00:00:00.000Z",
        '',
      ].join('\r\n'),
    );
    const again = await api.call(api.ed, 'POST', `${path}/import`, { csv: file.text, consent });
    expect(again.body).toMatchObject({ added: 0, known: 3, refused: 0 });
  });

  test('a file without consent invites as far as the budgets reach, and with OPEN_SIGNUP there is no consent [44.8]', async () => {
    const secretBox = createSecretBox([SECRET]);
    const mailQueue = createMailQueue({
      secretBox,
      keys: [SECRET],
      isConfigured: true,
      openSignup: true,
    });
    const api = await openApi(await open(), { mailQueue, openSignup: true });
    const { path } = await openPage(api);
    const lines = Array.from({ length: 120 }, (_, index) => `a${index}@example.com`);
    const csv = ['address', ...lines].join('\n');
    const refused = await api.call(api.ed, 'POST', `${path}/import`, { csv, consent: 'Yes.' });
    expect(errorsOf(refused.body)['consent']![0]).toContain('anybody can register');
    const { body } = await api.call(api.ed, 'POST', `${path}/import`, { csv });
    expect(body).toMatchObject({ added: 100, refused: 20 });
    expect((body.rows as { reason: string }[])[119]!.reason).toContain('for one status page');
    const { body: listed } = await api.call(api.ed, 'GET', path);
    expect(listed.total).toBe(100);
  });

  test('an import leaves somebody alone who subscribed meanwhile [44.4, 44.8]', async () => {
    const database = await open();
    const { between, wrapped } = interrupted(database);
    const api = await openApi(wrapped);
    const { path, pageId } = await openPage(api);
    // No mail to confirm may go to this address for an hour.
    for (let index = 0; index < 3; index += 1) {
      const { body } = await api.call(api.ed, 'POST', path, { address: 'sam@example.com' });
      await api.call(api.ed, 'DELETE', `${path}/${body.id}`);
    }
    const page = { teamId: api.ed.teamId, pageId };
    between.happens = () => giveSubscriber(database, page, 'sam@example.com');
    const csv = 'address\nsam@example.com\npat@example.com\n';
    const { body } = await api.call(api.ed, 'POST', `${path}/import`, { csv });
    expect(between.happens).toBeNull();
    expect(body.rows).toEqual([
      { line: 2, outcome: 'known', reason: null },
      { line: 3, outcome: 'added', reason: null },
    ]);
    const { body: listed } = await api.call(api.alice, 'GET', path);
    expect(listed.data).toEqual([
      expect.objectContaining({ address: 'pat@example.com', state: 'pending' }),
      expect.objectContaining({ address: 'sam@example.com', state: 'active' }),
    ]);
    expect((await subscriptionMails(api)).map(({ to }) => to)).toEqual([
      ...Array.from({ length: 3 }, () => 'sam@example.com'),
      'pat@example.com',
    ]);
  });

  test('an import takes a page to 50,000 subscribers of all kinds, and no further', async () => {
    const database = await open();
    const { between, wrapped } = interrupted(database);
    const api = await openApi(wrapped);
    const { path, pageId } = await openPage(api);
    await giveWebhooks(database, pageId, 49_998);
    const page = { teamId: api.ed.teamId, pageId };
    const csv = 'address\na@example.com\nb@example.com\n';
    const consent = 'They had subscribed to our former page.';
    const run = (body: object) => api.call(api.ed, 'POST', `${path}/import`, { csv, ...body });
    const full = 'must not bring the page above 50000 subscribers';
    expect((await run({ dry_run: true })).body).toMatchObject({ added: 2 });
    // One place is left by the time that it writes.
    between.happens = () => giveSubscriber(database, page, 'c@example.com');
    const late = await run({ consent });
    expect(late.status).toBe(422);
    expect(errorsOf(late.body)['csv']![0]).toContain(full);
    for (const body of [{ consent }, {}, { dry_run: true }])
      expect(errorsOf((await run(body)).body)['csv']![0]).toContain(full);
    await database.transaction((tx) =>
      tx.deleteFrom('subscriber').where('kind', '=', 'email').execute(),
    );
    between.happens = () => giveSubscriber(database, page, 'c@example.com');
    const { body } = await run({});
    expect(body).toMatchObject({ added: 1, refused: 1 });
    expect(body.rows).toEqual([
      { line: 2, outcome: 'added', reason: null },
      { line: 3, outcome: 'refused', reason: expect.stringContaining('50000 subscribers') },
    ]);
    expect((await subscriptionMails(api)).map(({ to }) => to)).toEqual(['a@example.com']);
    const { body: listed } = await api.call(api.ed, 'GET', path);
    expect(listed.total).toBe(50_000);
  });

  test('what is deleted is gone, and subscribers of other teams and pages are not found', async () => {
    const api = await openApi(await open());
    const { path } = await openPage(api);
    const { body } = await api.call(api.ed, 'POST', path, {
      kind: 'webhook',
      address: 'https://hooks.example.com/in',
    });
    expect((await api.call(api.mallory, 'GET', `${path}/${body.id}`)).status).toBe(404);
    const { body: other } = await api.call(api.alice, 'POST', '/api/v1/status-pages', {
      name: 'Other',
    });
    const elsewhere = `/api/v1/status-pages/${other.id}/subscribers/${body.id}`;
    expect((await api.call(api.ed, 'DELETE', elsewhere)).status).toBe(404);
    expect((await api.call(api.ed, 'DELETE', `${path}/${body.id}`)).status).toBe(204);
    expect((await api.call(api.ed, 'GET', `${path}/${body.id}`)).status).toBe(404);
    expect(
      await api.database.read
        .selectFrom('destination')
        .select('id')
        .where('kind', '=', 'subscriber')
        .execute(),
    ).toEqual([]);
  });
});
