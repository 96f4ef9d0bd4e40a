import { waitAtMost, type Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import type {
  InstallationProblem,
  InstallationSummary,
  ProcessReport,
  StoredProblem,
} from '../../model/installation-health.ts';
import type { HttpClient } from '../../net/http-client.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { isUnavailable } from '../../store/database/errors.ts';
import { measureOffset } from '../../store/database/follow-clock.ts';
import { installationHealth, installationWatch } from '../../store/engine/installation-health.ts';
import { createOperatorWebhook } from './operator-webhook.ts';
import {
  evaluateInstallation,
  isOpenProblem,
  shownProblem,
  extendWorkerRun,
  summaryOf,
  type OpenProblem,
  type InstallationFacts,
} from './rules.ts';
import {
  endedMessage,
  openedMessage,
  problemText,
  type OperatorMessage,
  type ProblemGroup,
} from './texts.ts';
import { createWatchdog } from './watchdog.ts';

/** What a process observes of itself, in the units of `ProcessReport`. */
export type SelfObservation = Pick<
  ProcessReport,
  | 'lagMs'
  | 'checksDue'
  | 'checksLate'
  | 'probes'
  | 'freeBytes'
  | 'failingDiscoveries'
  | 'isRefusingFiles'
>;

export interface InstallationHealthDependencies {
  database: Database;
  clock: Clock;
  /** Clock of this machine, which `clock` may correct; the same by default. */
  machineClock?: Clock;
  log: Log;
  processId: string;
  name: string;
  roles: readonly string[];
  version: string;
  baseUrl: () => string;
  regions: readonly string[];
  observe(): Promise<SelfObservation>;
  /** Enqueues a message to the operators, in the transaction of what it is about. */
  notify(tx: Tx, message: OperatorMessage, now: number): Promise<void>;
  onDeliveries(): void;
  /** Unguarded against private addresses: both URLs are settings of the operators. */
  http: HttpClient;
  /** WATCHDOG_PING_URL, and WATCHDOG_PING_INTERVAL in milliseconds; null without. */
  watchdog: { url: string; intervalMs: number } | null;
  /** OPERATOR_WEBHOOK_URL; null without. */
  operatorWebhook: string | null;
  /** The database's clock; `database.now` by default. */
  databaseNow?: (tx?: Tx) => Promise<number>;
}

const EVERY_MS = 5_000;
const LEASE_MS = 30_000;
const LEAVE_WITHIN_MS = 1_000;
/** A process that has the database for itself reports it as failing after this time without an evaluation. */
const UNSTORED_MS = 30_000;
const DATABASE_FAILS = 'The database has stored nothing for half a minute';
const NO_PINGS = { healthy: 0, failing: 0, unanswered: 0 } as const;

interface Evaluated {
  problems: StoredProblem[];
  opened: OpenProblem[];
  ended: OpenProblem[];
  summary: InstallationSummary;
}

/**
 * Watches the installation itself. Each process reports its state to the database every 5 seconds. One of them holds a
 * lease, whatever its roles are, as each role may be the one that is missing: it evaluates the reports of all and what the
 * database shows, notifies the operators, and calls the heartbeat service.
 */
export class InstallationHealth {
  readonly #dependencies: InstallationHealthDependencies;
  readonly #poller;
  readonly #watchdog;
  readonly #webhook;
  readonly #databaseNow: (tx?: Tx) => Promise<number>;
  #startedAt: number | null = null;
  #problems: readonly InstallationProblem[] = [];
  #summary: InstallationSummary | null = null;
  #evaluatedAt: number | null = null;
  #clockOffsetMs: number | null = null;
  #succeededAt: number;

  constructor(dependencies: InstallationHealthDependencies) {
    const { database, clock, log, http, baseUrl, version } = dependencies;
    const { watchdog, operatorWebhook } = dependencies;
    this.#dependencies = dependencies;
    this.#databaseNow = dependencies.databaseNow ?? ((tx) => database.now(tx));
    this.#succeededAt = clock.monotonic();
    const calls = { http, clock, log, baseUrl, version };
    this.#watchdog = watchdog === null ? null : createWatchdog({ ...calls, ...watchdog });
    this.#webhook =
      operatorWebhook === null
        ? null
        : createOperatorWebhook({
            ...calls,
            url: operatorWebhook,
            onNotified: (problem, openedAt) => this.#recordNotified(problem, openedAt),
          });
    this.#poller = createPoller({
      run: () => this.run(),
      clock,
      intervalMs: EVERY_MS,
      isUnavailable,
      onFailure: (error) =>
        // Log: It is tried again after 5 s.
        log.error({ error }, 'The health of the installation could not be evaluated.'),
    });
  }

  get pings() {
    return this.#watchdog?.counters ?? NO_PINGS;
  }

  problems = (): readonly InstallationProblem[] => this.#problems;
  evaluatedAt = (): number | null => this.#evaluatedAt;
  summary = (): InstallationSummary | null => this.#summary;
  clockOffsetMs = (): number | null => this.#clockOffsetMs;

  start(): void {
    this.#succeededAt = this.#dependencies.clock.monotonic();
    this.#poller.start();
  }

  /** Deletes the report of this process and lets another one take over. Never rejects. */
  async stop(): Promise<void> {
    const { database, processId, clock, log } = this.#dependencies;
    await Promise.all([this.#poller.stop(), this.#watchdog?.stop(), this.#webhook?.stop()]);
    if (this.#startedAt === null) return;
    try {
      const left = database.transaction(async (tx) => {
        await installationWatch(tx).deleteReports({ id: processId });
        await installationWatch(tx).release(processId);
      });
      await waitAtMost(clock, LEAVE_WITHIN_MS, left);
    } catch (error) {
      // Log: Others ignore it after 30 s.
      log.warn({ error }, 'The report of this process could not be deleted.');
    }
  }

  /** Reports and evaluates once. Throws when the database does not answer. */
  async run(): Promise<void> {
    try {
      await this.#reportAndEvaluate();
    } catch (error) {
      this.#reportDatabase();
      throw error;
    }
  }

  /** Only where no other process may be well: SQLite. Several processes on one Postgres fall silent together. */
  #reportDatabase(): void {
    const { database, clock } = this.#dependencies;
    if (database.isShared) return;
    if (clock.monotonic() - this.#succeededAt < UNSTORED_MS) return;
    const reasons = [DATABASE_FAILS, ...this.#problems.map(problemText)];
    this.#watchdog?.report({
      status: 'failing',
      reasons,
      problems: this.#problems,
      summary: this.#summary,
    });
  }

  async #reportAndEvaluate(): Promise<void> {
    const { database, clock, observe, processId, name, roles, version } = this.#dependencies;
    this.#clockOffsetMs = await this.#measureClock();
    const observation = await observe();
    const evaluated = await database.transaction(async (tx) => {
      const now = await this.#databaseNow(tx);
      this.#startedAt ??= now;
      await installationWatch(tx).writeReport({
        id: processId,
        name,
        roles,
        version,
        startedAt: this.#startedAt,
        seenAt: now,
        clockOffsetMs: this.#clockOffsetMs,
        ...observation,
      });
      return this.#evaluate(tx, now);
    });
    this.#succeededAt = clock.monotonic();
    await this.#show(evaluated);
  }

  /** Milliseconds by which this machine's clock is ahead of the database's at least; null where both are one. */
  async #measureClock(): Promise<number | null> {
    const { database, clock, machineClock = clock } = this.#dependencies;
    if (!database.isShared) return null;
    const offset = await measureOffset({ now: () => this.#databaseNow() }, machineClock);
    if (offset === null) return this.#clockOffsetMs;
    const { aheadMs, uncertaintyMs } = offset;
    return Math.round(Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - uncertaintyMs));
  }

  /** Evaluates the installation if this process holds the lease. The lease's row is locked until the end of the transaction. */
  async #evaluate(tx: Tx, now: number): Promise<Evaluated | null> {
    const { notify } = this.#dependencies;
    if (!(await this.#claim(tx, now))) return null;
    const watch = await installationHealth(tx).watch();
    const facts = await this.#readFacts(tx, now, watch?.summary?.workerRan ?? null);
    const before = await installationHealth(tx).problems();
    const known =
      this.#webhook === null ? before.map((one) => ({ ...one, notifiedOpenedAt: null })) : before;
    const times = { now, evaluatedAt: watch?.evaluatedAt ?? null };
    const { problems, opened, ended } = evaluateInstallation(known, facts, times);
    await installationWatch(tx).writeProblems(before, problems);
    for (const group of groups(opened)) await notify(tx, openedMessage(group), now);
    for (const group of groups(ended)) await notify(tx, endedMessage(group), now);
    const summary = summaryOf(facts, now);
    await installationWatch(tx).writeSummary(summary, now);
    await installationWatch(tx).deleteReports({ now });
    return { problems, opened, ended, summary };
  }

  async #claim(tx: Tx, now: number): Promise<boolean> {
    const { database, processId } = this.#dependencies;
    if (database.isShared) {
      // Read first: only a claim that may succeed waits for the row.
      const watch = await installationHealth(tx).watch();
      if (watch !== null && watch.holder !== processId && watch.leasedUntil >= now) return false;
    }
    const isAlone = !database.isShared;
    return installationWatch(tx).claim({
      holder: processId,
      now,
      leasedUntil: now + LEASE_MS,
      isAlone,
    });
  }

  async #readFacts(
    tx: Tx,
    now: number,
    ran: InstallationFacts['workerRan'],
  ): Promise<InstallationFacts> {
    const { database, regions } = this.#dependencies;
    const reports = await installationHealth(tx).reports();
    const { shards, unowned } = database.isShared
      ? await installationHealth(tx).shardOwners(now)
      : { shards: new Map<string, number>(), unowned: 0 };
    const deliveries = await installationHealth(tx).waiting(now);
    const workerRan = extendWorkerRun(ran, reports, now);
    return { reports, shards, unownedShards: unowned, deliveries, workerRan, regions };
  }

  /** Takes over what was evaluated, by this process or by another one, and calls those outside if it was this one. */
  async #show(evaluated: Evaluated | null): Promise<void> {
    const { database, log, onDeliveries } = this.#dependencies;
    const watch = await installationHealth(database.read).watch();
    this.#evaluatedAt = watch?.evaluatedAt ?? null;
    this.#summary = watch?.summary ?? null;
    const stored = evaluated?.problems ?? (await installationHealth(database.read).problems());
    this.#problems = stored.filter(isOpenProblem).map(shownProblem);
    if (evaluated === null) {
      this.#watchdog?.pause();
      this.#webhook?.pause();
      return;
    }
    for (const problem of evaluated.opened)
      // Log: See docs/operations.md for each kind.
      log.warn(fieldsOf(problem), 'A problem of the installation began.');
    for (const problem of evaluated.ended)
      // Log: It was not observed for a minute.
      log.info(fieldsOf(problem), 'A problem of the installation ended.');
    if (evaluated.opened.length + evaluated.ended.length > 0) onDeliveries();
    this.#webhook?.notify(evaluated.problems);
    const reasons = this.#problems.map(problemText);
    this.#watchdog?.report({
      status: reasons.length === 0 ? 'healthy' : 'failing',
      reasons,
      problems: this.#problems,
      summary: evaluated.summary,
    });
  }

  /** Under the lease, so that no evaluation is made meanwhile. */
  #recordNotified(problem: StoredProblem, openedAt: number | null): Promise<void> {
    const { database } = this.#dependencies;
    return database.transaction(async (tx) => {
      const now = await this.#databaseNow(tx);
      if (!(await this.#claim(tx, now))) return;
      await installationWatch(tx).markNotified(problem, {
        from: problem.notifiedOpenedAt,
        to: openedAt,
      });
    });
  }
}

function groups(problems: readonly OpenProblem[]): ProblemGroup[] {
  const byKind = Map.groupBy(problems.map(shownProblem), ({ kind }) => kind);
  return [...byKind.values()] as unknown as ProblemGroup[];
}

function fieldsOf(problem: OpenProblem) {
  const { kind, subject, value, processes } = shownProblem(problem);
  const reason = problemText(shownProblem(problem));
  const since = new Date(problem.seenAt).toISOString();
  return { kind, subject, value, processes, reason, since };
}
