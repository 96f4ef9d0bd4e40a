import type { Severity } from '../lib/severity.ts';
import { words } from '../words/index.ts';

/** Severities in a sentence, such as "critical and warning"; German nouns keep their capitals. */
export function severityText(severities: readonly Severity[]): string {
  const { locale } = words.time;
  const names = severities.map((severity) => words.channels.severities[severity]);
  const inText = locale.startsWith('de') ? names : names.map((name) => name.toLowerCase());
  return new Intl.ListFormat(locale).format(inText);
}
