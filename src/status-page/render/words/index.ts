import type { PageLanguage } from '../../facts/model.ts';
import { DE } from './de.ts';
import { EN, type Words } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { JA } from './ja.ts';

export type { Words } from './en.ts';
export type { AutomaticSubject, DayClass, Problems } from './formats.ts';

const WORDS: Record<PageLanguage, Words> = { en: EN, de: DE, fr: FR, es: ES, ja: JA };

export function wordsOf(language: PageLanguage): Words {
  return WORDS[language];
}
