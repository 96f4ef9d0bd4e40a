import type { Language } from '../words/languages.ts';
import { keep, readKept, remember } from './place.ts';
import { createStore } from './store.ts';

/** Height of rows in lists. */
export type Rows = 'comfortable' | 'dense';
export type Theme = 'system' | 'light' | 'dark';

const height = createStore<Rows>(readKept('rows') === 'dense' ? 'dense' : 'comfortable');

export function theme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Sets the theme at once, and for the documents that the server writes from now on. */
export function setTheme(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = next;
  remember('theme', next === 'system' ? null : next);
}

/** Sets the language, and loads the page in it. */
export function setLanguage(next: Language): void {
  remember('lang', next);
  location.reload();
}

/** Height of rows, read again when it changes. */
export const useRows = height.useValue;

export const rows = height.read;

export function setRows(next: Rows): void {
  keep('rows', next);
  height.set(next);
}
