import type uPlot from 'uplot';
import { clock } from '../../lib/format.ts';
import { words } from '../../words/index.ts';
import type { Span } from './chart-data.ts';

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
export function drawSpans(plot: uPlot, spans: readonly Span[], pen: Pen): void {
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

/** What a span says. */
export function spanWord({ kind, from, isCut }: Span, zone: string): string {
  const { chart } = words.monitor;
  const time = clock(from * 1_000, zone, words.time.locale);
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
      return chart.notObserved;
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
