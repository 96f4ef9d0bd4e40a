import { LANGUAGES, type Language } from '../../dashboard/manifest.ts';
import { preferredLanguage } from '../preferred-language.ts';

const THEMES = ['light', 'dark'] as const;

/** What a browser says about how its person wants the dashboard. */
export interface Preferences {
  language: Language;
  /** Null for the one of the system. */
  theme: (typeof THEMES)[number] | null;
}

/**
 * Reads the cookies `lang` and `theme`, which the dashboard sets: under https with a prefix, which no page of another host
 * can set over HTTP. Without `lang` the language is the known one that the
 * browser prefers (RFC 9110, section 12.5.4).
 */
export function preferencesOf(headers: {
  cookie?: string | undefined;
  'accept-language'?: string | undefined;
}): Preferences {
  const chosen = cookieOf(headers.cookie, 'lang');
  const theme = cookieOf(headers.cookie, 'theme');
  return {
    language:
      LANGUAGES.find((language) => language === chosen) ??
      preferredLanguage(headers['accept-language'], LANGUAGES),
    theme: THEMES.find((one) => one === theme) ?? null,
  };
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  for (const prefix of [`__Secure-${name}=`, `${name}=`]) {
    const found = pairs.find((pair) => pair.startsWith(prefix));
    if (found !== undefined) return found.slice(prefix.length);
  }
  return undefined;
}
