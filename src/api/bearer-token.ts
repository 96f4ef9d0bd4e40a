import { createHash, timingSafeEqual } from 'node:crypto';

export const TOKEN_MISSING = 'Send METRICS_TOKEN in the header Authorization, after "Bearer ".';

/** Whether the header Authorization bears that token. Compares hashes: the time says nothing about the token. */
export function bearsToken(authorization: string | undefined, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return timingSafeEqual(hashOf(given), hashOf(token));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
