import { randomUUID } from 'node:crypto';
import { createAlive } from '../engine/heartbeat/alive.ts';
import { createIngest, type PingIngest } from '../engine/heartbeat/ingest.ts';
import { createSweep } from '../engine/heartbeat/sweep.ts';
import { clock } from './clock.ts';
import { exposeHeartbeats } from './metrics.ts';
import type { Parts } from './resources.ts';

export type Heartbeats = ReturnType<typeof createHeartbeats>;

/** Heartbeat stage: records pings, and detects missing ones. */
export function createHeartbeats({ settings, database, clientKeys, registry, log }: Parts) {
  const alive = createAlive({
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
