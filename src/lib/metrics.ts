import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import {
  METRICS,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelOf,
  type MetricName,
} from './metric-table.ts';

export type Samples<Name extends MetricName> = Iterable<
  readonly [labels: Record<LabelOf<Name>, string>, value: number]
>;

/** Registers a gauge whose samples are read at each scrape. Those of the same labels are added up; labels without a sample disappear. */
export function exposeGauge<Name extends GaugeName>(
  registry: Registry,
  name: Name,
  read: () => Samples<Name> | Promise<Samples<Name>>,
): void {
  registry.registerMetric(
    new Gauge({
      ...definition(name),
      async collect() {
        const samples = await read();
        this.reset();
        for (const [labels, value] of samples) this.inc(labels, value);
      },
    }),
  );
}

/** Registers a counter whose samples are read at each scrape. */
export function exposeCounter<Name extends CounterName>(
  registry: Registry,
  name: Name,
  read: () => Samples<Name>,
): void {
  registry.registerMetric(
    new Counter({
      ...definition(name),
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    }),
  );
}

/** Registers a counter with one label, whose values are the keys. */
export function exposeCounts<Name extends CounterName>(
  registry: Registry,
  name: Name,
  counts: () => Readonly<Record<string, number>>,
): void {
  const [label] = METRICS[name].labels as readonly string[];
  exposeCounter(registry, name, () =>
    Object.entries(counts()).map(
      ([value, count]) => [{ [label!]: value } as Record<LabelOf<Name>, string>, count] as const,
    ),
  );
}

/** Registers a gauge without labels whose value is read at each scrape. */
export function exposeValue(registry: Registry, name: GaugeName, value: () => number): void {
  exposeGauge(registry, name, () => [[NO_LABELS, value()]]);
}

/** Registers a counter without labels whose value is read at each scrape. */
export function exposeCount(registry: Registry, name: CounterName, count: () => number): void {
  exposeCounter(registry, name, () => [[NO_LABELS, count()]]);
}

const NO_LABELS = {} as never;

export function createHistogram<Name extends HistogramName>(
  registry: Registry,
  name: Name,
  buckets: number[],
): Histogram<LabelOf<Name>> {
  const histogram = new Histogram({ ...definition(name), buckets });
  registry.registerMetric(histogram);
  return histogram as Histogram<LabelOf<Name>>;
}

/** Name, help and labels of a metric; it is not in the registry of prom-client. */
function definition(name: MetricName) {
  const { help, labels } = METRICS[name];
  return { name, help, labelNames: [...labels] as string[], registers: [] };
}
