import { RegionHealthMonitor } from '../src/engine/verdict/region-health-monitor.ts';
import { createRoundRecorder } from '../src/engine/index.ts';
import { leasedOwnership } from '../src/engine/schedule/shards.ts';
import { systemClock } from '../src/lib/clock.ts';
import { silentLog } from '../src/lib/log.ts';
import { createPoller } from '../src/lib/poller.ts';
import type { OpenDatabase } from '../src/store/database/database.ts';
import { REGIONS } from './preload.ts';
import { INTERVAL_MS, roundOf } from './record-rounds.ts';

/** Records rounds of monitors at an even rate, in the transactions of a scheduler, and renews its leases. */
export interface SteadyRounds {
  /** Rounds that are stored. */
  stored(): number;
  /** Milliseconds from the end of a round to its commit, of some rounds since the last call. */
  takeLatencies(): number[];
  stop(): Promise<void>;
}

const STEP_MS = 10;
/** Rounds that wait to be stored, beyond which none is added: Postgres is slower than the rate. */
const MAX_WAITING = 10_000;
/** One round in this number of rounds is timed. */
const TIMED = 50;

/** @param monitors have a round every 30 s each. */
export function recordSteadily(database: OpenDatabase, monitors: number): SteadyRounds {
  const clock = systemClock;
  const regions = new RegionHealthMonitor({ database, clock, log: silentLog, regions: REGIONS });
  const recorder = createRoundRecorder({ database, clock, log: silentLog, regions });
  const shards = leasedOwnership({
    database,
    clock,
    log: silentLog,
    nodeId: 'bench',
    onLost: () => {},
    onGained: () => {},
    onRenewed: () => {},
  });
  shards.start();
  let latencies: number[] = [];
  let submitted = 0;
  let expected = 0;
  let steppedAt = performance.now();

  function submitNext(): void {
    const id = (submitted % monitors) + 1;
    const number = Math.floor(submitted / monitors);
    submitted += 1;
    const at = performance.now();
    const recorded = recorder.submit(roundOf(id, number, clock.now()));
    if (submitted % TIMED === 0)
      void recorded.then(() => void latencies.push(performance.now() - at));
  }

  const steps = createPoller({
    async run() {
      const now = performance.now();
      expected += ((now - steppedAt) * monitors) / INTERVAL_MS;
      steppedAt = now;
      for (; expected >= 1; expected -= 1) if (recorder.waiting() < MAX_WAITING) submitNext();
    },
    clock,
    intervalMs: STEP_MS,
    isUnavailable: () => false,
    onFailure: (error) => console.error(error),
  });
  steps.start();
  return {
    stored: () => recorder.counters.rounds_counted,
    takeLatencies() {
      const taken = latencies;
      latencies = [];
      return taken;
    },
    async stop() {
      await steps.stop();
      await recorder.close();
      await shards.stop();
    },
  };
}
