import type { Compared, ExclusionFacts, IncidentFacts, PartFacts } from '../model.ts';
import { fill } from '../words/words.ts';
import { barsOf, drawLegend, drawResponseChart, LEAST_CHART } from './bars.ts';
import { COLORS, PAGE, STYLES, TEXT_WIDTH, type Sheet } from './sheet.ts';
import { drawTable, type Cell, type Column } from './table.ts';

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
  const columns: Column[] = [
    { title: words.monitor, width: 118, lines: 2 },
    { title: `${words.days} (${format.count(facts.days.length)})`, width: 124 },
    { title: words.uptime, width: 60, align: 'right' },
    { title: words.observed, width: 51, align: 'right' },
    { title: words.downtime, width: 58, align: 'right' },
    { title: 'p95', width: 48, align: 'right' },
  ];
  const rows = facts.monitors.map((monitor): Cell[] => [
    monitor.name,
    barsOf(sheet, monitor.name, monitor, monitor.days),
    ...mainCells(sheet, monitor),
  ]);
  const total: Cell[] = [
    { text: words.total, style: { ...STYLES.cell, weight: 'bold' } },
    '',
    ...mainCells(sheet, facts.total),
  ];
  drawTable(sheet, columns, [...rows, total]);
}

function mainCells({ format }: Sheet, { figures }: Compared): Cell[] {
  return [
    format.percent(figures.uptimePercent),
    format.percent(figures.observedPercent, 2),
    format.duration(figures.downMs),
    format.milliseconds(figures.responseTimes.p95),
  ];
}

function drawParts(sheet: Sheet, title: string, parts: readonly PartFacts[]): void {
  if (parts.length === 0) return;
  const { words, count, duration } = sheet.format;
  sheet.heading(title);
  const columns: Column[] = [
    { title, width: 92, lines: 2 },
    { title: words.monitors, width: 42, align: 'right' },
    { title: words.uptime, width: 60, align: 'right' },
    { title: words.observed, width: 51, align: 'right' },
    { title: words.downtime, width: 58, align: 'right' },
    { title: 'p95', width: 44, align: 'right' },
    { title: words.outages, width: 40, align: 'right' },
    { title: 'MTTR', width: 56, align: 'right' },
  ];
  drawTable(
    sheet,
    columns,
    parts.map((part) => [
      part.name,
      count(part.monitorIds.length),
      ...mainCells(sheet, part),
      count(part.figures.outages),
      duration(part.figures.mttrMs),
    ]),
  );
}

function drawObjectives(sheet: Sheet): void {
  const { words, percent, duration, count } = sheet.format;
  const monitors = sheet.facts.monitors.filter(({ objective }) => objective !== null);
  if (monitors.length === 0) return;
  sheet.heading(words.objectives);
  const columns: Column[] = [
    { title: words.monitor, width: 170, lines: 2 },
    { title: words.objective, width: 130 },
    { title: words.budgetLeft, width: 183, align: 'right' },
  ];
  drawTable(
    sheet,
    columns,
    monitors.map(({ name, objective }): Cell[] => {
      const { targetPercent, windowDays, leftMs, leftPercent } = objective!;
      const isSpent = leftMs < 0;
      const left = isSpent
        ? fill(words.budgetSpent, { time: duration(-leftMs) })
        : `${percent(leftPercent, 1)} (${duration(leftMs)})`;
      const color = isSpent ? COLORS.downText : COLORS.ink;
      const decimals = String(targetPercent).split('.')[1]?.length ?? 0;
      const target = percent(targetPercent, Math.min(3, decimals));
      return [
        name,
        fill(words.objectiveText, { target, days: count(windowDays) }),
        { text: left, style: { ...STYLES.cell, color, weight: isSpent ? 'bold' : 'regular' } },
      ];
    }),
  );
}

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
  const columns: Column[] = [
    { title: words.monitor, width: TEXT_WIDTH - 240, lines: 2 },
    { title: 'p50', width: 72, align: 'right' },
    { title: 'p95', width: 72, align: 'right' },
    { title: 'p99', width: 72, align: 'right' },
  ];
  drawTable(
    sheet,
    columns,
    slowest.map(({ name, figures: { responseTimes } }) => [
      name,
      ...(['p50', 'p95', 'p99'] as const).map((key) => format.milliseconds(responseTimes[key])),
    ]),
  );
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
  const columns: Column[] = [
    { title: words.monitor, width: 150 },
    { title: '', width: 150 },
    { title: words.downtime, width: 62, align: 'right' },
    { title: words.outages, width: 44, align: 'right' },
    { title: 'MTTR', width: TEXT_WIDTH - 438, align: 'right' },
  ];
  drawTable(
    sheet,
    columns,
    ranked.map(({ name, figures }): Cell[] => [
      name,
      {
        alt: format.duration(figures.downMs),
        height,
        draw: (x, y, width) =>
          void sheet.doc
            .rect(x, y, Math.max(1, (width * figures.downMs) / most), height)
            .fill(COLORS.down),
      },
      format.duration(figures.downMs),
      format.count(figures.outages),
      format.duration(figures.mttrMs),
    ]),
  );
}

function drawIncidents(sheet: Sheet): void {
  const { facts, format } = sheet;
  const { words } = format;
  if (facts.incidents.length === 0) return;
  sheet.heading(words.incidents, heightOfRows(facts.incidents.length));
  const columns: Column[] = [
    { title: words.started, width: 76 },
    { title: words.monitor, width: 112, lines: 2 },
    { title: words.cause, width: 224, lines: 3 },
    { title: words.duration, width: TEXT_WIDTH - 436, align: 'right' },
  ];
  const shown = facts.incidents.slice(0, MAX_ROWS);
  drawTable(
    sheet,
    columns,
    shown.map((incident): Cell[] => [
      format.shortMoment(incident.startedAt),
      incident.monitor,
      causeOf(sheet, incident),
      incident.endedAt === null
        ? { text: words.ongoing, style: { ...STYLES.cell, weight: 'bold', color: COLORS.downText } }
        : format.duration(incident.durationMs),
    ]),
  );
  drawRest(sheet, facts.incidentsTotal - shown.length);
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
  const columns: Column[] = [
    { title: words.from, width: 76 },
    { title: words.until, width: 76 },
    { title: words.reason, width: 190, lines: 4 },
    { title: words.monitors, width: TEXT_WIDTH - 366, lines: 3 },
  ];
  const shown = facts.exclusions.slice(0, MAX_ROWS);
  drawTable(
    sheet,
    columns,
    shown.map((exclusion) => [
      format.shortMoment(exclusion.from),
      format.shortMoment(exclusion.to),
      reasonOf(sheet, exclusion),
      exclusion.monitors.join(', '),
    ]),
  );
  drawRest(sheet, facts.exclusionsTotal - shown.length);
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
  const columns: Column[] = [
    { title: words.monitor, width: TEXT_WIDTH - 352, lines: 3 },
    { title: words.corrected, width: 80, align: 'right' },
    { title: words.downtime, width: 80, align: 'right' },
    { title: words.uncorrected, width: 80, align: 'right' },
    { title: words.downtime, width: 80, align: 'right' },
  ];
  drawTable(
    sheet,
    columns,
    changed.map(({ name, figures, other }) => {
      const [corrected, recorded] = facts.isCorrected ? [figures, other!] : [other!, figures];
      return [
        name,
        ...[corrected, recorded].flatMap((one) => [
          percent(one.uptimePercent),
          duration(one.downMs),
        ]),
      ];
    }),
  );
}

function drawRest(sheet: Sheet, rest: number): void {
  if (rest <= 0) return;
  const { words, count } = sheet.format;
  sheet.paragraph(fill(words.more, { count: count(rest) }), STYLES.small);
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
