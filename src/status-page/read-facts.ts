import {
  decodeResponseTimesInto,
  emptyHistogram,
  mergeInto,
  percentile,
} from '../engine/history/summary.ts';
import { outageOf, readTimes, unobservedOf } from '../engine/history/stored-uptime.ts';
import type { StoredTimes } from '../engine/history/times.ts';
import { observedParts, unobservedIn, uptime } from '../engine/history/uptime.ts';
import { endOfChain } from '../engine/maintenance/window.ts';
import type { Database } from '../store/database/contract.ts';
import { SUBSCRIBER_KINDS, type SubscriberKind } from '../model/outgoing.ts';
import { observationOf } from '../store/engine/process-marks.ts';
import { parseNewest } from '../store/engine/monitor-state.ts';
import { readRollups } from '../store/engine/rollups.ts';
import { readImportedDays } from '../store/resources/imported-days.ts';
import {
  imagesOf,
  pageFacts,
  type PageAnnouncementRow,
  type PageRow,
  type PageServiceRow,
  type PageUpdateRow,
} from '../store/resources/page-facts.ts';
import { createDaySharing, dayFacts, type ServiceTimes, withImported } from './day-facts.ts';
import { dateOf, lastDays, monthBeside, monthBounds, type LocalPeriod } from './facts/days.ts';
import type {
  AccessType,
  AnnouncementFacts,
  AnnouncementKind,
  AnnouncementPageFacts,
  Display,
  HappenedFacts,
  Impact,
  MonthFacts,
  PageBrand,
  PageFacts,
  PageIdentity,
  PageLanguage,
  PageSettings,
  ServiceFacts,
  ServiceGroup,
  ServiceStatus,
  UpdateFacts,
} from './facts/model.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_SHOWN = 90;
const LONGEST_MONTH = 31;
/** Maintenance is announced this long before it begins. */
const AHEAD_MS = 14 * DAY_MS;
/** Ended incidents and maintenance are shown on the page this long. */
const BEHIND_MS = 15 * DAY_MS;
/** Maximum number of announcements in one document: a month or a page of an unstable service must not be endless. */
const MAX_ANNOUNCEMENTS = 200;

export interface Installation {
  /** Whether mail is configured, without which nobody can subscribe by e-mail. */
  canSubscribe: boolean;
  baseUrl: () => string;
}

const UNKNOWN: Installation = { canSubscribe: false, baseUrl: () => '' };

/** Reads what a page shows; null when it does not exist. Does not check access. */
export async function readPageFacts(
  database: Database,
  pageId: number,
  now: number,
  installation = UNKNOWN,
): Promise<PageFacts | null> {
  const row = await pageFacts.page(database.read, pageId);
  if (row === undefined) return null;
  const rows = await pageFacts.services(database.read, pageId);
  return factsOfPage(database, identityOf(row, installation), rows, now);
}

/** A service of a page that is not stored as such. */
export type UnsavedService = Pick<
  PageServiceRow,
  'monitor_id' | 'label' | 'display' | 'group_name'
>;

/** Reads what a page would show with these services, in this order. @param page its id is 0 for a new one. */
export async function readUnsavedFacts(
  database: Database,
  page: PageIdentity,
  services: readonly UnsavedService[],
  now: number,
): Promise<PageFacts> {
  const ids = services.map((one) => one.monitor_id);
  const found = await pageFacts.monitors(database.read, page.teamId, ids);
  const monitors = new Map(found.map((row) => [row.monitor_id, row]));
  const groups = [null, ...new Set(services.map((one) => one.group_name))];
  const rows = services.flatMap((one) => {
    const monitor = monitors.get(one.monitor_id);
    const group = one.group_name === null ? null : groups.indexOf(one.group_name);
    return monitor === undefined ? [] : [{ ...monitor, ...one, group_id: group }];
  });
  return factsOfPage(database, page, rows, now);
}

async function factsOfPage(
  database: Database,
  page: PageIdentity,
  rows: readonly PageServiceRow[],
  now: number,
): Promise<PageFacts> {
  const shownPage = { id: page.id, names: namesOf(rows) };
  const services = await serviceFacts(database, page, rows, now);
  const shown = await pageFacts.currentAnnouncements(database.read, page.id, {
    startsBefore: now + AHEAD_MS,
    endedAfter: now - BEHIND_MS,
    limit: MAX_ANNOUNCEMENTS,
  });
  const announcements = await announcementFacts(database, shownPage, shown, now);
  const happened = page.settings.show_incident_history
    ? await happenedSince(database, shownPage, daysShown(page.timezone, now)[0]!.from, now)
    : [];
  return { page, readAt: now, groups: groupsOf(rows, services), happened, announcements };
}

const daysShown = (timezone: string, now: number) => lastDays(timezone, now, DAYS_SHOWN);

/** Reads what a page shows of the announcements that began in `[from, to)`, the newest first, without their updates. */
async function happenedSince(
  { read }: Pick<Database, 'read'>,
  page: { id: number; names: ReadonlyMap<number, string> },
  from: number,
  to: number,
): Promise<HappenedFacts[]> {
  const rows = await pageFacts.announcementsBetween(read, page.id, {
    from,
    to,
    limit: MAX_ANNOUNCEMENTS,
  });
  const servicesOf = await affectedServices(read, page.names, rows);
  return rows.map(({ id, title, startedAt, endedAt, kind, impact, state }) => ({
    id,
    title,
    startedAt,
    endedAt,
    kind: kind as AnnouncementKind,
    impact: impact as Impact,
    state: state as AnnouncementFacts['state'],
    services: servicesOf(id),
  }));
}

/** Reads what forms on a page need: the page, and its services in their order. */
export async function readPageOutline(database: Database, pageId: number, installation = UNKNOWN) {
  const row = await pageFacts.page(database.read, pageId);
  if (row === undefined) return null;
  const rows = await pageFacts.services(database.read, pageId);
  const services = rows.map((one) => ({
    monitorId: one.monitor_id,
    name: nameOf(one),
    group: one.group_name,
  }));
  return { page: identityOf(row, installation), services };
}

/** Reads an announcement that a page shows; null when it does not. */
export async function readAnnouncementFacts(
  database: Pick<Database, 'read' | 'scan'>,
  pageId: number,
  id: number,
  now: number,
  installation = UNKNOWN,
): Promise<AnnouncementPageFacts | null> {
  const page = await pageFacts.page(database.read, pageId);
  const row = page && (await pageFacts.announcement(database.read, pageId, id));
  if (page === undefined || row === undefined) return null;
  const names = namesOf(await pageFacts.services(database.read, pageId));
  const [announcement] = await announcementFacts(database, { id: pageId, names }, [row], now);
  return { page: identityOf(page, installation), readAt: now, announcement: announcement! };
}

/** Reads a month of announcements; null for a month that has none, unless it is the current one. */
export async function readMonthFacts(
  database: Database,
  pageId: number,
  month: string,
  now: number,
  installation = UNKNOWN,
): Promise<MonthFacts | null> {
  const row = await pageFacts.page(database.read, pageId);
  const bounds = row === undefined ? null : monthBounds(row.timezone, month);
  if (row === undefined || bounds === null) return null;
  const page = identityOf(row, installation);
  const rows = await pageFacts.services(database.read, pageId);
  const shown = await pageFacts.announcementsBetween(database.read, pageId, {
    ...bounds,
    limit: MAX_ANNOUNCEMENTS,
  });
  // Days of the other services are not shown anywhere.
  const withDays = page.settings.show_incident_history
    ? rows.filter(({ display }) => display === 'bar')
    : [];
  const first = Math.min(
    (await pageFacts.firstAnnouncement(database.read, pageId)) ?? now,
    ...withDays.map((one) => one.created_at),
  );
  if (bounds.to <= first || bounds.from > now) return null;
  return {
    page,
    month,
    previous: first < bounds.from ? monthBeside(month, -1) : null,
    next: bounds.to <= now ? monthBeside(month, 1) : null,
    services: await monthOfServices(database, page, withDays, { ...bounds, now }),
    announcements: await announcementFacts(
      database,
      { id: pageId, names: namesOf(rows) },
      shown,
      now,
    ),
  };
}

/** Those of the ways of a page that can be used. @param works whether mail and text messages can be sent */
export function waysOffered(
  ways: readonly SubscriberKind[],
  works: { email: boolean; sms: boolean },
): SubscriberKind[] {
  return SUBSCRIBER_KINDS.filter(
    (kind) => ways.includes(kind) && (!(kind === 'email' || kind === 'sms') || works[kind]),
  );
}

async function monthOfServices(
  database: Database,
  { timezone }: PageIdentity,
  rows: readonly PageServiceRow[],
  { from, to, now }: LocalPeriod & { now: number },
): Promise<MonthFacts['services']> {
  const last = Math.min(to - 1, now);
  // A zone may leave out a day of a month.
  const days = lastDays(timezone, last, LONGEST_MONTH).filter((day) => day.from >= from);
  const ids = rows.map((row) => row.monitor_id);
  const times = await readTimes(database, ids, { from, to: last + 1, now });
  const imported = await readImportedDays(database.read, ids, dateOf(from, timezone) / DAY_MS);
  return rows.map((row) => {
    const id = row.monitor_id;
    const own = dayFacts(times.get(id)!, days, { createdAt: row.created_at, now });
    const elsewhere = imported.get(id)?.days;
    const shown = elsewhere === undefined ? own : withImported(own, elsewhere, timezone);
    return { monitorId: id, name: nameOf(row), days: shown };
  });
}

function identityOf(
  {
    domain,
    verifiedAt,
    settings,
    brand,
    draft,
    images,
    subscribeBy,
    smsChannelId,
    ...row
  }: PageRow,
  { canSubscribe, baseUrl }: Installation,
): PageIdentity {
  return {
    ...row,
    customDomain: verifiedAt === null ? null : domain,
    baseUrl: baseUrl(),
    language: row.language as PageLanguage,
    settings: JSON.parse(settings) as PageSettings,
    brand: JSON.parse(brand) as PageBrand,
    images: imagesOf({ images }),
    isDraft: draft === 1,
    access: row.access as AccessType,
    subscribeBy: waysOffered(JSON.parse(subscribeBy) as SubscriberKind[], {
      email: canSubscribe,
      sms: smsChannelId !== null,
    }),
  };
}

function namesOf(rows: readonly PageServiceRow[]): ReadonlyMap<number, string> {
  return new Map(rows.map((row) => [row.monitor_id, nameOf(row)]));
}

function nameOf({ label, friendly_name: name, host, monitor_id: id }: PageServiceRow): string {
  return label || name || host || `#${id}`;
}

function groupsOf(
  rows: readonly PageServiceRow[],
  services: ReadonlyMap<number, ServiceFacts>,
): ServiceGroup[] {
  const groups = Map.groupBy(rows, (row) => row.group_id);
  return [...groups.values()].map((members) => ({
    name: members[0]!.group_name,
    services: members.map((row) => services.get(row.monitor_id)!),
  }));
}

async function serviceFacts(
  database: Database,
  { timezone, settings }: PageIdentity,
  rows: readonly PageServiceRow[],
  now: number,
): Promise<ReadonlyMap<number, ServiceFacts>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map((row) => row.monitor_id);
  const days = daysShown(timezone, now);
  // A millisecond later, so that maintenance that begins now is found.
  const period = { from: days[0]!.from, to: now + 1, now };
  const times = await readTimes(database, ids, period);
  const timed = rows.filter(
    ({ display }) => settings.show_response_time || display === 'response_time',
  );
  const timesOf = await responseTimesOf(database, timed, now);
  const imported = await readImportedDays(
    database.read,
    ids,
    dateOf(days[0]!.from, timezone) / DAY_MS,
  );
  const share = createDaySharing();
  return new Map(
    rows.map((row) => {
      const id = row.monitor_id;
      const facts = factsOf(row, times.get(id)!, { days, now });
      const elsewhere = imported.get(id);
      const shown = elsewhere ? withImported(facts.days, elsewhere.days, timezone) : facts.days;
      const importedFrom = shown.some((day) => day.isImported) ? elsewhere!.source : null;
      return [id, { ...facts, days: shown.map(share), importedFrom, ...timesOf(id) }];
    }),
  );
}

function factsOf(
  row: PageServiceRow,
  times: StoredTimes,
  { days, now }: { days: readonly LocalPeriod[]; now: number },
): Omit<ServiceFacts, 'responseTimeMs' | 'responseTimes' | 'importedFrom'> {
  const status = row.status as ServiceStatus;
  const from = Math.min(now, Math.max(days[0]!.from, row.created_at));
  const figuresOf = ({ spans, observedUntil, excluded }: ServiceTimes): Figures => {
    const all = uptime({ spans, observedUntil, excluded, from, to: now, now });
    return { uptimePercent: all.uptimePercent, observedPercent: all.observedPercent };
  };
  const figures = figuresOf(times);
  const former = times.uncorrected && figuresOf(times.uncorrected);
  const isCorrected =
    former !== null &&
    (former.uptimePercent !== figures.uptimePercent ||
      former.observedPercent !== figures.observedPercent);
  const recorded = times.uncorrected ?? times;
  return {
    monitorId: row.monitor_id,
    name: nameOf(row),
    display: row.display as Display,
    ...observationOf(row),
    checkedAt: checkedAt(row.newest),
    status,
    ...lastingOf(recorded, status, now),
    maintenanceUntil: endOfChain(recorded.excluded, now),
    days: dayFacts(times, days, { createdAt: row.created_at, now }),
    ...figures,
    uncorrected: isCorrected ? former : null,
  };
}

type Figures = Pick<ServiceFacts, 'uptimePercent' | 'observedPercent'>;

function lastingOf(
  { spans, observedUntil }: ServiceTimes,
  status: ServiceStatus,
  now: number,
): Pick<ServiceFacts, 'statusSince' | 'statusUnobservedMs'> {
  const from = statusSince(spans, status);
  if (from === null) return { statusSince: null, statusUnobservedMs: 0 };
  const observed = observedParts({ spans, observedUntil, from, to: now, now });
  return { statusSince: from, statusUnobservedMs: unobservedIn([{ from, to: now, observed }]) };
}

/** Beginning of the run of spans with this status at the end; unobserved time does not end it. */
function statusSince(spans: ServiceTimes['spans'], status: ServiceStatus): number | null {
  let since: number | null = null;
  for (const span of spans.toReversed()) {
    if (span.status === 'unobserved') continue;
    if (span.status !== status) break;
    since = span.fromAt;
  }
  return since;
}

/**
 * Median response times of the last 24 hours, the current one included, and of each of them, from the roll-ups. A monitor
 * without any, as a new one, gets the median of the newest results of its regions.
 */
async function responseTimesOf(database: Database, rows: readonly PageServiceRow[], now: number) {
  const ids = rows.map((row) => row.monitor_id);
  const to = Math.floor(now / HOUR_MS) * HOUR_MS + HOUR_MS;
  const from = to - DAY_MS;
  const rollups = await readRollups(database.read, 'rollup_hour', ids, { from, to });
  const ofMonitor = Map.groupBy(rollups, ({ monitorId }) => monitorId);
  const found = new Map(
    rows.map(({ monitor_id: id, newest }) => {
      const all = emptyHistogram();
      const responseTimes = Array.from({ length: DAY_MS / HOUR_MS }, (): number | null => null);
      for (const { at, data } of ofMonitor.get(id) ?? []) {
        const hour = emptyHistogram();
        decodeResponseTimesInto(hour, data);
        mergeInto(all, hour);
        responseTimes[(at - from) / HOUR_MS] = percentile(hour, 50);
      }
      return [id, { responseTimeMs: percentile(all, 50) ?? medianOfNewest(newest), responseTimes }];
    }),
  );
  return (id: number) => found.get(id) ?? NOT_TIMED;
}

const NOT_TIMED = { responseTimeMs: null, responseTimes: [] };

function checkedAt(newest: string): number | null {
  const times = Object.values(parseNewest(newest)).map((result) => result.checkedAt);
  return times.length === 0 ? null : Math.max(...times);
}

function medianOfNewest(newest: string): number | null {
  const results = Object.values(parseNewest(newest));
  const times = results
    .flatMap(({ responseTimeMs, failure }) =>
      responseTimeMs === null || failure !== null ? [] : [responseTimeMs],
    )
    .toSorted((a, b) => a - b);
  return times[Math.floor((times.length - 1) / 2)] ?? null;
}

/**
 * Completes announcements with their services and updates, in the order given.
 *
 * @param page.names of the services of the page, in its order.
 * @param now epoch milliseconds.
 */
async function announcementFacts(
  database: Pick<Database, 'read' | 'scan'>,
  { id: pageId, names }: { id: number; names: ReadonlyMap<number, string> },
  rows: readonly PageAnnouncementRow[],
  now: number,
): Promise<AnnouncementFacts[]> {
  const db = database.read;
  const ids = rows.map((row) => row.id);
  const [servicesOf, updates, incidents] = await Promise.all([
    affectedServices(db, names, rows),
    pageFacts.updates(db, ids),
    pageFacts.incidents(db, ids),
  ]);
  const unobserved = await unobservedOf(database, incidents.map(outageOf), now);
  const incidentsOf = Map.groupBy(incidents, (row) => row.announcement_id);
  const shown = updates.filter(({ pages }) => (JSON.parse(pages) as number[]).includes(pageId));
  const updatesOf = Map.groupBy(shown, (update) => update.announcementId);
  return rows.map((row) =>
    announcementOf(row, {
      updates: (updatesOf.get(row.id) ?? []).map(updateFacts),
      services: servicesOf(row.id),
      unobservedMs: unobserved((incidentsOf.get(row.id) ?? []).map(({ id }) => id)) ?? 0,
    }),
  );
}

/** Reads which services of the page announcements affect, in the order of the page. */
async function affectedServices(
  db: Database['read'],
  names: ReadonlyMap<number, string>,
  rows: readonly PageAnnouncementRow[],
) {
  const affected = await pageFacts.affectedServices(
    db,
    rows.map((row) => row.id),
  );
  const affectedOf = Map.groupBy(affected, (row) => row.announcement_id);
  return (announcementId: number) => {
    const monitors = new Set(affectedOf.get(announcementId)?.map((one) => one.monitor_id));
    return names
      .entries()
      .filter(([id]) => monitors.has(id))
      .map(([monitorId, name]) => ({ monitorId, name }))
      .toArray();
  };
}

function announcementOf(
  { postMortem: text, postMortemAt, shownAt, ...row }: PageAnnouncementRow,
  own: Pick<AnnouncementFacts, 'updates' | 'services' | 'unobservedMs'>,
): AnnouncementFacts {
  const postMortem = text === null || postMortemAt === null ? null : { text, at: postMortemAt };
  const changes = own.updates.map(({ at, editedAt }) => editedAt ?? at);
  return {
    ...row,
    kind: row.kind as AnnouncementKind,
    impact: row.impact as Impact,
    state: row.state as AnnouncementFacts['state'],
    ...own,
    postMortem,
    updatedAt: Math.max(shownAt, ...changes, postMortem?.at ?? 0),
  };
}

function updateFacts({ id, state, text, at, editedAt }: PageUpdateRow): UpdateFacts {
  return { id, state: state as UpdateFacts['state'], text, at, editedAt };
}
