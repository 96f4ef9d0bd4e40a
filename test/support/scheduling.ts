import type { KyselyPlugin } from 'kysely';
import type { Bus } from '../../src/bus/contract.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { Log } from '../../src/lib/log.ts';
import { shardOf } from '../../src/model/monitor.ts';
import type { Round } from '../../src/model/round.ts';
import type { MonitorState } from '../../src/model/state.ts';
import { createScheduler } from '../../src/schedule/scheduler.ts';
import type { Scheduler } from '../../src/schedule/scheduler.ts';
import type { Database } from '../../src/store/contract.ts';
import type { MonitorTable } from '../../src/store/schema.ts';
import { nextVersion } from '../../src/store/shards.ts';
import type { Judged } from '../../src/verdict/judge.ts';
import type { FakeClock } from './fake-clock.ts';
import { checkResult } from './rounds.ts';

/** A scheduler with doubles for bus and judge that tests script. */
export interface Scheduling {
  scheduler: Scheduler;
  /** Rounds that were submitted, in order. */
  rounds: Round[];
  /** Wall time at which each check was asked for, one per round since monitors have one region unless said otherwise. */
  started: { monitorId: number; at: number; url: string }[];
  /** Milliseconds that each check takes; 0 at first. */
  checkTakesMs: number;
  /** What the judge answers; at first, `counted` and the grid. */
  answer(round: Round): Partial<MonitorState> & { outcome?: Judged['outcome'] };
  lags: number[];
}

export interface SchedulingOptions {
  clock: Clock;
  database: Database;
  nodeId?: string;
  log?: Log;
}

/** The judge double stores what a judge would: last_slot, last_checked_at and run_at. */
export function createScheduling(options: SchedulingOptions): Scheduling {
  const { clock, database, nodeId = 'node-1', log = silentLog } = options;
  const bus: Bus = {
    async check(_region, request) {
      const url = 'url' in request ? request.url : request.host;
      scheduling.started.push({ monitorId: request.monitorId, at: clock.now(), url });
      if (scheduling.checkTakesMs > 0) {
        await new Promise<void>((resolve) => void clock.after(scheduling.checkTakesMs, resolve));
      }
      return checkResult('up');
    },
    lastSeen: () => clock.now(),
    close: async () => {},
  };
  const submit = async (round: Round): Promise<Judged> => {
    scheduling.rounds.push(round);
    const { outcome = 'counted', ...fields } = scheduling.answer(round);
    if (outcome === 'gone' || outcome === 'dropped') return { outcome, state: null };
    const state: MonitorState = {
      monitorId: round.monitorId,
      teamId: round.teamId,
      revision: round.revision,
      status: 'online',
      lastSlot: round.slot,
      lastCheckedAt: round.startedAt,
      runAt: null,
      observedUntil: null,
      isPaused: false,
      judgedRevision: round.revision,
      tracks: {},
      newest: {},
      ...fields,
    };
    if (outcome === 'counted') await store(database, state);
    return { outcome, state };
  };
  const lags: number[] = [];
  const scheduling: Scheduling = {
    rounds: [],
    started: [],
    checkTakesMs: 0,
    answer: () => ({}),
    lags,
    scheduler: createScheduler({
      database,
      bus,
      judge: { submit },
      clock,
      log,
      nodeId,
      secrets: { open: (text) => text.replace(/^sealed:/, '') },
      onStart: (lagMs) => lags.push(lagMs),
    }),
  };
  return scheduling;
}

function store(database: Database, state: MonitorState): Promise<void> {
  return database.transaction(async (tx) => {
    await tx
      .updateTable('monitor_state')
      .set({
        last_slot: state.lastSlot,
        last_checked_at: state.lastCheckedAt,
        run_at: state.runAt,
      })
      .where('monitor_id', '=', state.monitorId)
      .where('revision', '=', state.revision)
      .execute();
  });
}

/** A way to a database that can be cut, and that knows when an answer is still to come. */
export interface Line {
  database: Database;
  /** Settles when every answer has come. */
  idle(): Promise<void>;
  /** From now on everything fails, or works again. */
  cut(isCut: boolean): void;
}

/** Lets virtual time pass in small steps, and the real database answer in each of them. */
export async function passTime(
  parts: readonly { clock: FakeClock; line: Line }[],
  milliseconds: number,
): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    for (const { clock, line } of parts) {
      await clock.advance(100);
      await line.idle();
    }
  }
}

/** Lets virtual time pass for those parts alone until that holds; rejects when it does not within 100 s. */
export async function timeUntil(
  parts: readonly { clock: FakeClock; line: Line }[],
  holds: () => boolean,
): Promise<void> {
  for (let passed = 0; !holds(); passed += 100) {
    if (passed > 100_000) throw new Error('It did not happen.');
    await passTime(parts, 100);
  }
}

export function lineTo(database: Database): Line {
  let waiting = 0;
  let isCut = false;
  let onIdle: (() => void)[] = [];
  const answered = () => {
    waiting--;
    if (waiting > 0) return;
    for (const call of onIdle) call();
    onIdle = [];
  };
  const use = () => {
    if (isCut) throw new Error('The line to the database is cut.');
  };
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      waiting++;
      return node;
    },
    transformResult: async ({ result }) => {
      answered();
      return result;
    },
  };
  return {
    async idle() {
      // What an answer leads to may ask again in the same turn.
      for (let quietTurns = 0; quietTurns < 3; quietTurns++) {
        if (waiting > 0) {
          quietTurns = 0;
          await new Promise<void>((resolve) => onIdle.push(resolve));
        }
        await new Promise((resolve) => void setImmediate(resolve));
      }
    },
    cut: (to) => void (isCut = to),
    database: {
      engine: database.engine,
      get read() {
        use();
        return database.read.withPlugin(counting);
      },
      get scan() {
        use();
        return database.scan.withPlugin(counting);
      },
      async transaction(work) {
        use();
        waiting++;
        try {
          return await database.transaction(work);
        } finally {
          answered();
        }
      },
      now: () => database.now(),
      close: async () => {},
    },
  };
}

export type MonitorFields = Partial<Omit<MonitorTable, 'id'>>;

/** Stores a monitor as the service does: its version, and a round at once. Answers its id. */
export async function createMonitor(
  database: Database,
  now: number,
  fields: MonitorFields = {},
): Promise<number> {
  return database.transaction(async (tx) => {
    const { id } = await tx
      .insertInto('monitor')
      .values({ ...MONITOR, ...fields, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    const shard = shardOf(id);
    const version = await nextVersion(tx, shard);
    await tx
      .updateTable('monitor')
      .set({ shard, version, revision: version })
      .where('id', '=', id)
      .execute();
    await tx
      .insertInto('monitor_state')
      .values({ ...STATE, monitor_id: id, revision: version, run_at: now })
      .execute();
    return id;
  });
}

/** The ids 1 to `count`. */
export const firstIds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Many monitors in one transaction, checked before, so that they are on the grid. */
export async function importMonitors(
  database: Database,
  ids: readonly number[],
  lastSlot: number,
  fields: MonitorFields = {},
): Promise<void> {
  await database.transaction(async (tx) => {
    for (let from = 0; from < ids.length; from += 500) {
      const page = ids.slice(from, from + 500);
      await tx
        .insertInto('monitor')
        .values(page.map((id) => ({ ...MONITOR, ...fields, id, shard: shardOf(id) })))
        .execute();
      const state = { ...STATE, last_slot: lastSlot, last_checked_at: lastSlot, run_at: null };
      await tx
        .insertInto('monitor_state')
        .values(page.map((id) => ({ ...state, monitor_id: id, revision: 0 })))
        .execute();
    }
  });
}

/** Changes a monitor as the service does. With `runAt`, what a check is has changed: a new revision, and a look then. */
export async function editMonitor(
  database: Database,
  id: number,
  fields: MonitorFields,
  runAt?: number | null,
): Promise<void> {
  await database.transaction(async (tx) => {
    const version = await nextVersion(tx, shardOf(id));
    const revision = runAt === undefined ? {} : { revision: version };
    await tx
      .updateTable('monitor')
      .set({ ...fields, ...revision, version })
      .where('id', '=', id)
      .execute();
    if (runAt === undefined) return;
    const paused = fields.is_paused === undefined ? {} : { is_paused: fields.is_paused };
    await tx
      .updateTable('monitor_state')
      .set({ ...paused, revision: version, run_at: runAt })
      .where('monitor_id', '=', id)
      .execute();
  });
}

const MONITOR: Omit<MonitorTable, 'id'> = {
  team_id: 1,
  shard: 0,
  type: 'http',
  url: 'http://target.example/',
  friendly_name: null,
  check_interval: 0.5,
  check_types: '[]',
  monitored_regions: '["ash"]',
  tags: '[]',
  port: null,
  group_id: null,
  is_paused: 0,
  http_method: 'GET',
  accepted_status_codes: null,
  follow_redirects: 1,
  request_timeout: 30,
  request_headers: null,
  request_body: null,
  verify_ssl: 1,
  ssl_expiry_threshold: 14,
  domain_expiry_threshold: 30,
  slow_response_threshold: null,
  error_text_detection: 0,
  failure_threshold: 2,
  recovery_threshold: 1,
  version: 0,
  revision: 0,
  deleted_at: null,
  created_at: 0,
  updated_at: 0,
};

const STATE = {
  team_id: 1,
  status: 'pending',
  last_slot: null,
  last_checked_at: null,
  observed_until: null,
  is_paused: 0,
  judged_revision: null,
  tracks: '{}',
  newest: '{}',
};
