import { memo } from 'react';
import { BAR_HEIGHT, BAR_STROKE, barPaths, barWidth } from '../lib/bar.ts';
import { words } from '../words/index.ts';

/** Bar of time: one stroke for each slot. `label` says what it shows, since a picture has no words. */
export const TimeBar = memo(function TimeBar({ slots, label }: { slots: string; label: string }) {
  return (
    <svg
      className="bar"
      data-slots={slots}
      viewBox={`0 0 ${barWidth(slots.length)} ${BAR_HEIGHT}`}
      strokeWidth={BAR_STROKE}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {barPaths(slots).map(({ name, path }) => (
        <path key={name} className={name} d={path} />
      ))}
    </svg>
  );
});

const SAMPLES = [
  { name: 'u', word: () => words.status.online, y: 3.5 },
  { name: 'w', word: () => words.status.degraded, y: 1.8 },
  { name: 'd', word: () => words.status.offline, y: 0 },
  { name: 't', word: () => words.status.maintenance, y: 3.5 },
  { name: 'n', word: () => words.status.unknown, y: 3.5 },
  { name: 'p', word: () => words.status.paused, y: 10.5 },
];

/** What the strokes of bars mean. */
export function BarLegend() {
  return (
    <p className="row xs dim legend">
      {SAMPLES.map(({ name, word, y }) => (
        <span key={name}>
          <svg viewBox="0 0 8 12" className="bar sw" width="8" height="12" aria-hidden="true">
            <rect className={name} x="0" width="8" rx="1.5" y={y} height={12 - y} />
          </svg>
          {word()}
        </span>
      ))}
    </p>
  );
}

/** Bar that shows how much of something is left. `share` is in percent; `label` says it in words. */
export function Meter(props: { share: number; look: 'up' | 'warn' | 'down'; label: string }) {
  const { share, look, label } = props;
  return (
    <div className="meter" role="img" aria-label={label}>
      <i className={look} style={{ width: `${share}%` }} />
    </div>
  );
}
