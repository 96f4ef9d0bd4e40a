import type { Bus } from '../bus/contract.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import type { Regions } from '../../model/regions.ts';
import type { InspectionKind } from '../../model/inspection.ts';
import type { Database } from '../../store/database/contract.ts';
import { isUnavailable } from '../../store/database/errors.ts';
import {
  dueKinds,
  inspectedMonitors,
  type ClaimedInspection,
  inspectionRuns,
} from '../../store/engine/inspections.ts';
import {
  isStillKnown,
  TIMEOUT_MS,
  recordInspection,
  recordPause,
  type InspectionReport,
} from './record.ts';
import { inspectTarget } from './target.ts';

const EVERY_MS = 1_000;
/** Inspections under way at once: slow registries, or hosts that never answer, do not delay the other kinds. */
const AT_ONCE: Record<InspectionKind, number> = { ssl: 100, dns: 50, domain: 20 };
/** A process that has not ended an inspection this long after its timeout has died. */
const LEASE_MARGIN_MS = 60_000;
const LEASE_MS = Math.max(...Object.values(TIMEOUT_MS)) + LEASE_MARGIN_MS;
const POSTPONE_MS = 300_000;

/**
 * Runs the inspections that are due: certificates, DNS records, registrations. An inspection is claimed with a lease, made
 * by any probe, recorded for all its monitors, and only then scheduled for its next run.
 */
export function createInspector(dependencies: {
  database: Database;
  bus: Pick<Bus, 'inspect'>;
  regions: Pick<Regions, 'isForeign'>;
  clock: Clock;
  log: Log;
}) {
  const { database, clock, log } = dependencies;
  const counters = {
    ssl: 0,
    dns: 0,
    domain: 0,
    unknown: 0,
    failures: 0,
  };
  const underWay: Record<InspectionKind, Set<Promise<void>>> = {
    ssl: new Set(),
    dns: new Set(),
    domain: new Set(),
  };
  const all = () => Object.values(underWay).flatMap((ofKind) => [...ofKind]);

  const poller = createPoller({
    run: takeUp,
    clock,
    intervalMs: EVERY_MS,
    isUnavailable,
    // Log: They run once they can be.
    onFailure: (error) => log.error({ error }, 'Inspections could not be taken up.'),
  });

  async function takeUp(): Promise<void> {
    for (const kind of poller.isStopped ? [] : await dueKinds(database.read, clock.now())) {
      const free = AT_ONCE[kind] - underWay[kind].size;
      if (free === 0 || poller.isStopped) continue;
      const now = clock.now();
      const claimed = await database.transaction((tx) =>
        inspectionRuns(tx).claim(kind, now, free, now + LEASE_MS),
      );
      for (const one of claimed) {
        const ended = inspect(one).finally(() => underWay[kind].delete(ended));
        underWay[kind].add(ended);
      }
    }
  }

  async function inspect(claimed: ClaimedInspection): Promise<void> {
    try {
      const [running] = await inspectedMonitors(database.read, claimed, 0, 1);
      if (running === undefined) return await recordPause(database, claimed);
      const seen = await inspectOrReuse(claimed);
      // An inspection that the end of this process cut short says nothing; its lease expires, and another process runs it.
      if (poller.isStopped && seen.result.state === 'unknown') return;
      if (seen.result.state === 'unknown') counters.unknown += 1;
      await recordInspection(database, claimed, seen, clock.now());
    } catch (error) {
      if (isUnavailable(error)) return;
      counters.failures += 1;
      const { kind, target } = claimed;
      // Log: It runs again later.
      log.error({ error, kind, target }, 'An inspection could not be recorded.');
      await postpone(claimed);
    }
  }

  async function inspectOrReuse(claimed: ClaimedInspection): Promise<InspectionReport> {
    const { kind, target, facts } = claimed;
    const now = clock.now();
    if (facts !== null && isStillKnown(claimed, now)) {
      // Evaluated as of now: no condition of a monitor began before the monitor existed or had this threshold.
      return { result: { state: 'known', facts }, at: now, isNew: false };
    }
    counters[kind] += 1;
    const result = await inspectTarget(dependencies, kind, target, TIMEOUT_MS[kind]);
    return { result, at: clock.now(), isNew: true };
  }

  async function postpone(claimed: ClaimedInspection): Promise<void> {
    try {
      await database.transaction((tx) =>
        inspectionRuns(tx).postpone(claimed, clock.now() + POSTPONE_MS),
      );
    } catch {
      // Then its lease runs out.
    }
  }

  return {
    start: () => poller.start(),
    /** Waits for what is under way; close the bus, so that this ends soon. Never rejects. */
    async stop() {
      await poller.stop();
      await Promise.all(all());
    },
    counters,
    underWay: () => all().length,
  };
}
