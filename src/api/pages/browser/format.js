/** Formats values as text. */

/**
 * @param {number} time milliseconds since 1970
 * @param {number} now the same
 * @returns {string} such as `in 3 days`
 */
export function relativeTime(time, now) {
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const seconds = (time - now) / 1000;
  for (const { unit, length } of UNITS) {
    if (Math.abs(seconds) >= length) return words.format(Math.round(seconds / length), unit);
  }
  return seconds > 0 ? 'in less than a minute' : 'just now';
}

/** @type {{ unit: Intl.RelativeTimeFormatUnit, length: number }[]} */
const UNITS = [
  { unit: 'year', length: 365 * 86_400 },
  { unit: 'day', length: 86_400 },
  { unit: 'hour', length: 3_600 },
  { unit: 'minute', length: 60 },
];

/**
 * Secret of an otpauth URI, in groups of four for typing.
 *
 * @param {string} uri
 * @returns {string}
 */
export function secretOf(uri) {
  const secret = URL.parse(uri)?.searchParams.get('secret') ?? '';
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/**
 * Browser and system of a User-Agent header; the start of the header when unknown.
 *
 * @param {string | null} userAgent
 * @returns {string}
 */
export function agentName(userAgent) {
  if (userAgent === null || userAgent === '') return 'Unknown program';
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (browser === undefined) return userAgent.slice(0, 60);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** The first match counts, since most browsers also name others. @type {[string, RegExp][]} */
const BROWSERS = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /Chrome\/|\bCriOS\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
];

/** @type {[string, RegExp][]} */
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/**
 * Replaces the API's field name at the start of a message by the field's label.
 *
 * @param {string} message such as `newPassword must have 8 to 128 characters.`
 * @param {string} name `newPassword`
 * @param {string} label `New password`
 * @returns {string}
 */
export function fieldMessage(message, name, label) {
  return message.startsWith(`${name} `) ? label + message.slice(name.length) : message;
}

/**
 * Purpose of the token of a mailed link: confirms an address, agrees to a change of address (`agreement`), or confirms
 * the new address. Only for the page's text: the server verifies the signature.
 *
 * @param {string} token a JSON web token
 * @returns {'address' | 'agreement' | 'new address'}
 */
export function confirmationOf(token) {
  try {
    const coded = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { updateTo, requestType } = JSON.parse(atob(coded));
    if (updateTo === undefined) return 'address';
    return requestType === 'change-email-confirmation' ? 'agreement' : 'new address';
  } catch {
    return 'address';
  }
}

/**
 * Message for a failed sign-in through a provider. The code in the URL may be forged, so it is never shown.
 *
 * @param {string} code
 * @returns {string}
 */
export function signInFailure(code) {
  return (
    FAILURES.get(code.toLowerCase()) ??
    'Signing in there did not work. Try again, or sign in another way.'
  );
}

/** Messages by error code of the sign-in routes. */
const FAILURES = new Map(
  Object.entries({
    access_denied: 'Signing in was canceled. Try again, or sign in another way.',
    account_not_linked:
      'There is an account with this address that is not yet confirmed, or the provider has not confirmed the address. Sign in with your password.',
    "email_doesn't_match": 'The account there has another e-mail address than yours here.',
    email_is_missing:
      'The provider did not setText your e-mail address. Allow it there, then try again.',
    email_not_found:
      'The provider did not setText your e-mail address. Allow it there, then try again.',
    email_not_verified: 'Confirm your e-mail address at the provider, then try again.',
    not_invited:
      'Nobody here knows this address. Ask an owner or admin of your team for an invitation.',
    please_restart_the_process: 'That took too long. Try again.',
    signup_disabled:
      'Nobody here knows this address. Ask an owner or admin of your team for an invitation.',
    state_mismatch: 'That took too long, or was begun in another window. Try again.',
    state_not_found: 'That took too long, or was begun in another window. Try again.',
    unable_to_create_user:
      'Nobody here knows this address. Ask an owner or admin of your team for an invitation.',
  }),
);
