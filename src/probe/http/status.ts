import { STATUS_CODES } from 'node:http';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whether a status code is accepted: `"200"` or `"2xx"` name codes; null means 2xx and 3xx (contract 16.3). */
export function isAcceptedStatus(status: number, accepted: readonly string[] | null): boolean {
  if (accepted === null) return status >= 200 && status < 400;
  return accepted.some((each) =>
    each.length === 3 && /^\dxx$/i.test(each)
      ? Number(each[0]) === Math.floor(status / 100)
      : Number(each) === status,
  );
}

/** Whether the status, with a Location, is a redirect. 300 leaves the choice to people, 304 is about caches. */
export function isRedirectStatus(status: number): boolean {
  return REDIRECTS.has(status);
}

/**
 * A sentence such as `HTTP 503 Service Unavailable`, with the standard's reason phrase rather than the server's, so that
 * equal failures have equal texts.
 */
export function statusSentence(status: number): string {
  const words = STATUS_CODES[status];
  return words === undefined ? `HTTP ${status}` : `HTTP ${status} ${words}`;
}
