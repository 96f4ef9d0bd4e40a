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
