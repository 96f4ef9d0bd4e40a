import { singleLine } from '../../lib/text.ts';
import { dateOf, lastDays } from '../facts/days.ts';
import type {
  AnnouncementFacts,
  DayFacts,
  PageFacts,
  PageIdentity,
  ServiceFacts,
  ServiceGroup,
} from '../facts/model.ts';
import { classOf, daysTable, runsOf } from './days.ts';
import { asOf, conditionOf, stateOf, type Condition, type Tone } from './sentence.ts';
import { announcementTitle, isEnded } from './titles.ts';
import { wordsOf, type Words } from './words/index.ts';

/** Days with the announcements that ended on them; consecutive days without any are one entry. */
export interface PastDays {
  /** Calendar dates as UTC midnights, the earlier one first. */
  from: number;
  to: number;
  announcements: readonly AnnouncementFacts[];
}

const PAST_DAYS = 15;
/** Above this observed share it is not mentioned, in percent. */
const FULLY_OBSERVED_PERCENT = 99.5;
/** Pages with more services fold the groups in which all is well, and longer lists can be searched. */
const MOST_UNFOLDED = 12;
const LEAST_SEARCHED = 30;
/** Incidents and maintenance that days of bars name. */
const MAX_HAPPENED = 60;

/** Everything that the page says, in words and in order. */
export type PageView = ReturnType<typeof pageView>;
export type GroupView = PageView['groups'][number];
export type ServiceView = GroupView['services'][number];

export function pageView(facts: PageFacts, now: number) {
  const { page } = facts;
  const words = wordsOf(page.language);
  const open = facts.announcements.filter((one) => !isEnded(one));
  const services = facts.groups.flatMap((group) => group.services);
  const shared = sharedObserved(services, page, words);
  return {
    page,
    words,
    state: stateOf(facts, words, now),
    asOf: asOf(facts, words, now),
    /** Observed share that most services have, which is said once; null where that is none. */
    observed: shared,
    canSearch: services.length >= LEAST_SEARCHED,
    groups: facts.groups
      .filter((group) => group.services.length > 0)
      .map((group) => groupView(group, { facts, words, now, shared, count: services.length })),
    happened: happenedOnDays(facts, words),
    open: open.filter(({ kind }) => kind === 'incident'),
    /** Maintenance that is in progress, then what is to come, soonest first. */
    planned: open
      .filter(({ kind }) => kind === 'maintenance')
      .toSorted((a, b) => a.startedAt - b.startedAt),
    /** Recent days, today first; empty where the page shows no history. */
    past: page.settings.show_incident_history ? pastDays(facts, now) : [],
    hasCorrections: services.some(
      (service) => service.uncorrected !== null && showsUptime(service, page),
    ),
  };
}

interface Surroundings {
  facts: PageFacts;
  words: Words;
  now: number;
  shared: string | null;
  /** Services of the page. */
  count: number;
}

function groupView(group: ServiceGroup, { count, ...around }: Surroundings) {
  const { facts, words, now } = around;
  const judged = group.services.map((service) => ({
    service,
    condition: conditionOf(service, facts.readAt, now),
  }));
  const summary = summaryOf(
    judged.map(({ condition }) => condition),
    words,
  );
  return {
    name: group.name,
    summary,
    isOpen: summary.tone !== 'up' || count <= MOST_UNFOLDED,
    services: judged.map(({ service, condition }) => serviceView(service, condition, around)),
  };
}

/** What happened on the days of the bars: by the indexes of days and services, whose titles a script shows for a day. */
function happenedOnDays({ happened, groups }: PageFacts, words: Words) {
  const services = groups.flatMap((group) => group.services);
  const days = services.find(({ display }) => display === 'bar')?.days ?? [];
  const dayOf = (at: number) => days.findLastIndex(({ from }) => from <= at);
  return happened.slice(0, MAX_HAPPENED).map((one) => ({
    first: dayOf(one.startedAt),
    last: one.endedAt === null ? days.length - 1 : dayOf(one.endedAt),
    services: one.services.map(({ monitorId }) =>
      services.findIndex((service) => service.monitorId === monitorId),
    ),
    title: singleLine(announcementTitle(one, words)),
  }));
}

/** The observed share that several services and most of all have. */
function sharedObserved(services: readonly ServiceFacts[], page: PageIdentity, words: Words) {
  const counts = new Map<string | null, number>();
  const withFigure = services.filter((service) => showsUptime(service, page));
  for (const { observedPercent } of withFigure) {
    const text = observedText(observedPercent, words);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const isMost = (count: number) => count > 1 && count > withFigure.length / 2;
  return [...counts].find(([, count]) => isMost(count))?.[0] ?? null;
}

function summaryOf(conditions: readonly Condition[], words: Words): { tone: Tone; text: string } {
  const count = (type: Condition['type']) =>
    conditions.filter((condition) => condition.type === type).length;
  const { group, service } = words;
  if (count('down') > 0) return { tone: 'down', text: group.down(count('down')) };
  if (count('degraded') > 0) return { tone: 'degraded', text: group.degraded(count('degraded')) };
  if (count('unobserved') > 0)
    return { tone: 'unknown', text: group.notObserved(count('unobserved')) };
  if (count('maintenance') > 0)
    return { tone: 'maintenance', text: group.maintenance(count('maintenance')) };
  if (count('up') === conditions.length) return { tone: 'up', text: group.allUp };
  if (count('pending') > 0) return { tone: 'unknown', text: service.pending };
  return { tone: 'paused', text: service.paused };
}

function serviceView(
  service: ServiceFacts,
  condition: Condition,
  { facts: { page }, words, now, shared }: Omit<Surroundings, 'count'>,
) {
  const { name, display, days, responseTimeMs, responseTimes, observedPercent } = service;
  const { settings, timezone } = page;
  const runs = runsOf(days);
  const showsFigure = showsUptime(service, page);
  const isTimed = settings.show_response_time || display === 'response_time';
  return {
    name,
    display,
    ...stateWords(condition, words, timezone, now),
    dayCount: days.length,
    /** Date of the first day, such as `2030-01-01`. */
    firstDay: new Date(dateOf(days[0]?.from ?? now, timezone)).toISOString().slice(0, 10),
    runs,
    /** Minutes of downtime of each day that has any, in their order. */
    minutes: days.flatMap((day) =>
      classOf(day) === 'down' ? Math.floor(day.downMs / 60_000) : [],
    ),
    /** The days of each class but `up`, in words. */
    table: daysTable(days, words, timezone),
    hasUpDays: runs.some(({ dayClass }) => dayClass === 'up'),
    /** Says up to which day another service observed it; null where none did. */
    imported: importedText(service, words, timezone),
    uptime: showsFigure ? uptimeText(service, words) : null,
    observed: showsFigure ? ownObserved(observedPercent, shared, words) : null,
    responseTime:
      responseTimeMs !== null && isTimed
        ? words.service.responseTime(words.milliseconds(responseTimeMs))
        : null,
    chart: isTimed ? chartView(responseTimes, words) : null,
  };
}

/** Response times of hours, as a curve; null with fewer than two of them. */
function chartView(times: ServiceFacts['responseTimes'], words: Words) {
  const known = times.filter((time) => time !== null);
  if (known.length < 2) return null;
  const most = Math.max(...known);
  return {
    times,
    most,
    scale: words.milliseconds(most),
    text: words.service.responseTimes(
      words.milliseconds(Math.min(...known)),
      words.milliseconds(most),
    ),
    from: words.ago(times.length, 'hour'),
    to: words.ago(0, 'second'),
  };
}

function importedText({ days, importedFrom }: ServiceFacts, words: Words, zone: string) {
  const last = days.findLast((day) => day.isImported);
  if (last === undefined || importedFrom === null) return null;
  return words.days.imported(words.shortDay(last.from, zone), importedFrom);
}

/** Whether visitors see the uptime of a service: the page shows that of all, or the figure is how this one is displayed. */
export function showsUptime(
  { display }: Pick<ServiceFacts, 'display'>,
  { settings }: Pick<PageIdentity, 'settings'>,
): boolean {
  return settings.show_uptime_percentage || display === 'figure';
}

function uptimeText({ uptimePercent }: ServiceFacts, words: Words): string {
  return uptimePercent === null
    ? words.days.noFigure
    : words.days.uptime(words.percent(uptimePercent));
}

/** Observed share, where it is worth mentioning. */
export function observedText(percent: number | null, words: Words): string | null {
  return percent === null || percent >= FULLY_OBSERVED_PERCENT
    ? null
    : words.days.observed(words.percent(percent));
}

/** Observed share of a service, unless it is the one that is said once for all. */
function ownObserved(percent: number | null, shared: string | null, words: Words): string | null {
  const text = observedText(percent, words);
  if (shared === null || percent === null) return text;
  return text === shared ? null : words.days.observed(words.percent(percent));
}

const shown = (tone: Tone, status: string) => ({ tone, status });

/** The shape of a service and the words beside it. */
function stateWords(condition: Condition, words: Words, zone: string, now: number) {
  const { service } = words;
  const moment = (at: number) => momentOf(at, now, zone, words);
  switch (condition.type) {
    case 'up':
    case 'paused':
      return shown(condition.type, service[condition.type]);
    case 'down':
    case 'degraded': {
      const { type, since, unobservedMs } = condition;
      const forTime = type === 'down' ? service.downFor : service.degradedFor;
      if (since === null) return shown(type, service[type]);
      return shown(type, forTime(words.duration(now - since - unobservedMs)));
    }
    case 'maintenance':
      return shown('maintenance', service.maintenanceUntil(moment(condition.until)));
    case 'unobserved': {
      const last = service[condition.last];
      return shown('unknown', service.notObservedSince(moment(condition.since), last));
    }
    case 'pending':
      return shown('unknown', service.pending);
  }
}

/** Time of day for a time of today, else the date too. */
function momentOf(at: number, now: number, zone: string, words: Words): string {
  return dateOf(at, zone) === dateOf(now, zone) ? words.time(at, zone) : words.dateTime(at, zone);
}

/** Whether a day can be called free of incidents: something was observed on it, and nothing was down or degraded. */
function freeDays({ groups, page }: PageFacts): (date: number) => boolean {
  const days = groups.flatMap(({ services }) =>
    services.flatMap((service) => service.days.filter((day) => !day.isImported)),
  );
  const datesWith = (matches: (day: DayFacts) => boolean) =>
    new Set(days.filter(matches).map(({ from }) => dateOf(from, page.timezone)));
  const bad = datesWith(({ downMs, degradedMs }) => downMs + degradedMs > 0);
  const observed = datesWith(
    ({ upMs, degradedMs, excludedMs }) => upMs + degradedMs + excludedMs > 0,
  );
  return (date) => days.length === 0 || (observed.has(date) && !bad.has(date));
}

function pastDays(facts: PageFacts, now: number): PastDays[] {
  const zone = facts.page.timezone;
  const ended = facts.announcements.filter(isEnded);
  const open = facts.announcements.filter((one) => one.kind === 'incident' && !isEnded(one));
  // Days of incidents that are still open were not free of them.
  const openSince = Math.min(...open.map(({ startedAt }) => dateOf(startedAt, zone)));
  const isFree = freeDays(facts);
  const past: PastDays[] = [];
  // Days that are one entry follow each other: one between them that was not free is not part of it.
  let follows = false;
  for (const { from } of lastDays(zone, now, PAST_DAYS).toReversed()) {
    const date = dateOf(from, zone);
    const announcements = ended.filter(
      ({ endedAt, startedAt }) => dateOf(endedAt ?? startedAt, zone) === date,
    );
    const isCalm = announcements.length === 0;
    const isShown = !isCalm || (date < openSince && isFree(date));
    if (isCalm && isShown && follows) past.at(-1)!.from = date;
    else if (isShown) past.push({ from: date, to: date, announcements });
    follows = isCalm && isShown;
  }
  return past;
}
