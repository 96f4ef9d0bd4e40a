import type { UrlCheck } from '../../app/api.gen.ts';
import { keep, readKept } from '../../app/place.ts';
import { VOTE_STATUS, type DisplayStatus } from '../../lib/display-status.ts';

/** Checks that this browser remembers, and monitors that are suggested in their place. */
export const MAX_SUGGESTED = 6;
const KEPT = 'checks';

/** A check of a URL in this browser: the server stores none. */
interface Before {
  url: string;
  /** Epoch milliseconds. */
  at: number;
  displayStatus: DisplayStatus;
}

const STATUS = { ...VOTE_STATUS, partial: 'degraded' } as const;

/** The newest checks of this browser, each URL once. */
export function checkedBefore(): Before[] {
  try {
    return JSON.parse(readKept(KEPT) ?? '[]') as Before[];
  } catch {
    return [];
  }
}

/** Remembers a check. A query may hold a secret, which no later person at this browser is to read. */
export function remember({ url, checked_at, verdict }: UrlCheck): void {
  if (url.includes('?')) return;
  const one = { url, at: Date.parse(checked_at), displayStatus: STATUS[verdict] };
  const others = checkedBefore().filter((other) => other.url !== url);
  keep(KEPT, JSON.stringify([one, ...others].slice(0, MAX_SUGGESTED)));
}
