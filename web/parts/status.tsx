import type { ReactNode } from 'react';
import type { DisplayStatus } from '../lib/display-status.ts';
import { words } from '../words/index.ts';

export type { DisplayStatus } from '../lib/display-status.ts';

/** Each displayStatus has a shape and a word of its own: colour is never the only sign. */
const SYMBOLS: Record<DisplayStatus, string> = {
  online: 'up',
  offline: 'down',
  degraded: 'warn',
  maintenance: 'maint',
  paused: 'pause',
  pending: 'pending',
  unknown: 'unk',
};

/** Class of words and shapes about a displayStatus. */
export const STATUS_CLASS: Record<DisplayStatus, string> = {
  online: 'up',
  offline: 'down',
  degraded: 'warn',
  maintenance: 'maint',
  paused: 'none',
  pending: 'none',
  unknown: 'none',
};

/** Shape of a displayStatus, with its word for screen readers unless a word stands beside it. */
export function StatusShape(props: { displayStatus: DisplayStatus; isDecoration?: boolean }) {
  const { displayStatus, isDecoration = false } = props;
  const label = isDecoration
    ? { 'aria-hidden': true as const }
    : { role: 'img', 'aria-label': words.status[displayStatus] };
  return (
    <svg className={`g ${STATUS_CLASS[displayStatus]}`} {...label}>
      <use href={`#${SYMBOLS[displayStatus]}`} />
    </svg>
  );
}

const LINE = { fill: 'none', strokeLinecap: 'round' } as const;
const BROKEN = { fill: 'none', stroke: 'currentColor', strokeDasharray: '2.6 2.27' } as const;

/** Shapes that `<use>` refers to, and the hatching of unobserved time. Once on a page, before everything else. */
export function StatusShapes() {
  const hatching = { width: '4', height: '4', patternUnits: 'userSpaceOnUse' } as const;
  const square = { x: '2.6', y: '2.6', width: '10.8', height: '10.8', rx: '2.4' };
  return (
    <svg className="sprite" width="0" height="0" aria-hidden="true">
      <defs>
        <pattern id="hatch" {...hatching} patternTransform="rotate(45)">
          <rect width="4" height="4" fill="var(--surface-2)" />
          <rect width="1.4" height="4" fill="var(--none-fill)" />
        </pattern>
        <Shape id="up">
          <circle cx="8" cy="8" r="7" fill="currentColor" />
          <path
            {...LINE}
            d="M5 8.3l2.1 2.1L11.2 6"
            stroke="var(--surface)"
            strokeWidth="1.8"
            strokeLinejoin="round"
          />
        </Shape>
        <Shape id="down">
          <rect x="1" y="1" width="14" height="14" rx="3.2" fill="currentColor" />
          <path {...LINE} d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2" stroke="#fff" strokeWidth="1.8" />
        </Shape>
        <Shape id="warn">
          <path
            d="M6.7 1.9a1.5 1.5 0 0 1 2.6 0l5.9 10.4a1.5 1.5 0 0 1-1.3 2.2H2.1a1.5 1.5 0 0 1-1.3-2.2z"
            fill="currentColor"
          />
          <path
            d="M8 5.6v3.6M8 11.8v.1"
            stroke="oklch(0.25 0.03 70)"
            strokeWidth="1.7"
            strokeLinecap="round"
          />
        </Shape>
        <Shape id="maint">
          <rect {...square} transform="rotate(45 8 8)" fill="currentColor" />
          <rect
            x="6"
            y="6"
            width="4"
            height="4"
            rx=".8"
            transform="rotate(45 8 8)"
            fill="var(--surface)"
          />
        </Shape>
        <Shape id="pause">
          <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.6" />
          <path
            d="M6.4 5.8v4.4M9.6 5.8v4.4"
            stroke="currentColor"
            strokeWidth="1.6"
            strokeLinecap="round"
          />
        </Shape>
        <Shape id="pending">
          <circle {...BROKEN} cx="8" cy="8" r="6.2" strokeWidth="1.6" />
        </Shape>
        <Shape id="unk">
          <circle {...BROKEN} cx="8" cy="8" r="6.2" strokeWidth="1.6" />
          <path
            {...LINE}
            d="M8 9.2c0-1.4 1.6-1.3 1.6-2.6a1.6 1.6 0 0 0-3.2 0M8 11.2v.1"
            stroke="currentColor"
            strokeWidth="1.4"
          />
        </Shape>
        <Shape id="bell">
          <path
            d="M8 1.9c-2.5 0-4 1.9-4 4.2 0 3.4-1.4 4.3-1.4 5h10.8c0-.7-1.4-1.6-1.4-5 0-2.3-1.5-4.2-4-4.2z"
            fill="currentColor"
          />
          <path
            {...LINE}
            d="M6.4 13.2a1.7 1.7 0 0 0 3.2 0"
            stroke="currentColor"
            strokeWidth="1.4"
          />
        </Shape>
      </defs>
    </svg>
  );
}

function Shape({ id, children }: { id: string; children: ReactNode }) {
  return (
    <symbol id={id} viewBox="0 0 16 16">
      {children}
    </symbol>
  );
}
