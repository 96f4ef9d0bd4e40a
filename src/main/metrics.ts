import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { AnsweredRequest } from '../api/answered.ts';
import type { ProbeProcessState } from '../engine/bus/probe-process.ts';
import {
  createHistogram,
  exposeCount,
  exposeCounter,
  exposeGauge,
  exposeValue,
} from '../lib/metrics.ts';
import type { ProbeLoad } from '../model/probe-load.ts';
import type { Probes } from './probes.ts';

/** Counts whose names begin with that, by the rest of the name. */
export function unprefixed(counts: object, prefix: string): Record<string, number> {
  const entries = Object.entries(counts).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(
    entries.map(([name, count]) => [name.slice(prefix.length), count as number]),
  );
}

/** Gauges of prom-client that are named as counters; the same numbers stand by type beside them. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Exposes processor time, memory, event loop and garbage collection of this process, by prom-client. */
export function exposeProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

export function exposeOwnProbes(
  registry: Registry,
  processes: () => Pick<ProbeProcessState, 'pid' | 'load'>[],
): void {
  const load = (name: keyof ProbeLoad) => () =>
    processes().reduce((total, one) => total + (one.load?.[name] ?? 0), 0);
  exposeValue(
    registry,
    'tocsin_probe_processes',
    () => processes().filter((one) => one.pid !== null).length,
  );
  exposeValue(registry, 'tocsin_probe_checks_running', load('running'));
  exposeValue(registry, 'tocsin_probe_checks_waiting', load('waiting'));
  exposeValue(registry, 'tocsin_probe_slots', load('capacity'));
}

/** Exposes the probes that this process reaches over NATS, and what it sent them. Nothing without NATS. */
export function exposeFleet(
  registry: Registry,
  { probes, regions }: { probes: Probes; regions: readonly string[] },
): void {
  const { sent } = probes;
  if (sent === null) return;
  exposeValue(registry, 'tocsin_nats_connected', () => (probes.isBusConnected() ? 1 : 0));
  exposeCount(registry, 'tocsin_nats_batches_sent_total', () => sent.batches_sent);
  exposeCount(registry, 'tocsin_nats_requests_resent_total', () => sent.requests_sent_again);
  exposeCount(registry, 'tocsin_nats_requests_lost_total', () => sent.requests_lost);
  exposeCount(registry, 'tocsin_nats_messages_unreadable_total', () => sent.messages_unreadable);
  const ofRegions = (measure: (infos: ReturnType<Probes['probesOf']>) => number) => () =>
    regions.map((region) => [{ region }, measure(probes.probesOf(region))] as const);
  const sum = (name: keyof ProbeLoad) =>
    ofRegions((infos) =>
      infos
        .filter(({ takesChecks }) => takesChecks)
        .flatMap(({ load }) => load)
        .reduce((total, load) => total + (load[name] ?? 0), 0),
    );
  exposeGauge(
    registry,
    'tocsin_region_probes',
    ofRegions((infos) => infos.filter(({ takesChecks }) => takesChecks).length),
  );
  exposeGauge(registry, 'tocsin_region_checks_running', sum('running'));
  exposeGauge(registry, 'tocsin_region_checks_waiting', sum('waiting'));
  exposeGauge(registry, 'tocsin_region_slots', sum('capacity'));
}

export type AnsweredCounter = ReturnType<typeof createAnsweredCounter>;

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests that were answered, and exposes them by route and status, and their durations. */
export function createAnsweredCounter(registry: Registry) {
  const durations = createHistogram(registry, 'tocsin_http_request_duration_seconds', BUCKETS);
  const counts = new Map<
    string,
    { labels: Record<'method' | 'route' | 'code', string>; count: number }
  >();
  let total = 0;
  exposeCounter(registry, 'tocsin_http_requests_total', () =>
    [...counts.values()].map(({ labels, count }) => [labels, count] as const),
  );
  return {
    count({ method, route, status, durationMs }: AnsweredRequest) {
      total += 1;
      const key = `${method} ${status} ${route}`;
      const known = counts.get(key);
      if (known !== undefined) known.count += 1;
      else counts.set(key, { labels: { method, route, code: String(status) }, count: 1 });
      durations.observe({ method, route }, durationMs / 1_000);
    },
    total: () => total,
  };
}
