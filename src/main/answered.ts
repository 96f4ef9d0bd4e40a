import type { Registry } from 'prom-client';
import type { AnsweredRequest } from '../api/answered.ts';
import { createHistogram, exposeCounter } from '../lib/metrics.ts';

/** Counts requests that were answered. */
export interface AnsweredCounter {
  count(answered: AnsweredRequest): void;
  total(): number;
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Exposes requests by route and status, and their durations. */
export function createAnsweredCounter(registry: Registry): AnsweredCounter {
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
    count({ method, route, status, durationMs }) {
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
