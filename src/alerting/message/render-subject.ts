import type { Notice, Totals, Trouble } from './notice.ts';
import { durationOf, type Times } from './render-times.ts';
import { expiryOf, wordsFor, type Words } from './render-words.ts';

/** Of one trouble: what, of whom, and since when or for how long. Texts are of one line already. */
export function troubleSubject(
  trouble: Trouble,
  kind: Notice['kind'],
  times: Times,
  now: number,
): string {
  const { name, startedAt, endedAt, ending } = trouble;
  const words = wordsFor(trouble);
  if (endedAt === null) return openSubject(trouble, kind, words, times, now);
  if (kind === 'blind_spot')
    return `${words.was}: ${name}, ${times.shortRange(startedAt, endedAt)}`;
  const lasted = durationOf(endedAt - startedAt);
  // Somebody ended it, or it is not looked at any more: that is no recovery.
  if (ending !== null) return `Closed: ${name}, after ${lasted}`;
  return `${words.ends}: ${name}, ${words.lasted} ${lasted}`;
}

function openSubject(
  trouble: Trouble,
  kind: Notice['kind'],
  words: Words,
  times: Times,
  now: number,
): string {
  const { name, startedAt } = trouble;
  const isReminder = kind === 'reminder';
  const expiry = expiryOf(trouble, isReminder);
  if (isReminder) return expiry ?? `${words.goesOn}: ${name}, ${durationOf(now - startedAt)}`;
  const what = expiry ?? `${words.begins}: ${name} since ${times.short(startedAt)}`;
  return kind === 'escalation' ? `${what}, not acknowledged` : what;
}

/** A monitor that goes down and comes back again and again; `from` is when that began. */
export function flappingSubject(
  { name }: Pick<Trouble, 'name'>,
  { kind, at }: Pick<Notice, 'kind' | 'at'>,
  from: number,
  times: Times,
): string {
  const lasted = durationOf(at - from);
  if (kind === 'recovery') return `Steady again: ${name}, flapping for ${lasted}`;
  if (kind === 'reminder' || kind === 'update') return `Still flapping: ${name}, ${lasted}`;
  const what = `Flapping: ${name} since ${times.short(from)}`;
  return kind === 'escalation' ? `${what}, not acknowledged` : what;
}

/** What several troubles have to do with each other. */
export interface Several {
  kind: Notice['kind'];
  troubles: Trouble[];
  /** All of them, where `troubles` are only some. */
  count: number;
  /** Of all of them; undefined where only those are known that are listed. */
  totals: Totals | undefined;
  /** Such as `the address 203.0.113.7`. */
  sharedCause: string | null;
  from: number;
  /** When the last one was over; null while one goes on. */
  to: number | null;
  now: number;
}

/** `12 monitors down since 08:02 CET: the address 203.0.113.7`. */
export function severalSubject(several: Several, times: Times): string {
  const { sharedCause } = several;
  return `${severalHeadline(several, times)}${sharedCause === null ? '' : `: ${sharedCause}`}`;
}

function severalHeadline(several: Several, times: Times): string {
  const { kind, troubles, count, totals, from, to, now } = several;
  const noun = nounOf(several);
  const closed = troubles.filter(({ ending }) => ending !== null).length;
  // They may fail still: nobody says that they are back.
  if (to !== null && closed > 0)
    return `${count} incidents ${closed === count ? 'closed' : 'over'}, after ${durationOf(to - from)}`;
  const words = severalWords(several, noun.isMonitors);
  const all = `${count} ${noun.text}`;
  if (to !== null && kind === 'blind_spot')
    return `${all} ${words.were}, ${times.shortRange(from, to)}`;
  if (to !== null) return `${all} ${words.ended}, ${words.lasted} ${durationOf(to - from)}`;
  const over =
    totals === undefined
      ? troubles.filter(({ endedAt }) => endedAt !== null).length
      : count - totals.open;
  if (kind === 'reminder' && over === 0)
    return `${all} still ${words.open}, ${durationOf(now - from)}`;
  const isPartly =
    totals === undefined
      ? troubles.some(({ acknowledged }) => acknowledged)
      : totals.acknowledged > 0;
  const asked = isPartly ? ', not all acknowledged' : ', not acknowledged';
  const since = `since ${times.short(from)}${kind === 'escalation' ? asked : ''}`;
  if (over === 0) return `${all} ${words.open} ${since}`;
  const isKnown = totals !== undefined || troubles.length === count;
  const left = isKnown ? count - over : 'Some';
  return `${left} of ${all} still ${words.open} ${since}`;
}

function nounOf({ troubles, count, totals }: Several): { text: string; isMonitors: boolean } {
  const listed = new Set(troubles.map(({ monitorId }) => monitorId)).size;
  const [monitors, incidents] =
    totals === undefined ? [listed, troubles.length] : [totals.monitors, count];
  if (monitors === incidents) return { text: 'monitors', isMonitors: true };
  const of = monitors === 1 ? ` of ${troubles[0]!.name}` : '';
  return { text: `incidents${of}`, isMonitors: false };
}

function severalWords({ troubles, totals }: Several, isMonitors: boolean) {
  if (!isMonitors) return { open: 'open', ended: 'over', were: 'were open', lasted: 'after' };
  const isAllDown = totals?.isAllDown ?? troubles.every(({ type }) => type === 'uptime');
  return isAllDown
    ? { open: 'down', ended: 'back up', were: 'were down', lasted: 'down' }
    : { open: 'in trouble', ended: 'fine again', were: 'were in trouble', lasted: 'after' };
}
