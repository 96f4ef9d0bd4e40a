/** Languages of the dashboard, with their names in themselves. Each has a file beside this one, and a line in src/dashboard/manifest.ts. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' };

export type Language = keyof typeof LANGUAGE_NAMES;

export function isLanguage(text: string): text is Language {
  return text in LANGUAGE_NAMES;
}
