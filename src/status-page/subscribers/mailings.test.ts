import { expect, test } from 'vitest';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { giveChannel, giveTeam, secretBox } from '../../../test/support/deliveries.ts';
import { answer, REFUSED, workerOn } from '../../../test/support/delivery-worker.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { waitUntil } from '../../../test/support/event-loop.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { rowOf, updateRows } from '../../../test/support/rows.ts';
import { startSmtpServer } from '../../../test/support/smtp-server.ts';
import {
  insertAnnouncement,
  insertPage,
  insertServices,
  insertUpdate,
} from '../../../test/support/status-pages.ts';
import { giveSubscriber, mailQueue, subscriberLinks } from '../../../test/support/subscribers.ts';
import type { Clock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import type { HttpRequest, HttpResponse } from '../../net/http-client.ts';
import { createMailer, type Mailer, type MailMessage, type Sent } from '../../net/mail.ts';
import type { Database } from '../../store/database/contract.ts';
import { openMail } from '../../store/alerting/mails.ts';
import { insertMailings } from '../../store/resources/mailings.ts';
import { writePageImage } from '../../store/resources/page-facts.ts';
import { DEFAULT_BRAND } from '../facts/model.ts';
import { createMailings } from './mailings.ts';

const START = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BASE_URL = 'https://up.example.com';

const mailerTo = (port: number, clock: Clock) =>
  createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: null,
    baseUrl: () => BASE_URL,
    clock,
  });

/** A page with the monitors API and Shop, and an incident of API. */
async function openWorld(database: Database, page: Record<string, string | number> = {}) {
  const teamId = await giveTeam(database);
  const pageId = await insertPage(database, {
    team_id: teamId,
    slug: 'harbour',
    name: 'Northwind',
    ...page,
  });
  const monitor = async (name: string) => {
    const id = await createMonitor(database, START, { team_id: teamId, friendly_name: name });
    await updateRows(database, 'monitor_state', { team_id: teamId }, { monitor_id: id });
    return id;
  };
  const [api, shop] = [await monitor('API'), await monitor('Shop')];
  await insertServices(database, pageId, [{ id: api }, { id: shop }]);
  const announcementId = await insertAnnouncement(
    database,
    { team_id: teamId, started_at: START, title: 'Payments fail at checkout' },
    { pages: [pageId], monitors: [api] },
  );
  const clock = createFakeClock({ now: START });
  const errors: object[] = [];
  const warnings: object[] = [];
  const log = {
    ...silentLog,
    error: (fields: object) => void errors.push(fields),
    warn: (fields: object, message: string) => void warnings.push({ ...fields, message }),
  };
  const mailingsOn = (on: Database) =>
    createMailings({
      database: on,
      clock,
      log,
      mailQueue,
      secretBox,
      links: subscriberLinks,
      baseUrl: () => BASE_URL,
      onDeliveries: () => undefined,
    });
  const ids = { teamId, pageId, api, shop, announcementId };
  const post = async (
    body: string | null = 'We look into it.',
    state = 'investigating',
    of = announcementId,
  ) => {
    const at = clock.now();
    const update = { pages: [pageId], at, state, ...(body !== null && { body }) };
    const id = await insertUpdate(database, of, update);
    await database.transaction((tx) => insertMailings(tx, id, [pageId], at));
    return id;
  };
  /** Announces an incident of a service, with its first update. @returns its id. */
  const announce = async (title: string, service = api) => {
    const id = await insertAnnouncement(
      database,
      { team_id: teamId, started_at: clock.now(), title },
      { pages: [pageId], monitors: [service] },
    );
    await post('We look into it.', 'investigating', id);
    return id;
  };
  /** Pollers that run, and messages that their workers send. */
  const running: { start(): void; underWay?(): number }[] = [];
  const underWay = () => running.reduce((sum, one) => sum + (one.underWay?.() ?? 0), 0);
  const isIdle = () => underWay() === 0 && clock.pending().timers >= running.length;
  /** Waits until each poller waits for its next run. */
  const rest = async () => {
    for (;;) {
      await waitUntil(() => clock.pending().soons > 0 || isIdle());
      if (clock.pending().soons === 0) return;
      await clock.settle();
    }
  };
  /** Passes time in steps until the predicate holds. */
  const until = async (
    isTrue: () => boolean | Promise<boolean>,
    maximumMs: number,
    stepMs = SECOND,
  ) => {
    const end = clock.now() + maximumMs;
    await rest();
    while (!(await isTrue())) {
      if (clock.now() > end) throw new Error('It did not happen.', { cause: errors });
      clock.freeze(stepMs - 1);
      await clock.advance(1);
      await rest();
    }
  };
  const pass = (milliseconds: number) => {
    const end = clock.now() + milliseconds;
    return until(() => clock.now() >= end, milliseconds, Math.max(SECOND, milliseconds / 10));
  };
  /** Passes time until all mailings are over. */
  const handOn = () =>
    until(async () => {
      const left = await database.read
        .selectFrom('mailing')
        .select('id')
        .where('next_at', 'is not', null)
        .execute();
      return left.length === 0;
    }, MINUTE);
  const begin = <Stage extends { start(): void }>(stage: Stage): Stage => {
    stage.start();
    running.push(stage);
    return stage;
  };
  const stop = async (...stages: { stop(): Promise<void> }[]) => {
    await Promise.all(stages.map((stage) => stage.stop()));
    for (const stage of stages) running.splice(running.indexOf(stage as never), 1);
  };
  const more = { errors, warnings, post, announce, handOn, until, pass, rest, stop };
  return { ...ids, clock, log, begin, mailings: (on = database) => begin(mailingsOn(on)), ...more };
}

/** The mails that wait, by recipient. */
async function queued(database: Database) {
  const rows = await database.read
    .selectFrom('delivery')
    .innerJoin('destination', 'destination.id', 'delivery.destination_id')
    .select(['delivery.message_id', 'delivery.body', 'delivery.kind'])
    .where('destination.kind', '=', 'subscriber_mail')
    .orderBy('delivery.id')
    .execute();
  return rows.map(({ message_id: id, body, kind }) => {
    const mail = openMail(secretBox, { messageId: id, sealed: body }) as MailMessage;
    return { ...mail, id, kind };
  });
}

/** Text of a request to the SMS service. */
const textOf = ({ body }: HttpRequest) => new URLSearchParams(String(body)).get('Body')!;

eachDatabase((_engine, open) => {
  test('an update goes to all confirmed subscribers of its services, once, in the words of the page [44.10, 44.11]', async () => {
    const database = await open();
    const world = await openWorld(database, { language: 'de', timezone: 'Europe/Berlin' });
    const { api, shop } = world;
    await giveSubscriber(database, world, 'all@example.com');
    await giveSubscriber(database, world, 'api@example.com', { monitors: `[${api}]` });
    await giveSubscriber(database, world, 'shop@example.com', { monitors: `[${shop}]` });
    await giveSubscriber(database, world, 'new@example.com', {
      confirmed_at: null,
      confirm_until: START + DAY,
    });
    const ended = await giveSubscriber(database, world, 'gone@example.com');
    await updateRows(database, 'subscriber', { ended_reason: 'It bounced.' }, { id: ended });
    const update = await world.post();
    const mailings = world.mailings();
    await world.handOn();
    await world.pass(MINUTE);
    await world.stop(mailings);
    expect(world.errors).toEqual([]);
    const mails = await queued(database);
    expect(mails.map(({ to }) => to)).toEqual(['all@example.com', 'api@example.com']);
    const [first] = mails;
    expect(first!.id).toBe(`status_update.${update}.${first!['subscriberId' as 'id']}`);
    expect(first!.subject).toBe('[Northwind] Wird untersucht: Payments fail at checkout');
    expect(first!.text).toContain('We look into it.');
    expect(first!.text).toContain(`${BASE_URL}/status/harbour/incidents/${world.announcementId}`);
    expect(first!.html).toContain('<html lang="de">');
    expect(first!.headers!['List-Unsubscribe']).toMatch(
      /^<https:\/\/up\.example\.com\/status\/harbour\/unsubscribe\?token=[\w-]+>$/,
    );
    expect(first!.headers!['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  });

  test('an automatic update, one that was deleted, one of another page and one of yesterday', async () => {
    const database = await open();
    const world = await openWorld(database);
    await giveSubscriber(database, world, 'a@example.com');
    await world.post(null);
    const deleted = await world.post('Never mind.');
    await updateRows(database, 'announcement_update', { deleted_at: START }, { id: deleted });
    const old = await world.post('Old.');
    await updateRows(database, 'mailing', { created_at: START - DAY - 1 }, { update_id: old });
    const mailings = world.mailings();
    await world.handOn();
    await world.stop(mailings);
    const mails = await queued(database);
    expect(mails.map(({ text }) => text)).toEqual([
      expect.stringContaining('Our checks find that API is down.'),
    ]);
  });

  test('nobody gets more than ten mails an hour: the rest comes in one [44.12]', async () => {
    const database = await open();
    const world = await openWorld(database);
    await giveSubscriber(database, world, 'a@example.com');
    const mailings = world.mailings();
    for (let index = 1; index <= 14; index += 1) {
      await world.post(`Update ${index}`);
      await world.handOn();
    }
    const mails = await queued(database);
    expect(mails).toHaveLength(10);
    expect(mails.filter(({ text }) => text.includes('come in one mail'))).toHaveLength(1);
    expect(mails[9]!.text).toContain('come in one mail');
    await world.pass(HOUR);
    await world.until(async () => (await queued(database)).length > 10, MINUTE);
    const digest = (await queued(database)).at(-1)!;
    expect(digest.subject).toBe('[Northwind] Latest updates');
    expect(digest.text).toContain('Investigating: Payments fail at checkout');
    await world.pass(2 * HOUR);
    expect(await queued(database)).toHaveLength(11);
    await world.stop(mailings);
  });

  test('updates that were held are mailed, however late the first mail of the hour left [44.12]', async () => {
    const database = await open();
    const world = await openWorld(database);
    await giveSubscriber(database, world, 'a@example.com');
    for (let index = 1; index <= 12; index += 1) await world.announce(`Incident ${index}.`);
    world.clock.freeze(400);
    const mailings = world.mailings();
    await world.handOn();
    const mails = await queued(database);
    expect(mails).toHaveLength(10);
    expect(mails[9]!.text).toContain('come in one mail');
    await world.pass(HOUR);
    await world.until(async () => (await queued(database)).length > 10, MINUTE);
    await world.stop(mailings);
    const digest = (await queued(database)).at(-1)!;
    expect(digest.subject).toBe('[Northwind] Latest updates');
    expect(digest.text).toContain('Investigating: Incident 11.');
    expect(digest.text).toContain('Investigating: Incident 12.');
  });

  test('announcements of other services take no place in the mail about held updates [44.12]', async () => {
    const database = await open();
    const world = await openWorld(database);
    const { api, shop } = world;
    await giveSubscriber(database, world, 'all@example.com');
    await giveSubscriber(database, world, 'api@example.com', { monitors: `[${api}]` });
    const mailings = world.mailings();
    for (let index = 1; index <= 12; index += 1) await world.announce(`Incident ${index}.`);
    for (let index = 13; index <= 40; index += 1) await world.announce(`Incident ${index}.`, shop);
    // An old announcement with a new update is news, too.
    await world.post();
    await world.handOn();
    expect(await queued(database)).toHaveLength(20);
    await world.pass(HOUR);
    await world.until(async () => (await queued(database)).length > 21, MINUTE);
    await world.stop(mailings);
    const digests = (await queued(database)).slice(20);
    const titlesIn = (address: string) =>
      digests.find(({ to }) => to === address)!.text.match(/(?<=Investigating: )[^.:]+/g);
    const first = 'Payments fail at checkout';
    expect(titlesIn('all@example.com')).toEqual([first, ...numbered(40, 22)]);
    expect(titlesIn('api@example.com')).toEqual([first, ...numbered(12, 1)]);
  });

  test('the mail about held updates counts in an hour that has begun [44.12]', async () => {
    const database = await open();
    const world = await openWorld(database);
    const id = await giveSubscriber(database, world, 'a@example.com');
    const first = world.mailings();
    for (let index = 1; index <= 12; index += 1) await world.post(`Update ${index}`);
    await world.handOn();
    await world.stop(first);
    expect(await queued(database)).toHaveLength(10);
    world.clock.freeze(HOUR + MINUTE);
    for (let index = 13; index <= 15; index += 1) await world.post(`Update ${index}`);
    const second = world.mailings();
    await world.handOn();
    await world.until(async () => (await queued(database)).length > 13, MINUTE);
    const { mails_until: until } = await rowOf(database, 'subscriber', { id });
    for (let index = 16; index <= 30; index += 1) await world.post(`Update ${index}`);
    await world.handOn();
    expect(await queued(database)).toHaveLength(20);
    expect(await rowOf(database, 'subscriber', { id })).toMatchObject({
      mails: 10,
      mails_until: until,
      digest_at: until,
    });
    await world.stop(second);
  });

  test('more subscribers than a batch are all served, as the outbox empties', async () => {
    const database = await open();
    const world = await openWorld(database);
    const many = 650;
    await database.transaction(async (tx) => {
      await tx
        .insertInto('subscriber')
        .values(
          Array.from({ length: many }, (_, index) => ({
            page_id: world.pageId,
            kind: 'email',
            address: secretBox
              .of('subscriber', world.pageId)
              .seal(`a${index}@example.com`, 'address'),
            address_hash: `hash ${index}`,
            monitors: '[]',
            confirmed_at: 0,
            created_at: 0,
            updated_at: 0,
          })),
        )
        .execute();
    });
    await world.post();
    const mailings = world.mailings();
    const served = new Set<string>();
    await world.until(async () => {
      const mails = await queued(database);
      expect(mails.length).toBeLessThanOrEqual(600);
      if (mails.length >= 400 || served.size + mails.length >= many) {
        for (const { to } of mails) {
          expect(served.has(to)).toBe(false);
          served.add(to);
        }
        await database.transaction(async (tx) => {
          await tx.deleteFrom('delivery').execute();
          await tx.deleteFrom('destination').where('kind', '=', 'subscriber_mail').execute();
        });
      }
      return served.size === many;
    }, HOUR);
    await world.stop(mailings);
    expect(world.errors).toEqual([]);
  });

  test('a mail arrives at a real server with the headers of one-click unsubscribing [44.14]', async () => {
    const database = await open();
    const smtp = await startSmtpServer();
    const world = await openWorld(database);
    const id = await giveSubscriber(database, world, 'a@example.com');
    await world.post();
    const mailings = world.mailings();
    await world.handOn();
    const worker = sendWith(database, world, { mailer: mailerTo(smtp.port, world.clock) });
    await waitUntil(() => worker.mails.sent === 1);
    await world.stop(mailings, worker);
    const [mail] = smtp.received;
    expect(mail!.to).toEqual(['a@example.com']);
    const token = /token=([\w-]+)/.exec(mail!.headers['list-unsubscribe']!)![1]!;
    expect(subscriberLinks.read(token, 'manage', START)).toBe(id);
    expect(mail!.headers).toMatchObject({
      from: 'Northwind <tocsin@up.example.com>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'list-id': `<page-${world.pageId}.up.example.com>`,
      'auto-submitted': 'auto-generated',
      references: `<announcement.${world.announcementId}.${world.pageId}@up.example.com>`,
    });
    expect(await queued(database)).toEqual([]);
  });

  test.each([
    ['image/png', 1_000, 1],
    ['image/png', 200_000, 0],
    ['image/svg+xml', 1_000, 0],
  ])('a logo of type %s with %i bytes is attached %i times [44.11]', async (type, size, count) => {
    const database = await open();
    const smtp = await startSmtpServer();
    const world = await openWorld(database, {
      brand: JSON.stringify({ ...DEFAULT_BRAND, accent: '#0a7d4f' }),
    });
    const bytes = Buffer.alloc(size, 1);
    await database.transaction((tx) =>
      writePageImage(
        tx,
        { id: world.pageId, images: '{}' },
        'logo',
        { type, hash: 'h', bytes },
        START,
      ),
    );
    await giveSubscriber(database, world, 'a@example.com');
    await world.post();
    const mailings = world.mailings();
    await world.handOn();
    const worker = sendWith(database, world, { mailer: mailerTo(smtp.port, world.clock) });
    await waitUntil(() => worker.mails.sent === 1);
    await world.stop(mailings, worker);
    const { html, images } = smtp.received[0]!;
    const logo = { id: '<logo@tocsin>', disposition: expect.stringContaining('inline'), bytes };
    expect(images).toEqual([logo].slice(0, count));
    expect(html.includes('cid:logo@tocsin')).toBe(count === 1);
    expect(html).toContain('background:#0a7d4f');
  });

  test('an address that is refused three times in a row is given up [44.15]', async () => {
    const database = await open();
    const world = await openWorld(database);
    const id = await giveSubscriber(database, world, 'a@example.com');
    const outcomes: Sent[] = [
      { outcome: 'refused', reason: '550 No such user' },
      { outcome: 'refused', reason: '550 No such user' },
      { outcome: 'sent' },
      ...Array.from({ length: 3 }, () => ({
        outcome: 'refused' as const,
        reason: '550 No such user',
      })),
    ];
    const mailer: Mailer = { send: async () => outcomes.shift()! };
    const mailings = world.mailings();
    const worker = sendWith(database, world, { mailer });
    for (let count = 6; count > 0; count -= 1) {
      expect((await rowOf(database, 'subscriber', { id })).ended_reason).toBeNull();
      await world.post();
      await world.handOn();
      await world.until(async () => (await queued(database)).length === 0, MINUTE);
    }
    await waitUntil(() => world.warnings.length > 5);
    await world.post();
    await world.handOn();
    await world.stop(mailings, worker);
    expect((await rowOf(database, 'subscriber', { id })).ended_reason).toBe('550 No such user');
    expect(world.warnings.at(-1)).toMatchObject({ message: 'A subscription ended.' });
    expect(await queued(database)).toEqual([]);
  });

  test.each([
    ['a subscription that ends', 'subscription', '[44.16]'],
    ['a page that becomes a draft', 'draft', '[41.27]'],
  ])('%s while a mail waits stops the mail (%s) %s', async (_what, change) => {
    const database = await open();
    const world = await openWorld(database);
    const id = await giveSubscriber(database, world, 'a@example.com');
    await world.post();
    const mailings = world.mailings();
    await world.handOn();
    await world.stop(mailings);
    if (change === 'draft') await updateRows(database, 'status_page', { draft: 1 });
    else
      await database.transaction((tx) =>
        tx.deleteFrom('subscriber').where('id', '=', id).execute(),
      );
    const sent: string[] = [];
    const mailer: Mailer = {
      async send({ to }) {
        sent.push(to);
        return { outcome: 'sent' };
      },
    };
    const worker = sendWith(database, world, { mailer });
    await world.until(async () => (await queued(database)).length === 0, MINUTE);
    await world.stop(worker);
    expect(sent).toEqual([]);
  });

  test('unconfirmed subscribers are deleted after 48 hours, and queues with their page [44.17]', async () => {
    const database = await open();
    const world = await openWorld(database);
    await giveSubscriber(database, world, 'new@example.com', {
      confirmed_at: null,
      confirm_until: START + 48 * HOUR,
    });
    await giveSubscriber(database, world, 'https://example.com/hook', { kind: 'webhook' });
    const mailings = world.mailings();
    const left = async () => ({
      subscribers: (await database.read.selectFrom('subscriber').select('kind').execute()).length,
      queues: (await database.read.selectFrom('destination').select('id').execute()).length,
    });
    await world.pass(47 * HOUR);
    expect(await left()).toEqual({ subscribers: 2, queues: 1 });
    await world.until(async () => (await left()).subscribers === 1, 3 * HOUR, 10 * MINUTE);
    await database.transaction((tx) =>
      tx.deleteFrom('status_page').where('id', '=', world.pageId).execute(),
    );
    await world.until(async () => (await left()).queues === 0, 3 * HOUR, 10 * MINUTE);
    await world.stop(mailings);
    expect(await left()).toEqual({ subscribers: 0, queues: 0 });
  });

  test('a webhook gets a signed body, and Slack a message, in order [44.20, 44.21]', async () => {
    const database = await open();
    const world = await openWorld(database);
    const url = 'https://example.com/hook';
    await giveSubscriber(database, world, url, {
      kind: 'webhook',
      signing_secret: secretBox
        .of('subscriber', world.pageId)
        .seal('a secret of 16 or more', 'signing_secret'),
    });
    const slack = 'https://hooks.slack.com/services/T0/B0/x';
    await giveSubscriber(database, world, slack, { kind: 'slack' });
    const first = await world.post('We look into it.');
    const second = await world.post('Solved.', 'resolved');
    const mailings = world.mailings();
    await world.handOn();
    const { requests, worker } = scripted(database, world);
    await world.until(() => requests.length === 4, MINUTE);
    await world.stop(mailings, worker);
    expect(worker.subscribers).toEqual({ delivered: 4, postponed: 0, failed: 0, ended: 0 });
    const hooks = requests.filter((one) => one.url === url);
    expect(hooks.map(({ body }) => JSON.parse(String(body)).update.id)).toEqual([first, second]);
    expect(hooks[0]!.headers).toMatchObject({
      'Content-Type': 'application/json',
      'webhook-id': expect.stringContaining(`msg_update_${first}_`),
      'webhook-signature': expect.stringContaining('v1,'),
    });
    expect(JSON.parse(String(hooks[0]!.body))).toEqual({
      event: 'announcement.updated',
      timestamp: '2030-01-01T00:00:00.000Z',
      page: { id: world.pageId, name: 'Northwind', url: `${BASE_URL}/status/harbour` },
      announcement: {
        id: world.announcementId,
        kind: 'incident',
        title: 'Payments fail at checkout',
        impact: 'major',
        state: 'investigating',
        started_at: '2030-01-01T00:00:00.000Z',
        ended_at: null,
        planned_until: null,
        services: [{ id: world.api, name: 'API' }],
        url: `${BASE_URL}/status/harbour/incidents/${world.announcementId}`,
      },
      update: {
        id: first,
        state: 'investigating',
        text: 'We look into it.',
        created_at: '2030-01-01T00:00:00.000Z',
      },
      subscription: {
        manage_url: 'https://up.example.com/status/harbour/subscription?token=token-of-1',
        unsubscribe_url: 'https://up.example.com/status/harbour/unsubscribe?token=token-of-1',
      },
    });
    const message = JSON.parse(String(requests.find((one) => one.url === slack)!.body));
    expect(message.text).toBe('[Northwind] Investigating: Payments fail at checkout');
    expect(message.blocks[1].text.text).toContain('We look');
  });

  const TWILIO = { from: 'Northwind', account_sid: 'AC1', auth_token: 's3cret', api_key_sid: null };
  const NUMBER = '+442079460958';

  /** A page with a channel that sends text messages, and a phone that is subscribed. */
  async function openPhone(database: Database) {
    const world = await openWorld(database);
    const settings = { ...TWILIO, to: '+10000000', api_url: null };
    const { id } = await giveChannel(database, world.teamId, { type: 'sms', settings });
    await updateRows(database, 'status_page', { sms_channel_id: id });
    const subscriber = await giveSubscriber(database, world, NUMBER, { kind: 'sms' });
    return { ...world, subscriber, channel: id };
  }

  test('Teams gets a card and a phone a text by the channel of the page, each with a link that ends it [44.35, 44.36]', async () => {
    const database = await open();
    const world = await openPhone(database);
    const teams = 'https://prod-1.westeurope.logic.azure.com/workflows/1?sig=x';
    await giveSubscriber(database, world, teams, { kind: 'microsoft_teams' });
    await world.post('We look into **it**.');
    const mailings = world.mailings();
    await world.handOn();
    const { requests, worker } = scripted(database, world);
    await world.until(() => requests.length === 2, MINUTE);
    await world.stop(mailings, worker);
    const card = JSON.parse(String(requests.find(({ url }) => url === teams)!.body));
    const { body, actions } = card.attachments[0].content;
    const lines = body.map((block: { inlines: { text: string }[] }) => block.inlines[0]!.text);
    expect(lines).toEqual([
      '[Northwind] Investigating: Payments fail at checkout',
      'We look into it.',
    ]);
    expect(actions.map(({ url }: { url: string }) => url)).toEqual([
      `${BASE_URL}/status/harbour/incidents/${world.announcementId}`,
      `${BASE_URL}/status/harbour/unsubscribe?token=token-of-2`,
    ]);
    const text = requests.find(({ url }) => url.startsWith('https://api.twilio.com/'))!;
    expect(Object.fromEntries(new URLSearchParams(String(text.body)))).toEqual({
      To: NUMBER,
      From: 'Northwind',
      Body: [
        '[Northwind] Investigating: Payments fail at checkout',
        `${BASE_URL}/status/harbour/incidents/${world.announcementId}`,
        `Unsubscribe: ${BASE_URL}/status/harbour/unsubscribe?token=token-of-1`,
      ].join('\n'),
    });
  });

  test('a phone gets ten text messages an hour, the last of which says where the others are [44.35]', async () => {
    const database = await open();
    const world = await openPhone(database);
    for (let index = 0; index < 12; index += 1) await world.post(`Update ${index}.`);
    const mailings = world.mailings();
    await world.handOn();
    const { requests, worker } = scripted(database, world);
    await world.until(() => requests.length === 10, 5 * MINUTE);
    await world.pass(HOUR);
    expect(requests).toHaveLength(10);
    expect(requests.map((one) => textOf(one).includes('on the page only'))).toEqual(
      Array.from({ length: 10 }, (_, index) => index === 9),
    );
    await world.post('Solved.', 'resolved');
    await world.until(() => requests.length === 11, MINUTE);
    await world.stop(mailings, worker);
  });

  test.each([
    [21_610, { endedReason: expect.stringContaining('STOP'), refusals: 0 }],
    [21_614, { endedReason: null, refusals: 1 }],
    [20_003, { endedReason: null, refusals: 0 }],
  ])('error %d of the SMS service: %j [44.38]', async (code, outcome) => {
    const database = await open();
    const world = await openPhone(database);
    await world.post();
    const mailings = world.mailings();
    await world.handOn();
    const { requests, script, worker } = scripted(database, world);
    script.answer = () =>
      ({ ...answer(400), body: Buffer.from(JSON.stringify({ code })) }) as never;
    await world.until(() => requests.length > 0, MINUTE);
    await world.pass(SECOND);
    await world.stop(mailings, worker);
    const { ended_reason: endedReason, refusals } = await rowOf(database, 'subscriber', {
      id: world.subscriber,
    });
    expect({ endedReason, refusals }).toEqual(outcome);
    expect(String(endedReason)).not.toContain('7946');
  });

  test('a webhook that fails is tried again for a day, and given up after a week [44.22]', async () => {
    const database = await open();
    const world = await openWorld(database);
    const id = await giveSubscriber(database, world, 'https://example.com/hook', {
      kind: 'webhook',
    });
    const mailings = world.mailings();
    const { requests, script, worker } = scripted(database, world);
    script.answer = () => REFUSED;
    await world.post();
    await world.handOn();
    const waiting = async () => {
      const rows = await database.read.selectFrom('delivery').select('id').execute();
      return rows.length;
    };
    await world.until(async () => (await waiting()) === 0, 25 * HOUR, 5 * MINUTE);
    expect(requests.length).toBeGreaterThan(10);
    expect(new Set(requests.map((one) => one.headers['webhook-id'])).size).toBe(1);
    expect((await rowOf(database, 'subscriber', { id })).ended_reason).toBeNull();
    await updateRows(database, 'destination', { failing_since: START - 7 * DAY });
    await world.post();
    await world.handOn();
    await world.until(
      async () => {
        const { ended_reason: reason } = await rowOf(database, 'subscriber', { id });
        return reason !== null;
      },
      HOUR,
      MINUTE,
    );
    await world.stop(mailings, worker);
    expect(await waiting()).toBe(0);
    expect(worker.subscribers.ended).toBe(1);
  });

  test('410 ends a subscription at once, and other refusals after three in a row [44.23]', async () => {
    const database = await open();
    const world = await openWorld(database);
    const gone = await giveSubscriber(database, world, 'https://gone.example.com/', {
      kind: 'webhook',
    });
    const picky = await giveSubscriber(database, world, 'https://picky.example.com/', {
      kind: 'webhook',
    });
    const mailings = world.mailings();
    const { requests, script, worker } = scripted(database, world);
    const channel = await giveSubscriber(database, world, 'https://hooks.slack.com/services/T0', {
      kind: 'slack',
    });
    script.answer = ({ url }) =>
      url.includes('slack')
        ? { ok: true, status: 404, headers: {}, body: Buffer.from('channel_is_archived') }
        : answer(url.includes('gone') ? 410 : 404);
    for (const expected of [3, 4, 5, 5]) {
      await world.post();
      await world.handOn();
      await world.until(() => requests.length >= expected, MINUTE);
      await world.pass(10 * SECOND);
      expect(requests).toHaveLength(expected);
    }
    await world.stop(mailings, worker);
    const reasonOf = async (id: number) =>
      (await rowOf(database, 'subscriber', { id })).ended_reason;
    expect(await reasonOf(gone)).toBe('The endpoint answered HTTP 410.');
    expect(await reasonOf(picky)).toBe('The endpoint answered HTTP 404.');
    expect(await reasonOf(channel)).toBe(
      'Slack said that there is no such channel: channel_is_archived.',
    );
  });
});

onPostgres((open) => {
  test('two processes serve each subscriber once', async () => {
    const database = await open();
    const world = await openWorld(database);
    for (let index = 0; index < 20; index += 1)
      await giveSubscriber(database, world, `a${index}@example.com`);
    const both = [world.mailings(), world.mailings()];
    for (let index = 0; index < 5; index += 1) await world.post(`Update ${index}`);
    await world.handOn();
    await world.stop(...both);
    const mails = await queued(database);
    expect(mails).toHaveLength(100);
    expect(new Set(mails.map(({ id }) => id)).size).toBe(100);
    expect(world.errors).toEqual([]);
  });
});

/** Titles of incidents, the newest first. */
function numbered(from: number, to: number): string[] {
  return Array.from({ length: from - to + 1 }, (_, index) => `Incident ${from - index}`);
}

function sendWith(
  database: Database,
  { clock, log, begin }: Pick<Awaited<ReturnType<typeof openWorld>>, 'clock' | 'log' | 'begin'>,
  { mailer, http }: { mailer?: Mailer; http?: { request(of: HttpRequest): Promise<HttpResponse> } },
) {
  const worker = workerOn(database, {
    http: http ?? { request: async () => REFUSED },
    clock,
    log,
    ...(mailer !== undefined && { mailer }),
  });
  return begin(worker);
}

/** A worker that answers webhooks by a script. */
function scripted(database: Database, world: Awaited<ReturnType<typeof openWorld>>) {
  const requests: HttpRequest[] = [];
  const script: { answer(request: HttpRequest): HttpResponse } = { answer: () => answer(200) };
  const http = {
    request: async (request: HttpRequest) => {
      requests.push(request);
      return script.answer(request);
    },
  };
  return { requests, script, worker: sendWith(database, world, { http }) };
}
