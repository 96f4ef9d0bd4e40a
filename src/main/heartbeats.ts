import { randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { Alive } from '../engine/heartbeat/alive.ts';
import { createIngest } from '../engine/heartbeat/ingest.ts';
import type { PingIngest } from '../engine/heartbeat/ingest.ts';
import { createSweep } from '../engine/heartbeat/sweep.ts';
import type { Sweep } from '../engine/heartbeat/sweep.ts';
import type { ClientKeys } from '../identity/client-keys.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { exposeHeartbeats } from './metrics.ts';

/** Heartbeat stage: records pings, and detects missing ones. */
export interface Heartbeats {
  alive: Alive;
  pings: PingIngest;
  sweep: Sweep;
}

export function createHeartbeats(
  settings: Config,
  parts: { database: Database; clientKeys: ClientKeys; registry: Registry; log: Log },
): Heartbeats {
  const { database, clientKeys, registry, log } = parts;
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
