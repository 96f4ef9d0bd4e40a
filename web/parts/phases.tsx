import { milliseconds } from '../lib/format.ts';
import { words } from '../words/index.ts';

/** Durations of the phases of a request, in milliseconds; null for those that did not happen. */
export interface PhaseTimes {
  dns_ms: number | null;
  tcp_ms: number | null;
  tls_ms: number | null;
  ttfb_ms: number | null;
  /** The whole request; null when it was not measured. */
  total_ms?: number | null;
}

const PHASES = ['dns', 'tcp', 'tls', 'ttfb'] as const;
/** Remainders below this are rounding. */
const ROUNDING_MS = 1;

/**
 * Bar of one request, on the scale of the slowest one beside it. The part of the total that no phase explains, such as waiting for
 * an answer that never came, is hatched.
 */
export function PhaseBar({ times, scale }: { times: PhaseTimes; scale: number }) {
  const parts = partsOf(times);
  const label = parts
    .map(({ name, ms }) => `${words.phases[name]} ${inMilliseconds(ms)}`)
    .join(', ');
  const share = parts.reduce((sum, { ms }) => sum + ms, 0) / scale;
  return (
    <div
      className={parts.length === 0 ? 'phases none-seen' : 'phases'}
      role="img"
      aria-label={label === '' ? words.phases.none : words.phases.label(label)}
      title={label}
    >
      <div style={{ width: `${Math.max(4, share * 100)}%` }}>
        {parts.map(({ name, ms }) => (
          <i key={name} style={{ flexGrow: ms, background: `var(--p-${name})` }} />
        ))}
      </div>
    </div>
  );
}

/** Meaning of the colors of phases. */
export function PhaseLegend() {
  return (
    <span className="row xs dim legend wide">
      {[...PHASES, 'rest' as const].map((name) => (
        <span key={name}>
          <i className="dot" style={{ background: `var(--p-${name})` }} />
          {words.phases[name]}
        </span>
      ))}
    </span>
  );
}

/** Writes "168 ms". */
export function inMilliseconds(value: number): string {
  return `${milliseconds(value)}\u202fms`;
}

/** Duration of the slowest request, in milliseconds, at least 1. */
export function scaleOf(all: readonly PhaseTimes[]): number {
  return Math.max(1, ...all.map((times) => partsOf(times).reduce((sum, { ms }) => sum + ms, 0)));
}

/** Phases that took time, in order, and what the total has beyond them. */
function partsOf(times: PhaseTimes): { name: (typeof PHASES)[number] | 'rest'; ms: number }[] {
  const known = PHASES.flatMap((name) => {
    const ms = times[`${name}_ms`];
    return ms === null || ms <= 0 ? [] : [{ name, ms }];
  });
  const rest = (times.total_ms ?? 0) - known.reduce((sum, { ms }) => sum + ms, 0);
  return rest < ROUNDING_MS ? known : [...known, { name: 'rest' as const, ms: rest }];
}
