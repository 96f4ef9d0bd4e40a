import { CHART_COLORS } from '../../lib/brand.ts';
import type { ResponseDay } from '../model.ts';
import { fill } from '../words/words.ts';
import { COLORS, PAGE, STYLES, TEXT_WIDTH, type Sheet } from './sheet.ts';

/** Lines of the chart, which differ in color, width and dashes. */
const LINES = [
  { name: 'p99', color: CHART_COLORS.c3[0], width: 0.9, dash: [2, 2] },
  { name: 'p95', color: CHART_COLORS.c2[0], width: 1.1, dash: [5, 2] },
  { name: 'p50', color: CHART_COLORS.c1[0], width: 1.6, dash: null },
] as const;

const HEIGHT = 150;
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

/** Draws percentiles of response times by day. */
export function drawResponseChart(sheet: Sheet, days: readonly ResponseDay[]): void {
  const { words, milliseconds, day: dayText } = sheet.format;
  sheet.ensure(HEIGHT + 30);
  const top = sheet.y + 6;
  const left = PAGE.left + AXIS_WIDTH;
  const width = TEXT_WIDTH - AXIS_WIDTH - LABEL_WIDTH;
  const worst = Math.max(...days.map(({ p99 }) => p99 ?? 0));
  const ticks = ticksOf(worst);
  const highest = ticks.at(-1)!;
  const [first, last] = [days[0]!.at, days.at(-1)!.at];
  const span = Math.max(DAY_MS, last - first);
  const xOf = (at: number) => left + ((at - first) / span) * width;
  const yOf = (value: number) => top + HEIGHT * (1 - value / highest);
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
      type.draw(text, xOf(at) - half, top + HEIGHT + 5, STYLES.small);
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
  const bbox = [PAGE.left, top, PAGE.right, top + HEIGHT + 16];
  sheet.element(
    'Figure',
    () => {
      drawAxes();
      for (const line of LINES) drawLine(line);
      drawLabels();
    },
    { alt, bbox },
  );
  sheet.y = top + HEIGHT + 26;
}
