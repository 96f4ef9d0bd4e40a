import type { UrlCheck, UrlReach } from '../../client/types.gen.ts';
import type { Standing } from '../../lib/standing.ts';

interface ReachWords {
  up: (up: number, total: number) => string;
  partial: (up: number, total: number) => string;
  down: (total: number) => string;
  unknown: string;
}

/** Sentence that answers whether a URL is down for everyone, and its shape. */
export function summaryOf(
  { verdict, reachable_regions: up, total_regions: total }: Omit<UrlCheck, 'results'>,
  words: ReachWords,
): { standing: Standing; sentence: string } {
  switch (verdict) {
    case 'up':
      return { standing: 'online', sentence: words.up(up, total) };
    case 'partial':
      return { standing: 'degraded', sentence: words.partial(up, total) };
    case 'down':
      return { standing: 'offline', sentence: words.down(total) };
    case 'unknown':
      return { standing: 'unknown', sentence: words.unknown };
  }
}

/** Shape of what one region saw. */
export function reachStanding(status: UrlReach['status']): Standing {
  if (status === 'online') return 'online';
  return status === 'offline' ? 'offline' : 'unknown';
}

/** Hosts that rarely have a certificate: this machine, and bare addresses. */
const WITHOUT_TLS =
  /^(?:(?:[^/?#:]+\.)?localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?=$|[/:?#])/i;

/** Address with a scheme, as people leave it out; empty for nothing. */
export function withScheme(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) return trimmed;
  return `${WITHOUT_TLS.test(trimmed) ? 'http' : 'https'}://${trimmed}`;
}
