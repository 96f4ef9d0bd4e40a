import { sleep, systemClock } from '../../src/lib/clock.ts';
import { createHash } from 'node:crypto';
import type { FakeClock } from './fake-clock.ts';
import { MONITOR_COLUMNS, type MonitorFields } from './monitor-rows.ts';
import {
  createIngest,
  type IncomingPing,
  type PingIngest,
} from '../../src/engine/heartbeat/ingest.ts';
import { expectedAfter } from '../../src/engine/heartbeat/ping-schedule.ts';
import type { PingSchedule } from '../../src/monitor-types/definition.ts';
import { parseCron } from '../../src/lib/cron-expression.ts';
import type { PingExpectation } from '../../src/engine/heartbeat/state.ts';
import type { Heartbeat } from '../../src/model/heartbeat.ts';
import { shardOf } from '../../src/model/monitor.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { monitorChanges } from '../../src/store/resources/monitor-changes.ts';

import { nextVersion } from '../../src/store/engine/shards.ts';

/** The schedule of a job, in seconds; without `cron` an interval of five minutes. */
export interface JobSettings {
  interval?: number;
  cron?: string;
  timezone?: string;
  grace?: number;
  maxRuntime?: number | null;
  waits?: boolean;
}

/** The expectation that follows from the settings of a monitor. */
export function planFor(settings: JobSettings = {}): PingExpectation {
  const { grace = 60, maxRuntime = null, waits = false } = settings;
  return {
    schedule: scheduleFor(settings),
    graceMs: grace * 1_000,
    waitsForFirstPing: waits,
    maxRuntimeMs: maxRuntime === null ? null : maxRuntime * 1_000,
  };
}

/** The state of a job whose monitor was created at `now` (epoch ms). */
export function newHeartbeat(plan: PingExpectation, now: number): Heartbeat {
  return {
    monitorId: 1,
    teamId: 1,
    revision: 1,
    status: 'pending',
    isPaused: false,
    confirmations: {},
    observedUntil: null,
    lastPingAt: null,
    lastHeartbeatAt: null,
    expectedAt: expectedAfter(plan.schedule, now),
    armedAt: now,
    firstPingAt: null,
    isMissed: false,
    isPostponed: false,
    pingCount: 0,
    window: null,
    runs: [],
    dueAt: now,
  };
}

/** A stored push monitor, and the token of its ping URL. */
export interface Job {
  id: number;
  /** Token of its ping URL. */
  token: string;
}

/** Creates a push monitor as the service does. */
export async function createJob(
  database: Database,
  now: number,
  settings: JobSettings = {},
): Promise<Job> {
  const [job] = await createJobs(database, now, 1, settings);
  return job!;
}

let made = 0;

/** Creates many push monitors in one transaction. */
export async function createJobs(
  database: Database,
  now: number,
  count: number,
  settings: JobSettings = {},
): Promise<Job[]> {
  const expectedAt = expectedAfter(scheduleFor(settings), now);
  return database.transaction(async (tx) => {
    const jobs: Job[] = [];
    while (jobs.length < count) {
      const token = `token-${(made += 1)}`;
      const columns = { ...MONITOR_COLUMNS, ...columnsFor(settings), ping_token_hash: hash(token) };
      jobs.push({ id: await monitorChanges(tx).insert(1, columns, now, expectedAt), token });
    }
    return jobs;
  });
}

/** Edits columns of a push monitor as the service does; the next ping stays expected as before. */
export async function editJob(
  database: Database,
  id: number,
  now: number,
  columns: MonitorFields,
): Promise<void> {
  await database.transaction(async (tx) =>
    monitorChanges(tx).reviseHeartbeat(id, await nextVersion(tx, shardOf(id)), columns, null, now),
  );
}

export async function pauseJob(database: Database, id: number, now: number): Promise<void> {
  await database.transaction(async (tx) =>
    monitorChanges(tx).pause(id, await nextVersion(tx, shardOf(id)), now),
  );
}

export async function resumeJob(
  database: Database,
  id: number,
  now: number,
  expectedAt: number,
): Promise<void> {
  await database.transaction(async (tx) =>
    monitorChanges(tx).resume(id, await nextVersion(tx, shardOf(id)), now, expectedAt),
  );
}

export async function deleteJob(database: Database, id: number, now: number): Promise<void> {
  await database.transaction(async (tx) =>
    monitorChanges(tx).markDeleted(id, await nextVersion(tx, shardOf(id)), now),
  );
}

/** A success ping as `curl` sends it by default. */
export function pingOf(token: string, told: Partial<IncomingPing> = {}): IncomingPing {
  return {
    tokenHash: hash(token),
    kind: 'success',
    exitCode: null,
    runId: null,
    sourceAddress: '192.0.2.1',
    userAgent: 'curl/8.5.0',
    body: null,
    isBodyCut: false,
    ...told,
  };
}

/** Starts an ingest whose clock only moves when the test moves it. */
export function startIngest(
  database: Database,
  clock: FakeClock,
  options: Partial<Parameters<typeof createIngest>[0]> = {},
) {
  const ingest = createIngest({ database, clock, limit: null, ...options });
  return { ...ingest, ...sending(ingest, clock) };
}

function sending(ingest: PingIngest, clock: FakeClock) {
  return {
    /** Sends pings in order within one turn of the event loop and returns their outcomes. */
    async send(...pings: IncomingPing[]): Promise<string[]> {
      const taken = await settling(clock, Promise.all(pings.map((ping) => ingest.take(ping))));
      return taken.map(({ kind }) => kind);
    },
  };
}

/** Awaits a promise that needs no time to pass, but perhaps many turns of the event loop. */
export async function settling<Value>(clock: FakeClock, promise: Promise<Value>): Promise<Value> {
  const progress = { isOver: false };
  const end = () => void (progress.isOver = true);
  promise.then(end, end);
  while (!progress.isOver) await clock.settle();
  return promise;
}

/** As `settling`, for work that may wait for a locked row: time passes until it is retried. */
export async function settlingInTurn<Value>(
  clock: FakeClock,
  promise: Promise<Value>,
): Promise<Value> {
  for (;;) {
    const isOver = await Promise.race([
      promise.then(
        () => true,
        () => true,
      ),
      sleep(systemClock, LOCK_HELD_MS).then(() => false),
    ]);
    if (isOver) return promise;
    await clock.advance(LOCK_HELD_MS);
  }
}

const LOCK_HELD_MS = 50;

export interface StoredIncident {
  monitor_id: number;
  type: string;
  started_at: number;
  ended_at: number | null;
  root_cause: string | null;
}

export function incidentsOf(database: Database, id?: number): Promise<StoredIncident[]> {
  return database.read
    .selectFrom('incident')
    .select(['monitor_id', 'type', 'started_at', 'ended_at', 'root_cause'])
    .$if(id !== undefined, (query) => query.where('monitor_id', '=', id!))
    .orderBy('id')
    .execute();
}

export function stateRowOf(database: Database, id: number) {
  return database.read
    .selectFrom('monitor_state')
    .selectAll()
    .where('monitor_id', '=', id)
    .executeTakeFirstOrThrow();
}

function scheduleFor({ interval = 300, cron, timezone = 'UTC' }: JobSettings): PingSchedule {
  if (cron === undefined) return { intervalSeconds: interval };
  const parsed = parseCron(cron);
  if (!parsed.ok) throw new Error(parsed.fault);
  return { cron: parsed.cron, timezone };
}

function columnsFor(settings: JobSettings) {
  const { interval = 300, cron, timezone = 'UTC', grace = 60, maxRuntime = null } = settings;
  return {
    type: cron === undefined ? 'heartbeat' : 'cron',
    url: '',
    friendly_name: 'Backup',
    check_interval: null,
    heartbeat_interval: cron === undefined ? interval : null,
    heartbeat_cron_expression: cron ?? null,
    heartbeat_timezone: timezone,
    heartbeat_grace: grace,
    heartbeat_max_runtime: maxRuntime,
    heartbeat_wait_for_first_ping: settings.waits ? 1 : 0,
    ping_token: null,
  };
}

const hash = (token: string) => createHash('sha256').update(token).digest('hex');
