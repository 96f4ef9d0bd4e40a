import { DE } from './de.ts';
import { EN, type ReportWords } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';

/**
 * Languages of reports. Japanese, a language of status pages, is not among them: the fonts of the PDF have no Japanese
 * characters.
 */
export const REPORT_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

export const REPORT_WORDS: Record<ReportLanguage, ReportWords> = { en: EN, de: DE, fr: FR, es: ES };

/** Fills in the `{name}` of a phrase. */
export function fill(phrase: string, values: Readonly<Record<string, string | number>>): string {
  return phrase.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
