import { describe, expect, it, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { updateRows } from '../../test/support/rows.ts';
import { JobEnded } from '../lib/child-jobs.ts';
import { silentLog } from '../lib/log.ts';
import { createSecretBox } from '../lib/secret-box.ts';
import { createMailQueue } from '../store/alerting/mails.ts';
import type { Database } from '../store/database/contract.ts';
import { insertRun, runQueue } from '../store/resources/report-runs.ts';
import { createReportLinks } from './links.ts';
import type { ReportPrinter } from './pdf/printer.ts';
import { createReportRuns } from './runs.ts';

const REPORTS = '/api/v1/reports';
const DAY = 86_400_000;
const MINUTE = 60_000;

/** Printer that needs no process. */
const quick: ReportPrinter = { run: async () => Buffer.from('%PDF-1.7 printed'), stop() {} };
const broken: ReportPrinter = { ...quick, run: () => Promise.reject(new Error('No ink.')) };

function workerOf(
  api: TestApi,
  printer = quick,
  database: Database = api.database,
  openSignup = false,
) {
  return createReportRuns({
    database,
    clock: api.clock,
    log: silentLog,
    printer,
    links: createReportLinks({
      keys: ['a key for tests'],
      baseUrl: () => 'https://up.example.com',
    }),
    mailQueue: createMailQueue({
      secretBox: createSecretBox(['a key for tests']),
      keys: ['a key'],
      isConfigured: true,
      openSignup: false,
    }),
    openSignup,
    onDeliveries: () => undefined,
  });
}

async function create(api: TestApi, body: object): Promise<number> {
  const { status, body: report, text } = await api.call(api.ed, 'POST', REPORTS, body);
  expect(status, text).toBe(201);
  return report.id;
}

const WEEKLY = {
  name: 'Weekly',
  frequency: 'weekly',
  period: 'last_7_days',
  recipients: ['one@example.com', 'Two@example.com'],
};

/** The first mail of WEEKLY is due on Monday, 7 January 2030, at 07:00. */
const UNTIL_MONDAY = 6 * DAY + 7 * 60 * MINUTE;

const startRun = async (api: TestApi, report: number, body: object = {}) => {
  const answer = await api.call(api.ed, 'POST', `${REPORTS}/${report}/runs`, body);
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
};
const runOf = async (api: TestApi, id: number) =>
  (await api.call(api.vera, 'GET', `/api/v1/report-runs/${id}`)).body;
const recipientsOf = async (api: TestApi) => (await api.mails()).map(({ to }) => to);

/** Moves the clock until it happens, as fast as the database answers. */
async function eventually(api: TestApi, happens: () => Promise<boolean>): Promise<void> {
  do await api.clock.advance(1_000);
  while (!(await happens()));
}

function untilIdle(api: TestApi): Promise<void> {
  return eventually(api, async () => {
    const { database } = api;
    const open = database.read.selectFrom('report_run').select('id').where('next_at', '>', 0);
    const due = database.read
      .selectFrom('report')
      .select('id')
      .where('next_at', '<=', api.clock.now());
    // Due reports first: they become runs.
    return [...(await due.execute()), ...(await open.execute())].length === 0;
  });
}

eachDatabase((_name, open) => {
  test('a run makes its file in the background [45.17]', async () => {
    const api = await openApi(await open());
    await api.create({ friendly_name: 'Shop' });
    const report = await create(api, { name: 'Shop' });
    const run = await startRun(api, report, { period: 'last_7_days', format: 'csv' });
    expect(run).toEqual({
      id: expect.any(Number),
      report_id: report,
      status: 'queued',
      progress: 0,
      error: null,
      format: 'csv',
      mailed: false,
      from: '2029-12-25T00:00:00.000Z',
      to: '2030-01-01T00:00:00.000Z',
      url: null,
      created_at: '2030-01-01T00:00:00.000Z',
      ended_at: null,
      expires_at: '2030-01-08T00:00:00.000Z',
    });
    const path = `/api/v1/report-runs/${run.id}/file`;
    expect((await api.call(api.vera, 'GET', path)).status).toBe(409);
    const worker = workerOf(api);
    worker.start();
    await eventually(api, async () => (await runOf(api, run.id))['status'] === 'done');
    expect(await runOf(api, run.id)).toMatchObject({
      progress: 100,
      url: `https://up.example.com${path}`,
    });
    const file = await api.call(api.vera, 'GET', path);
    expect([file.status, file.headers['content-disposition']]).toEqual([
      200,
      'attachment; filename="shop-2029-12-25-to-2029-12-31.csv"',
    ]);
    expect(file.text).toContain('"Shop"');
    expect((await api.call(api.mallory, 'GET', path)).status).toBe(404);
    await worker.stop();
  });

  test('with open sign-up a stored address that no member has confirmed gets no mail [45.28]', async () => {
    const api = await openApi(await open());
    await updateRows(api.database, 'person', { email_verified: 1 }, { id: api.ed.personId });
    await create(api, { ...WEEKLY, recipients: ['victim@example.org', 'Ed@example.com'] });
    await api.clock.advance(UNTIL_MONDAY);
    const worker = workerOf(api, quick, api.database, true);
    worker.start();
    await untilIdle(api);
    expect(await recipientsOf(api)).toEqual(['Ed@example.com']);
    await worker.stop();
  });

  test('a run is taken over from a process that died, which can no longer end it [45.18]', async () => {
    const api = await openApi(await open());
    const report = await create(api, { name: 'Shop' });
    const { id } = await startRun(api, report, { format: 'json' });
    const dead = await api.database.transaction((tx) =>
      runQueue(tx).claim(api.clock.now(), { until: api.clock.now() + 2 * MINUTE }),
    );
    const worker = workerOf(api);
    worker.start();
    await api.clock.advance(MINUTE);
    expect((await runOf(api, id))['status']).toBe('running');
    await eventually(api, async () => (await runOf(api, id))['status'] === 'done');
    const late = await api.database.transaction((tx) =>
      runQueue(tx).end(dead!, { error: 'late' }, api.clock.now()),
    );
    expect([late, (await runOf(api, id))['status']]).toEqual([false, 'done']);
    await worker.stop();
  });

  test('a mail goes to each recipient once, whatever two processes do [45.22, 45.23]', async () => {
    const api = await openApi(await open());
    await create(api, WEEKLY);
    // Starts the thread for long reads, which takes longer than a lease of the clock of this test.
    await api.database.scan.selectFrom('report').select('id').execute();
    /** Two processes at a time. */
    async function work(): Promise<void> {
      const workers = [workerOf(api), workerOf(api)];
      for (const worker of workers) worker.start();
      await untilIdle(api);
      for (const worker of workers) await worker.stop();
    }
    await api.clock.advance(UNTIL_MONDAY - MINUTE);
    await work();
    expect(await recipientsOf(api)).toEqual([]);
    await api.clock.advance(MINUTE);
    await work();
    expect(await recipientsOf(api)).toEqual(WEEKLY.recipients);
    await work();
    await api.clock.advance(7 * DAY);
    await work();
    expect(await recipientsOf(api)).toEqual([...WEEKLY.recipients, ...WEEKLY.recipients]);
    const [first, , third] = await api.mails();
    expect(first!.text).toContain('31 Dec 2029 – 6 Jan 2030');
    expect(third!.text).toContain('7 Jan 2030 – 13 Jan 2030');
  });

  test('after an absence only the last mail is sent [45.22]', async () => {
    const api = await openApi(await open());
    const id = await create(api, WEEKLY);
    await api.clock.advance(UNTIL_MONDAY + 23 * DAY);
    const worker = workerOf(api);
    worker.start();
    await untilIdle(api);
    await api.clock.advance(MINUTE);
    expect(await recipientsOf(api)).toEqual(WEEKLY.recipients);
    const [mail] = await api.mails();
    expect(mail!.text).toContain('21 Jan 2030 – 27 Jan 2030');
    const { body } = await api.call(api.vera, 'GET', `${REPORTS}/${id}`);
    expect(body['next_mail_at']).toBe('2030-02-04T07:00:00.000Z');
    await worker.stop();
  });
});

describe('a run', () => {
  it('fails after three attempts, and says so [45.18]', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'Shop' });
    const { id } = await startRun(api, report);
    const worker = workerOf(api, broken);
    worker.start();
    await eventually(api, async () => (await runOf(api, id))['status'] === 'failed');
    expect((await runOf(api, id))['error']).toBe(
      'The report could not be made. Ask the operator to look into the log.',
    );
    const file = await api.call(api.vera, 'GET', `/api/v1/report-runs/${id}/file`);
    expect(file.status).toBe(409);
    await worker.stop();
  });

  it('is continued when a process stops in its midst', async () => {
    const api = await openApi(await openInMemory());
    for (let count = 0; count < 12; count++) await api.create();
    const report = await create(api, { name: 'Shop' });
    const { id } = await startRun(api, report);
    const reading = Promise.withResolvers<void>();
    let stopped: Promise<void> | null = null;
    // Stops the worker as soon as the run has made some progress.
    const database: Database = {
      ...api.database,
      get scan() {
        reading.resolve();
        return api.database.scan;
      },
      transaction: (work) => api.database.transaction(work),
    } as Database;
    const first = workerOf(api, quick, database);
    first.start();
    await reading.promise;
    stopped = first.stop();
    await stopped;
    expect((await runOf(api, id))['status']).toBe('queued');
    const second = workerOf(api);
    second.start();
    await eventually(api, async () => (await runOf(api, id))['status'] === 'done');
    await second.stop();
  });

  it('is left at once when a process stops while its file is drawn', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'Shop' });
    const { id } = await startRun(api, report);
    const drawing = Promise.withResolvers<void>();
    const drawn = Promise.withResolvers<Buffer>();
    const worker = workerOf(api, {
      run() {
        drawing.resolve();
        return drawn.promise;
      },
      stop: () => drawn.reject(new Error('The process was ended.')),
    });
    worker.start();
    await drawing.promise;
    await worker.stop();
    expect(await runOf(api, id)).toMatchObject({ status: 'queued', error: null });
  });

  it('that ended two processes is given up, and says so [45.29]', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'Shop' });
    const { id } = await startRun(api, report);
    for (let crash = 0; crash < 2; crash++) {
      const until = api.clock.now() + 2 * MINUTE;
      await api.database.transaction((tx) => runQueue(tx).claim(api.clock.now(), { until }));
      await api.clock.advance(2 * MINUTE);
    }
    const worker = workerOf(api, {
      ...quick,
      run: () => Promise.reject(new Error('Drawn again.')),
    });
    worker.start();
    await eventually(api, async () => (await runOf(api, id))['status'] === 'failed');
    expect((await runOf(api, id))['error']).toMatch(/^The report could not be made\./);
    await worker.stop();
  });

  it('stays with the process that makes it, however long its file is drawn [45.18]', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'Shop' });
    const { id } = await startRun(api, report);
    const drawn = Promise.withResolvers<Buffer>();
    const slow = workerOf(api, { ...quick, run: () => drawn.promise });
    const other = workerOf(api, broken);
    slow.start();
    await eventually(api, async () => (await runOf(api, id))['status'] === 'running');
    other.start();
    for (let minute = 0; minute < 20; minute++) await api.clock.advance(MINUTE);
    drawn.resolve(Buffer.from('%PDF-1.7'));
    await eventually(api, async () => (await runOf(api, id))['status'] === 'done');
    await slow.stop();
    await other.stop();
  });

  it('that two processes were too slow for is not given up, as both live [45.29]', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'Shop' });
    const { id } = await startRun(api, report);
    const row = async () =>
      (await api.database.read.selectFrom('report_run').selectAll().executeTakeFirst())!;
    let finishEarlier: (() => Promise<void>) | null = null;
    for (const claim of [1, 2, 3]) {
      const file = Promise.withResolvers<Buffer>();
      const worker = workerOf(api, { ...quick, run: () => file.promise });
      worker.start();
      await eventually(api, async () => (await row()).claim === claim);
      await finishEarlier?.();
      await eventually(api, async () => (await row()).crashes === 0);
      // As after a pause of its process that is longer than the lease.
      if (claim < 3) await updateRows(api.database, 'report_run', { next_at: 1 }, { id });
      finishEarlier = async () => {
        file.resolve(Buffer.from('%PDF-1.7'));
        await worker.stop();
      };
    }
    await finishEarlier!();
    expect(await runOf(api, id)).toMatchObject({ status: 'done', error: null });
  });

  it('that ends the process which draws it is given up the second time [45.29]', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'Shop' });
    const { id } = await startRun(api, report);
    let drawn = 0;
    const run = () => {
      drawn += 1;
      return Promise.reject(new JobEnded('Killed.'));
    };
    const worker = workerOf(api, { ...quick, run });
    worker.start();
    await eventually(api, async () => (await runOf(api, id))['status'] === 'failed');
    expect(drawn).toBe(2);
    await worker.stop();
  });

  it('of another team does not wait for all of one team [45.30]', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'Shop' });
    for (let count = 0; count < 4; count++) await startRun(api, report);
    const { body } = await api.call(api.mallory, 'POST', REPORTS, { name: 'Other' });
    await api.call(api.mallory, 'POST', `${REPORTS}/${body.id}/runs`, {});
    const teams: number[] = [];
    const run = async (teamId: number) => {
      teams.push(teamId);
      return Buffer.from('%PDF-1.7');
    };
    const worker = workerOf(api, { ...quick, run });
    worker.start();
    await untilIdle(api);
    expect([teams.length, new Set(teams.slice(0, 2)).size]).toEqual([5, 2]);
    await worker.stop();
  });

  it('that was claimed before the clock was set back is taken over', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'Shop' });
    const { id } = await startRun(api, report);
    await updateRows(api.database, 'report_run', { next_at: api.clock.now() + DAY }, { id });
    const worker = workerOf(api);
    worker.start();
    await eventually(api, async () => (await runOf(api, id))['status'] === 'done');
    await worker.stop();
  });

  it('is refused beside ten others [45.19]', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'Shop' });
    for (let count = 0; count < 10; count++) await startRun(api, report);
    const refused = await api.call(api.ed, 'POST', `${REPORTS}/${report}/runs`, {});
    expect([refused.status, Object.keys(refused.body['errors'] as object)]).toEqual([
      422,
      ['runs'],
    ]);
  });

  it('is listed with its report, the newest first, and with no other [45.33]', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'x', recipients: ['ada@example.org'] });
    const first = await startRun(api, report, { format: 'csv' });
    const second = await startRun(api, report, { mail: true });
    await startRun(api, await create(api, { name: 'y' }), {});
    const path = `${REPORTS}/${report}/runs`;
    const { body } = await api.call(api.vera, 'GET', path);
    expect(body).toMatchObject({ total: 2, data: [second, first] });
    expect([first['mailed'], second['mailed']]).toEqual([false, true]);
    expect((await api.call(api.mallory, 'GET', path)).status).toBe(404);
    const lastRun = async () => (await api.call(api.vera, 'GET', `${REPORTS}/${report}`)).body;
    expect(await lastRun()).toMatchObject({ last_run: null });
    const worker = workerOf(api);
    worker.start();
    await eventually(api, async () => (await runOf(api, second.id))['status'] === 'done');
    expect(await lastRun()).toMatchObject({ last_run: { id: second.id, mailed: true } });
    await worker.stop();
  });

  it('keeps what was asked for when the report changes meanwhile [45.17]', async () => {
    const api = await openApi(await openInMemory());
    const report = await create(api, { name: 'Before', language: 'de' });
    const { id } = await startRun(api, report, { format: 'json', corrected: false });
    await api.call(api.ed, 'PUT', `${REPORTS}/${report}`, { name: 'After' });
    const worker = workerOf(api);
    worker.start();
    await eventually(api, async () => (await runOf(api, id))['status'] === 'done');
    const { body } = await api.call(api.vera, 'GET', `/api/v1/report-runs/${id}/file`);
    expect(body).toMatchObject({ name: 'Before', corrected: false });
    await worker.stop();
  });
});

async function mailed(body: object = WEEKLY) {
  const api = await openApi(await openInMemory());
  const id = await create(api, body);
  await updateRows(api.database, 'report', { next_at: api.clock.now() }, { id });
  const worker = workerOf(api);
  worker.start();
  await eventually(api, async () => (await recipientsOf(api)).length > 0);
  await worker.stop();
  return { api, id, mails: await api.mails() };
}

const linkIn = (text: string, path: string) =>
  new URL(text.split('\n').find((line) => line.includes(`${path}?token=`))!);

describe('a mail', () => {
  it('has the figures and a link to the file that works for 30 days without signing in [45.23, 45.24]', async () => {
    const { api, mails } = await mailed();
    const [mail] = mails;
    expect(mail).toMatchObject({ kind: 'report', to: 'one@example.com' });
    expect(mail!.subject).toContain('Weekly');
    const { pathname, search } = linkIn(mail!.text, '/report');
    const opened = await api.app.inject({ url: pathname + search });
    expect([opened.statusCode, opened.headers['content-type'], opened.body]).toEqual([
      200,
      'application/pdf',
      '%PDF-1.7 printed',
    ]);
    expect(opened.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-disposition': expect.stringMatching(/^inline; filename="[\w-]+\.pdf"$/),
      'x-content-type-options': 'nosniff',
    });
    const changed = search.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await api.app.inject({ url: pathname + changed })).statusCode).toBe(404);
    await api.clock.advance(31 * DAY);
    expect((await api.app.inject({ url: pathname + search })).statusCode).toBe(404);
  });

  it('has a link by which its recipient unsubscribes for good [45.25]', async () => {
    const { api, id, mails } = await mailed();
    const [mail] = mails;
    const headers = mail!.headers as Record<string, string>;
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const { pathname, search } = linkIn(mail!.text, '/report-unsubscribe');
    expect(headers['List-Unsubscribe']).toBe(`<https://up.example.com${pathname}${search}>`);
    const url = pathname + search;
    const page = await api.app.inject({ url });
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('method="post"')]);
    const read = async () => (await api.call(api.vera, 'GET', `${REPORTS}/${id}`)).body;
    expect((await read())['recipients']).toEqual(WEEKLY.recipients);
    for (const attempt of [1, 2]) {
      const done = await api.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      });
      expect([attempt, done.statusCode]).toEqual([attempt, 200]);
    }
    expect(await read()).toMatchObject({
      recipients: ['Two@example.com'],
      unsubscribed: ['one@example.com'],
    });
    const body = { recipients: ['ONE@example.com'] };
    const refused = await api.call(api.ed, 'PUT', `${REPORTS}/${id}`, body);
    expect([refused.status, Object.keys(refused.body['errors'] as object)]).toEqual([
      422,
      ['recipients.0'],
    ]);
    const other = await api.app.inject({ method: 'POST', url: `${pathname}?token=x` });
    expect(other.statusCode).toBe(404);
    const log = await api.call(api.alice, 'GET', '/api/v1/audit-log?action=report.unsubscribed');
    expect(log.body['total']).toBe(1);
  });

  it('never goes to an address that unsubscribed, even if it is still a recipient [45.25]', async () => {
    const api = await openApi(await openInMemory());
    const id = await create(api, { ...WEEKLY, recipients: ['One@example.com', 'two@example.com'] });
    const unsubscribed = JSON.stringify(['one@example.com']);
    await updateRows(api.database, 'report', { unsubscribed }, { id });
    await api.clock.advance(UNTIL_MONDAY);
    const worker = workerOf(api);
    worker.start();
    await untilIdle(api);
    await worker.stop();
    expect(await recipientsOf(api)).toEqual(['two@example.com']);
  });

  it('spends a budget of its recipient [45.26]', async () => {
    const { api, id } = await mailed({ ...WEEKLY, recipients: ['one@example.com'] });
    const worker = workerOf(api);
    worker.start();
    for (let count = 0; count < 12; count++) {
      await updateRows(api.database, 'report', { next_at: api.clock.now() }, { id });
      await untilIdle(api);
    }
    expect(await recipientsOf(api)).toHaveLength(10);
    await worker.stop();
  });

  it('is in the language of the report [45.23]', async () => {
    const { mails } = await mailed({ ...WEEKLY, language: 'de' });
    expect(mails[0]!.text).toContain('Bericht öffnen (PDF)');
    expect(mails[0]!.html).toContain('<html lang="de">');
  });

  it('is not sent about a team that was deleted', async () => {
    const api = await openApi(await openInMemory());
    const id = await create(api, WEEKLY);
    const { teamId } = api.alice;
    const row = { from: 0, to: 1 };
    await updateRows(api.database, 'team', { deleted_at: api.clock.now() }, { id: teamId });
    await api.database.transaction((tx) =>
      insertRun(
        tx,
        {
          reportId: id,
          teamId,
          isMailed: true,
          options: {
            ...row,
            name: 'Weekly',
            scope: { monitors: [], groupId: null, tags: [] },
            timezone: 'UTC',
            language: 'en',
            format: 'pdf',
            isCorrected: true,
            delimiter: ',',
            statusPageId: null,
          },
          expiresAt: api.clock.now() + DAY,
        },
        api.clock.now(),
      ),
    );
    const worker = workerOf(api);
    worker.start();
    await untilIdle(api);
    await worker.stop();
    expect(await recipientsOf(api)).toEqual([]);
  });
});
