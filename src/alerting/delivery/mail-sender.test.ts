import { expect, test } from 'vitest';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { secretBox } from '../../../test/support/deliveries.ts';
import { REFUSED, workerOn } from '../../../test/support/delivery-worker.ts';
import { turnOfTheEventLoop, waitUntil } from '../../../test/support/event-loop.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { startSmtpServer } from '../../../test/support/smtp-server.ts';
import { silentLog } from '../../lib/log.ts';
import { createSecretBox } from '../../lib/secret-box.ts';
import { createMailer, type Mailer, type MailMessage, type Sent } from '../../net/mail.ts';
import type { Database } from '../../store/database/contract.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';
import { createMailQueue } from '../../store/alerting/mails.ts';
import { invitationMail } from '../../identity/mails.ts';

const START = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const queue = createMailQueue({
  secretBox,
  keys: ['a key'],
  isConfigured: true,
  openSignup: false,
});

const invitation = (to: string, expiresAt = START + 7 * DAY) =>
  invitationMail({
    to,
    team: 'Harbour',
    inviter: 'Alice',
    role: 'editor',
    link: 'https://up.example.com/invitation?token=s3cret-token',
    expiresAt,
  });

function enqueue(database: Database, to: string, expiresAt?: number): Promise<void> {
  return database.transaction((tx) => queue.enqueue(tx, invitation(to, expiresAt), START));
}

/** Mails that are stored, each with its destination. */
const rows = ({ read }: Database) =>
  read
    .selectFrom('destination')
    .leftJoin('delivery', 'delivery.destination_id', 'destination.id')
    .selectAll('destination')
    .selectAll('delivery')
    .where('destination.kind', '=', 'mail')
    .orderBy('destination.id')
    .execute();

/** Workers on one database; time passes only as the test wants. Without a `mailer`, a script answers. */
function start(database: Database, options: { count?: number; mailer?: Mailer } = {}) {
  const clock = createFakeClock({ now: START });
  const tried: { to: string; id: string; second: number }[] = [];
  const warnings: object[] = [];
  const errors: object[] = [];
  const script: { answer(to: string, signal: AbortSignal): Sent | Promise<Sent> } = {
    answer: () => ({ outcome: 'sent' }),
  };
  const scripted: Mailer = {
    async send({ to, id }: MailMessage, signal) {
      tried.push({ to, id, second: (clock.now() - START) / SECOND });
      return script.answer(to, signal!);
    },
  };
  const log = {
    ...silentLog,
    warn: (fields: object, message: string) => void warnings.push({ ...fields, message }),
    error: (fields: object) => void errors.push(fields),
  };
  const mailer = options.mailer ?? scripted;
  const workers = Array.from({ length: options.count ?? 1 }, () =>
    workerOn(database, { http: { request: async () => REFUSED }, mailer, clock, log }),
  );
  for (const worker of workers) worker.start();
  const underWay = () => workers.reduce((sum, worker) => sum + worker.underWay(), 0);
  /** Until nothing goes on but `hanging` mails, and each worker waits for its next look. */
  const rest = (hanging = 0) =>
    waitUntil(() => underWay() <= hanging && clock.pending().timers >= workers.length);
  return {
    clock,
    tried,
    warnings,
    errors,
    script,
    counters: workers[0]!.mails,
    rest,
    underWay,
    async pass(milliseconds: number, hanging = 0): Promise<void> {
      await rest(hanging);
      const end = clock.now() + milliseconds;
      while (clock.now() < end) {
        await clock.advance(Math.min(250, end - clock.now()));
        await rest(hanging);
      }
    },
    /** In one step, as when nobody looked for so long. */
    async leap(milliseconds: number): Promise<void> {
      await rest();
      clock.freeze(milliseconds);
      await clock.advance(1);
      await rest();
    },
    stop: () => Promise.all(workers.map((worker) => worker.stop())),
  };
}

const FAILED: Sent = { outcome: 'failed', reason: 'Not now.' };

eachDatabase((engine, open) => {
  test('a mail is sent once its transaction is kept, and is gone then [39.1]', async () => {
    const database = await open();
    const work = start(database);
    const left = database.transaction(async (tx) => {
      await queue.enqueue(tx, invitation('nobody@example.org'), START);
      throw new Error('something else went wrong');
    });
    await expect(left).rejects.toThrow('something else');
    await enqueue(database, 'bob@example.org');
    await work.pass(2 * SECOND);
    expect(work.tried.map(({ to }) => to)).toEqual(['bob@example.org']);
    expect(await rows(database)).toEqual([]);
    expect(work.counters.sent).toBe(1);
    await work.stop();
  });

  test('nothing of a mail can be read in the database', async () => {
    const database = await open();
    await enqueue(database, 'bob@example.org');
    const row = JSON.stringify(await rows(database));
    expect(row).toContain('"kind":"invitation"');
    // Whole words or more: three letters may be in what is encrypted by chance.
    expect(row).not.toMatch(/bob@|example|token|Harbour|Alice/);
  });

  test('what fails is tried again, later each time, under one id, until its time is over [39.2]', async () => {
    const database = await open();
    await enqueue(database, 'bob@example.org', START + 3 * HOUR);
    const work = start(database);
    work.script.answer = () => FAILED;
    await work.pass(2 * MINUTE);
    expect(work.tried.map(({ second }) => second)).toEqual([0, 10, 70]);
    for (const minutes of [5, 31, 61, 60, 30]) await work.leap(minutes * MINUTE);
    expect(work.tried).toHaveLength(7);
    expect(new Set(work.tried.map(({ id }) => id)).size).toBe(1);
    expect(await rows(database)).toEqual([]);
    expect(work.counters).toMatchObject({ sent: 0, postponed: 7, expired: 1 });
    await work.stop();
  });

  test('what is refused is dropped', async () => {
    const database = await open();
    const work = start(database);
    work.script.answer = () => ({ outcome: 'refused', reason: '550 …@example.org is unknown.' });
    await enqueue(database, 'bob@example.org');
    await work.pass(2 * SECOND);
    expect(work.counters).toMatchObject({ refused: 1, postponed: 0 });
    expect(work.warnings).toEqual([
      {
        mail: 'invitation',
        attempt: 1,
        reason: '550 …@example.org is unknown.',
        message: 'A mail was refused by the mail server, and is dropped.',
      },
    ]);
    expect(await rows(database)).toEqual([]);
    await work.stop();
  });

  test('one whose time is over is not sent', async () => {
    const database = await open();
    await enqueue(database, 'bob@example.org', START);
    const work = start(database);
    await work.pass(SECOND);
    expect([work.tried, await rows(database)]).toEqual([[], []]);
    expect(work.counters.expired).toBe(1);
    await work.stop();
  });

  test('one that no key opens any more is dropped, and the others go', async () => {
    const database = await open();
    const former = createMailQueue({
      secretBox: createSecretBox(['lost']),
      keys: ['a key'],
      isConfigured: true,
      openSignup: false,
    });
    await database.transaction((tx) => former.enqueue(tx, invitation('a@example.org'), START));
    await enqueue(database, 'bob@example.org');
    const work = start(database);
    await work.pass(SECOND);
    expect(work.tried.map(({ to }) => to)).toEqual(['bob@example.org']);
    expect(work.counters).toMatchObject({ sent: 1, unreadable: 1 });
    expect(await rows(database)).toEqual([]);
    await work.stop();
  });

  test('recipients whose mail hangs keep nobody waiting', async () => {
    const database = await open();
    const work = start(database);
    const hanging = Promise.withResolvers<Sent>();
    work.script.answer = (to) => (to.startsWith('slow') ? hanging.promise : { outcome: 'sent' });
    for (const name of ['slow1', 'slow2']) await enqueue(database, `${name}@example.org`);
    for (let i = 0; i < 20; i += 1) await enqueue(database, `p${i}@example.org`);
    await work.pass(2 * SECOND, 2);
    expect(work.counters.sent).toBe(20);
    hanging.resolve({ outcome: 'sent' });
    await work.rest();
    expect([work.counters.sent, await rows(database)]).toEqual([22, []]);
    await work.stop();
  });

  test('a crash between sending and deleting sends it again, under the same id', async () => {
    const database = await open();
    await enqueue(database, 'bob@example.org');
    const died = start(database);
    died.script.answer = () => new Promise(() => {});
    await waitUntil(() => died.tried.length > 0);
    const next = start(database);
    await next.pass(9 * SECOND);
    // On Postgres it may live on elsewhere: its lease of 10 s has to end.
    expect(next.tried).toHaveLength(engine === 'sqlite' ? 1 : 0);
    await next.pass(2 * SECOND);
    expect(next.tried.map(({ id }) => id)).toEqual(died.tried.map(({ id }) => id));
    expect(await rows(database)).toEqual([]);
    await next.stop();
  });

  test('a lease of a clock that was ahead does not hold for ever', async () => {
    const database = await open();
    await enqueue(database, 'bob@example.org');
    const ahead = START + 400 * DAY;
    await database.transaction(async (tx) => {
      await tx.updateTable('destination').set({ leased_until: ahead, next_at: ahead }).execute();
      await tx.updateTable('delivery').set({ next_at: ahead }).execute();
    });
    const work = start(database);
    await work.pass(SECOND);
    expect(work.counters.sent).toBe(1);
    await work.stop();
  });

  test('who stops gives a mail a little time, then keeps it for the next start', async () => {
    const database = await open();
    await enqueue(database, 'bob@example.org');
    const work = start(database);
    work.script.answer = (_to, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(FAILED)));
    await waitUntil(() => work.tried.length > 0);
    const stopped = work.stop();
    await turnOfTheEventLoop();
    await work.clock.advance(2_999);
    expect(work.underWay()).toBe(1);
    await work.clock.advance(1);
    await stopped;
    expect(await rows(database)).toMatchObject([{ attempts: 1, leased_until: null }]);
    expect(work.clock.pending().timers).toBe(0);
  });

  test('a mail that was sent is deleted once the database is back, and not sent again', async () => {
    const database = await open();
    await enqueue(database, 'bob@example.org');
    const away = { refusals: 0 };
    const transaction: Database['transaction'] = async (body) => {
      await turnOfTheEventLoop();
      if (work.tried.length === 0 || away.refusals === 5) return database.transaction(body);
      away.refusals += 1;
      throw new DatabaseUnavailable('it is away');
    };
    const work = start(Object.create(database, { transaction: { value: transaction } }));
    await waitUntil(() => away.refusals > 0);
    await work.pass(6 * SECOND, 1);
    await work.pass(5 * MINUTE);
    expect([work.tried.length, away.refusals, await rows(database)]).toEqual([1, 5, []]);
    expect(work.errors).toEqual([]);
    await work.stop();
  });

  test('a real server that was away and then says later gets the mail once', async () => {
    const database = await open();
    const [port] = await freePorts(1);
    const clock = createFakeClock({ now: START });
    const mailer = createMailer({
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: null,
      baseUrl: () => 'https://up.example.com',
      clock,
    });
    const work = start(database, { mailer });
    await enqueue(database, 'bob@example.org');
    await work.pass(SECOND);
    expect(work.counters.postponed).toBe(1);
    const server = await startSmtpServer({ port: port! });
    server.toMail = () => [451, 'Greylisted: come again.'];
    await work.pass(12 * SECOND);
    expect([work.counters.postponed, server.received]).toEqual([2, []]);
    server.toMail = () => 'yes';
    await work.pass(2 * MINUTE);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({
      to: ['bob@example.org'],
      headers: { 'message-id': `<invitation.1.${START}@up.example.com>` },
    });
    expect(server.received[0]?.text).toContain(
      'https://up.example.com/invitation?token=s3cret-token',
    );
    expect(await rows(database)).toEqual([]);
    await work.stop();
  });
});

onPostgres((open) => {
  test('several processes send each mail once', async () => {
    const database = await open();
    for (let i = 0; i < 40; i += 1) await enqueue(database, `p${i}@example.org`);
    const work = start(database, { count: 3 });
    work.script.answer = async () => {
      await turnOfTheEventLoop();
      return { outcome: 'sent' };
    };
    while ((await rows(database)).length > 0) await work.pass(SECOND);
    const recipients = work.tried.map(({ to }) => to);
    expect([recipients.length, new Set(recipients).size]).toEqual([40, 40]);
    await work.stop();
  });
});

test('without a mail server nothing may be enqueued [39.4]', async () => {
  const none = createMailQueue({
    secretBox,
    keys: ['a key'],
    isConfigured: false,
    openSignup: false,
  });
  await expect(none.enqueue({} as never, invitation('bob@example.org'), START)).rejects.toThrow(
    'SMTP_URL',
  );
});
