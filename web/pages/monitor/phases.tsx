import type { ReactNode } from 'react';
import { milliseconds } from '../../lib/format.ts';
import { words } from '../../words/index.ts';

/** Durations of the phases of a check, in milliseconds; null for those that did not happen. */
export interface Timings {
  dns_ms: number | null;
  tcp_ms: number | null;
  tls_ms: number | null;
  ttfb_ms: number | null;
}

const PHASES = ['dns', 'tcp', 'tls', 'ttfb'] as const;

/** Phases of a check as parts of a bar, with their milliseconds for screen readers and on hover. */
export function PhasesBar({ timings, scale }: { timings: Timings; scale: number }): ReactNode {
  const parts = PHASES.flatMap((phase) => {
    const value = timings[`${phase}_ms`];
    return value === null || value <= 0 ? [] : [{ phase, value }];
  });
  if (parts.length === 0) return <span className="faint">–</span>;
  const label = parts
    .map(({ phase, value }) => `${words.monitor.phases[phase]} ${inMilliseconds(value)}`)
    .join(', ');
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  return (
    <div className="mo-phases" title={label}>
      <div
        className="phases"
        role="img"
        aria-label={words.monitor.phasesLabel(label)}
        style={{ width: `${Math.max(4, (total / scale) * 100)}%` }}
      >
        {parts.map(({ phase, value }) => (
          <i key={phase} className={phase} style={{ flexGrow: value }} />
        ))}
      </div>
    </div>
  );
}

/** What the parts of the bars mean. */
export function PhasesLegend(): ReactNode {
  return (
    <div className="legend wide">
      {PHASES.map((phase) => (
        <span key={phase}>
          <i className={`dot ${phase}`} />
          {words.monitor.phases[phase]}
        </span>
      ))}
    </div>
  );
}

/** Writes "168 ms". */
export function inMilliseconds(value: number): string {
  return `${milliseconds(value, words.time.locale)}\u202fms`;
}

/** Sum of the phases of the slowest check, which fills the whole width of its bar. */
export function scaleOf(all: readonly Timings[]): number {
  const sums = all.map((timings) =>
    PHASES.reduce((sum, phase) => sum + (timings[`${phase}_ms`] ?? 0), 0),
  );
  return Math.max(1, ...sums);
}
