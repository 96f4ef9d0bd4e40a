import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** Registers a counter with one label, whose values are read at each scrape. */
export function exposeCounts(
  registry: Registry,
  metric: { name: string; help: string; label: string },
  counts: () => Readonly<Record<string, number>>,
): void {
  registry.registerMetric(
    new Counter({
      name: metric.name,
      help: metric.help,
      labelNames: [metric.label],
      registers: [],
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(counts()))
          this.inc({ [metric.label]: value }, count);
      },
    }),
  );
}

/** Registers a gauge whose value is read at each scrape. */
export function exposeValue(
  registry: Registry,
  name: string,
  help: string,
  value: () => number,
): void {
  registry.registerMetric(
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(value());
      },
    }),
  );
}

/** Registers a counter whose value is read at each scrape. */
export function exposeCount(
  registry: Registry,
  name: string,
  help: string,
  count: () => number,
): void {
  registry.registerMetric(
    new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset();
        this.inc(count());
      },
    }),
  );
}
