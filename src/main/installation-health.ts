import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import { notifyOperators } from '../alerting/notify/system-messages.ts';
import { InstallationHealth } from '../engine/installation-health/watch.ts';
import { systemClock } from '../lib/clock.ts';
import { exposeCounts, exposeGauge, exposeValue } from '../lib/metrics.ts';
import { PROBLEM_KINDS } from '../model/installation-health.ts';
import type { Checking } from './checking.ts';
import { clock } from './clock.ts';
import type { Outside } from './outside.ts';
import type { Probes } from './probes.ts';
import type { Parts } from './resources.ts';

/** Builds the stage that watches the installation itself, and exposes its metrics. */
export function createHealth(
  parts: Parts & {
    checking: Pick<Checking, 'nodeId' | 'scheduler'>;
    outside: Pick<Outside, 'createHttpClient'>;
    onDeliveries: () => void;
    isRefusingFiles: () => boolean;
    /** Names of configuration sets whose discovery fails. */
    failingDiscoveries: () => string[];
  },
): InstallationHealth {
  const { settings, database, probes, checking, registry, outside } = parts;
  const { baseUrl, version, log, onDeliveries } = parts;
  const { roles, watchdogPingUrl, watchdogPingInterval } = settings;
  const regions = [...settings.regions, ...settings.privateRegions];
  const scheduler = roles.includes('scheduler') ? checking.scheduler : null;
  const asksProbes = scheduler !== null || roles.includes('api');
  const health = new InstallationHealth({
    database,
    baseUrl,
    version,
    log,
    onDeliveries,
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
        isRefusingFiles: parts.isRefusingFiles(),
        failingDiscoveries: parts.failingDiscoveries(),
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

/** Number of processes that take checks, by region, on all machines that this process reaches. */
export function probesByRegion(
  regions: readonly { code: string }[],
  probes: Pick<Probes, 'probesOf'>,
): Record<string, number> {
  return Object.fromEntries(
    regions.map(({ code }) => {
      const taking = probes.probesOf(code).filter(({ takesChecks }) => takesChecks);
      return [code, taking.reduce((sum, { load }) => sum + Math.max(1, load.length), 0)];
    }),
  );
}

/** Free space of the file system of a folder, bytes. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
