import { Alive } from '../engine/heartbeat/alive.ts';
import { randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';
import { createIngest, type PingIngest } from '../engine/heartbeat/ingest.ts';
import { createSweep } from '../engine/heartbeat/sweep.ts';
import { exposeCount, exposeCounts } from '../lib/metrics.ts';
import { clock } from './clock.ts';
import { unprefixed } from './metrics.ts';
import type { Parts } from './resources.ts';

export type Heartbeats = ReturnType<typeof createHeartbeats>;

/** Heartbeat stage: records pings, and detects missing ones. */
export function createHeartbeats({ settings, database, clientKeys, registry, log }: Parts) {
  const alive = new Alive({
    database,
    clock,
    log,
    processId: randomUUID(),
    oldestWaitingAt: () => pings.oldestWaitingAt(),
  });
  const pings: PingIngest = createIngest({
    database,
    clock,
    limit: settings.rateLimits === 'off' ? null : settings.rateLimitPing,
    shownLimit: settings.rateLimitPing,
    clientOf: (sourceAddress) => clientKeys.client(sourceAddress),
    onRefused: (receivedAt) => alive.reportFailure(receivedAt),
  });
  const sweep = createSweep({
    database,
    clock,
    log,
    isCertain: () => alive.isCertain(),
    oldestWaitingAt: () => pings.oldestWaitingAt(),
    heldUpSince: (monitorId) => pings.heldUpSince(monitorId),
    heardByOthers: (tx) => alive.heardByOthers(tx),
  });
  exposeHeartbeats(registry, { alive, pings, sweep });
  return { alive, pings, sweep };
}

function exposeHeartbeats(registry: Registry, { alive, pings, sweep }: Heartbeats): void {
  exposeCounts(registry, 'tocsin_pings_total', () => unprefixed(pings.counters, 'pings_'));
  exposeCount(registry, 'tocsin_ping_gaps_total', () => alive.counters.gaps);
  exposeCount(registry, 'tocsin_ping_stalls_total', () => alive.counters.stalls);
  exposeCount(registry, 'tocsin_ping_marks_failed_total', () => alive.counters.marks_failed);
  exposeCount(registry, 'tocsin_silences_evaluated_total', () => sweep.counters.evaluated);
  exposeCount(registry, 'tocsin_silences_failed_total', () => sweep.counters.failures);
}
