import type { Compared, ExclusionFacts, IncidentFacts, MonitorFacts, PartFacts } from '../model.ts';
import { fill } from '../words/words.ts';
import { barsOf, drawLegend, drawResponseChart, LEAST_CHART } from './bars.ts';
import { COLORS, PAGE, STYLES, TEXT_WIDTH, type Sheet } from './sheet.ts';
import { drawTable, numberColumn, textColumn, type Cell, type Column } from './table.ts';

/** Rows of a PDF table; the data of a report has all. */
const MAX_ROWS = 200;
/** Monitors of a ranking. */
const RANKED = 8;
/** Rows of a table that stay below its heading: the others may be on the next page. */
const ROWS_KEPT = 3;

/** Height of the first rows of a table, with names of one line. */
const heightOfRows = (rows: number) => 20 + Math.min(rows, ROWS_KEPT) * 20;

/** Draws all that follows the cover. What holds nothing is left out: the sentences of the cover say so. */
export function drawSections(sheet: Sheet): void {
  const { words } = sheet.format;
  drawMonitors(sheet);
  drawParts(sheet, words.groups, sheet.facts.groups);
  drawParts(sheet, words.tags, sheet.facts.tags);
  drawObjectives(sheet);
  drawResponseTimes(sheet);
  drawIncidents(sheet);
  drawExclusions(sheet);
  drawDifferences(sheet);
  drawMethod(sheet);
}

function drawMonitors(sheet: Sheet): void {
  const { facts, format } = sheet;
  const { words } = format;
  if (facts.monitors.length === 0) return;
  sheet.heading(words.monitors);
  drawLegend(sheet);
  const total = { text: words.total, style: { ...STYLES.cell, weight: 'bold' } } as const;
  const days = `${words.days} (${format.count(facts.days.length)})`;
  const columns: Column<MonitorFacts | Compared>[] = [
    textColumn(words.monitor, 118, 2, (row) => ('name' in row ? row.name : total)),
    textColumn(days, 124, 1, (row) =>
      'name' in row ? barsOf(sheet, row.name, row, row.days) : '',
    ),
    ...mainColumns(sheet, 48),
  ];
  drawTable(sheet, columns, [...facts.monitors, facts.total]);
}

function mainColumns({ format }: Sheet, widthOfP95: number): Column<Compared>[] {
  const { words, percent, duration, milliseconds } = format;
  return [
    numberColumn(words.uptime, 60, ({ figures }) => percent(figures.uptimePercent)),
    numberColumn(words.observed, 51, ({ figures }) => percent(figures.observedPercent, 2)),
    numberColumn(words.downtime, 58, ({ figures }) => duration(figures.downMs)),
    numberColumn('p95', widthOfP95, ({ figures }) => milliseconds(figures.responseTimes.p95)),
  ];
}

/** How often something was down, and how long until it was repaired. */
function outageColumns({ format }: Sheet, widths: [number, number]): Column<Compared>[] {
  const { words, count, duration } = format;
  return [
    numberColumn(words.outages, widths[0], ({ figures }) => count(figures.outages)),
    numberColumn('MTTR', widths[1], ({ figures }) => duration(figures.mttrMs)),
  ];
}

function drawParts(sheet: Sheet, title: string, parts: readonly PartFacts[]): void {
  if (parts.length === 0) return;
  const { words, count } = sheet.format;
  sheet.heading(title);
  const columns: Column<PartFacts>[] = [
    textColumn(title, 92, 2, ({ name }) => name),
    numberColumn(words.monitors, 42, ({ monitorIds }) => count(monitorIds.length)),
    ...mainColumns(sheet, 44),
    ...outageColumns(sheet, [40, 56]),
  ];
  drawTable(sheet, columns, parts);
}

function drawObjectives(sheet: Sheet): void {
  const { words, percent, duration, count } = sheet.format;
  const monitors = sheet.facts.monitors.filter(({ objective }) => objective !== null);
  if (monitors.length === 0) return;
  sheet.heading(words.objectives);
  const columns: Column<MonitorFacts>[] = [
    textColumn(words.monitor, 170, 2, ({ name }) => name),
    textColumn(words.objective, 130, 1, ({ objective }) => {
      const { targetPercent, windowDays } = objective!;
      const decimals = String(targetPercent).split('.')[1]?.length ?? 0;
      const target = percent(targetPercent, Math.min(3, decimals));
      return fill(words.objectiveText, { target, days: count(windowDays) });
    }),
    numberColumn(words.budgetLeft, 183, ({ objective }) => {
      const { leftMs, leftPercent } = objective!;
      return leftMs < 0
        ? warning(fill(words.budgetSpent, { time: duration(-leftMs) }))
        : `${percent(leftPercent, 1)} (${duration(leftMs)})`;
    }),
  ];
  drawTable(sheet, columns, monitors);
}

const warning = (text: string): Cell => ({
  text,
  style: { ...STYLES.cell, weight: 'bold', color: COLORS.downText },
});

function drawResponseTimes(sheet: Sheet): void {
  const { facts, format } = sheet;
  const { words } = format;
  const slowest = facts.monitors
    .filter(({ figures }) => figures.responseTimes.p95 !== null)
    .toSorted((a, b) => b.figures.responseTimes.p95! - a.figures.responseTimes.p95!)
    .slice(0, RANKED);
  if (facts.responseDays.length === 0) return;
  const rows = heightOfRows(slowest.length);
  sheet.heading(words.responseTimes, LEAST_CHART + rows);
  drawResponseChart(sheet, facts.responseDays, rows);
  const columns: Column<MonitorFacts>[] = [
    textColumn(words.monitor, TEXT_WIDTH - 240, 2, ({ name }) => name),
    ...(['p50', 'p95', 'p99'] as const).map((title) =>
      numberColumn<MonitorFacts>(title, 72, ({ figures }) =>
        format.milliseconds(figures.responseTimes[title]),
      ),
    ),
  ];
  drawTable(sheet, columns, slowest);
}

/** Monitors with the most downtime, with a bar for each, as many as there is room for on the page. */
export function drawRanking(sheet: Sheet): void {
  const { facts, format } = sheet;
  const { words } = format;
  const ranked = facts.monitors
    .filter(({ figures }) => figures.downMs > 0)
    .toSorted((a, b) => b.figures.downMs - a.figures.downMs)
    .slice(0, Math.floor((PAGE.bottom - sheet.y - 66) / 20));
  if (ranked.length === 0) return;
  sheet.heading(words.longestDowntime, 0);
  const most = ranked[0]!.figures.downMs;
  const height = 8;
  const columns: Column<MonitorFacts>[] = [
    textColumn(words.monitor, 150, 1, ({ name }) => name),
    textColumn('', 150, 1, ({ figures: { downMs } }) => ({
      alt: format.duration(downMs),
      height,
      draw: (x, y, width) =>
        void sheet.doc.rect(x, y, Math.max(1, (width * downMs) / most), height).fill(COLORS.down),
    })),
    numberColumn(words.downtime, 62, ({ figures }) => format.duration(figures.downMs)),
    ...outageColumns(sheet, [44, TEXT_WIDTH - 438]),
  ];
  drawTable(sheet, columns, ranked);
}

function drawIncidents(sheet: Sheet): void {
  const { facts, format } = sheet;
  const { words } = format;
  if (facts.incidents.length === 0) return;
  sheet.heading(words.incidents, heightOfRows(facts.incidents.length));
  const columns: Column<IncidentFacts>[] = [
    textColumn(words.started, 76, 1, ({ startedAt }) => format.shortMoment(startedAt)),
    textColumn(words.monitor, 112, 2, ({ monitor }) => monitor),
    textColumn(words.cause, 224, 3, (incident) => causeOf(sheet, incident)),
    numberColumn(words.duration, TEXT_WIDTH - 436, ({ endedAt, durationMs }) =>
      endedAt === null ? warning(words.ongoing) : format.duration(durationMs),
    ),
  ];
  drawFirst(sheet, columns, facts.incidents, facts.incidentsTotal);
}

/** A table of the first rows, and how many more there are. */
function drawFirst<Row>(
  sheet: Sheet,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  total: number,
): void {
  const { words, count } = sheet.format;
  const shown = rows.slice(0, MAX_ROWS);
  drawTable(sheet, columns, shown);
  const rest = total - shown.length;
  if (rest > 0) sheet.paragraph(fill(words.more, { count: count(rest) }), STYLES.small);
}

function causeOf({ format }: Sheet, { type, cause }: IncidentFacts): string {
  const types: Record<string, string> = format.words.types;
  return `${types[type] ?? types['other']!}: ${cause ?? format.words.noCause}`;
}

function drawExclusions(sheet: Sheet): void {
  const { facts, format } = sheet;
  const { words } = format;
  if (facts.exclusions.length === 0) return;
  sheet.heading(words.excluded, heightOfRows(facts.exclusions.length));
  const columns: Column<ExclusionFacts>[] = [
    textColumn(words.from, 76, 1, ({ from }) => format.shortMoment(from)),
    textColumn(words.until, 76, 1, ({ to }) => format.shortMoment(to)),
    textColumn(words.reason, 190, 4, (exclusion) => reasonOf(sheet, exclusion)),
    textColumn(words.monitors, TEXT_WIDTH - 366, 3, ({ monitors }) => monitors.join(', ')),
  ];
  drawFirst(sheet, columns, facts.exclusions, facts.exclusionsTotal);
}

function reasonOf({ format }: Sheet, { kind, reason, author }: ExclusionFacts): string {
  const { words } = format;
  const text = author === null ? reason : fill(words.by, { reason, author });
  return `${words.kinds[kind]}: ${text}`;
}

/** Monitors whose figures corrections change, both ways. */
function drawDifferences(sheet: Sheet): void {
  const { facts, format } = sheet;
  const { words, percent, duration } = format;
  const changed = facts.monitors.filter(({ other }) => other !== null);
  if (changed.length === 0) return;
  sheet.heading(words.differsFrom);
  const both = [true, false].flatMap((isCorrected): Column<MonitorFacts>[] => {
    const title = isCorrected ? words.corrected : words.uncorrected;
    const of = ({ figures, other }: Compared) =>
      facts.isCorrected === isCorrected ? figures : other!;
    return [
      numberColumn(title, 80, (monitor) => percent(of(monitor).uptimePercent)),
      numberColumn(words.downtime, 80, (monitor) => duration(of(monitor).downMs)),
    ];
  });
  const name = textColumn<MonitorFacts>(words.monitor, TEXT_WIDTH - 352, 3, (one) => one.name);
  drawTable(sheet, [name, ...both], changed);
}

const sum = (parts: readonly number[]) => parts.reduce((all, height) => all + height, 0);

function drawMethod(sheet: Sheet): void {
  const { facts, format } = sheet;
  const { words } = format;
  const texts = [
    ...words.methodLines,
    fill(words.timezoneLine, { timezone: facts.timezone }),
    ...(sheet.type.hasUnknown ? [words.fontsLine] : []),
  ];
  const style = STYLES.small;
  const width = (TEXT_WIDTH - 24) / 2;
  const step = style.size * 1.4;
  const heightOf = (text: string) => (sheet.type.wrap(text, width, style).length + 0.5) * step;
  const heights = texts.map(heightOf);
  // Two columns of much the same height.
  const half = texts.findIndex((_, index) => sum(heights.slice(0, index + 1)) >= sum(heights) / 2);
  const columns = [texts.slice(0, half + 1), texts.slice(half + 1)];
  const height = Math.max(...columns.map((column) => sum(column.map(heightOf))));
  sheet.heading(words.method, height);
  for (const [index, column] of columns.entries()) {
    const left = PAGE.left + index * (width + 24);
    let { y } = sheet;
    for (const text of column) {
      sheet.element('P', () =>
        sheet.type.wrap(text, width, style).forEach((line, position) => {
          sheet.type.draw(line, left, y + position * step, style);
        }),
      );
      y += heightOf(text);
    }
  }
  sheet.y += height;
}
