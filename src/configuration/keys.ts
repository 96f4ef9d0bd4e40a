/** Length of keys that are made of names; with room for a number. */
const MADE_KEY_LENGTH = 60;

/**
 * The key that follows from a name: the key by which an item finds a thing that no set owns, and that exports and imports
 * give it. It is not unique.
 */
export function slugOf(name: string): string {
  const slug = name
    .replace(/^https?:\/\/(www\.)?/i, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .slice(0, MADE_KEY_LENGTH)
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  return slug === '' ? 'unnamed' : slug;
}

/** Longest name of a variable that is made of a key and a field. */
const MAX_VARIABLE_LENGTH = 120;

/** Name of an environment variable for a secret, such as `WEBSITE_AUTH_PASSWORD`. */
export function variableOf(words: readonly string[]): string {
  const plain = words
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .slice(0, MAX_VARIABLE_LENGTH);
  return /^[0-9]/.test(plain) ? `_${plain}` : plain;
}
