import type { Standing } from './standing.ts';

export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Shape of a severity: down for a critical incident, else degraded. */
export function standingOfSeverity(severity: Severity): Standing {
  return severity === 'critical' ? 'offline' : 'degraded';
}
