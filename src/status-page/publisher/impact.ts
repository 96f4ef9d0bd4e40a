import type { Impact } from '../facts/model.ts';
import type { PublishedIncident } from './facts.ts';

/** Warnings that visitors notice. Others, such as an expiring certificate, concern the team alone. */
const NOTICED_WARNINGS = new Set(['regional', 'slow_response', 'dual_stack']);

/** Whether visitors of a page notice an incident. */
export function isNoticed({ type, severity }: Pick<PublishedIncident, 'type' | 'severity'>) {
  // A budget that burns concerns the team; visitors see the outage that burns it.
  if (type === 'manual' || type === 'error_budget') return false;
  return severity === 'critical' || NOTICED_WARNINGS.has(type);
}

const IMPACTS: readonly Impact[] = ['none', 'minor', 'major', 'critical'];

/** Impact of an incident that nobody rated. */
export function impactOf(severity: string): Impact {
  if (severity === 'info') return 'none';
  return severity === 'critical' ? 'major' : 'minor';
}

/** The worse one of two impacts. */
export function worse(one: Impact, other: Impact): Impact {
  return IMPACTS.indexOf(one) >= IMPACTS.indexOf(other) ? one : other;
}
