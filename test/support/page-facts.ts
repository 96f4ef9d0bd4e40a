import { dateOf } from '../../src/status-page/facts/days.ts';
import { DEFAULT_BRAND } from '../../src/status-page/facts/model.ts';
import type {
  AnnouncementFacts,
  DayFacts,
  PageFacts,
  PageIdentity,
  ServiceFacts,
} from '../../src/status-page/facts/model.ts';
import { instantOfWall } from '../../src/lib/time-zone.ts';

const DAY_MS = 24 * 3600_000;
const MINUTE_MS = 60_000;

/** The time of the facts below: a Sunday afternoon. */
export const PAGE_NOW = Date.parse('2026-11-22T14:16:30Z');

/** A public page in English, in UTC. */
export function pageIdentity(changes: Partial<PageIdentity> = {}): PageIdentity {
  return {
    id: 1,
    teamId: 1,
    slug: 'northwind',
    name: 'Northwind',
    description: null,
    customDomain: null,
    baseUrl: 'https://up.example.com',
    language: 'en',
    timezone: 'UTC',
    settings: {
      show_uptime_percentage: true,
      show_response_time: false,
      show_incident_history: true,
      custom_css: null,
    },
    brand: DEFAULT_BRAND,
    images: {},
    isDraft: false,
    access: 'public',
    subscribeBy: ['email'],
    ...changes,
  };
}

/** What happened on a day, by how many days ago it was. */
export type Happened = Record<
  number,
  Partial<Pick<DayFacts, 'downMs' | 'degradedMs' | 'maintenanceMs' | 'excludedMs' | 'unobservedMs'>>
>;

/** The last days of a zone, up except for what happened. */
export function daysOf(options: {
  now?: number;
  zone?: string;
  count?: number;
  happened?: Happened;
}): DayFacts[] {
  const { now = PAGE_NOW, zone = 'UTC', count = 90, happened = {} } = options;
  const days: DayFacts[] = [];
  let to = instantOfWall(zone, dateOf(now, zone) + DAY_MS);
  for (let ago = 0; ago < count; ago++) {
    const from = instantOfWall(zone, dateOf(to - 1, zone));
    const event = happened[ago] ?? {};
    const futureMs = Math.max(0, to - Math.max(from, now));
    const { downMs = 0, degradedMs = 0, excludedMs = 0, maintenanceMs = excludedMs } = event;
    const unobservedMs = Math.min(event.unobservedMs ?? 0, to - from - futureMs);
    const upMs = to - from - futureMs - downMs - degradedMs - excludedMs - unobservedMs;
    days.unshift({
      from,
      to,
      upMs,
      degradedMs,
      downMs,
      excludedMs,
      unobservedMs,
      beforeMs: 0,
      futureMs,
      maintenanceMs,
    });
    to = from;
  }
  return days;
}

let nextMonitor = 1;

/** A service that is up. */
export function serviceFacts(name: string, changes: Partial<ServiceFacts> = {}): ServiceFacts {
  return {
    monitorId: nextMonitor++,
    name,
    display: 'bar',
    status: 'online',
    statusSince: PAGE_NOW - 30 * DAY_MS,
    statusUnobservedMs: 0,
    importedFrom: null,
    isPaused: false,
    maintenanceUntil: null,
    observedUntil: PAGE_NOW + MINUTE_MS,
    checkInterval: 1,
    aliveAt: null,
    checkedAt: PAGE_NOW - 20_000,
    responseTimeMs: null,
    responseTimes: [],
    days: daysOf({}),
    uptimePercent: 100,
    observedPercent: 100,
    uncorrected: null,
    ...changes,
  };
}

/** A critical incident that began 14 minutes ago. */
export function incidentFacts(changes: Partial<AnnouncementFacts> = {}): AnnouncementFacts {
  return {
    id: 7,
    kind: 'incident',
    title: null,
    impact: 'critical',
    state: 'investigating',
    startedAt: PAGE_NOW - 14 * MINUTE_MS,
    endedAt: null,
    plannedUntil: null,
    unobservedMs: 0,
    services: [],
    updates: [],
    postMortem: null,
    updatedAt: PAGE_NOW - 5 * MINUTE_MS,
    ...changes,
  };
}

/** Facts of a page that were just read. */
export function pageFacts(
  services: readonly ServiceFacts[],
  changes: Partial<Omit<PageFacts, 'page'>> & { page?: Partial<PageIdentity> } = {},
): PageFacts {
  const { page, ...others } = changes;
  return {
    page: pageIdentity(page),
    readAt: PAGE_NOW - 12_000,
    groups: [{ name: null, services }],
    happened: [],
    announcements: [],
    ...others,
  };
}
