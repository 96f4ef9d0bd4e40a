import type { PageLanguage } from '../../facts/model.ts';
import { DE } from './de.ts';
import { EN, type Words } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { IT } from './it.ts';
import { JA } from './ja.ts';
import { NL } from './nl.ts';
import { PT } from './pt.ts';
import { ZH_CN } from './zh-CN.ts';

export type { Words } from './en.ts';
export type { AutomaticSubject, DayClass, Problems } from './formats.ts';

const WORDS: Record<PageLanguage, Words> = {
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

export function wordsOf(language: PageLanguage): Words {
  return WORDS[language];
}
