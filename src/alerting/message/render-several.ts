import type { Notice, Trouble } from './notice.ts';
import { timeFact, toneOf, waitingSentences, LONGEST_SHORT } from './render-parts.ts';
import type { Acknowledged, Content } from './render-parts.ts';
import { severalSubject, troubleSubject, type Several } from './render-subject.ts';
import type { Times } from './render-times.ts';
import { expiryOf } from './render-words.ts';

/** The rest is counted. */
const MOST_LISTED = 20;

/** Of several incidents: a storm, or what could not be told while a channel was out of reach. */
export function severalContent(notice: Notice, times: Times): Content {
  const { kind, at, severity, troubles, troubleCount: count } = notice;
  const sharedCause = notice.alert?.sharedCause ?? null;
  const { totals } = notice;
  const from = totals?.from ?? Math.min(...troubles.map(({ startedAt }) => startedAt));
  const to = endOf(notice);
  const several: Several = { kind, troubles, count, totals, sharedCause, from, to, now: at };
  const isOver = several.to !== null;
  const sorted = troubles.toSorted(
    (a, b) => Number(a.endedAt !== null) - Number(b.endedAt !== null),
  );
  const sameCause = isOver ? null : sameCauseOf(notice);
  const listed = sorted.slice(0, MOST_LISTED).map((one) => {
    const subject = troubleSubject(one, isOver ? kind : 'alarm', times, at);
    const why = whyOf(one);
    return why === null || why === sameCause ? subject : `${subject} (${why})`;
  });
  const more = count - listed.length;
  const subject = severalSubject(several, times);
  const isAnyClosed = troubles.some(({ ending }) => ending !== null);
  return {
    subject,
    tone: isOver ? (isAnyClosed ? 'neutral' : 'good') : toneOf(severity),
    sentences: isOver ? [] : waitingSentences(kind, acknowledgedOf(notice)),
    facts: [
      ...(sharedCause === null ? [] : [{ name: 'In common', value: sharedCause }]),
      ...(sameCause === null ? [] : [{ name: 'Cause', value: sameCause }]),
      timeFact(several, times),
    ],
    list: more > 0 ? [...listed, `and ${more} more`] : listed,
    why: namesOf(notice, isOver, LONGEST_SHORT - subject.length - 2),
  };
}

/** What all of several say that go on; null where they say different things, and where not all of them are known. */
function sameCauseOf({ troubles, troubleCount, totals }: Notice): string | null {
  if (troubles.length < troubleCount && totals?.isSameCause !== true) return null;
  const causes = new Set(troubles.filter(({ endedAt }) => endedAt === null).map(whyOf));
  const [cause = null] = causes;
  return causes.size === 1 ? cause : null;
}

/** What its subject does not say; null for nothing. */
function whyOf(trouble: Trouble): string | null {
  if (trouble.endedAt !== null) return trouble.ending;
  return expiryOf(trouble, false) === null ? trouble.cause : null;
}

/**
 * Which of several go on, or were over: as many names as fit, `Shop, Blog and 10 more`. Null where not one does, where
 * some monitors have several incidents, and where nobody knows which go on.
 *
 * @param room in UTF-16 units.
 */
function namesOf({ troubles, troubleCount }: Notice, isOver: boolean, room: number): string | null {
  const named = isOver ? troubles : troubles.filter(({ endedAt }) => endedAt === null);
  const unlisted = troubleCount - troubles.length;
  if (unlisted > 0 && named.length < troubles.length) return null;
  const names = [...new Set(named.map(({ name }) => name))];
  if (names.length < named.length) return null;
  for (let kept = names.length; kept > 0; kept -= 1) {
    const more = names.length - kept + unlisted;
    const text = `${names.slice(0, kept).join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
    if (text.length <= room) return text;
  }
  return null;
}

/** When the last of several was over; null while one goes on. */
function endOf({ kind, troubles, troubleCount, totals }: Notice): number | null {
  if (totals !== undefined) return totals.to;
  const ends = troubles.flatMap(({ endedAt }) => endedAt ?? []);
  if (ends.length < troubles.length) return null;
  if (troubles.length < troubleCount && kind !== 'recovery') return null;
  return Math.max(...ends);
}

/** How many of those that go on somebody has acknowledged. */
function acknowledgedOf({ troubles, troubleCount, totals }: Notice): Acknowledged {
  if (totals !== undefined) {
    if (totals.acknowledged === totals.open) return 'all';
    return totals.acknowledged > 0 ? 'some' : 'none';
  }
  const open = troubles.filter(({ endedAt }) => endedAt === null);
  const count = open.filter(({ acknowledged }) => acknowledged).length;
  if (count === open.length && troubles.length === troubleCount) return 'all';
  return count > 0 ? 'some' : 'none';
}
