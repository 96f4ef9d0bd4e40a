import { knownUntil, unobservedSince } from '../../model/observation.ts';
import type { AnnouncementFacts, PageFacts, ServiceFacts } from '../facts/model.ts';
import { announcementTitle, isEnded } from './titles.ts';
import type { Problems, Words } from './words/index.ts';

export type Condition =
  | { type: 'up' }
  | { type: 'down' | 'degraded'; since: number | null; unobservedMs: number }
  | { type: 'maintenance'; until: number }
  | { type: 'unobserved'; since: number; last: 'up' | 'down' | 'degraded' }
  | { type: 'pending' }
  | { type: 'paused' };

/** Facts that are older could not be refreshed: what happened since is not known. */
const MAX_FACTS_AGE_MS = 2 * 60_000;

export const LAST = { online: 'up', degraded: 'degraded', offline: 'down' } as const;

function isStale({ readAt }: Pick<PageFacts, 'readAt'>, now: number): boolean {
  return now - readAt > MAX_FACTS_AGE_MS;
}

/** Condition of a service now. Never `up` when that is not known. */
export function conditionOf(service: ServiceFacts, readAt: number, now: number): Condition {
  const { status, statusSince, statusUnobservedMs, maintenanceUntil } = service;
  if (service.isPaused) return { type: 'paused' };
  if (maintenanceUntil !== null && maintenanceUntil > now)
    return { type: 'maintenance', until: maintenanceUntil };
  const until = knownUntil(service);
  if (status === 'pending' || until === null) return { type: 'pending' };
  const since = isStale({ readAt }, now) ? Math.min(until, readAt) : unobservedSince(service, now);
  if (since !== null) return { type: 'unobserved', since, last: LAST[status] };
  if (status === 'online') return { type: 'up' };
  return {
    type: LAST[status] as 'down' | 'degraded',
    since: statusSince,
    unobservedMs: statusUnobservedMs,
  };
}

export type Tone = 'up' | 'degraded' | 'down' | 'maintenance' | 'unknown' | 'paused';

export interface PageState {
  tone: Tone;
  sentence: string;
  remark: string | null;
}

export interface Judged {
  service: ServiceFacts;
  condition: Condition;
}

/** Longest list of names in a sentence; longer ones are counted. */
const MAX_NAMES = 3;
const MAX_NAMES_LENGTH = 90;

interface Situation {
  words: Words;
  zone: string;
  now: number;
  all: readonly Judged[];
  /** Open incidents with an impact. */
  incidents: readonly AnnouncementFacts[];
  of<T extends Condition['type']>(
    type: T,
  ): (Judged & { condition: Extract<Condition, { type: T }> })[];
}

type Rule = (situation: Situation) => PageState | null;

/** First sentence of the page: the first rule that matches counts. */
const RULES: readonly Rule[] = [
  problems,
  reportedIncidents,
  nothingObserved,
  noServices,
  someNotObserved,
  maintenance,
  nothingKnownYet,
  allUp,
];

export function stateOf(facts: PageFacts, words: Words, now: number): PageState {
  const all = judgedServices(facts, now);
  const situation: Situation = {
    words,
    zone: facts.page.timezone,
    now,
    all,
    incidents: facts.announcements.filter(
      (announcement) =>
        announcement.kind === 'incident' &&
        !isEnded(announcement) &&
        announcement.impact !== 'none',
    ),
    of: (type) => all.filter(({ condition }) => condition.type === type) as never,
  };
  for (const rule of RULES) {
    const state = rule(situation);
    if (state !== null) return state;
  }
  throw new Error('the last rule matches everything');
}

export function judgedServices(facts: PageFacts, now: number): Judged[] {
  return facts.groups.flatMap(({ services }) =>
    services.map((service) => ({ service, condition: conditionOf(service, facts.readAt, now) })),
  );
}

/**
 * Second line of the state: when the newest check was made that the page shows, which a script turns into how long ago that
 * is (`ago`, with `$` in its place); of facts that could not be refreshed, their time and age.
 */
export function asOf(facts: PageFacts, words: Words, now: number) {
  const { page, readAt, groups } = facts;
  const { remark } = words;
  const read = words.dateTime(readAt, page.timezone);
  if (isStale(facts, now))
    return { text: remark.asOfAge(read, words.duration(now - readAt)), at: null, ago: '' };
  const checks = groups
    .flatMap(({ services }) => services)
    .flatMap(({ isPaused, checkedAt }) => (isPaused || checkedAt === null ? [] : checkedAt));
  if (checks.length === 0) return { text: remark.asOf(read), at: null, ago: '' };
  const at = Math.max(...checks);
  const text = remark.checked(words.dateTime(at, page.timezone));
  return { text, at, ago: remark.checked('$') };
}

function problems(situation: Situation): PageState | null {
  const { words, of, incidents } = situation;
  const [down, degraded] = [of('down'), of('degraded')];
  if (down.length + degraded.length === 0) return null;
  const isMajor = incidents.some(({ impact }) => impact === 'major' || impact === 'critical');
  return {
    tone: down.length > 0 || isMajor ? 'down' : 'degraded',
    sentence: words.state.problems(problemsOf(down, degraded)),
    remark: restOf(situation, [...down, ...degraded]),
  };
}

/** Sentence about the services that the first one leaves out. It says that they work only if no other incident is open. */
function restOf({ words, all, of, incidents }: Situation, named: readonly Judged[]): string | null {
  const unobserved = of('unobserved');
  if (unobserved.length > 0) return words.state.notObserved(whoOf(unobserved));
  const inMaintenance = of('maintenance');
  if (inMaintenance.length > 0) return words.state.maintenance(whoOf(inMaintenance));
  const isRestUp = named.length < all.length && named.length + of('up').length === all.length;
  const namedIds = new Set(named.map(({ service }) => service.monitorId));
  const isElsewhere = ({ services }: AnnouncementFacts) =>
    services.length === 0 || services.some(({ monitorId }) => !namedIds.has(monitorId));
  return isRestUp && !incidents.some(isElsewhere) ? words.remark.restWorks : null;
}

/** Incidents that people report while checks find no problem. */
function reportedIncidents(situation: Situation): PageState | null {
  const { words, all, of, incidents } = situation;
  if (incidents.length === 0) return null;
  const isMajor = incidents.some(
    ({ impact, state }) => impact !== 'minor' && state !== 'monitoring',
  );
  const upIds = new Set(of('up').map(({ service }) => service.monitorId));
  const titles = incidents.slice(0, MAX_NAMES).map((one) => {
    const isBack = one.services.every(({ monitorId }) => upIds.has(monitorId));
    // A title made of the services does not say that they are down while checks find them up.
    return announcementTitle(isBack ? { ...one, state: 'resolved' } : one, words);
  });
  return {
    tone: isMajor ? 'down' : 'degraded',
    sentence: titles.join(' · '),
    remark:
      all.length > 0 && of('up').length === all.length
        ? words.remark.checksFindUp
        : restOf(situation, []),
  };
}

function nothingObserved({ words, all, of, now }: Situation): PageState | null {
  const unobserved = of('unobserved');
  const others = all.length - of('paused').length - of('pending').length - unobserved.length;
  if (unobserved.length === 0 || others > 0) return null;
  const latest = Math.max(...unobserved.map(({ condition }) => condition.since));
  const down = unobserved.filter(({ condition }) => condition.last === 'down');
  const degraded = unobserved.filter(({ condition }) => condition.last === 'degraded');
  return {
    tone: 'unknown',
    sentence: words.state.cannotTell(words.duration(now - latest)),
    remark:
      down.length + degraded.length === 0
        ? words.remark.lastKnownUp
        : words.remark.lastKnown(problemsOf(down, degraded)),
  };
}

function noServices({ words, all }: Situation): PageState | null {
  if (all.length > 0) return null;
  return { tone: 'unknown', sentence: words.state.noServices, remark: null };
}

function someNotObserved({ words, all, of }: Situation): PageState | null {
  const unobserved = of('unobserved');
  if (unobserved.length === 0) return null;
  const inMaintenance = of('maintenance');
  return {
    tone: 'unknown',
    sentence: words.state.notObserved(whoOf(unobserved)),
    remark:
      inMaintenance.length > 0
        ? words.state.maintenance(whoOf(inMaintenance))
        : unobserved.length + of('up').length === all.length
          ? words.remark.restWorks
          : null,
  };
}

function maintenance({ words, all, of, zone }: Situation): PageState | null {
  const found = of('maintenance');
  if (found.length === 0) return null;
  const until = Math.max(...found.map(({ condition }) => condition.until));
  const planned = words.remark.plannedUntil(words.dateTime(until, zone));
  const up = of('up').length;
  const isRestUp = up > 0 && up + found.length === all.length;
  return {
    tone: 'maintenance',
    sentence: words.state.maintenance(whoOf(found)),
    remark: isRestUp ? `${planned} ${words.remark.restWorks}` : planned,
  };
}

function nothingKnownYet({ words, of }: Situation): PageState | null {
  if (of('up').length > 0) return null;
  return of('pending').length > 0
    ? { tone: 'unknown', sentence: words.state.waiting, remark: null }
    : { tone: 'paused', sentence: words.state.paused, remark: null };
}

function allUp({ words, all, of }: Situation): PageState {
  const isAll = of('up').length === all.length;
  const sentence = isAll ? words.state.allUp : words.state.allCheckedUp;
  return { tone: 'up', sentence, remark: null };
}

function problemsOf(down: readonly Judged[], degraded: readonly Judged[]): Problems {
  const names = [...down, ...degraded].map(({ service }) => service.name);
  return areShort(names)
    ? { down: namesOf(down), degraded: namesOf(degraded) }
    : { down: down.length, degraded: degraded.length };
}

function whoOf(judged: readonly Judged[]): readonly string[] | number {
  const names = namesOf(judged);
  return areShort(names) ? names : names.length;
}

function areShort(names: readonly string[]): boolean {
  // A single name is never counted: "1 service is down" says too little.
  return (
    names.length === 1 || (names.length <= MAX_NAMES && names.join(', ').length <= MAX_NAMES_LENGTH)
  );
}

function namesOf(judged: readonly Judged[]): string[] {
  return judged.map(({ service }) => service.name);
}
