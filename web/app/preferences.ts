import { useSyncExternalStore } from 'react';
import type { Language } from '../words/languages.ts';
import { keep, readKept, remember } from './place.ts';

/** Height of rows in lists. */
export type Rows = 'comfortable' | 'dense';
export type Theme = 'system' | 'light' | 'dark';

const listeners = new Set<() => void>();

export function theme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Sets the theme at once, and for the documents that the server writes from now on. */
export function setTheme(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = next;
  remember('theme', next === 'system' ? null : next);
  changed();
}

/** Sets the language, and loads the page in it. */
export function setLanguage(next: Language): void {
  remember('lang', next);
  location.reload();
}

/** Height of rows, read again when it changes. */
export function useRows(): Rows {
  return useSyncExternalStore(subscribe, rows);
}

export function rows(): Rows {
  return readKept('rows') === 'dense' ? 'dense' : 'comfortable';
}

export function setRows(next: Rows): void {
  keep('rows', next);
  changed();
}

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
