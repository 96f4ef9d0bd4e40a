import { DE } from './de.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';

/**
 * Languages of reports. Japanese, a language of status pages, is not among them: the fonts of the PDF have no Japanese
 * characters.
 */
export const REPORT_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

/** Words of a report in one language. `{name}` is replaced. */
export interface ReportWords {
  /** Locale of dates and numbers. */
  locale: string;
  uptimeReport: string;
  /** Sentences of the summary. */
  summaryUptime: string;
  summaryUptimeOne: string;
  summaryNothing: string;
  summaryNoIncident: string;
  summaryOneIncident: string;
  summaryIncidents: string;
  summaryObserved: string;
  summary: string;
  uptime: string;
  observed: string;
  /** Incidents of all types, as listed. */
  incidents: string;
  /** Times of downtime, as counted. */
  outages: string;
  downtime: string;
  mttr: string;
  mtbf: string;
  mttrLong: string;
  mtbfLong: string;
  responseTime: string;
  responseTimes: string;
  noResponseTimes: string;
  monitor: string;
  monitors: string;
  days: string;
  total: string;
  groups: string;
  tags: string;
  objective: string;
  objectives: string;
  objectiveText: string;
  budgetLeft: string;
  budgetSpent: string;
  longestDowntime: string;
  noDowntime: string;
  started: string;
  duration: string;
  cause: string;
  ongoing: string;
  noCause: string;
  noIncidents: string;
  more: string;
  excluded: string;
  nothingExcluded: string;
  from: string;
  until: string;
  reason: string;
  concerns: string;
  by: string;
  kinds: {
    maintenance: string;
    false_alarm: string;
    excluded: string;
    up: string;
    down: string;
  };
  types: Record<string, string>;
  corrected: string;
  uncorrected: string;
  differs: string;
  differsFrom: string;
  legend: { up: string; degraded: string; down: string; excluded: string; unobserved: string };
  /** Alternative texts of graphics. */
  barsOf: string;
  chartOf: string;
  method: string;
  methodLines: readonly string[];
  timezoneLine: string;
  fontsLine: string;
  generated: string;
  page: string;
  units: { d: string; h: string; min: string; s: string; ms: string };
  mailSubject: string;
  mailOpen: string;
  mailUntil: string;
  mailWhy: string;
  mailUnsubscribe: string;
}

const WORDS: Record<ReportLanguage, ReportWords> = { en: EN, de: DE, fr: FR, es: ES };

export function reportWords(language: ReportLanguage): ReportWords {
  return WORDS[language];
}

/** Fills in the `{name}` of a phrase. */
export function fill(phrase: string, values: Readonly<Record<string, string | number>>): string {
  return phrase.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
