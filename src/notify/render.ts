import { oneLine } from '../lib/shown-text.ts';
import { cut } from './channels/cut.ts';
import type { Message, Notice, Trouble } from './notice.ts';
import { linesOf, mailHtml, mailText, type Body } from './render-mail.ts';
import { flappingSubject, severalSubject, troubleSubject, type Several } from './render-subject.ts';
import { durationOf, timesOf, type Times } from './render-times.ts';

const LONGEST = { subject: 200, short: 160, name: 80, text: 300, sentence: 1_000 };
/** The rest is counted. */
const MOST_LISTED = 20;

/** What a message says, before it is put into a form. */
type Content = Pick<Body, 'subject' | 'sentences' | 'facts' | 'list'> & {
  tone: Message['tone'];
  /** Behind the subject of a short message; null for nothing. */
  why: string | null;
};

/**
 * A notice in words. All that people or targets gave is text of one line, cut where it is long.
 *
 * @param how.timezone IANA name of whoever reads it.
 * @param how.links absolute URLs; the one that acknowledges is left out where nothing is left to acknowledge.
 */
export function render(given: Notice, how: { timezone: string; links: Message['links'] }): Message {
  const notice = shown(given);
  const times = timesOf(how.timezone, notice.at);
  const content = contentOf(notice, times);
  const subject = cut(content.subject, LONGEST.subject);
  const { tone, why, sentences, facts, list } = content;
  const links = { ...how.links, acknowledge: isWaiting(notice) ? how.links.acknowledge : null };
  const body = { subject, tone, sentences, facts, list, links, team: notice.team?.name ?? null };
  return {
    subject,
    lines: linesOf(body),
    short: cut(why === null ? subject : `${subject}. ${why}`, LONGEST.short),
    facts,
    tone,
    links,
    text: mailText(body),
    html: mailHtml(body),
  };
}

function shown(notice: Notice): Notice {
  const { team, alert, troubles, headline, text, silence } = notice;
  return {
    ...notice,
    team: team && { ...team, name: line(team.name, LONGEST.name) ?? `Team ${team.id}` },
    alert: alert && { ...alert, sharedCause: line(alert.sharedCause, LONGEST.name) },
    troubles: troubles.map(shownTrouble),
    troubleCount: Math.max(notice.troubleCount, troubles.length),
    headline: line(headline, LONGEST.subject),
    text: text?.trim() ? text : null,
    silence: silence && { ...silence, reason: withoutStop(silence.reason) },
  };
}

function shownTrouble(trouble: Trouble): Trouble {
  const { name, monitorId, url, cause, regions, ending, evidence } = trouble;
  return {
    ...trouble,
    name: line(name, LONGEST.name) ?? `Monitor ${monitorId}`,
    url: line(url, LONGEST.text),
    cause: withoutStop(cause),
    regions: regions.flatMap((region) => line(region, LONGEST.name) ?? []),
    ending: withoutStop(ending),
    evidence: line(evidence, LONGEST.text),
  };
}

/** Null where nothing is left of it. */
function line(text: string | null, longest: number): string | null {
  const clean = oneLine(text ?? '');
  return clean === '' ? null : cut(clean, longest);
}

/** Whether somebody may still acknowledge something of it. */
function isWaiting({ kind, troubles, troubleCount }: Notice): boolean {
  if (kind === 'recovery' || kind === 'notice' || kind === 'test') return false;
  const isWhole = troubles.length === troubleCount;
  return (
    !isWhole || troubles.some(({ endedAt, acknowledged }) => endedAt === null && !acknowledged)
  );
}

/** A sentence that is put into another one. */
function withoutStop(sentence: string | null): string | null {
  return line(oneLine(sentence ?? '').replace(/[.\s]+$/, ''), LONGEST.text);
}

function contentOf(notice: Notice, times: Times): Content {
  const { kind, troubles, troubleCount, alert } = notice;
  if (kind === 'test') return testContent(notice);
  const newest = troubles.at(-1);
  if (kind === 'notice' || newest === undefined) return headlineContent(notice);
  const told =
    alert?.kind === 'flapping'
      ? flappingContent(notice, newest, times)
      : troubleCount === 1
        ? singleContent(notice, newest, times)
        : severalContent(notice, times);
  return { ...told, sentences: [...told.sentences, ...silenceSentences(notice, times)] };
}

function testContent({ team }: Notice): Content {
  const what = team === null ? 'alerts' : `alerts of the team ${team.name}`;
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

function headlineContent({ headline, text, severity }: Notice): Content {
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

function singleContent(notice: Notice, trouble: Trouble, times: Times): Content {
  const { kind, at } = notice;
  const { startedAt, endedAt, ending, acknowledged, cause } = trouble;
  // Who saw what no longer matters; the link shows it.
  const inShort = kind === 'recovery' ? { ...trouble, regions: [], evidence: null } : trouble;
  const sentences = [
    ...(endedAt === null ? waitingSentences(kind, acknowledged) : []),
    ...(ending === null ? [] : [`${ending}.`]),
  ];
  return {
    subject: troubleSubject(trouble, kind, times, at),
    tone: endedAt === null ? toneOf(trouble.severity) : ending === null ? 'good' : 'neutral',
    sentences,
    facts: factsOf(inShort, timeFact({ from: startedAt, to: endedAt, now: at }, times)),
    list: [],
    why: endedAt === null || kind === 'blind_spot' ? cause : ending,
  };
}

function flappingContent(notice: Notice, newest: Trouble, times: Times): Content {
  const { kind, at, severity } = notice;
  const from =
    notice.flapping?.since ?? Math.min(...notice.troubles.map(({ startedAt }) => startedAt));
  const count = notice.flapping?.incidents ?? notice.troubleCount;
  const isOver = kind === 'recovery';
  const often = `${count} ${count === 1 ? 'incident' : 'incidents'} since ${times.short(from)}`;
  return {
    subject: flappingSubject(newest, notice, from, times),
    tone: isOver ? 'good' : toneOf(severity),
    sentences: isOver
      ? [`There were ${often}.`]
      : [
          `It fails and comes back again and again: ${often}. You are not told each time, but once it is steady.`,
          ...waitingSentences(kind, newest.acknowledged),
        ],
    facts: factsOf(newest, timeFact({ from, to: isOver ? at : null, now: at }, times)),
    list: [],
    why: isOver ? null : newest.cause,
  };
}

function severalContent(notice: Notice, times: Times): Content {
  const { kind, at, severity, troubles, troubleCount: count } = notice;
  const sharedCause = notice.alert?.sharedCause ?? null;
  const from = Math.min(...troubles.map(({ startedAt }) => startedAt));
  const several: Several = { kind, troubles, count, sharedCause, from, to: endOf(notice), now: at };
  const isOver = several.to !== null;
  const sorted = troubles.toSorted(
    (a, b) => Number(a.endedAt !== null) - Number(b.endedAt !== null),
  );
  const listed = sorted.slice(0, MOST_LISTED).map((one) => {
    const subject = troubleSubject(one, isOver ? kind : 'alarm', times, at);
    return one.cause === null || one.endedAt !== null ? subject : `${subject} (${one.cause})`;
  });
  const more = count - listed.length;
  const areAcknowledged = troubles.every((one) => one.acknowledged || one.endedAt !== null);
  return {
    subject: severalSubject(several, times),
    tone: isOver ? 'good' : toneOf(severity),
    sentences: isOver ? [] : waitingSentences(kind, areAcknowledged && troubles.length === count),
    facts: [
      ...(sharedCause === null ? [] : [{ name: 'In common', value: sharedCause }]),
      timeFact(several, times),
    ],
    list: more > 0 ? [...listed, `and ${more} more`] : listed,
    why: null,
  };
}

/** When the last of several was over; null while one goes on, as far as they are listed. */
function endOf({ kind, troubles, troubleCount }: Notice): number | null {
  const ends = troubles.flatMap(({ endedAt }) => endedAt ?? []);
  if (ends.length < troubles.length) return null;
  if (troubles.length < troubleCount && kind !== 'recovery') return null;
  return Math.max(...ends);
}

function waitingSentences(kind: Notice['kind'], isAcknowledged: boolean): string[] {
  if (isAcknowledged) return ['Somebody has acknowledged it.'];
  if (kind === 'reminder') return ['Nobody has acknowledged it yet.'];
  if (kind === 'escalation') return ['Nobody acknowledged it, so you are asked next.'];
  return [];
}

/** Why somebody learns of it late. */
function silenceSentences({ kind, silence }: Notice, times: Times): string[] {
  if (kind !== 'blind_spot' || silence === null) return [];
  const range = times.shortRange(silence.from, silence.to);
  const reason = silence.reason === null ? '' : `: ${silence.reason}`;
  return [
    `This channel could not be reached from ${range}, so you could not be told then${reason}.`,
  ];
}

function factsOf(trouble: Trouble, time: Body['facts'][number]): Body['facts'] {
  const { cause, regions, evidence, url, name } = trouble;
  const facts: [string, string | null][] = [
    ['Cause', cause],
    ['Regions', regions.length === 0 ? null : regions.join(', ')],
    [time.name, time.value],
    ['Evidence', evidence],
    ['Address', url === name ? null : url],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ name: label, value }]));
}

function timeFact(
  { from, to, now }: { from: number; to: number | null; now: number },
  times: Times,
): Body['facts'][number] {
  return to === null
    ? { name: 'Since', value: `${times.exact(from)} (${durationOf(now - from)})` }
    : { name: 'Lasted', value: `${durationOf(to - from)}, ${times.exactRange(from, to)}` };
}

function toneOf(severity: Notice['severity']): Message['tone'] {
  return severity === 'info' ? 'neutral' : severity;
}
