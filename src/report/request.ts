import type { ReportScope } from '../store/resources/report-facts.ts';
import type { Delimiter } from './csv.ts';
import type { ReportLanguage } from './words/words.ts';

/**
 * Options of a run, as stored when it was asked for: a report that is changed meanwhile does not change them. Times are
 * epoch milliseconds.
 */
export interface RunOptions {
  name: string;
  scope: ReportScope;
  from: number;
  to: number;
  timezone: string;
  language: ReportLanguage;
  format: 'json' | 'csv' | 'pdf';
  isCorrected: boolean;
  delimiter: Delimiter;
  /** Page whose logo is on the cover. */
  statusPageId: number | null;
}
