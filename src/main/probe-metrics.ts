import type { Registry } from 'prom-client';
import type { ProbeProcessState } from '../engine/bus/probe-process.ts';
import { exposeCount, exposeGauge, exposeValue } from '../lib/metrics.ts';
import type { ProbeLoad } from '../model/probe-load.ts';
import type { Probes } from './probes.ts';

/** Exposes the load of the probes of this machine. */
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
