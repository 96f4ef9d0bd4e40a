/** What the server wrote on the document: where the dashboard lives, and in which language and theme. */

/** Path of BASE_URL without a trailing slash, such as "" or "/tocsin". */
export const BASE = document.documentElement.dataset['base'] ?? '';

export const API = `${BASE}/api/v1`;

const YEAR_S = 31_536_000;

/** Remembers a choice that the server needs to write the document (`theme`, `lang`). */
export function remember(name: 'theme' | 'lang', value: string | null): void {
  const age = value === null ? 0 : YEAR_S;
  const isSecure = location.protocol === 'https:';
  const [prefix, secure] = isSecure ? ['__Secure-', '; secure'] : ['', ''];
  document.cookie = `${prefix}${name}=${value ?? ''}; path=${BASE}/; max-age=${age}; samesite=lax${secure}`;
}

/** Choices that only this browser needs. Storage may be disabled: then they last until the page is closed. */
const kept = new Map<string, string>();

export function keep(name: string, value: string): void {
  kept.set(name, value);
  try {
    localStorage.setItem(`tocsin.${name}`, value);
  } catch {
    // Storage is full or disabled.
  }
}

export function readKept(name: string): string | null {
  const here = kept.get(name);
  if (here !== undefined) return here;
  try {
    return localStorage.getItem(`tocsin.${name}`);
  } catch {
    return null;
  }
}
