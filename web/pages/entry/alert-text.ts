import type { AlertIncident, SentAlert } from '../../app/api.gen.ts';
import { absolute, duration, type TimeWords } from '../../lib/format.ts';
import { whoHasIt } from '../../lib/who-has-it.ts';
import type { Words } from '../../words/index.ts';

export type AlertWords = Words['alertLink'];

type Incident = AlertIncident;

/** What is wrong, such as "Down"; "Was down" when it is over. */
export function problemOf(
  { type, vantage, ended_at }: Pick<Incident, 'type' | 'vantage' | 'ended_at'>,
  { problems, otherProblem }: AlertWords,
): string {
  // With a single vantage point, regions have no meaning.
  const known = type === 'regional' && vantage !== null ? 'partly' : type;
  const [open, over] = Object.hasOwn(problems, known) ? problems[known]! : otherProblem;
  return ended_at === null ? open : over;
}

/** The monitor that an alert is about, or how many, as its message says it. */
export function headlineOf(
  { kind, incidents, incidents_count }: SentAlert,
  words: AlertWords,
): string {
  const [first] = incidents;
  if (first === undefined) return words.title;
  const monitors = new Set(incidents.map(({ monitor }) => monitor));
  if (monitors.size === 1 || kind === 'flapping') return first.monitor;
  return monitors.size === incidents.length
    ? words.monitors(incidents_count)
    : words.incidents(incidents_count);
}

/** Whether it goes on, for how long, and who is on it. */
export interface AlertState {
  tone: 'bad' | 'good' | 'plain';
  text: string;
}

/** @param now milliseconds since 1970 */
export function stateOf(
  alert: SentAlert,
  now: number,
  words: AlertWords,
  times: TimeWords,
): AlertState {
  const { incidents, incidents_count: count, open_count: open, kind } = alert;
  const [first] = incidents;
  if (first === undefined) return { tone: 'plain', text: words.gone };
  if (open === 0) return { tone: 'good', text: overText(alert, words, times) };
  const going = incidents.filter(({ ended_at }) => ended_at === null);
  const from = Math.min(...going.map(({ started_at }) => Date.parse(started_at)));
  // What an inspection noticed was so all the time.
  const isNoticed = count === 1 && isInspected(first);
  const lasted = duration(now - from - (isNoticed ? 0 : unobservedMs(alert)), times);
  const waiting = going.filter(({ acknowledged_at }) => acknowledged_at === null).length;
  const sentences = [
    count === 1 ? openText(first, lasted, words) : words.countGoesOn(open, count, lasted),
    ...(kind === 'flapping' ? [words.flapping] : []),
    whoText(going, waiting, words),
  ];
  const isTaken = waiting === 0 && going.length === open;
  return { tone: isTaken ? 'plain' : 'bad', text: sentences.join(' ') };
}

function openText(incident: Incident, lasted: string, words: AlertWords): string {
  const problem = problemOf(incident, words);
  return isInspected(incident) ? words.noticed(problem, lasted) : words.goesOn(problem, lasted);
}

/** Time in which nothing was observed, which is no downtime, in milliseconds. */
export function unobservedMs({
  unobserved_seconds,
}: Pick<SentAlert | Incident, 'unobserved_seconds'>): number {
  return (unobserved_seconds ?? 0) * 1_000;
}

function overText(alert: SentAlert, words: AlertWords, times: TimeWords): string {
  const { incidents, incidents_count: count } = alert;
  const from = Math.min(...incidents.map(({ started_at }) => Date.parse(started_at)));
  const to = Math.max(...incidents.map(({ ended_at }) => Date.parse(ended_at ?? '')));
  return words.over(count, duration(to - from - unobservedMs(alert), times));
}

/**
 * @param going incidents that are open
 * @param waiting how many of them nobody acknowledged
 */
function whoText(going: readonly Incident[], waiting: number, words: AlertWords): string {
  if (waiting === going.length) return words.nobody(waiting);
  if (waiting > 0) return words.someWait(waiting);
  const names = going.map((incident) => whoHasIt(incident) ?? words.somebody);
  return words.takenBy([...new Set(names)]);
}

/** Whether an inspection found it, in advance: it has not lasted since then. */
export function isInspected({ type }: Pick<Incident, 'type'>): boolean {
  return type === 'ssl' || type === 'domain';
}

/** Whether nobody has acknowledged an incident that goes on. */
export function isWaiting({
  ended_at,
  acknowledged_at,
}: Pick<Incident, 'ended_at' | 'acknowledged_at'>): boolean {
  return ended_at === null && acknowledged_at === null;
}

/**
 * Cause of an incident: expiry without the number of days left when it was noticed, and times of jobs in the time zone.
 *
 * @param zone IANA name
 * @returns empty when unknown
 */
export function causeOf(
  { type, root_cause }: Pick<Incident, 'type' | 'root_cause'>,
  zone: string,
  locale: string,
): string {
  const cause = root_cause ?? '';
  if (isInspected({ type }))
    return cause.replace(/ expires in [\w ]+, (?=on \d{4}-\d\d-\d\d$)/, ' expires ');
  if (type !== 'heartbeat') return cause;
  return cause.replaceAll(/\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b/g, (asItWas, day, time) => {
    const at = Date.parse(`${day}T${time}Z`);
    return Number.isNaN(at) ? asItWas : absolute(at, zone, locale);
  });
}

/** The zone that times of an alert are shown in, if this browser knows it; else that of the browser. */
export function zoneOf(wanted: string | null, own: string): string {
  if (wanted === null) return own;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: wanted }).resolvedOptions().timeZone;
  } catch {
    return own;
  }
}
