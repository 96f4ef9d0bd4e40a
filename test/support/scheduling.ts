import { NO_PRIVATE_REGIONS } from './regions.ts';
import type { KyselyPlugin } from 'kysely';
import type { Bus } from '../../src/engine/bus/contract.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { silentLog, type Log } from '../../src/lib/log.ts';
import type { CheckResult } from '../../src/model/check.ts';
import type { Round } from '../../src/model/round.ts';
import type { MonitorState } from '../../src/model/state.ts';
import { Scheduler } from '../../src/engine/schedule/scheduler.ts';
import type { Database } from '../../src/store/database/contract.ts';
import type { RoundOutcome } from '../../src/engine/verdict/evaluate.ts';
import type { FakeClock } from './fake-clock.ts';
import { checkResult, inspectNothing } from './rounds.ts';
import { wrapDatabase } from './wrapped-database.ts';
import type { AnyRequest } from '../../src/monitor-types/registry.ts';

/** A scheduler with scripted doubles of bus and recorder. */
export interface Scheduling {
  scheduler: Scheduler;
  /** Rounds that were submitted, in order. */
  rounds: Round[];
  /** Wall time of each check, one per round since monitors have one region by default. */
  started: { monitorId: number; at: number; url: string }[];
  /** Duration of each check in milliseconds; initially 0. */
  checkTakesMs: number;
  /** Result of each check; initially up. */
  result: CheckResult;
  /** Time until the first packet of each check in milliseconds; initially null: none is sent. */
  sendsAfterMs: number | null;
  /** Answer of the recorder; initially `counted` and the grid. */
  answer(round: Round): Partial<MonitorState> & { outcome?: RoundOutcome['outcome'] };
  lags: number[];
  /** Time of each check until its first packet. */
  sentLags: number[];
}

export interface SchedulingOptions {
  clock: Clock;
  database: Database;
  nodeId?: string;
  log?: Log;
  maxBackfillRounds?: number;
}

/** The double stores what the recorder would: last_slot, last_checked_at and run_at. */
export function createScheduling(options: SchedulingOptions): Scheduling {
  const { clock, database, nodeId = 'node-1', log = silentLog, maxBackfillRounds } = options;
  const bus: Bus = {
    async check(_region, request: AnyRequest) {
      const url = 'url' in request ? request.url : request.host;
      const at = clock.now();
      scheduling.started.push({ monitorId: request.monitorId, at, url });
      if (scheduling.checkTakesMs > 0) {
        await new Promise<void>((resolve) => void clock.after(scheduling.checkTakesMs, resolve));
      }
      const { sendsAfterMs } = scheduling;
      const sent = sendsAfterMs === null ? {} : { sentAt: at + sendsAfterMs };
      return { ...scheduling.result, ...sent };
    },
    inspect: inspectNothing,
    lastSeen: () => clock.now(),
    vantageOf: () => 'office',
    close: async () => {},
  };
  const submit = async (round: Round): Promise<RoundOutcome> => {
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
      evaluatedRevision: round.revision,
      confirmations: {},
      newest: {},
      ...fields,
    };
    if (outcome === 'counted') await store(database, state);
    return { outcome, state };
  };
  const lags: number[] = [];
  const sentLags: number[] = [];
  const scheduling: Scheduling = {
    rounds: [],
    started: [],
    checkTakesMs: 0,
    result: checkResult('up'),
    sendsAfterMs: null,
    sentLags,
    answer: () => ({}),
    lags,
    scheduler: new Scheduler({
      database,
      bus,
      recorder: { submit },
      clock,
      log,
      nodeId,
      regions: NO_PRIVATE_REGIONS,
      ...(maxBackfillRounds === undefined ? {} : { maxBackfillRounds }),
      secrets: { of: () => ({ open: (text) => text.replace(/^sealed:/, '') }) },
      onStart: (lagMs) => lags.push(lagMs),
      onSent: (lagMs) => sentLags.push(lagMs),
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

/** A connection to a database that can be cut, and that knows of pending answers. */
export interface Line {
  database: Database;
  /** Resolves when no answer is pending. */
  idle(): Promise<void>;
  /** Makes all statements fail, or work again. */
  cut(isCut: boolean): void;
}

/** Advances the fake clock in small steps, and lets the real database answer in each of them. */
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

/** Advances the fake clock until the condition holds; rejects if it does not within 100 s. */
export async function timeUntil(
  parts: readonly { clock: FakeClock; line: Line }[],
  holds: () => boolean,
): Promise<void> {
  for (let passed = 0; !holds(); passed += 100) {
    if (passed > 100_000) throw new Error('It did not happen.');
    await passTime(parts, 100);
  }
}

const UNCHANGED: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => result,
};

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
  const counted = (reader: Database['read']): Database['read'] => {
    // A reader of its own, so that others are not counted.
    const db = reader.withPlugin(UNCHANGED);
    const executor = db.getExecutor();
    const execute: typeof executor.executeQuery = executor.executeQuery.bind(executor);
    executor.executeQuery = async (...given) => {
      waiting++;
      try {
        return await execute(...given);
      } finally {
        answered();
      }
    };
    return db;
  };
  return {
    async idle() {
      // An answer may cause further statements in the same turn.
      for (let quietTurns = 0; quietTurns < 3; quietTurns++) {
        if (waiting > 0) {
          quietTurns = 0;
          await new Promise<void>((resolve) => onIdle.push(resolve));
        }
        await new Promise((resolve) => void setImmediate(resolve));
      }
    },
    cut: (to) => void (isCut = to),
    database: wrapDatabase(database, {
      get read() {
        use();
        return counted(database.read);
      },
      get scan() {
        use();
        return counted(database.scan);
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
      close: async () => {},
    }),
  };
}
