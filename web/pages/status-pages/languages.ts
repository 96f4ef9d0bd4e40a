import type { StatusPage } from '../../client/types.gen.ts';

export type PageLanguage = StatusPage['language'];

/** Languages of status pages, named in themselves. */
export const LANGUAGES: readonly { value: PageLanguage; text: string }[] = [
  { value: 'en', text: 'English' },
  { value: 'de', text: 'Deutsch' },
  { value: 'fr', text: 'Français' },
  { value: 'es', text: 'Español' },
  { value: 'ja', text: '日本語' },
];
