import { fill } from '../words/words.ts';
import type { Compared, DayFacts } from '../model.ts';
import { sumOfDurations } from '../figures.ts';
import { COLORS, STYLES, PAGE, type Sheet } from './sheet.ts';
import { BASELINE } from './typesetter.ts';
import type { Graphic } from './table.ts';

/** Statuses of a day, with the heights and colors of the dashboard: the worst one shows. Null is hatched. */
const BARS = {
  down: { color: COLORS.down, height: 1 },
  degraded: { color: COLORS.degraded, height: 0.85 },
  excluded: { color: COLORS.excluded, height: 0.7 },
  up: { color: COLORS.up, height: 0.7 },
  unobserved: { color: null, height: 0.7 },
} as const;
export type BarStatus = keyof typeof BARS;

/** Most bars that a graphic has: further days share one. */
const MAX_BARS = 100;

/** The worst status of a day; null without one, before the monitor was created. */
export function barStatus(day: DayFacts | null): BarStatus | null {
  if (day === null) return null;
  if (day.downMs > 0) return 'down';
  if (day.degradedMs > 0) return 'degraded';
  if (day.excludedMs > 0) return 'excluded';
  if (day.upMs > 0) return 'up';
  return day.unobservedMs > 0 ? 'unobserved' : null;
}

/** Days in at most `maximum` parts of the same number of days, the first one perhaps of fewer. */
export function sharedDays(
  days: readonly (DayFacts | null)[],
  maximum = MAX_BARS,
): (DayFacts | null)[] {
  const size = Math.ceil(days.length / maximum);
  if (size <= 1) return [...days];
  const parts: (DayFacts | null)[] = [];
  for (let end = days.length; end > 0; end -= size) {
    const part = days.slice(Math.max(0, end - size), end).filter((day) => day !== null);
    parts.unshift(part.length === 0 ? null : sumOfDurations(part));
  }
  return parts;
}

/** Left, top, width and height in points. */
type Area = readonly [x: number, y: number, width: number, height: number];

/** Points between the lines of a hatching. */
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

/** Bars of the days of a monitor or of several. */
export function barsOf(
  sheet: Sheet,
  name: string,
  { figures }: Compared,
  days: readonly (DayFacts | null)[],
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
      for (const status of Object.keys(BARS) as BarStatus[]) {
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
  days: readonly (DayFacts | null)[],
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
export function sharesOf(day: DayFacts): [BarStatus, number][] {
  const times: [BarStatus, number][] = [
    ['down', day.downMs],
    ['degraded', day.degradedMs],
    ['excluded', day.excludedMs],
    ['unobserved', day.unobservedMs],
    ['up', day.upMs],
  ];
  const whole = times.reduce((sum, [, time]) => sum + time, 0);
  const seen = times.filter(([, time]) => time > 0);
  const raised = seen.map(([status, time]): [BarStatus, number] => [
    status,
    status === 'up' ? time / whole : Math.max(MIN_SHARE, time / whole),
  ]);
  const sum = raised.reduce((all, [, share]) => all + share, 0);
  return raised.map(([status, share]) => [status, share / sum]);
}

/** Line that explains the bars. */
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
