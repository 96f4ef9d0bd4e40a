import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useNow } from '../../app/clock.ts';
import { clock, day, dayAndTime, milliseconds } from '../../lib/format.ts';
import { inMilliseconds } from '../../parts/phases.tsx';
import { words } from '../../words/index.ts';
import { lonePoints, ownValue, type Chart, type Line, type Span } from './chart-data.ts';

const HEIGHT = 208;
const NARROW_HEIGHT = 180;
const NARROW_PX = 480;
const DAY_S = 86_400;
/** Width of the axis on the left, and room on the right of the lines. */
const AXIS_PX = 46;
const RIGHT_PX = 4;
/** Half the width of a letter on the axis: a label that the edge would cut is left out. */
const HALF_LETTER_PX = 3.2;

interface Tip {
  index: number;
  left: number;
  isRight: boolean;
}

interface PlotProps {
  chart: Chart;
  spans: readonly Span[];
  zone: string;
  label: string;
}

/** Lines over time, drawn on a canvas. A canvas keeps its colours: a change of the theme makes a new one. */
export default function Plot(props: PlotProps) {
  return <Canvas key={useTheme()} {...props} />;
}

function Canvas({ chart, spans, zone, label }: PlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<Tip | null>(null);
  useEffect(() => {
    const element = host.current!;
    const plot = new uPlot(
      optionsOf({ element, chart, spans, zone, onTip: setTip }),
      [chart.times, ...chart.lines.map(({ values }) => values)],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize(sizeOf(element)));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
      setTip(null);
    };
  }, [chart, spans, zone]);
  return (
    <div className="relative mo-plot">
      <div ref={host} role="img" aria-label={label} />
      {tip !== null && <Tooltip {...{ tip, chart, spans, zone }} />}
    </div>
  );
}

/** Number of changes of the theme. */
function useTheme(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const changed = () => setVersion((number) => number + 1);
    const query = matchMedia('(prefers-color-scheme: dark)');
    query.addEventListener('change', changed);
    const observer = new MutationObserver(changed);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      query.removeEventListener('change', changed);
      observer.disconnect();
    };
  }, []);
  return version;
}

function Tooltip(props: { tip: Tip; chart: Chart; spans: readonly Span[]; zone: string }) {
  const {
    tip: { index, left, isRight },
    chart: { times, lines },
    spans,
    zone,
  } = props;
  const now = useNow(60_000);
  const time = times[index]!;
  const here = spans.filter(({ from, to }) => from <= time && time < to);
  return (
    <div
      className={isRight ? 'mo-tip right' : 'mo-tip'}
      style={{ transform: `translateX(${left}px)` }}
      aria-hidden="true"
    >
      <div>
        <p className="faint">{dayAndTime(time * 1_000, now, zone)}</p>
        {here.map((span) => (
          <p key={`${span.kind}${span.from}`}>{spanWord(span, zone)}</p>
        ))}
        {lines.map((line, position) => {
          const value = ownValue(lines, position, index);
          return (
            <p key={line.key} className="near mo-tip-line">
              <i className="dot" style={{ background: `var(${line.color})` }} />
              <span>{line.label}</span>
              <b>{value === null ? words.monitor.chart.noValue : inMilliseconds(value)}</b>
            </p>
          );
        })}
      </div>
    </div>
  );
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  const width = Math.max(200, element.clientWidth);
  return { width, height: width < NARROW_PX ? NARROW_HEIGHT : HEIGHT };
}

function optionsOf({
  element,
  chart,
  spans,
  zone,
  onTip,
}: {
  element: HTMLElement;
  chart: Chart;
  spans: readonly Span[];
  zone: string;
  onTip: (tip: Tip | null) => void;
}): uPlot.Options {
  const color = (token: string) => resolveColor(element, token);
  const font = `11px ${getComputedStyle(element).fontFamily}`;
  const { from, to, lines, bands } = chart;
  const axis = { stroke: color('--text-3'), font, ticks: { show: false } };
  const grid = { stroke: color('--line'), width: 1 };
  return {
    ...sizeOf(element),
    legend: { show: false },
    padding: [12, RIGHT_PX, 0, 0],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), zone),
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 7, width: 0 },
      focus: { prox: -1 },
    },
    scales: {
      x: { time: true, range: [from, to] },
      y: { range: (_plot, _min, max) => [0, niceTop(max)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 80,
        size: 26,
        gap: 6,
        values: ({ width }, times) => {
          const pxPerSecond = (width - AXIS_PX - RIGHT_PX) / (to - from);
          return times.map((time) => {
            const text = timeLabel(time, to - from, zone);
            return (to - time) * pxPerSecond + RIGHT_PX < text.length * HALF_LETTER_PX ? '' : text;
          });
        },
      },
      {
        ...axis,
        grid,
        size: AXIS_PX,
        gap: 6,
        space: 36,
        values: (_plot, values) => values.map((value) => milliseconds(value)),
      },
    ],
    bands: bands.map(([upper, lower]) => ({
      series: [upper + 1, lower + 1],
      fill: withOpacity(color(lines[lower]!.color), 0.12),
    })),
    series: [{}, ...lines.map((line) => seriesOf(line, color))],
    hooks: {
      drawClear: [(plot) => drawSpans(plot, spans, { color, font, zone })],
      setCursor: [
        ({ cursor, width }) => {
          const { idx, left } = cursor;
          if (idx === null || idx === undefined || left === undefined || left < 0)
            return onTip(null);
          onTip({ index: idx, left: left + AXIS_PX, isRight: left + AXIS_PX > width / 2 });
        },
      ],
    },
  };
}

function seriesOf(
  { shape, dash, color: token, values, dots }: Line,
  color: (token: string) => string,
) {
  const stroke = color(token);
  const series: uPlot.Series = {
    stroke,
    width: 1.6,
    dash,
    points: {
      show: true,
      size: 4,
      fill: stroke,
      stroke,
      filter: () => (shape === 'area' ? [] : lonePoints(values)),
    },
  };
  if (shape === 'area') return { ...series, width: 0.5, fill: stroke };
  if (shape === 'dots') {
    return {
      ...series,
      paths: noLine,
      points: { show: true, size: 3.5, fill: stroke, stroke, filter: () => dots ?? null },
    };
  }
  return series;
}

function noLine(): null {
  return null;
}

/** The axis ends a little above the highest value. */
function niceTop(max: number | null): number {
  if (max === null || max <= 0) return 10;
  const step = 10 ** Math.floor(Math.log10(max)) / 2;
  return Math.ceil((max * 1.06) / step) * step;
}

function timeLabel(seconds: number, length: number, zone: string): string {
  const time = seconds * 1_000;
  const text = clock(time, zone);
  if (length <= DAY_S * 1.5) return text;
  return text === '00:00' || length > DAY_S * 8 ? day(time, Date.now(), zone) : text;
}

/** Colour of a token as the page shows it now: a canvas knows no variables. */
function resolveColor(element: HTMLElement, token: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

export function withOpacity(color: string, opacity: number): string {
  return `color-mix(in oklab, ${color} ${opacity * 100}%, transparent)`;
}

interface Pen {
  color: (token: string) => string;
  font: string;
  zone: string;
}

const FILLS: Record<Span['kind'], { token: string; opacity: number; isHatched: boolean }> = {
  unobserved: { token: '--none-fill', opacity: 0.7, isHatched: true },
  paused: { token: '--none-fill', opacity: 0.25, isHatched: false },
  maintenance: { token: '--maint-fill', opacity: 0.14, isHatched: false },
  degraded: { token: '--warn-fill', opacity: 0.14, isHatched: false },
  outage: { token: '--down-fill', opacity: 0.16, isHatched: false },
};

/** Times behind the lines: outages with their time, maintenance, and a hatch where nothing was observed. */
function drawSpans(plot: uPlot, spans: readonly Span[], pen: Pen): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  let labelEnd = -Infinity;
  ctx.save();
  for (const span of spans) {
    const left = clampTo(bbox, plot.valToPos(span.from, 'x', true));
    const right = clampTo(bbox, plot.valToPos(span.to, 'x', true));
    const width = Math.max(right - left, ratio);
    if (right < bbox.left || left > bbox.left + bbox.width) continue;
    const { token, opacity, isHatched } = FILLS[span.kind];
    const color = pen.color(token);
    ctx.globalAlpha = opacity;
    if (isHatched) hatch(ctx, { left, top: bbox.top, width, height: bbox.height }, color);
    else {
      ctx.fillStyle = color;
      ctx.fillRect(left, bbox.top, width, bbox.height);
    }
    ctx.globalAlpha = 1;
    if (span.kind === 'outage') {
      ctx.fillStyle = color;
      ctx.fillRect(left, bbox.top, Math.max(1, 1.5 * ratio), bbox.height);
    }
    const text = spanWord(span, pen.zone);
    ctx.font = pen.font.replace('11px', `${11 * ratio}px`);
    const size = ctx.measureText(text).width;
    const isOutage = span.kind === 'outage';
    const wanted = isOutage ? left - size - 5 * ratio : left + (width - size) / 2;
    const start = Math.max(wanted, bbox.left);
    const fits = isOutage ? start > labelEnd : width > size + 4 * ratio && start > labelEnd;
    if (!fits) continue;
    ctx.fillStyle = pen.color(isOutage ? '--down-text' : '--text-3');
    ctx.textBaseline = 'top';
    ctx.fillText(text, start, bbox.top - 10 * ratio);
    labelEnd = start + size + 6 * ratio;
  }
  ctx.restore();
}

function spanWord({ kind, from, isCut }: Span, zone: string): string {
  const { chart } = words.monitor;
  const time = clock(from * 1_000, zone);
  switch (kind) {
    case 'outage':
      return isCut ? chart.downBefore : chart.down(time);
    case 'degraded':
      return words.status.degraded;
    case 'maintenance':
      return chart.maintenance;
    case 'paused':
      return chart.paused;
    case 'unobserved':
      return words.labels.notObserved;
  }
}

function clampTo({ left, width }: uPlot.BBox, x: number): number {
  return Math.min(Math.max(x, left), left + width);
}

/** Slanted strokes over an area. */
function hatch(ctx: CanvasRenderingContext2D, area: uPlot.BBox, color: string): void {
  const step = 4 * devicePixelRatio;
  const { left, top, width, height } = area;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (let x = left - height; x < left + width; x += step) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}
