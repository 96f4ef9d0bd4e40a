import type { SubscriberKind } from '../../model/outgoing.ts';
import type { Observation } from '../../model/observation.ts';
import type { PageImages } from '../../model/page-images.ts';

/**
 * What a status page shows, as read from the database. Documents are pure functions of these facts and the time. Times are
 * epoch milliseconds.
 */

/** Languages of pages, by the code of their file of words. */
export const PAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ja', 'zh-CN'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

export const ACCESS_TYPES = ['public', 'password', 'members', 'addresses'] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];

/** Ways to show a service: bars of 90 days, the uptime as a figure, or its response time. */
export const DISPLAYS = ['bar', 'figure', 'response_time'] as const;
export type Display = (typeof DISPLAYS)[number];

/** When an automatic incident shows without a person: after minutes, 0 for at once, or never. */
export type ShowAutomatic = { after_minutes: number } | { never: true };

/** The `settings` object of a page, as the API has it. */
export interface PageSettings {
  show_uptime_percentage: boolean;
  show_response_time: boolean;
  show_incident_history: boolean;
  custom_css: string | null;
}

/** Typefaces of a page. All but Inter are those of the visitor's device. */
export const PAGE_FONTS = ['system', 'inter', 'humanist', 'serif', 'monospace'] as const;
export type PageFont = (typeof PAGE_FONTS)[number];

export const PAGE_LAYOUTS = ['narrow', 'wide'] as const;

export const PAGE_LINKS = ['site', 'contact', 'terms'] as const;

/** The `brand` object of a page, as the API has it. */
export interface PageBrand {
  /** `#rrggbb`; `accentOn` derives the colors that are readable on light and on dark paper. Null for none. */
  accent: string | null;
  font: PageFont;
  layout: (typeof PAGE_LAYOUTS)[number];
  /** Addresses with http, https or, of the contact, mailto; null without a link. */
  links: Record<(typeof PAGE_LINKS)[number], string | null>;
}

export const DEFAULT_BRAND: PageBrand = {
  accent: null,
  font: 'system',
  layout: 'narrow',
  links: { site: null, contact: null, terms: null },
};

export interface PageIdentity {
  id: number;
  teamId: number;
  slug: string;
  name: string;
  description: string | null;
  customDomain: string | null;
  baseUrl: string;
  language: PageLanguage;
  /** IANA name: days and times of the page are in this zone. */
  timezone: string;
  settings: PageSettings;
  brand: PageBrand;
  images: PageImages;
  /** Whether only the team sees it. */
  isDraft: boolean;
  access: AccessType;
  /** Ways in which visitors can subscribe, in the order of `SUBSCRIBER_KINDS`; by e-mail only where mail is configured. */
  subscribeBy: readonly SubscriberKind[];
}

/** Last known status of a service. `pending` before the first verdict. */
export type ServiceStatus = 'online' | 'degraded' | 'offline' | 'pending';

/** A monitor as a page shows it. Never holds its URL. */
export interface ServiceFacts extends Observation {
  monitorId: number;
  /** Label on this page, else the name of the monitor, else its host. */
  name: string;
  display: Display;
  status: ServiceStatus;
  /** Since when it has this status; null while pending. */
  statusSince: number | null;
  /** How much of the time since then nothing was observed, in milliseconds. */
  statusUnobservedMs: number;
  /** End of the current maintenance; null when there is none. */
  maintenanceUntil: number | null;
  /** When its newest result that counts was measured, epoch ms; null for one that no check measures. */
  checkedAt: number | null;
  /** Median response time of the last 24 hours in milliseconds; null when it is not shown or unknown. */
  responseTimeMs: number | null;
  /** Median response time of each of these hours, the current one last; null for one without a result. Empty when it is not shown. */
  responseTimes: readonly (number | null)[];
  /** The last 90 days in the zone of the page, today last. */
  days: readonly DayFacts[];
  /** Name of the service that observed the imported ones of these days; null when there are none. */
  importedFrom: string | null;
  /** Figures of these 90 days, from the creation of the monitor. */
  uptimePercent: number | null;
  observedPercent: number | null;
  /** The same without corrections; null where no correction changes them. */
  uncorrected: { uptimePercent: number | null; observedPercent: number | null } | null;
}

/** A day of a service. The seven durations sum up to `to - from`; a day with a change of clocks has 23 or 25 hours. */
export interface DayFacts {
  from: number;
  to: number;
  upMs: number;
  degradedMs: number;
  downMs: number;
  /** Downtime that is excluded, such as in maintenance. */
  excludedMs: number;
  unobservedMs: number;
  beforeMs: number;
  futureMs: number;
  /** Maintenance of that day, also while the service was up. */
  maintenanceMs: number;
  /** Set for a day before the monitor existed, which another service observed. No figure counts it. */
  isImported?: true;
}

/** Services under one heading; those without a group come first, under none. */
export interface ServiceGroup {
  name: string | null;
  services: readonly ServiceFacts[];
}

export type AnnouncementKind = 'incident' | 'maintenance';
export type IncidentState = 'investigating' | 'identified' | 'monitoring' | 'resolved';
export type MaintenanceState = 'scheduled' | 'in_progress' | 'completed';
export type Impact = 'none' | 'minor' | 'major' | 'critical';

export interface AnnouncementFacts {
  id: number;
  kind: AnnouncementKind;
  /** Null for a title made of the affected services. */
  title: string | null;
  impact: Impact;
  state: IncidentState | MaintenanceState;
  startedAt: number;
  endedAt: number | null;
  /** How much of the time of its incidents until now nothing was observed, of any of them, in milliseconds: no downtime. */
  unobservedMs: number;
  plannedUntil: number | null;
  /** Affected services of this page, in its order. */
  services: readonly { monitorId: number; name: string }[];
  /** Newest first; those of this page only. */
  updates: readonly UpdateFacts[];
  postMortem: { text: string; at: number } | null;
  /** Last change that visitors can see. */
  updatedAt: number;
}

export interface UpdateFacts {
  id: number;
  state: IncidentState | MaintenanceState;
  /** Markdown subset; null for an automatic update, whose text comes from the page's language. */
  text: string | null;
  at: number;
  editedAt: number | null;
}

/** What happened, for the day of a bar. */
export type HappenedFacts = Pick<
  AnnouncementFacts,
  'id' | 'kind' | 'title' | 'impact' | 'state' | 'startedAt' | 'endedAt' | 'services'
>;

export interface PageFacts {
  page: PageIdentity;
  /** When it was read: what it shows is as of this time. */
  readAt: number;
  groups: readonly ServiceGroup[];
  /** What began within the days of the bars, newest first; empty where the page shows no history. */
  happened: readonly HappenedFacts[];
  /** Open incidents, maintenance to come within 14 days or active, and what ended within 15 days. Newest first. */
  announcements: readonly AnnouncementFacts[];
}

export interface MonthFacts {
  page: PageIdentity;
  /** Such as `2030-01`. */
  month: string;
  previous: string | null;
  next: string | null;
  /** Days of this month until today, of the services whose days the page shows; empty where it shows no history. */
  services: readonly Pick<ServiceFacts, 'monitorId' | 'name' | 'days'>[];
  announcements: readonly AnnouncementFacts[];
}

export interface AnnouncementPageFacts {
  page: PageIdentity;
  readAt: number;
  announcement: AnnouncementFacts;
}

/** Longest title, and longest text of an update or post-mortem, in characters. */
export const MAX_TITLE = 200;
export const MAX_UPDATE_TEXT = 10_000;
export const MAX_POST_MORTEM = 50_000;
