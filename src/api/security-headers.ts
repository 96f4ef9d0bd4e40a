/** Security headers (OWASP ASVS 5.0, section 3.4). */

/** A year, in seconds; without subdomains, which may belong to other services. */
const TRANSPORT_SECURITY = 'max-age=31536000';

/** Policy of answers that are not pages: they load nothing and can't be framed. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Headers of all answers of the framework; pings, which no browser reads, only have `nosniff`. */
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
 * Additional headers of pages.
 *
 * @param sources allowed sources by directive; everything else is blocked.
 */
export function pageHeaders(sources: Record<string, string>): Record<string, string> {
  const directives = {
    'default-src': "'none'",
    ...sources,
    'base-uri': "'none'",
    'form-action': sources['form-action'] ?? "'none'",
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

/** Policy of pages that use no feature of browsers at all. */
export function permissionsPolicy(): string {
  return NO_FEATURES;
}

const NO_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Pages only use passkeys and the clipboard. */
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
