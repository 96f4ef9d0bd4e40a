import { stringify } from 'csv-stringify/sync';
import { singleLine, withoutFormulas } from '../lib/text.ts';
import type { Compared, MonitorFacts, PartFacts, ReportFacts } from './model.ts';

/** Delimiters by their names in the API. */
export const DELIMITERS = { ',': ',', ';': ';', tab: '\t' } as const;
export type Delimiter = keyof typeof DELIMITERS;

/** One line: a monitor, a group, a tag or the total. */
interface Line extends Compared {
  kind: 'total' | 'group' | 'tag' | 'monitor';
  id: number | null;
  name: string;
  monitors: number;
  objective: MonitorFacts['objective'];
}

type Cell = string | number | null;

const seconds = (ms: number | null | undefined) => (ms == null ? null : Math.round(ms) / 1_000);

const COLUMNS: readonly [name: string, value: (line: Line, facts: ReportFacts) => Cell][] = [
  ['kind', ({ kind }) => kind],
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['monitors_count', ({ monitors }) => monitors],
  ['from', (_, { period }) => new Date(period.from).toISOString()],
  ['to', (_, { period }) => new Date(period.to).toISOString()],
  ['uptime_percent', ({ figures }) => figures.uptimePercent],
  ['observed_percent', ({ figures }) => figures.observedPercent],
  ['up_seconds', ({ figures }) => seconds(figures.upMs)],
  ['degraded_seconds', ({ figures }) => seconds(figures.degradedMs)],
  ['down_seconds', ({ figures }) => seconds(figures.downMs)],
  ['excluded_seconds', ({ figures }) => seconds(figures.excludedMs)],
  ['unobserved_seconds', ({ figures }) => seconds(figures.unobservedMs)],
  ['incidents', ({ figures }) => figures.outages],
  ['mttr_seconds', ({ figures }) => seconds(figures.mttrMs)],
  ['mtbf_seconds', ({ figures }) => seconds(figures.mtbfMs)],
  ['response_time_p50_ms', ({ figures }) => figures.responseTimes.p50],
  ['response_time_p95_ms', ({ figures }) => figures.responseTimes.p95],
  ['response_time_p99_ms', ({ figures }) => figures.responseTimes.p99],
  ['corrected', (_, { isCorrected }) => String(isCorrected)],
  ['corrected_uptime_percent', (line, facts) => uptimeWith(line, facts, true)],
  ['uncorrected_uptime_percent', (line, facts) => uptimeWith(line, facts, false)],
  ['corrected_down_seconds', (line, facts) => downWith(line, facts, true)],
  ['uncorrected_down_seconds', (line, facts) => downWith(line, facts, false)],
  ['slo_target_percent', ({ objective }) => objective?.targetPercent ?? null],
  ['slo_window_days', ({ objective }) => objective?.windowDays ?? null],
  ['slo_budget_left_seconds', ({ objective }) => seconds(objective?.leftMs)],
];

/**
 * Figures as CSV (RFC 4180) with a header line: the total, then groups, tags and monitors. Numbers have a dot. Every text
 * is quoted, and no text holds a formula, whatever delimiter a spreadsheet takes it to have.
 */
export function reportCsv(facts: ReportFacts, delimiter: Delimiter): string {
  const records = linesOf(facts).map((line) =>
    COLUMNS.map(([, value]) => {
      const cell = value(line, facts);
      return typeof cell === 'string' ? safeText(cell) : cell;
    }),
  );
  return stringify([COLUMNS.map(([name]) => name), ...records], {
    delimiter: DELIMITERS[delimiter],
    record_delimiter: 'windows',
    quoted_string: true,
  });
}

/** A text of one line that no spreadsheet reads as a formula. */
export function safeText(text: string): string {
  return withoutFormulas(singleLine(text));
}

const part = (kind: 'group' | 'tag') => (one: PartFacts) => ({
  ...one,
  kind,
  monitors: one.monitorIds.length,
  objective: null,
});

function linesOf(facts: ReportFacts): Line[] {
  const { monitors, groups, tags, total } = facts;
  return [
    {
      ...total,
      kind: 'total',
      id: null,
      name: facts.name ?? facts.team,
      monitors: monitors.length,
      objective: null,
    },
    ...groups.map(part('group')),
    ...tags.map(part('tag')),
    ...monitors.map((one): Line => ({ ...one, kind: 'monitor', monitors: 1 })),
  ];
}

function figuresWith({ figures, other }: Compared, facts: ReportFacts, isCorrected: boolean) {
  return facts.isCorrected === isCorrected ? figures : (other ?? figures);
}

const uptimeWith = (line: Line, facts: ReportFacts, isCorrected: boolean) =>
  figuresWith(line, facts, isCorrected).uptimePercent;
const downWith = (line: Line, facts: ReportFacts, isCorrected: boolean) =>
  seconds(figuresWith(line, facts, isCorrected).downMs);
