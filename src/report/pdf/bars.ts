import { fill } from '../words/words.ts';
import type { Compared, Durations, ResponseDay } from '../model.ts';
import { sumOfDurations } from '../figures.ts';
import { COLORS, STYLES, PAGE, TEXT_WIDTH, type Sheet } from './sheet.ts';
import { BASELINE } from './typesetter.ts';
import type { Graphic } from './table.ts';
import { CHART_COLORS } from '../../lib/brand.ts';

/** Statuses of a day, the worst one first, with the heights and colors of the dashboard: the worst one shows. Null is hatched. */
const BARS = {
  down: { color: COLORS.down, height: 1 },
  degraded: { color: COLORS.degraded, height: 0.85 },
  excluded: { color: COLORS.excluded, height: 0.7 },
  up: { color: COLORS.up, height: 0.7 },
  unobserved: { color: null, height: 0.7 },
} as const;
type BarStatus = keyof typeof BARS;
const STATUSES = Object.keys(BARS) as BarStatus[];

/** Most bars that a graphic has: further days share one. */
const MAX_BARS = 100;

/** The worst status of a day; null without one, before the monitor was created. */
export function barStatus(day: Durations | null): BarStatus | null {
  return (day && STATUSES.find((status) => day[`${status}Ms`] > 0)) ?? null;
}

/** Days in at most `maximum` parts of the same number of days, the first one perhaps of fewer. */
export function sharedDays(days: readonly (Durations | null)[], maximum = MAX_BARS) {
  const size = Math.ceil(days.length / maximum);
  if (size <= 1) return [...days];
  const parts: (Durations | null)[] = [];
  for (let end = days.length; end > 0; end -= size) {
    const part = days.slice(Math.max(0, end - size), end).filter((day) => day !== null);
    parts.unshift(part.length === 0 ? null : sumOfDurations(part));
  }
  return parts;
}

type Area = readonly [x: number, y: number, width: number, height: number];

const HATCH_STEP = 2.6;

/** Fills areas in one row in the color of a status. One path for all of them keeps the file small. */
function fillAreas({ doc }: Sheet, status: BarStatus, areas: readonly Area[]): void {
  const [first] = areas;
  if (first === undefined) return;
  const drawAll = () => areas.forEach((area) => doc.rect(...area));
  const { color } = BARS[status];
  drawAll();
  if (color !== null) {
    doc.fill(color);
    return;
  }
  doc.fill(COLORS.hatchGround);
  doc.save();
  drawAll();
  doc.clip();
  for (const [left, top, width, height] of areas) {
    for (let x = left - height; x < left + width; x += HATCH_STEP)
      doc.moveTo(x, top + height).lineTo(x + height, top);
  }
  doc.lineWidth(0.8).stroke(COLORS.hatch);
  doc.restore();
}

export function barsOf(
  sheet: Sheet,
  name: string,
  { figures }: Compared,
  days: readonly (Durations | null)[],
  height = 10,
): Graphic {
  const { words, percent, count } = sheet.format;
  const known = days.filter((day) => day !== null);
  const alt = fill(words.barsOf, {
    name,
    uptime: percent(figures.uptimePercent),
    days: count(known.length),
    down: count(known.filter(({ downMs }) => downMs > 0).length),
  });
  return {
    alt,
    height,
    draw(x, y, width) {
      const shown = sharedDays(days).map(barStatus);
      const step = width / shown.length;
      for (const status of STATUSES) {
        const size = BARS[status].height * height;
        const areas = shown.flatMap((own, index): Area[] =>
          own === status
            ? [[x + index * step, y + height - size, Math.max(0.5, step * 0.76), size]]
            : [],
        );
        fillAreas(sheet, status, areas);
      }
    },
  };
}

/** Bars of several monitors together: the share of each day that was up, degraded, down, excluded and not observed. */
export function shareBarsOf(
  sheet: Sheet,
  total: Compared,
  days: readonly (Durations | null)[],
  height: number,
): Graphic {
  return {
    ...barsOf(sheet, sheet.format.words.total, total, days, height),
    draw(x, y, width) {
      const shown = sharedDays(days);
      const step = width / shown.length;
      for (const [index, day] of shown.entries()) {
        if (day === null) continue;
        let top = y;
        for (const [status, share] of sharesOf(day)) {
          const size = share * height;
          const left = x + index * step;
          fillAreas(sheet, status, [[left, top, step * 0.76, size]]);
          top += size;
        }
      }
    },
  };
}

/** A short outage must be seen too. */
const MIN_SHARE = 0.06;

/** Shares of a day from the top of its bar, which sum up to 1. */
export function sharesOf(day: Durations): [BarStatus, number][] {
  const fromTop = ['down', 'degraded', 'excluded', 'unobserved', 'up'] as const;
  const times = fromTop.map((status) => [status, day[`${status}Ms`]] as const);
  const whole = times.reduce((sum, [, time]) => sum + time, 0);
  const seen = times.filter(([, time]) => time > 0);
  const raised = seen.map(([status, time]): [BarStatus, number] => [
    status,
    status === 'up' ? time / whole : Math.max(MIN_SHARE, time / whole),
  ]);
  const sum = raised.reduce((all, [, share]) => all + share, 0);
  return raised.map(([status, share]) => [status, share / sum]);
}

export function drawLegend(sheet: Sheet): void {
  const { words } = sheet.format;
  const { y } = sheet;
  sheet.element('P', () => {
    let x = PAGE.left;
    for (const status of ['up', 'degraded', 'down', 'excluded', 'unobserved'] as const) {
      const size = BARS[status].height * 8;
      fillAreas(sheet, status, [[x, y + STYLES.small.size * BASELINE - size, 5, size]]);
      const text = words.legend[status];
      sheet.type.draw(text, x + 9, y, STYLES.small);
      x += 9 + sheet.type.widthOf(text, STYLES.small) + 16;
    }
  });
  sheet.y += 18;
}

/** Lines of the chart, which differ in color, width and dashes. */
const LINES = [
  { name: 'p99', color: CHART_COLORS.c3[0], width: 0.9, dash: [2, 2] },
  { name: 'p95', color: CHART_COLORS.c2[0], width: 1.1, dash: [5, 2] },
  { name: 'p50', color: CHART_COLORS.c1[0], width: 1.6, dash: null },
] as const;

/** Height of the chart: as high as the page has room for, between these. */
const [LEAST_HEIGHT, MOST_HEIGHT] = [104, 150];
const AXIS_HEIGHT = 32;
/** Room that the chart needs. */
export const LEAST_CHART = LEAST_HEIGHT + AXIS_HEIGHT;
const AXIS_WIDTH = 48;
const LABEL_WIDTH = 30;
const DAY_MS = 86_400_000;

/** Numbers of an axis from 0 to at least `maximum`, in steps of 1, 2 or 5 times a power of ten. */
export function ticksOf(maximum: number, wanted = 4): number[] {
  const rough = Math.max(maximum, 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!;
  const count = Math.ceil(Math.max(maximum, 1) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** @param below height in points to leave for what follows on the page. */
export function drawResponseChart(sheet: Sheet, days: readonly ResponseDay[], below: number): void {
  const { words, milliseconds, day: dayText } = sheet.format;
  const most = sheet.padding < 4 ? LEAST_HEIGHT : MOST_HEIGHT;
  const room = PAGE.bottom - sheet.y - AXIS_HEIGHT - below;
  const height = Math.max(LEAST_HEIGHT, Math.min(most, room));
  const top = sheet.y + 6;
  const left = PAGE.left + AXIS_WIDTH;
  const width = TEXT_WIDTH - AXIS_WIDTH - LABEL_WIDTH;
  const worst = Math.max(...days.map(({ p99 }) => p99 ?? 0));
  const ticks = ticksOf(worst);
  const highest = ticks.at(-1)!;
  const [first, last] = [days[0]!.at, days.at(-1)!.at];
  const span = Math.max(DAY_MS, last - first);
  const xOf = (at: number) => left + ((at - first) / span) * width;
  const yOf = (value: number) => top + height * (1 - value / highest);
  const { doc, type } = sheet;

  function drawAxes(): void {
    for (const tick of ticks) {
      const text = milliseconds(tick === 0 ? null : tick);
      const shown = tick === 0 ? '0' : text;
      doc
        .lineWidth(0.4)
        .moveTo(left, yOf(tick))
        .lineTo(left + width, yOf(tick))
        .stroke(COLORS.line);
      const textWidth = type.widthOf(shown, STYLES.small);
      type.draw(shown, left - 6 - textWidth, yOf(tick) - 4.5, STYLES.small);
    }
    const labels = Math.min(6, days.length);
    for (let index = 0; index < labels; index++) {
      const at = first + Math.round((index * span) / Math.max(1, labels - 1) / DAY_MS) * DAY_MS;
      const text = dayText(at, 'UTC');
      const half = type.widthOf(text, STYLES.small) / 2;
      type.draw(text, xOf(at) - half, top + height + 5, STYLES.small);
    }
  }

  function drawLine({ name, color, width: thickness, dash }: (typeof LINES)[number]): void {
    doc.lineWidth(thickness).lineJoin('round');
    if (dash !== null) doc.dash(dash[0], { space: dash[1] });
    let before: ResponseDay | null = null;
    for (const day of days) {
      const value = day[name];
      if (value === null) continue;
      // A day without a measurement leaves a gap.
      if (before !== null && day.at - before.at === DAY_MS) doc.lineTo(xOf(day.at), yOf(value));
      else doc.moveTo(xOf(day.at), yOf(value)).lineTo(xOf(day.at) + 0.6, yOf(value));
      before = day;
    }
    doc.stroke(color).undash();
  }

  function drawLabels(): void {
    const end = days.at(-1)!;
    let lowest = -Infinity;
    for (const { name, color } of LINES) {
      const value = end[name];
      if (value === null) continue;
      // Labels of lines that end near each other are kept apart.
      const y = Math.max(yOf(value) - 4.5, lowest + 10);
      type.draw(name, xOf(end.at) + 6, y, { ...STYLES.small, weight: 'bold', color });
      lowest = y;
    }
  }

  const range = (name: 'p50' | 'p95' | 'p99') => days.map((day) => day[name] ?? 0);
  const alt = fill(words.chartOf, {
    p50: milliseconds(Math.min(...range('p50'))),
    p95: milliseconds(Math.max(...range('p95'))),
    p99: milliseconds(worst),
  });
  const bbox = [PAGE.left, top, PAGE.right, top + height + 16];
  sheet.element(
    'Figure',
    () => {
      drawAxes();
      for (const line of LINES) drawLine(line);
      drawLabels();
    },
    { alt, bbox },
  );
  sheet.y = top + height + 26;
}
