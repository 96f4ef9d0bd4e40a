/** Languages of status pages and reports, named in themselves. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
} as const;

export type PageLanguage = keyof typeof LANGUAGES;
