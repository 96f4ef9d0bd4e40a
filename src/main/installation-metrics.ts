import type { Registry } from 'prom-client';
import { waitAtMost, type Clock } from '../lib/clock.ts';
import { exposeCounter, exposeCounts, exposeGauge } from '../lib/metrics.ts';
import type { Database } from '../store/database/contract.ts';
import {
  readInstallationTotals,
  type InstallationTotals,
} from '../store/resources/installation-totals.ts';
import type { Observation } from './observation.ts';

/** Time for which counts of the database are reused: several scrapers share them. */
const REUSE_MS = 5_000;
/** A count is reused for this many times its duration: counting takes 5 % of one processor at most. */
const REUSE_FACTOR = 20;
const MAX_AGE_MS = 5 * 60_000;
/** Maximum time that a scrape waits for the database. */
const WAIT_MS = 2_000;

interface Parts {
  database: Pick<Database, 'read' | 'scan'>;
  clock: Clock;
}

/** Exposes what the database holds, and what it reported to this process. */
export function exposeInstallation(
  registry: Registry,
  parts: Parts & Pick<Observation, 'counts'> & { version: string },
): void {
  const { counts, version } = parts;
  exposeGauge(registry, 'tocsin_build_info', () => [
    [{ version, node_version: process.version }, 1],
  ]);
  const totals = createTotals(parts);
  exposeGauge(registry, 'tocsin_monitors', async () => {
    const read = await totals();
    return (read?.monitors ?? []).map(({ type, status, isPaused, count }) => {
      const labels = { monitor_type: type, status: isPaused ? 'paused' : status };
      return [labels, count] as const;
    });
  });
  exposeGauge(registry, 'tocsin_incidents_open', async () => {
    const read = await totals();
    return (read?.openIncidents ?? []).map(({ type, severity, count }) => {
      return [{ incident_type: type, severity }, count] as const;
    });
  });
  exposeGauge(registry, 'tocsin_database_up', async () => [[{}, (await answers(parts)) ? 1 : 0]]);
  exposeCounter(registry, 'tocsin_incidents_opened_total', () => incidentSamples(counts.opened));
  exposeCounter(registry, 'tocsin_incidents_ended_total', () => incidentSamples(counts.ended));
  exposeCounts(registry, 'tocsin_database_slow_queries_total', () => counts.slow);
}

function incidentSamples(counts: ReadonlyMap<string, number>) {
  return [...counts].map(([key, count]) => {
    const [type = '', severity = ''] = key.split(' ');
    return [{ incident_type: type, severity }, count] as const;
  });
}

/**
 * Reads the totals, once for all who ask within a few seconds. While a new count takes long, as behind an export, the last
 * one is used; null without one of the last minutes.
 */
function createTotals({ database, clock }: Parts): () => Promise<InstallationTotals | null> {
  let known: { at: number; tookMs: number; totals: InstallationTotals } | null = null;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const startedAt = clock.monotonic();
    try {
      const totals = await readInstallationTotals(database);
      const at = clock.monotonic();
      known = { at, tookMs: at - startedAt, totals };
    } catch {
      // The last count is used while it is young enough.
    } finally {
      reading = null;
    }
  }

  const isYounger = (ms: number) => known !== null && clock.monotonic() - known.at < ms;
  return async () => {
    if (isYounger(Math.max(REUSE_MS, REUSE_FACTOR * (known?.tookMs ?? 0)))) return known!.totals;
    reading ??= read();
    await waitAtMost(clock, WAIT_MS, reading);
    return isYounger(MAX_AGE_MS) ? known!.totals : null;
  };
}

/** Whether the database answers a small question in time. */
async function answers({ database, clock }: Parts): Promise<boolean> {
  let hasAnswered = false;
  const ask = async () => {
    await database.read.selectFrom('shard').select('shard').limit(1).execute();
    hasAnswered = true;
  };
  await waitAtMost(clock, WAIT_MS, ask()).catch(() => undefined);
  return hasAnswered;
}
