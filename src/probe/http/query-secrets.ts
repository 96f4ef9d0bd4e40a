/** Values of parameters with such a name are removed whatever they look like. */
const SECRET_NAME =
  /token|secret|pass(?:w|phrase)|credential|session|signature|authori[sz]|(?:key|auth|sig|pass|pwd|code|sid|otp|pin|jwt|hmac|hash)s?(?![a-z])/;
/** Minimum length of a removed value of other parameters: shorter ones occur by chance. */
const MIN_VALUE_LENGTH = 8;
/** Word or number that pages contain anyway. Longer ones are rare. */
const PLAIN_WORD = /^(?=.{1,11}$)(?:\p{Lu}?\p{Ll}+|\p{Lu}+|v?\d+)$/u;
const WORD_SEPARATORS = /[-_.:/,+ ]+/;
/** Servers limit the request line to 8 KiB or less: longer queries are refused. */
const MAX_LENGTH = 8_192;
/** Further parameters are only removed as part of the whole query, so that a target can't keep the probe busy. */
const MAX_PARAMETERS = 100;

/**
 * Parts of a URL's query that may be secret, as written and decoded: the whole, each parameter with its name, and the
 * values that `mayBeSecretValue` finds. `query` may begin with a question mark. The parts have any length.
 */
export function secretsInQuery(query: string): string[] {
  const whole = query.startsWith('?') ? query.slice(1) : query;
  const parameters = whole.split('&').slice(0, MAX_PARAMETERS);
  // A query of one word without a name is a value.
  const named = [whole, ...parameters].filter((part) => /[=&]/.test(part));
  return [...named, ...parameters.flatMap(valueIn)].flatMap(spellings);
}

/**
 * Whether a value of a query is removed where it occurs without its name: if its parameter is named like a secret, and
 * else if it is longer and does not only consist of plain words and numbers, such as `production` or `/account/orders`.
 */
export function mayBeSecretValue(name: string, value: string): boolean {
  if (SECRET_NAME.test(inWords(name))) return true;
  if (value.length < MIN_VALUE_LENGTH) return false;
  return !value.split(WORD_SEPARATORS).every((word) => word === '' || PLAIN_WORD.test(word));
}

/** Query of the address that a response redirects to, if there is one. */
export function queryOfRedirect(headers: readonly [name: string, value: string][]): string[] {
  const location = headers.find(([name]) => name === 'location')?.[1];
  if (location === undefined) return [];
  const [, latin1 = ''] = /^[^?#]*\?([^#]*)/.exec(location) ?? [];
  const query = Buffer.from(latin1, 'latin1').toString('utf8');
  return query === '' || query.length > MAX_LENGTH ? [] : [query];
}

/** Replaces percent escapes. Decodes each run separately: an invalid one leaves the others decoded. */
export function percentDecoded(value: string): string {
  return value.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

function valueIn(parameter: string): string[] {
  const at = parameter.indexOf('=');
  const value = parameter.slice(at + 1);
  const name = at === -1 ? '' : parameter.slice(0, at);
  return mayBeSecretValue(formDecoded(name), formDecoded(value)) ? [value] : [];
}

/** As written; decoded as part of an address; and decoded as a form, in which + is a space. */
function spellings(text: string): string[] {
  return [text, percentDecoded(text), formDecoded(text)];
}

function formDecoded(text: string): string {
  return percentDecoded(text.replaceAll('+', ' '));
}

/** Separates the words of `apiKey`, so that `key` is found in it and not in `keyword`. */
function inWords(name: string): string {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2').toLowerCase();
}
