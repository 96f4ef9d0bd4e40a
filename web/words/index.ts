import type { Words } from './en.ts';

export type { Words } from './en.ts';

/** Languages, each with the file of its words. A new one is a line here and a file. */
const LANGUAGES = {
  en: () => import('./en.ts').then(({ en }) => en),
  de: () => import('./de.ts').then(({ de }) => de),
} satisfies Record<string, () => Promise<Words>>;

export type Language = keyof typeof LANGUAGES;

/** Names of the languages in themselves. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' };

/** Words of the chosen language, loaded before anything is shown. A change of the language reloads the page. */
export let words: Words;

/** Loads the words of a language; English for a language that has none. */
export async function loadWords(language: string): Promise<void> {
  words = await LANGUAGES[isLanguage(language) ? language : 'en']();
}

export function isLanguage(text: string): text is Language {
  return text in LANGUAGES;
}
