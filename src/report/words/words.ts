import { DE } from './de.ts';
import { EN, type ReportWords } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { IT } from './it.ts';
import { JA } from './ja.ts';
import { NL } from './nl.ts';
import { PT } from './pt.ts';
import { ZH_CN } from './zh-CN.ts';

/** Languages of reports: those of status pages. */
export const REPORT_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ja', 'zh-CN'] as const;
export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

export const REPORT_WORDS: Record<ReportLanguage, ReportWords> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  pt: PT,
  it: IT,
  nl: NL,
  ja: JA,
  'zh-CN': ZH_CN,
};

/** Fills in the `{name}` of a phrase. */
export function fill(phrase: string, values: Readonly<Record<string, string | number>>): string {
  return phrase.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
