/** What keeps browsers from doing with an answer what it is not meant for (OWASP ASVS 5.0, section 3.4). */

/** A year, in seconds: browsers come back over TLS alone. Other names under the same domain are not ours to decide. */
const TRANSPORT_SECURITY = 'max-age=31536000';

/** Nothing may be loaded by, and nobody may frame, what is no page. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Of every answer of the framework; pings, which are many and read by no browser, send `nosniff` alone. */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return baseUrl.startsWith('https:') ? OVER_TLS : PLAIN;
}

const PLAIN = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': DATA_POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

const OVER_TLS = { ...PLAIN, 'strict-transport-security': TRANSPORT_SECURITY };

/**
 * What pages send beyond that.
 *
 * @param sources where each kind of content may come from, by its directive. What is not named is loaded from nowhere.
 */
export function pageHeaders(sources: Record<string, string>): Record<string, string> {
  const directives = {
    'default-src': "'none'",
    ...sources,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return {
    'content-security-policy': Object.entries(directives)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
  };
}

/** Pages use passkeys and the clipboard, and nothing else that a browser asks people about. */
const PERMISSIONS = [
  'camera=()',
  'display-capture=()',
  'geolocation=()',
  'microphone=()',
  'payment=()',
  'usb=()',
  'clipboard-write=(self)',
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
].join(', ');
