import { LANGUAGES, type Language } from '../dashboard/manifest.ts';
/**
 * Language that a browser prefers among the known ones (RFC 9110, section 12.5.4); the first known one when it names none.
 *
 * @param header Accept-Language.
 */
export function preferredLanguage<Known extends string>(
  header: string | undefined,
  languages: readonly [Known, ...Known[]],
): Known {
  const weights = (header ?? '').split(',').map((item) => {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { language: range.split('-', 1)[0], weight: Number(weight) };
  });
  const wanted = weights.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  for (const { language } of wanted) {
    const found = languages.find((one) => one.split('-', 1)[0] === language);
    if (found !== undefined) return found;
  }
  return languages[0];
}

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
