import { words } from '../words/index.ts';
import type { DisplayStatus } from './display-status.ts';

export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Shape of a severity: down for a critical incident, else degraded. */
export function displayStatusOfSeverity(severity: Severity): DisplayStatus {
  return severity === 'critical' ? 'offline' : 'degraded';
}

/** Severities in a sentence, such as "critical and warning"; German nouns keep their capitals. */
export function severityText(severities: readonly Severity[]): string {
  const { locale } = words.time;
  const names = severities.map((severity) => words.severities[severity]);
  const inText = locale.startsWith('de') ? names : names.map((name) => name.toLowerCase());
  return new Intl.ListFormat(locale).format(inText);
}
