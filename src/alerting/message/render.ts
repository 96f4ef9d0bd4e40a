import { singleLine } from '../../lib/text.ts';
import { cut } from './cut.ts';
import type { Message, Notice, Trouble } from './notice.ts';
import { linesOf, mailHtml, mailText, type Body } from './render-mail.ts';
import { timeFact, toneOf, waitingSentences, LONGEST_SHORT, type Content } from './render-parts.ts';
import { severalContent } from './render-several.ts';
import { flappingSubject, troubleSubject } from './render-subject.ts';
import { timesOf, type Times } from './render-times.ts';
import { agedCause, expiryOf } from './render-words.ts';

const LONGEST = { subject: 200, name: 80, text: 300, sentence: 1_000 };
/**
 * A notice in words. All that people or targets gave is text of one line, cut where it is long.
 *
 * @param how.timezone IANA name of whoever reads it.
 * @param how.links absolute URLs; the one that acknowledges is left out where nothing is left to acknowledge.
 */
export function render(given: Notice, how: { timezone: string; links: Message['links'] }): Message {
  const times = timesOf(how.timezone, given.at);
  const notice = shown(given, times);
  const content = contentOf(notice, times);
  const subject = cut(content.subject, LONGEST.subject);
  const { tone, why, sentences, facts, list } = content;
  const links = { ...how.links, acknowledge: isWaiting(notice) ? how.links.acknowledge : null };
  const body = { subject, tone, sentences, facts, list, links, team: notice.team?.name ?? null };
  return {
    subject,
    lines: linesOf(body),
    short: cut(why === null ? subject : `${subject}. ${why}`, LONGEST_SHORT),
    facts,
    tone,
    links,
    text: mailText(body),
    html: mailHtml(body),
  };
}

function shown(notice: Notice, times: Times): Notice {
  const { team, alert, troubles, headline, text, silence } = notice;
  return {
    ...notice,
    team: team && { ...team, name: line(team.name, LONGEST.name) ?? `Team ${team.id}` },
    alert: alert && { ...alert, sharedCause: line(alert.sharedCause, LONGEST.name) },
    troubles: troubles.map((one) => shownTrouble(one, notice.at, times)),
    troubleCount: Math.max(notice.troubleCount, troubles.length),
    headline: line(headline && times.within(headline), LONGEST.subject),
    text: text?.trim() ? times.within(text) : null,
    silence: silence && { ...silence, reason: withoutStop(silence.reason) },
  };
}

/** A cause that is older than this is told as one that was found then. */
const FRESH_MS = 12 * 3_600_000;

function shownTrouble(trouble: Trouble, now: number, times: Times): Trouble {
  const {
    name,
    monitorId,
    url,
    type,
    startedAt,
    regions,
    vantage = null,
    ending,
    evidence,
  } = trouble;
  const cause = withoutStop(now - startedAt < FRESH_MS ? trouble.cause : agedCause(trouble));
  return {
    ...trouble,
    name: apart(line(name, LONGEST.name) ?? `Monitor ${monitorId}`),
    url: line(url, LONGEST.text),
    // Those of jobs are texts of ours (engine/heartbeat/cause.ts); others may quote a target.
    cause: cause !== null && type === 'heartbeat' ? times.within(cause) : cause,
    regions: regions.flatMap((region) => line(region, LONGEST.name) ?? []),
    vantage: line(vantage, LONGEST.name),
    ending: withoutStop(ending),
    evidence: line(evidence, LONGEST.text),
  };
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069'];

/** A name that is read from right to left must not turn around what follows it (UAX #9, section 2.4.2). */
function apart(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `${ISOLATE}${name}${END_OF_ISOLATE}` : name;
}

/** Null where nothing is left of it. */
function line(text: string | null, longest: number): string | null {
  const clean = singleLine(text ?? '');
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
  return line(singleLine(sentence ?? '').replace(/[.\s]+$/, ''), LONGEST.text);
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
  const isExpiry = endedAt === null && expiryOf(trouble, false) !== null;
  // Who saw what no longer matters; the link shows it.
  const inShort = kind === 'recovery' ? { ...trouble, regions: [], evidence: null } : trouble;
  const sentences = [
    ...(endedAt === null ? waitingSentences(kind, acknowledged ? 'all' : 'none') : []),
    ...(ending === null ? [] : [`${ending}.`]),
  ];
  return {
    subject: troubleSubject(trouble, kind, times, at),
    tone: endedAt === null ? toneOf(trouble.severity) : ending === null ? 'good' : 'neutral',
    sentences,
    facts: factsOf(inShort, {
      ...timeFact({ from: startedAt, to: endedAt, now: at }, times),
      // It goes on since longer, or has not even begun.
      ...(isExpiry && { name: 'Noticed' }),
    }),
    list: [],
    // A subject that names the day of expiry says it all.
    why: isExpiry ? null : endedAt === null || kind === 'blind_spot' ? cause : ending,
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
  const { cause, regions, vantage = null, evidence, url, name } = trouble;
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
