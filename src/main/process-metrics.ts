import { collectDefaultMetrics, type Registry } from 'prom-client';

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
