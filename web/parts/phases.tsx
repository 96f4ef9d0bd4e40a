import type { ReactNode } from 'react';
import { milliseconds } from '../lib/format.ts';
import { words } from '../words/index.ts';

/** Durations of a request, in milliseconds; null for what did not happen. */
export interface PhaseTimes {
  dns_ms: number | null;
  tcp_ms: number | null;
  tls_ms: number | null;
  ttfb_ms: number | null;
}

const PHASES = ['dns', 'tcp', 'tls', 'ttfb'] as const;

/** Bar of the phases of one request, as long as each took. */
export function PhaseBar({ times }: { times: PhaseTimes }): ReactNode {
  const shown = PHASES.flatMap((name) => {
    const ms = times[`${name}_ms`];
    return ms === null || ms <= 0 ? [] : [{ name, ms }];
  });
  const label = shown
    .map(({ name, ms }) => words.check.phase(words.check.phases[name], written(ms)))
    .join(', ');
  return (
    <div
      className={shown.length === 0 ? 'phases none-seen' : 'phases'}
      role="img"
      aria-label={label === '' ? words.check.noPhases : label}
      title={label}
    >
      {shown.map(({ name, ms }) => (
        <i key={name} className={name} style={{ flex: ms }} />
      ))}
    </div>
  );
}

/** What the colours of phases mean. */
export function PhaseLegend(): ReactNode {
  return (
    <span className="legend">
      {PHASES.map((name) => (
        <span key={name}>
          <i className={`dot ${name}`} />
          {words.check.phases[name]}
        </span>
      ))}
    </span>
  );
}

function written(ms: number): string {
  return milliseconds(ms, words.time.locale);
}
