import { STATUS_CODES } from 'node:http';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whether a status code is a success: `"200"` or `"2xx"` name codes; null means 2xx and 3xx (contract 16.3). */
export function isAcceptedStatus(status: number, accepted: readonly string[] | null): boolean {
  if (accepted === null) return status >= 200 && status < 400;
  return accepted.some((each) =>
    each.length === 3 && /^\dxx$/i.test(each)
      ? Number(each[0]) === Math.floor(status / 100)
      : Number(each) === status,
  );
}

/** Whether the status asks to look elsewhere, given a Location. 300 leaves the choice to people, 304 is about a cache. */
export function isRedirectStatus(status: number): boolean {
  return REDIRECTS.has(status);
}

/** `HTTP 503 Service Unavailable`: the standard's words, not the server's, so that the same failure reads the same. */
export function statusSentence(status: number): string {
  const words = STATUS_CODES[status];
  return words === undefined ? `HTTP ${status}` : `HTTP ${status} ${words}`;
}
