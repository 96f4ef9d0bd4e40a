import type { NamedPlace } from '../../app/regions.ts';
import type { UrlCheck, UrlReach } from '../../app/api.gen.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { letterOf } from '../../lib/places.ts';
import type { Words } from '../../words/index.ts';

type ReachWords = Words['check'];

/** What one place saw of a URL. */
export interface PlaceReach {
  name: string;
  codes: readonly string[];
  displayStatus: 'online' | 'offline' | 'unknown';
  /** Each different answer, the most frequent one first. */
  answers: { text: string; isError: boolean; checks: number }[];
  checks: number;
  /** The check of median response time among those that say what the place says. */
  typical: UrlReach;
}

const LETTER = { online: 'u', offline: 'd', blocked: '?', error: '?' } as const;
const DISPLAY_STATUS = { u: 'online', d: 'offline', '?': 'unknown' } as const;

/** What each of these places saw, by the results of its regions. */
export function reachOf(results: readonly UrlReach[], places: readonly NamedPlace[]): PlaceReach[] {
  const resultOf = new Map(results.map((result) => [result.region, result]));
  return places.map((place) => {
    const own = place.codes.map((code) => resultOf.get(code)!);
    const letter = letterOf(place, (code) => LETTER[resultOf.get(code)!.status]);
    const agreeing = own
      .filter(({ status }) => LETTER[status] === letter)
      .toSorted((a, b) => (a.response_time_ms ?? 0) - (b.response_time_ms ?? 0));
    return {
      name: place.name,
      codes: place.codes,
      displayStatus: DISPLAY_STATUS[letter],
      answers: answersOf(own),
      checks: own.length,
      typical: agreeing[Math.floor((agreeing.length - 1) / 2)]!,
    };
  });
}

function answersOf(results: readonly UrlReach[]): PlaceReach['answers'] {
  const byText = Map.groupBy(results, ({ error, status_code }) => error ?? String(status_code));
  return [...byText]
    .map(([text, same]) => ({ text, isError: same[0]!.error !== null, checks: same.length }))
    .toSorted((a, b) => b.checks - a.checks);
}

/** Sentence that answers whether a URL is down for everyone, and its shape. Counts the places that could check it. */
export function summaryOf(
  { verdict, results }: Pick<UrlCheck, 'verdict' | 'results'>,
  places: readonly PlaceReach[],
  words: ReachWords,
): { displayStatus: DisplayStatus; sentence: string } {
  const known = places.filter(({ displayStatus }) => displayStatus !== 'unknown');
  const up = known.filter(({ displayStatus }) => displayStatus === 'online').length;
  if (known.length === 0) return { displayStatus: 'unknown', sentence: words.unknown };
  if (verdict === 'up') return { displayStatus: 'online', sentence: words.up(known.length) };
  if (verdict === 'down') return { displayStatus: 'offline', sentence: words.down(known.length) };
  if (up > 0 && up < known.length) {
    return { displayStatus: 'degraded', sentence: words.partial(up, known.length) };
  }
  // The checks of one place disagree.
  const letters = results.map(({ status }) => LETTER[status]).filter((letter) => letter !== '?');
  const upChecks = letters.filter((letter) => letter === 'u').length;
  return { displayStatus: 'degraded', sentence: words.partialChecks(upChecks, letters.length) };
}

/** Hosts that rarely have a certificate: this machine, and bare addresses. */
const WITHOUT_TLS =
  /^(?:(?:[^/?#:]+\.)?localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?=$|[/:?#])/i;

/** Address with a scheme, as people leave it out; empty for nothing. */
export function withScheme(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || /^([a-z][a-z0-9+.-]*:|https?)\//i.test(trimmed)) return trimmed;
  return `${WITHOUT_TLS.test(trimmed) ? 'http' : 'https'}://${trimmed}`;
}
