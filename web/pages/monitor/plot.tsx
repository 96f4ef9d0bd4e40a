import { useEffect, useRef, useState, type ReactNode } from 'react';
import uPlot from 'uplot';
import { useNow } from '../../app/clock.ts';
import { clock, day, dayAndTime, milliseconds } from '../../lib/format.ts';
import { words } from '../../words/index.ts';
import { lonePoints, ownValue, type Chart, type Line, type Span } from './chart-data.ts';
import { inMilliseconds } from '../../parts/phases.tsx';
import { drawSpans, spanWord } from './plot-spans.ts';

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
export function Plot(props: PlotProps): ReactNode {
  return <Canvas key={useTheme()} {...props} />;
}

function Canvas({ chart, spans, zone, label }: PlotProps): ReactNode {
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
    <div className="mo-plot">
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

function Tooltip({
  tip: { index, left, isRight },
  chart: { times, lines },
  spans,
  zone,
}: {
  tip: Tip;
  chart: Chart;
  spans: readonly Span[];
  zone: string;
}): ReactNode {
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
        <p className="faint">{dayAndTime(time * 1_000, now, zone, words.time)}</p>
        {here.map((span) => (
          <p key={`${span.kind}${span.from}`}>{spanWord(span, zone)}</p>
        ))}
        {lines.map((line, position) => {
          const value = ownValue(lines, position, index);
          return (
            <p key={line.key} className="mo-tip-line">
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
        values: (_plot, values) => values.map((value) => milliseconds(value, words.time.locale)),
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
  const { locale } = words.time;
  const text = clock(time, zone, locale);
  if (length <= DAY_S * 1.5) return text;
  return text === '00:00' || length > DAY_S * 8 ? day(time, Date.now(), zone, words.time) : text;
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
