import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import { notifyOperators } from '../alerting/notify/system-messages.ts';
import type { Config } from '../config/config.ts';
import { InstallationHealth } from '../engine/installation-health/watch.ts';
import { systemClock } from '../lib/clock.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import { exposeCounts, exposeGauge, exposeValue } from '../lib/metrics.ts';
import { PROBLEM_KINDS } from '../model/installation-health.ts';
import type { Database } from '../store/database/contract.ts';
import type { Checking } from './checking.ts';
import type { Outside } from './outside.ts';
import type { Probes } from './probes.ts';
import { freeBytes, probesByRegion } from './readiness.ts';

export interface HealthParts {
  database: Database;
  probes: Pick<Probes, 'probesOf'>;
  checking: Pick<Checking, 'nodeId' | 'scheduler'>;
  outside: Pick<Outside, 'createHttpClient'>;
  onDeliveries: () => void;
  baseUrl: () => string;
  version: string;
  registry: Registry;
  log: Log;
}

/** Builds the stage that watches the installation itself, and exposes its metrics. */
export function createHealth(settings: Config, parts: HealthParts): InstallationHealth {
  const { database, probes, checking, registry, outside, ...rest } = parts;
  const { roles, watchdogPingUrl, watchdogPingInterval } = settings;
  const regions = [...settings.regions, ...settings.privateRegions];
  const scheduler = roles.includes('scheduler') ? checking.scheduler : null;
  const asksProbes = scheduler !== null || roles.includes('api');
  const health = new InstallationHealth({
    ...rest,
    database,
    clock,
    machineClock: systemClock,
    processId: checking.nodeId,
    name: `${hostname()}:${settings.port}`,
    roles,
    regions: regions.map(({ code }) => code),
    async observe() {
      const { due, late } = scheduler?.punctuality() ?? { due: null, late: null };
      return {
        lagMs: scheduler === null ? null : Math.round(scheduler.lagMs()),
        checksDue: due,
        checksLate: late,
        probes: asksProbes ? probesByRegion(regions, probes) : null,
        freeBytes:
          settings.databaseUrl === null
            ? await freeBytes(settings.dataDir).catch(() => null)
            : null,
      };
    },
    notify: (tx, message, now) =>
      notifyOperators(tx, message, { now, mail: settings.smtpUrl !== null }),
    // The rule for targets protects the network from users; these URLs are the operators' own.
    http: outside.createHttpClient({ ...settings, allowPrivateTargets: 'true' }),
    watchdog:
      watchdogPingUrl === null
        ? null
        : { url: watchdogPingUrl, intervalMs: watchdogPingInterval * 1_000 },
    operatorWebhook: settings.operatorWebhookUrl,
  });
  expose(registry, health);
  return health;
}

function expose(registry: Registry, health: InstallationHealth): void {
  exposeGauge(registry, 'tocsin_installation_problem', () =>
    PROBLEM_KINDS.map(
      (kind) =>
        [{ kind }, health.problems().filter((problem) => problem.kind === kind).length] as const,
    ),
  );
  exposeValue(
    registry,
    'tocsin_installation_evaluated_timestamp_seconds',
    () => (health.evaluatedAt() ?? 0) / 1_000,
  );
  exposeValue(
    registry,
    'tocsin_oldest_due_delivery_seconds',
    () => health.summary()?.oldestDeliverySeconds ?? 0,
  );
  exposeValue(registry, 'tocsin_clock_offset_seconds', () => (health.clockOffsetMs() ?? 0) / 1_000);
  exposeCounts(registry, 'tocsin_watchdog_pings_total', () => ({ ...health.pings }));
}
