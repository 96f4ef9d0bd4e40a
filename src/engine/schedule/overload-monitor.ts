import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from '../../store/database/contract.ts';
import { readProbeOverload, writeProbeOverload } from '../../store/engine/probe-overload.ts';
import { KEEPING_UP, stepOverload, type Observation, type OverloadState } from './overload.ts';

/** Watches whether the probes of this process keep up; logs and stores each change, for admins to be notified. */
export interface OverloadMonitor {
  /** Resumes the state that an earlier process of the same name left, so that its end is reported, too. */
  load(): Promise<void>;
  start(): void;
  stop(): void;
  /** Null while the probes keep up. `since` is epoch milliseconds. */
  overload(): { since: number; reason: string } | null;
}

export interface OverloadMonitorDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  /** Names this process in notices, the same after a restart. */
  probe: string;
  observe(): Observation;
}

const EVERY_MS = 1_000;

export function createOverloadMonitor(dependencies: OverloadMonitorDependencies): OverloadMonitor {
  const { database, clock, log, probe, observe } = dependencies;
  let state: OverloadState = KEEPING_UP;
  let unsaved: { changedAt: number } | null = null;
  let isSaving = false;
  let timer: Timer | null = null;

  function look(): void {
    timer = clock.after(EVERY_MS, look);
    const before = state;
    const observation = observe();
    state = stepOverload(before, observation, clock.now());
    if ((before.since === null) !== (state.since === null)) change(before, observation);
    if (unsaved !== null) void save();
  }

  function change(before: OverloadState, observation: Observation): void {
    unsaved = { changedAt: clock.now() };
    if (state.since === null) {
      log.info({ overloaded_since: before.since }, 'The probe keeps up again.');
      return;
    }
    const { loads, punctuality } = observation;
    log.warn({ reason: state.reason, loads, ...punctuality }, 'The probe is overloaded.');
  }

  /** A database that is away is tried again with the next look. */
  async function save(): Promise<void> {
    if (isSaving || unsaved === null) return;
    isSaving = true;
    const { changedAt } = unsaved;
    const { since: overloadedAt, reason } = state;
    try {
      await database.transaction((tx) =>
        writeProbeOverload(tx, { probe, overloadedAt, reason, changedAt }),
      );
      if (unsaved?.changedAt === changedAt) unsaved = null;
    } catch (error) {
      log.warn({ error }, 'The state of the probe could not be stored; it is tried again.');
    } finally {
      isSaving = false;
    }
  }

  return {
    async load() {
      const row = await readProbeOverload(database.read, probe);
      const since = row?.overloaded_at ?? null;
      if (since !== null) state = { since, reason: row?.reason ?? '', wellSince: clock.now() };
    },
    start() {
      timer ??= clock.after(EVERY_MS, look);
    },
    stop: () => clock.clear(timer),
    overload: () => (state.since === null ? null : { since: state.since, reason: state.reason }),
  };
}
