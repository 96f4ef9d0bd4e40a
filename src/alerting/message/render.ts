import { foundBy } from '../../model/condition.ts';
import { singleLine, cut, plainName } from '../../lib/text.ts';
import type { Message, MessageContent, MessageIncident } from './content.ts';
import {
  flappingSubject,
  incidentSubject,
  agedCause,
  expiryOf,
  observedText,
  severalSubject,
  type Several,
} from './words.ts';
import { timesOf, type Times } from './times.ts';
import { layOutMail, PRODUCT } from '../../lib/mail-layout.ts';

const LONGEST = { subject: 200, name: 80, text: 300, sentence: 1_000 };
/**
 * Renders content as a message. Text from people or targets becomes one line and is truncated.
 *
 * @param how.timezone IANA time zone of the reader.
 * @param how.links absolute URLs; the link to acknowledge is omitted if nothing is left to acknowledge.
 */
export function render(given: MessageContent, how: { timezone: string; links: Message['links'] }) {
  const times = timesOf(how.timezone, given.at);
  const content = shown(given, times);
  const draft = draftOf(content, times);
  const subject = cut(draft.subject, LONGEST.subject);
  const { tone, why, sentences, facts, list } = draft;
  const links = { ...how.links, acknowledge: isWaiting(content) ? how.links.acknowledge : null };
  const body = { subject, tone, sentences, facts, list, links, team: content.team?.name ?? null };
  return {
    subject,
    lines: linesOf(body),
    short: cut(why === null ? subject : `${subject}. ${why}`, LONGEST_SHORT),
    facts,
    tone,
    links,
    ...alertMail(body),
  };
}

function shown(content: MessageContent, times: Times): MessageContent {
  const { team, alert, troubles, headline, text, silence } = content;
  return {
    ...content,
    // It stands in mails to people outside the team, as the address of a channel may be anybody's.
    team: team && { ...team, name: plainName(team.name, LONGEST.name) || `Team ${team.id}` },
    alert: alert && { ...alert, sharedCause: line(alert.sharedCause, LONGEST.name) },
    troubles: troubles.map((one) => shownIncident(one, content.at, times)),
    troubleCount: Math.max(content.troubleCount, troubles.length),
    headline: line(headline && times.within(headline), LONGEST.subject),
    text: text?.trim() ? times.within(text) : null,
    silence: silence && { ...silence, reason: withoutStop(silence.reason) },
  };
}

/** An older cause states what was found at that time. */
const FRESH_MS = 12 * 3_600_000;

function shownIncident(incident: MessageIncident, now: number, times: Times): MessageIncident {
  const { name, monitorId, url, type, startedAt, regions, vantage = null } = incident;
  const cause = withoutStop(now - startedAt < FRESH_MS ? incident.cause : agedCause(incident));
  return {
    ...incident,
    name: apart(line(name, LONGEST.name) ?? `Monitor ${monitorId}`),
    url: line(url, LONGEST.text),
    // Causes of push monitors are fixed texts (engine/heartbeat/cause.ts); others may quote a target.
    cause: cause !== null && foundBy(type) === 'pings' ? times.within(cause) : cause,
    regions: regions.flatMap((region) => line(region, LONGEST.name) ?? []),
    vantage: line(vantage, LONGEST.name),
    ending: withoutStop(incident.ending),
    evidence: line(incident.evidence, LONGEST.text),
  };
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069'];

/** Isolates a right-to-left name, so that it does not reorder the following text (UAX #9, section 2.4.2). */
function apart(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `${ISOLATE}${name}${END_OF_ISOLATE}` : name;
}

function line(text: string | null, longest: number): string | null {
  const clean = singleLine(text ?? '');
  return clean === '' ? null : cut(clean, longest);
}

function isWaiting({ kind, troubles, troubleCount }: MessageContent): boolean {
  if (kind === 'recovery' || kind === 'notice' || kind === 'test') return false;
  const isWhole = troubles.length === troubleCount;
  return (
    !isWhole || troubles.some(({ endedAt, acknowledged }) => endedAt === null && !acknowledged)
  );
}

function withoutStop(sentence: string | null): string | null {
  return line(singleLine(sentence ?? '').replace(/[.\s]+$/, ''), LONGEST.text);
}

function draftOf(content: MessageContent, times: Times): Draft {
  const { kind, troubles, troubleCount, alert } = content;
  if (kind === 'test') return testDraft(content);
  const newest = troubles.at(-1);
  if (kind === 'notice' || newest === undefined) return headlineDraft(content);
  const draft =
    alert?.kind === 'flapping'
      ? flappingDraft(content, newest, times)
      : troubleCount === 1
        ? singleDraft(content, newest, times)
        : severalDraft(content, times);
  return { ...draft, sentences: [...draft.sentences, ...gapSentences(content, times)] };
}

function testDraft({ team }: MessageContent): Draft {
  const what = team === null ? 'alerts' : `alerts of the team "${team.name}"`;
  return {
    subject: 'Test of this channel',
    tone: 'neutral',
    sentences: [
      `This is a test. While this channel is enabled, ${what} come this way. There is nothing to do.`,
    ],
    facts: [],
    list: [],
    why: 'It works, and there is nothing to do.',
  };
}

function headlineDraft({ headline, text, severity }: MessageContent): Draft {
  const sentences = (text ?? '').split(/\r?\n/).flatMap((one) => line(one, LONGEST.sentence) ?? []);
  return {
    subject: headline ?? sentences[0] ?? 'Notice',
    tone: toneOf(severity),
    sentences,
    facts: [],
    list: [],
    why: sentences[0] ?? null,
  };
}

function singleDraft({ kind, at }: MessageContent, incident: MessageIncident, times: Times): Draft {
  const { startedAt, endedAt, unobservedMs = 0, ending, acknowledged, cause } = incident;
  const isExpiry = endedAt === null && expiryOf(incident, false) !== null;
  // Evidence of ended incidents is only on the linked page.
  const inShort = kind === 'recovery' ? { ...incident, regions: [], evidence: null } : incident;
  const sentences = [
    ...(endedAt === null ? waitingSentences(kind, acknowledged ? 'all' : 'none') : []),
    ...(ending === null ? [] : [`${ending}.`]),
  ];
  return {
    subject: incidentSubject(incident, kind, times, at),
    tone: endedAt === null ? toneOf(incident.severity) : ending === null ? 'good' : 'neutral',
    sentences,
    facts: factsOf(inShort, {
      ...timeFact(
        { from: startedAt, to: endedAt, unobservedMs: isExpiry ? 0 : unobservedMs, now: at },
        times,
      ),
      // It began earlier or is still to begin.
      ...(isExpiry && { name: 'Noticed' }),
    }),
    list: [],
    // A subject with the day of expiry is complete.
    why: isExpiry ? null : endedAt === null || kind === 'blind_spot' ? cause : ending,
  };
}

function flappingDraft(content: MessageContent, newest: MessageIncident, times: Times): Draft {
  const { kind, at, severity } = content;
  const from =
    content.flapping?.since ?? Math.min(...content.troubles.map(({ startedAt }) => startedAt));
  const count = content.flapping?.incidents ?? content.troubleCount;
  const isOver = kind === 'recovery';
  const often = `${count} ${count === 1 ? 'incident' : 'incidents'} since ${times.short(from)}`;
  return {
    subject: flappingSubject(newest, content, from, times),
    tone: isOver ? 'good' : toneOf(severity),
    sentences: isOver
      ? [`There were ${often}.`]
      : [
          `It fails and comes back again and again: ${often}. You are notified again once it is steady.`,
          ...waitingSentences(kind, newest.acknowledged ? 'all' : 'none'),
        ],
    facts: factsOf(
      isOver ? { ...newest, regions: [], evidence: null } : newest,
      timeFact({ from, to: isOver ? at : null, now: at }, times),
    ),
    list: [],
    why: isOver ? null : newest.cause,
  };
}

function gapSentences({ kind, silence }: MessageContent, times: Times): string[] {
  if (kind !== 'blind_spot' || silence === null) return [];
  const range = times.shortRange(silence.from, silence.to);
  const reason = silence.reason === null ? '' : `: ${silence.reason}`;
  return [
    `This channel could not be reached from ${range}, so you were not notified then${reason}.`,
  ];
}

function factsOf(incident: MessageIncident, time: Body['facts'][number]): Body['facts'] {
  const { cause, regions, vantage = null, evidence, url, name } = incident;
  const facts: [string, string | null][] = [
    ['Cause', cause],
    vantage === null
      ? ['Regions', regions.length === 0 ? null : regions.join(', ')]
      : ['Seen from', regions.length === 0 ? null : vantage],
    [time.name, time.value],
    ['Evidence', evidence],
    ['Address', url === name ? null : url],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ name: label, value }]));
}

const MOST_LISTED = 20;

function severalDraft(content: MessageContent, times: Times): Draft {
  const { kind, at, severity, troubles, troubleCount: count } = content;
  const sharedCause = content.alert?.sharedCause ?? null;
  const from = content.totals?.from ?? Math.min(...troubles.map(({ startedAt }) => startedAt));
  const several: Several = { ...content, from, to: endOf(content) };
  const isOver = several.to !== null;
  const sorted = troubles.toSorted(
    (a, b) => Number(a.endedAt !== null) - Number(b.endedAt !== null),
  );
  const sameCause = isOver ? null : sameCauseOf(content);
  const listed = sorted.slice(0, MOST_LISTED).map((one) => {
    const subject = incidentSubject(one, isOver ? kind : 'alarm', times, at);
    const why = whyOf(one);
    return why === null || why === sameCause ? subject : `${subject} (${why})`;
  });
  const more = count - listed.length;
  const subject = severalSubject(several, times);
  const isAnyClosed = troubles.some(({ ending }) => ending !== null);
  return {
    subject,
    tone: isOver ? (isAnyClosed ? 'neutral' : 'good') : toneOf(severity),
    sentences: isOver ? [] : waitingSentences(kind, acknowledgedOf(content)),
    facts: [
      ...(sharedCause === null ? [] : [{ name: 'In common', value: sharedCause }]),
      ...(sameCause === null ? [] : [{ name: 'Cause', value: sameCause }]),
      timeFact({ ...several, now: at }, times),
    ],
    list: more > 0 ? [...listed, `and ${more} more`] : listed,
    why: namesOf(content, isOver, LONGEST_SHORT - subject.length - 2),
  };
}

/** The common statement of all open incidents; null if they differ or not all are known. */
function sameCauseOf({ troubles, troubleCount, totals }: MessageContent): string | null {
  if (troubles.length < troubleCount && totals?.isSameCause !== true) return null;
  const causes = new Set(troubles.filter(({ endedAt }) => endedAt === null).map(whyOf));
  const [cause = null] = causes;
  return causes.size === 1 ? cause : null;
}

/** The part of the message that its subject does not contain; null for none. */
function whyOf(incident: MessageIncident): string | null {
  if (incident.endedAt !== null) return incident.ending;
  return expiryOf(incident, false) === null ? incident.cause : null;
}

/**
 * Names of the open or ended incidents, as many as fit: `Shop, Blog and 10 more`. Null if none fits, if a monitor has
 * several incidents, or if the open ones are unknown.
 *
 * @param room UTF-16 units.
 */
function namesOf({ troubles, troubleCount }: MessageContent, isOver: boolean, room: number) {
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

/** End of the last of several incidents; null while one is open. */
function endOf({ kind, troubles, troubleCount, totals }: MessageContent): number | null {
  if (totals !== undefined) return totals.to;
  const ends = troubles.flatMap(({ endedAt }) => endedAt ?? []);
  if (ends.length < troubles.length) return null;
  if (troubles.length < troubleCount && kind !== 'recovery') return null;
  return Math.max(...ends);
}

function acknowledgedOf({ troubles, troubleCount, totals }: MessageContent): Acknowledged {
  if (totals !== undefined) {
    if (totals.acknowledged === totals.open) return 'all';
    return totals.acknowledged > 0 ? 'some' : 'none';
  }
  const open = troubles.filter(({ endedAt }) => endedAt === null);
  const count = open.filter(({ acknowledged }) => acknowledged).length;
  if (count === open.length && troubles.length === troubleCount) return 'all';
  return count > 0 ? 'some' : 'none';
}

const LONGEST_SHORT = 160;

type Draft = Pick<Body, 'subject' | 'sentences' | 'facts' | 'list'> & {
  tone: Message['tone'];
  /** Appended to the subject of a short message; null for nothing. */
  why: string | null;
};

type Acknowledged = 'all' | 'some' | 'none';

function waitingSentences(kind: MessageContent['kind'], acknowledged: Acknowledged) {
  if (acknowledged === 'all') return ['Somebody has acknowledged it.'];
  const isSome = acknowledged === 'some';
  if (kind === 'escalation')
    return [
      `${isSome ? 'Not all of them are acknowledged' : 'Nobody acknowledged it'}, so you are asked next.`,
    ];
  if (isSome) return ['Not all of them are acknowledged yet.'];
  return kind === 'reminder' ? ['Nobody has acknowledged it yet.'] : [];
}

/** Start and duration so far of open incidents, or duration and times of ended ones. */
function timeFact(
  {
    from,
    to,
    unobservedMs = 0,
    now,
  }: { from: number; to: number | null; unobservedMs?: number; now: number },
  times: Times,
): Body['facts'][number] {
  const lasted = observedText((to ?? now) - from, unobservedMs);
  return to === null
    ? { name: 'Since', value: `${times.exact(from)} (${lasted})` }
    : { name: 'Lasted', value: `${lasted}, ${times.exactRange(from, to)}` };
}

function toneOf(severity: MessageContent['severity']): Message['tone'] {
  return severity === 'info' ? 'neutral' : severity;
}

/** The parts of a mail. Plain texts of one line each. */
interface Body extends Pick<Message, 'subject' | 'tone' | 'links'> {
  sentences: string[];
  facts: { name: string; value: string }[];
  /** One line per incident if there are several. */
  list: string[];
  team: string | null;
}

function linesOf({ sentences, facts, list }: Body): string[] {
  return [
    ...sentences,
    ...facts.map(({ name, value }) => `${name}: ${value}`),
    ...list.map((one) => `- ${one}`),
  ];
}

function alertMail(body: Body): { text: string; html: string } {
  const { subject, tone, sentences, facts, list, links, team } = body;
  const { acknowledge, details } = links;
  return layOutMail({
    language: 'en',
    subject,
    brand: PRODUCT,
    headline: subject,
    tone,
    parts: [
      ...sentences.map((text) => ({ text })),
      { facts },
      // Links come before a long list, the one that is asked for first.
      {
        buttons: [
          ...(acknowledge === null ? [] : [{ label: 'Acknowledge', url: acknowledge }]),
          ...(details === null ? [] : [{ label: 'Details', url: details }]),
        ],
      },
      { list },
    ],
    footer: { text: team === null ? 'Tocsin' : `Tocsin, for the team ${team}` },
  });
}
