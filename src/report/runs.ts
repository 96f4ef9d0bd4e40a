import { JobEnded, JobsWaiting } from '../lib/child-jobs.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createPoller } from '../lib/poller.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import type { Database, Tx } from '../store/database/contract.ts';
import { isUnavailable } from '../store/database/errors.ts';
import { accountStore } from '../store/people/accounts.ts';
import { BudgetExceeded } from '../store/people/budgets.ts';
import { pageFacts } from '../store/resources/page-facts.ts';
import { pageLogo } from '../store/resources/report-facts.ts';
import {
  insertRun,
  runQueue,
  type ReportFile,
  type ReportRunRow,
} from '../store/resources/report-runs.ts';
import {
  findAnyReport,
  lockDueReport,
  setNextMail,
  type ReportRow,
  dueReports,
} from '../store/resources/reports.ts';
import { reportFile } from './file.ts';
import { FILE_LINK_MS, type ReportLinks } from './links.ts';
import type { ReportFacts } from './model.ts';
import {
  nextMailAt,
  periodOf,
  type Interval,
  type Frequency,
  type ReportPeriod,
} from './period.ts';
import type { ReportPrinter } from './pdf/printer.ts';
import { readReportFacts, type ReportRequest } from './read-facts.ts';
import { mailPageOf, reportMail } from './mail.ts';
import type { ReportLanguage } from './words/words.ts';
import type { Delimiter } from './csv.ts';

const INTERVAL_MS = 2_000;
/** Time after which another process takes over a run whose process does not extend its lease. */
const LEASE_MS = 2 * 60_000;
/** A process that makes one run for longer hangs. A file waits for those of 20 other teams, a minute each. */
const MAX_RUN_MS = 60 * 60_000;
const RETRY_MS = 60_000;
const MAX_ATTEMPTS = 3;
/** Processes that a run may end, or that may end during it. */
const MAX_CRASHES = 2;
const SCHEDULED_AT_ONCE = 20;
/** Time after which a mail that could not be sent is dropped: the next one comes soon. */
const SEND_WITHIN_MS = 2 * 24 * 3_600_000;

/** The run was taken over or deleted, or this process stops. */
class RunLeft extends Error {}

/**
 * Makes the files of runs in the background, and mails saved reports when they are due. Any number of processes may run
 * one: a run is claimed with a lease, and its file, its end and its
 * mails are stored in one transaction that only the last claim may commit. So each mail is enqueued once, whatever
 * crashes.
 */
export function createReportRuns(deps: {
  database: Database;
  clock: Clock;
  log: Log;
  printer: ReportPrinter;
  links: ReportLinks;
  mailQueue: MailQueue;
  /** OPEN_SIGNUP: reports are mailed to confirmed addresses of members only. */
  openSignup: boolean;
  onDeliveries(): void;
}) {
  const { database, clock, log, printer, links, mailQueue, onDeliveries } = deps;
  const poller = createPoller({
    run,
    clock,
    intervalMs: INTERVAL_MS,
    isUnavailable,
    // Log: Due reports are looked for again every few seconds.
    onFailure: (error) => log.error({ error }, 'Reports could not be made; it is tried again.'),
  });

  const served = new Set<number>();

  async function run(): Promise<void> {
    for (const id of await dueReports(database.read, clock.now(), SCHEDULED_AT_ONCE)) {
      await database.transaction((tx) => schedule(tx, id));
    }
    while (!poller.isStopped && (await runQueue(database.read).isDue(clock.now()))) {
      const claimed = await database.transaction((tx) =>
        runQueue(tx).claim(clock.now(), { until: clock.now() + LEASE_MS, served }),
      );
      if (claimed === null) return;
      if (served.has(claimed.team_id)) served.clear();
      served.add(claimed.team_id);
      await make(claimed);
    }
  }

  /** Enqueues the run of a report whose mail is due. After an absence only the last mail is sent. */
  async function schedule(tx: Tx, id: number): Promise<void> {
    const now = clock.now();
    const report = await lockDueReport(tx, id, now);
    if (report === undefined) return;
    await setNextMail(tx, id, nextMailAt(report.frequency as Frequency, report.timezone, now));
    if (!mailQueue.isConfigured || recipientsOf(report).length === 0) return;
    const { team_id: teamId } = report;
    const expiresAt = now + FILE_LINK_MS;
    const options = mailOptions(report, now);
    await insertRun(tx, { reportId: id, teamId, isMailed: true, options, expiresAt }, now);
  }

  async function make(claimed: ReportRunRow): Promise<void> {
    if (claimed.crashes >= MAX_CRASHES) return giveUp(claimed);
    try {
      const { facts, file } = await fileOf(claimed);
      const hasMails = await database.transaction((tx) => finish(tx, claimed, facts, file));
      if (hasMails) onDeliveries();
    } catch (error) {
      if (error instanceof RunLeft || poller.isStopped) return leave(claimed, clock.now());
      if (isUnavailable(error)) throw error;
      if (error instanceof JobsWaiting) return leave(claimed, clock.now() + RETRY_MS);
      // Log: It is tried again after a minute, three times in all; then its run has failed.
      log.error({ error, report_id: claimed.report_id }, 'A report could not be made.');
      if (claimed.claim >= MAX_ATTEMPTS) return giveUp(claimed);
      const crashes = error instanceof JobEnded ? 1 : 0;
      // Where it was the last one, the next claim, which reads how many there are by now, gives the run up.
      const isLast = claimed.crashes + crashes >= MAX_CRASHES;
      await leave(claimed, clock.now() + (isLast ? 0 : RETRY_MS), crashes);
    }
  }

  async function giveUp(claimed: ReportRunRow): Promise<void> {
    const reason = 'The report could not be made. Ask the operator to look into the log.';
    await database.transaction((tx) => runQueue(tx).end(claimed, { error: reason }, clock.now()));
  }

  function leave(claimed: ReportRunRow, nextAt: number, crashes: 0 | 1 = 0): Promise<void> {
    return database.transaction(async (tx) => {
      await runQueue(tx).postpone(claimed, { nextAt, crashes });
      await runQueue(tx).withdrawCrash(claimed);
    });
  }

  /** Does the work, and extends the lease of its run every now and then, however slow the work is. */
  async function underLease<Value>(extend: () => Promise<unknown>, work: () => Promise<Value>) {
    const endsAt = clock.monotonic() + MAX_RUN_MS;
    let timer: Timer | null = null;
    function extendLater(): void {
      if (clock.monotonic() >= endsAt) return;
      timer = clock.after(LEASE_MS / 4, () => {
        // What keeps the lease from being extended now may be over the next time.
        void extend().catch(() => {});
        extendLater();
      });
    }
    extendLater();
    return work().finally(() => clock.clear(timer));
  }

  async function fileOf(claimed: ReportRunRow): Promise<{ facts: ReportFacts; file: ReportFile }> {
    const options = JSON.parse(claimed.options) as RunOptions;
    const { team_id: teamId, report_id: reportId } = claimed;
    const { from, to, format, delimiter, statusPageId, ...request } = options;
    let shown = 0;
    async function onProgress(share: number): Promise<void> {
      if (poller.isStopped) throw new RunLeft();
      // Drawing the file is the rest.
      const percent = Math.floor(share * 95);
      if (percent < shown + 5) return;
      shown = percent;
      if (!(await extend())) throw new RunLeft();
    }
    const extend = () =>
      database.transaction((tx) =>
        runQueue(tx).setProgress(claimed, shown, clock.now() + LEASE_MS),
      );
    return underLease(extend, async () => {
      const facts = await readReportFacts(
        database,
        { ...request, reportId, teamId, period: { from, to } },
        clock.now(),
        onProgress,
      );
      const logo =
        statusPageId === null ? null : await pageLogo(database.read, teamId, statusPageId);
      return { facts, file: await reportFile(facts, { format, delimiter, logo, teamId }, printer) };
    });
  }

  /** Stores the file and enqueues the mails. @returns whether there are any. */
  async function finish(tx: Tx, claimed: ReportRunRow, facts: ReportFacts, file: ReportFile) {
    const now = clock.now();
    const isOurs = await runQueue(tx).end(claimed, file, now);
    if (!isOurs) await runQueue(tx).withdrawCrash(claimed);
    const report = isOurs && claimed.is_mailed === 1 && (await findAnyReport(tx, facts.reportId!));
    if (!report) return false;
    const until = claimed.expires_at;
    let count = 0;
    const { statusPageId } = JSON.parse(claimed.options) as RunOptions;
    const page = statusPageId === null ? undefined : await pageFacts.page(tx, statusPageId);
    for (const to of await permittedOf(tx, report)) {
      const urls = {
        file: links.fileUrl(claimed.id, until),
        fileUntil: until,
        unsubscribe: links.unsubscribeUrl(report.id, to),
      };
      const mail = reportMail(facts, to, urls, page && mailPageOf(page));
      const sender = { personId: null, teamId: report.team_id };
      try {
        await mailQueue.enqueue(tx, { ...mail, sender, expiresAt: now + SEND_WITHIN_MS }, now);
        count += 1;
      } catch (error) {
        // One address that gets too much must not keep the report from the others.
        if (!(error instanceof BudgetExceeded)) throw error;
        const { name, of } = error.budget;
        log.info(
          { mail: 'report', budget: `${name} of the ${of}` },
          'A mail was not sent: its budget is used up.',
        );
      }
    }
    return count > 0;
  }

  /** With open sign-up anybody can make a team, and its reports must not be mailed to people who never agreed to it. */
  async function permittedOf(tx: Tx, report: ReportRow): Promise<string[]> {
    const all = recipientsOf(report);
    if (!deps.openSignup) return all;
    const confirmed = await accountStore(tx).confirmedAddresses({
      personId: null,
      teamId: report.team_id,
    });
    return all.filter((address) => confirmed.has(address.toLowerCase()));
  }

  return {
    start: () => poller.start(),
    /**
     * Ends after the monitors that are being read, or at once while a file is drawn; the next process makes the run. Never
     * rejects.
     */
    stop() {
      const ended = poller.stop();
      printer.stop();
      return ended;
    },
  };
}

/** Whom a report is mailed to: never to an address that unsubscribed, even if it is still among the recipients. */
function recipientsOf({ recipients, unsubscribed }: ReportRow): string[] {
  const gone = new Set(JSON.parse(unsubscribed) as string[]);
  return (JSON.parse(recipients) as string[]).filter((address) => !gone.has(address.toLowerCase()));
}

function mailOptions(report: ReportRow, now: number): RunOptions {
  const dueAt = lastDueAt(report, now);
  const period = periodOf(report.period as ReportPeriod, report.timezone, dueAt);
  return {
    name: report.name,
    scope: {
      monitors: JSON.parse(report.monitors) as number[],
      groupId: report.group_id,
      tags: JSON.parse(report.tags) as string[],
    },
    ...period,
    timezone: report.timezone,
    language: report.language as ReportLanguage,
    format: 'pdf',
    isCorrected: true,
    delimiter: ',',
    statusPageId: report.status_page_id,
  };
}

/** When the last mail was due. After an absence `next_at` is when the first of the missed ones was. */
function lastDueAt({ next_at: nextAt, frequency, timezone }: ReportRow, now: number): number {
  let dueAt = now;
  let next = nextAt;
  while (next !== null && next <= now) {
    dueAt = next;
    next = nextMailAt(frequency as Frequency, timezone, dueAt);
  }
  return dueAt;
}

/**
 * Options of a run, as stored when it was asked for: a report that is changed meanwhile does not change them. Times are
 * epoch milliseconds.
 */
export interface RunOptions
  extends Interval, Pick<ReportRequest, 'scope' | 'timezone' | 'language' | 'isCorrected'> {
  name: string;
  format: 'json' | 'csv' | 'pdf';
  delimiter: Delimiter;
  /** Page whose logo is on the cover. */
  statusPageId: number | null;
}
