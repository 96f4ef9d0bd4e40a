import type { ResponseTimes } from '../../app/api.gen.ts';

export type View = 'regions' | 'phases' | 'percentiles';

/** Values of a line, one for each time; null where nothing was measured. */
export interface Line {
  key: string;
  label: string;
  values: (number | null)[];
  /** Token of its colour. */
  color: string;
  /** Pixels of strokes and gaps; none for a solid line. */
  dash: number[];
  /** `line`; `area` down to zero or to the line below; `dots` for outliers. */
  shape: 'line' | 'area' | 'dots';
  /** Positions of the dots; all of them unless given. */
  dots?: number[];
}

/** What a chart draws. Times are seconds since 1970. */
export interface Chart {
  times: number[];
  from: number;
  to: number;
  lines: Line[];
  /** Pairs of positions in `lines` with a soft area between them. */
  bands: [upper: number, lower: number][];
}

type Kind = 'outage' | 'degraded' | 'maintenance' | 'paused' | 'unobserved';

/** Time that is drawn behind the lines. */
export interface Span {
  kind: Kind;
  from: number;
  to: number;
  /** Whether it began before the chart does. */
  isCut: boolean;
}

/** A 99th percentile this many times the 95th is an outlier worth a dot. */
const OUTLIER = 1.2;

/** Distinguished by hue, lightness and dash. */
const REGION_LOOKS: { color: string; dash: number[] }[] = [
  { color: '--c1', dash: [] },
  { color: '--c4', dash: [5, 3] },
  { color: '--c2', dash: [] },
  { color: '--c3', dash: [] },
  { color: '--c1', dash: [2, 3] },
  { color: '--c3', dash: [7, 3] },
  { color: '--c2', dash: [2, 3] },
  { color: '--c4', dash: [] },
];

const PHASE_KEYS = ['dns_ms', 'tcp_ms', 'tls_ms', 'ttfb_ms'] as const;

export interface Labels {
  region: (code: string) => string;
  /** The only place that all regions are checked from: then they are one line. */
  place: string | null;
  phases: Record<'dns' | 'tcp' | 'tls' | 'ttfb', string>;
  percentiles: Record<'p50' | 'p95' | 'p99', string>;
}

/** Lines of a view of response times. */
export function chartOf(data: ResponseTimes, view: View, labels: Labels): Chart {
  const base = {
    times: data.at.map(seconds),
    from: seconds(data.from),
    to: seconds(data.to),
    bands: [] as Chart['bands'],
  };
  switch (view) {
    case 'regions':
      return { ...base, lines: regionLines(data, labels) };
    case 'phases':
      return { ...base, lines: phaseLines(data, labels) };
    case 'percentiles':
      return { ...base, lines: percentileLines(data, labels), bands: [[0, 1]] };
  }
}

function regionLines({ regions, all }: ResponseTimes, { region, place }: Labels): Line[] {
  if (place !== null)
    return [{ key: 'all', label: place, values: all.p50, color: '--c1', dash: [], shape: 'line' }];
  return Object.entries(regions).map(([code, { p50 }], index) => ({
    key: code,
    label: region(code),
    values: p50,
    ...REGION_LOOKS[index % REGION_LOOKS.length]!,
    shape: 'line',
  }));
}

/** Each area ends where those before it end, so that they are stacked; the highest is drawn first. */
function phaseLines({ phases }: ResponseTimes, { phases: names }: Labels): Line[] {
  const sums: (number | null)[] = phases.dns_ms.map(() => null);
  return PHASE_KEYS.map((key) => {
    for (const [index, value] of phases[key].entries())
      if (value !== null) sums[index] = (sums[index] ?? 0) + value;
    const phase = key.slice(0, -'_ms'.length) as keyof typeof names;
    return {
      key: phase,
      label: names[phase],
      values: [...sums],
      color: `--p-${phase}`,
      dash: [],
      shape: 'area' as const,
    };
  }).toReversed();
}

function percentileLines({ all }: ResponseTimes, { percentiles }: Labels): Line[] {
  return [
    {
      key: 'p95',
      label: percentiles.p95,
      values: all.p95,
      color: '--c2',
      dash: [2, 3],
      shape: 'line',
    },
    { key: 'p50', label: percentiles.p50, values: all.p50, color: '--c1', dash: [], shape: 'line' },
    {
      key: 'p99',
      label: percentiles.p99,
      values: all.p99,
      dots: outliers(all.p99, all.p95),
      color: '--c4',
      dash: [],
      shape: 'dots',
    },
  ];
}

/** Positions of values that are far above those of another line. */
export function outliers(
  values: readonly (number | null)[],
  usual: readonly (number | null)[],
): number[] {
  return [...values.keys()].filter((index) => {
    const value = values[index] ?? null;
    const other = usual[index] ?? null;
    return value !== null && other !== null && value >= other * OUTLIER;
  });
}

/** Spans of time behind the lines, in the order in which they are drawn. */
export function spansOf(data: ResponseTimes): Span[] {
  const start = seconds(data.from);
  const spans: Span[] = [
    ...data.unobserved.map((time) => spanOf(time, 'unobserved', start)),
    ...data.paused.map((time) => spanOf(time, 'paused', start)),
    ...data.maintenance.map((time) => spanOf(time, 'maintenance', start)),
    ...data.outages.map((time) =>
      spanOf(time, time.status === 'offline' ? 'outage' : 'degraded', start),
    ),
  ];
  return spans.filter(({ kind, from, to }) => !(kind === 'unobserved' && isPaused(data, from, to)));
}

function spanOf(time: { from: string; to: string }, kind: Kind, start: number): Span {
  const from = seconds(time.from);
  return { kind, from, to: seconds(time.to), isCut: from <= start };
}

/** A pause is not observed either, and is named as what it is. */
function isPaused({ paused }: ResponseTimes, from: number, to: number): boolean {
  return paused.some((pause) => seconds(pause.from) <= from && seconds(pause.to) >= to);
}

/** Newest value of a line; null if there is none at all. */
export function newestOf(values: readonly (number | null)[]): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

/** Value of a phase itself, from the heights of the areas at one time. */
export function ownValue(lines: readonly Line[], line: number, index: number): number | null {
  const { shape, values } = lines[line]!;
  const value = values[index] ?? null;
  if (shape !== 'area' || value === null) return value;
  return value - (lines[line + 1]?.values[index] ?? 0);
}

export function hasValues({ lines }: Chart): boolean {
  return lines.some(({ values }) => newestOf(values) !== null);
}

/** Positions without a neighbour on either side: a line would not show them. */
export function lonePoints(values: readonly (number | null | undefined)[]): number[] {
  const isThere = (index: number) => values[index] !== null && values[index] !== undefined;
  return [...values.keys()].filter(
    (index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1),
  );
}

/** Positions of at most `most` rows of a table, evenly spread, the newest first. */
export function tableRows(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  const rows: number[] = [];
  for (let index = count - 1; index >= 0; index -= step) rows.push(index);
  return rows;
}

function seconds(time: string): number {
  return Date.parse(time) / 1_000;
}
