import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** Shows counts that somebody else keeps, one label value for each of their names, read when metrics are asked for. */
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

/** Shows a value as it is when metrics are asked for. */
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

/** Shows a count that somebody else keeps, read when metrics are asked for. */
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
