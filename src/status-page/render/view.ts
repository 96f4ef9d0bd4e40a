import type {
  AnnouncementFacts,
  DayFacts,
  Display,
  PageFacts,
  PageIdentity,
  ServiceFacts,
  ServiceGroup,
} from '../facts/model.ts';
import { dateOf, lastDates } from './calendar.ts';
import { conditionOf, type Condition } from './condition.ts';
import { runsOf, type DayRun } from './days.ts';
import { daysTable, type DaysRow } from './days-table.ts';
import { asOf, stateOf, type PageState, type Tone } from './sentence.ts';
import { isEnded } from './titles.ts';
import { wordsOf, type Words } from './words/index.ts';

/** Everything that the page says, in words and in order. */
export interface PageView {
  page: PageIdentity;
  words: Words;
  state: PageState;
  /** The time of the facts. */
  asOf: string;
  /** The same in epoch milliseconds. */
  readAt: number;
  groups: readonly GroupView[];
  /** Incidents that are not resolved. */
  open: readonly AnnouncementFacts[];
  /** Maintenance that is in progress, then what is to come, soonest first. */
  planned: readonly AnnouncementFacts[];
  /** Recent days, today first; empty where the page shows no history. */
  past: readonly PastDays[];
  hasCorrections: boolean;
}

export interface GroupView {
  name: string | null;
  summary: { tone: Tone; text: string };
  services: readonly ServiceView[];
}

export interface ServiceView {
  name: string;
  display: Display;
  tone: Tone;
  /** Short state, such as `Up`. */
  state: string;
  /** State with its duration, such as `Down for 14 min`. */
  status: string;
  dayCount: number;
  /** Date of the first day, such as `2030-01-01`. */
  firstDay: string;
  runs: readonly DayRun[];
  /** The days of each class but `up`, in words. */
  table: readonly DaysRow[];
  hasUpDays: boolean;
  /** Such as `99.87 % up`; null where the page shows none. */
  uptime: string | null;
  /** Such as `95.6 % observed`; null where nearly everything was. */
  observed: string | null;
  responseTime: string | null;
}

/** Days with the announcements that ended on them; consecutive days without any are one entry. */
export interface PastDays {
  /** Calendar dates as UTC midnights, the earlier one first. */
  from: number;
  to: number;
  announcements: readonly AnnouncementFacts[];
}

/** Days of past incidents on the page. */
export const PAST_DAYS = 15;

/** Above this observed share it is not mentioned, in percent. */
const FULLY_OBSERVED_PERCENT = 99.5;

/** The view of a page. */
export function pageView(facts: PageFacts, now: number): PageView {
  const { page } = facts;
  const words = wordsOf(page.language);
  const open = facts.announcements.filter((one) => !isEnded(one));
  const services = facts.groups.flatMap((group) => group.services);
  return {
    page,
    words,
    state: stateOf(facts, words, now),
    asOf: asOf(facts, words, now),
    readAt: facts.readAt,
    groups: facts.groups
      .filter((group) => group.services.length > 0)
      .map((group) => groupView(group, facts, words, now)),
    open: open.filter(({ kind }) => kind === 'incident'),
    planned: open
      .filter(({ kind }) => kind === 'maintenance')
      .toSorted((a, b) => a.startedAt - b.startedAt),
    past: page.settings.show_incident_history ? pastDays(facts, now) : [],
    hasCorrections: services.some(
      (service) => service.uncorrected !== null && showsUptime(service, page),
    ),
  };
}

function groupView(group: ServiceGroup, facts: PageFacts, words: Words, now: number): GroupView {
  const judged = group.services.map((service) => ({
    service,
    condition: conditionOf(service, facts.readAt, now),
  }));
  return {
    name: group.name,
    summary: summaryOf(
      judged.map(({ condition }) => condition),
      words,
    ),
    services: judged.map(({ service, condition }) =>
      serviceView(service, condition, facts.page, words, now),
    ),
  };
}

/** The worst that is true of a group. */
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
  page: PageIdentity,
  words: Words,
  now: number,
): ServiceView {
  const { name, display, days, responseTimeMs } = service;
  const { settings, timezone } = page;
  const runs = runsOf(days);
  const showsFigure = showsUptime(service, page);
  return {
    name,
    display,
    ...stateWords(condition, words, timezone, now),
    dayCount: days.length,
    firstDay: new Date(dateOf(days[0]?.from ?? now, timezone)).toISOString().slice(0, 10),
    runs,
    table: daysTable(days, words, timezone),
    hasUpDays: runs.some(({ dayClass }) => dayClass === 'up'),
    uptime: showsFigure ? uptimeText(service, words) : null,
    observed: showsFigure ? observedText(service.observedPercent, words) : null,
    responseTime:
      responseTimeMs !== null && (settings.show_response_time || display === 'response_time')
        ? words.service.responseTime(words.milliseconds(responseTimeMs))
        : null,
  };
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

const serviceState = (tone: Tone, state: string, status = state) => ({ tone, state, status });

function stateWords(
  condition: Condition,
  words: Words,
  zone: string,
  now: number,
): { tone: Tone; state: string; status: string } {
  const { service } = words;
  switch (condition.type) {
    case 'up':
      return serviceState('up', service.up);
    case 'down':
    case 'degraded': {
      const { type, since, unobservedMs } = condition;
      const forTime = type === 'down' ? service.downFor : service.degradedFor;
      return serviceState(
        type,
        service[type],
        since === null ? service[type] : forTime(words.duration(now - since - unobservedMs)),
      );
    }
    case 'maintenance':
      return serviceState(
        'maintenance',
        service.maintenance,
        service.maintenanceUntil(momentOf(condition.until, now, zone, words)),
      );
    case 'unobserved':
      return serviceState(
        'unknown',
        service.notObserved,
        service.notObservedSince(
          momentOf(condition.since, now, zone, words),
          service[condition.last],
        ),
      );
    case 'pending':
      return serviceState('unknown', service.pending);
    case 'paused':
      return serviceState('paused', service.paused);
  }
}

/** Time of day for a time of today, else the date too. */
function momentOf(at: number, now: number, zone: string, words: Words): string {
  return dateOf(at, zone) === dateOf(now, zone) ? words.time(at, zone) : words.dateTime(at, zone);
}

/** Whether a day can be called free of incidents: something was observed on it, and nothing was down. */
function freeDays({ groups, page }: PageFacts): (date: number) => boolean {
  const days = groups.flatMap(({ services }) => services.flatMap((service) => service.days));
  const datesWith = (matches: (day: DayFacts) => boolean) =>
    new Set(days.filter(matches).map(({ from }) => dateOf(from, page.timezone)));
  const down = datesWith(({ downMs }) => downMs > 0);
  const observed = datesWith(
    ({ upMs, degradedMs, excludedMs }) => upMs + degradedMs + excludedMs > 0,
  );
  return (date) => days.length === 0 || (observed.has(date) && !down.has(date));
}

function pastDays(facts: PageFacts, now: number): PastDays[] {
  const zone = facts.page.timezone;
  const ended = facts.announcements.filter(isEnded);
  const open = facts.announcements.filter((one) => one.kind === 'incident' && !isEnded(one));
  // Days of incidents that are still open were not free of them.
  const openSince = Math.min(...open.map(({ startedAt }) => dateOf(startedAt, zone)));
  const isFree = freeDays(facts);
  const past: PastDays[] = [];
  for (const date of lastDates(now, zone, PAST_DAYS)) {
    const announcements = ended.filter(
      ({ endedAt, startedAt }) => dateOf(endedAt ?? startedAt, zone) === date,
    );
    if (announcements.length === 0 && (date >= openSince || !isFree(date))) continue;
    const last = past.at(-1);
    if (announcements.length === 0 && last?.announcements.length === 0) last.from = date;
    else past.push({ from: date, to: date, announcements });
  }
  return past;
}
