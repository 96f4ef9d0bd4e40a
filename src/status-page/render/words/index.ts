import type { PageLanguage } from '../../facts/model.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { JA } from './ja.ts';
import type { Words } from './words.ts';

export type { AutomaticSubject, DayClass, Problems, Words } from './words.ts';

const WORDS: Record<PageLanguage, Words> = { en: EN, de: DE, fr: FR, es: ES, ja: JA };

/** Words of a page's language. */
export function wordsOf(language: PageLanguage): Words {
  return WORDS[language];
}
