import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from '../../store/database/contract.ts';
import { readProbeOverload, writeProbeOverload } from '../../store/engine/probe-overload.ts';
import { NOT_OVERLOADED, nextOverload, type Observation, type OverloadState } from './overload.ts';

/** Detects overload of this process's probes; logs and stores each change, so that admins are notified. */
export interface OverloadDetector {
  /** Resumes the state stored by an earlier process of the same name, so that the end of its overload is reported. */
  load(): Promise<void>;
  start(): void;
  stop(): void;
  /** Current overload with its start (epoch ms); null without one. */
  overload(): { since: number; reason: string } | null;
}

export interface OverloadDetectorDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  /** Name of this process in notifications, stable across restarts. */
  probe: string;
  observe(): Observation;
}

const INTERVAL_MS = 1_000;

export function createOverloadDetector(
  dependencies: OverloadDetectorDependencies,
): OverloadDetector {
  const { database, clock, log, probe, observe } = dependencies;
  let state: OverloadState = NOT_OVERLOADED;
  let unsaved: { changedAt: number } | null = null;
  let isSaving = false;
  let timer: Timer | null = null;

  function update(): void {
    timer = clock.after(INTERVAL_MS, update);
    const before = state;
    const observation = observe();
    state = nextOverload(before, observation, clock.now());
    if ((before.since === null) !== (state.since === null)) report(before, observation);
    if (unsaved !== null) void save();
  }

  function report(before: OverloadState, observation: Observation): void {
    unsaved = { changedAt: clock.now() };
    if (state.since === null) {
      log.info({ overloaded_since: before.since }, 'The probe keeps up again.');
      return;
    }
    const { loads, punctuality } = observation;
    log.warn({ reason: state.reason, loads, ...punctuality }, 'The probe is overloaded.');
  }

  /** Stores the last change; retried at the next update while the database is unavailable. */
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
      log.warn({ error }, 'The overload state of the probe could not be stored; retrying.');
    } finally {
      isSaving = false;
    }
  }

  return {
    async load() {
      const row = await readProbeOverload(database.read, probe);
      const since = row?.overloaded_at ?? null;
      if (since !== null)
        state = { since, reason: row?.reason ?? '', recoveringSince: clock.now() };
    },
    start() {
      timer ??= clock.after(INTERVAL_MS, update);
    },
    stop: () => clock.clear(timer),
    overload: () => (state.since === null ? null : { since: state.since, reason: state.reason }),
  };
}
