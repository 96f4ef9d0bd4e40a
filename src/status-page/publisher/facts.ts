import type { AnnouncementKind, Impact } from '../facts/model.ts';

/** All that decides what is published for a team. Times are epoch milliseconds. */
export interface PublishingFacts {
  pages: readonly PageRules[];
  /** Detected incidents: open ones of monitors on pages, and those that the announcements are about. */
  incidents: readonly PublishedIncident[];
  /**
   * Announcements that are open, were ended a moment ago, or are about one of the occurrences, an open incident, or one
   * that a person reclassified lately.
   * Deleted ones are included where they keep something from being announced again.
   */
  announcements: readonly PublishedAnnouncement[];
  /** Occurrences of maintenance windows that have not ended, and those of open announcements. */
  occurrences: readonly PublishedOccurrence[];
}

/** A page with its services. */
export interface PageRules {
  id: number;
  services: readonly {
    monitorId: number;
    /** Minutes after which an incident shows without a person; null for never. */
    afterMinutes: number | null;
  }[];
}

export interface PublishedIncident {
  id: number;
  monitorId: number;
  type: string;
  severity: string;
  startedAt: number;
  /** For a deleted monitor its deletion; null while it is open. */
  endedAt: number | null;
  /** True while its monitor is in maintenance. */
  isHeld: boolean;
  /** True for one that has ended and that a person reclassified as a false alarm. */
  isFalseAlarm: boolean;
}

export interface PublishedAnnouncement {
  id: number;
  kind: AnnouncementKind;
  origin: 'automatic' | 'window' | 'person';
  title: string | null;
  impact: Impact;
  state: string;
  startedAt: number;
  endedAt: number | null;
  plannedUntil: number | null;
  windowId: number | null;
  windowFrom: number | null;
  isDeleted: boolean;
  /** A person chose its title, impact, services or pages. */
  isEdited: boolean;
  pages: readonly number[];
  monitors: readonly number[];
  incidents: readonly number[];
  /** Oldest first, without deleted ones. */
  updates: readonly PublishedUpdate[];
}

export interface PublishedUpdate {
  id: number;
  state: string;
  /** True when no person wrote or edited it. */
  isAutomatic: boolean;
  /** When it was written or last edited. */
  at: number;
  pages: readonly number[];
  /** Pages whose subscribers were notified of it. */
  notifiedPages: readonly number[];
}

/** An occurrence of a maintenance window. */
export interface PublishedOccurrence {
  windowId: number;
  name: string;
  from: number;
  to: number;
  /** Covered monitors. */
  monitors: readonly number[];
  /** True for a window that recurs more often than weekly. */
  isFrequent: boolean;
}

/** A change that the publisher makes. Subscribers of the pages are sent an update where `notify` is true. */
export type Change =
  | { do: 'open'; announcement: NewAnnouncement; notify: boolean }
  /** Writes an automatic update and sets the state. */
  | { do: 'state'; id: number; state: string; endedAt: number | null; notify: boolean }
  | { do: 'link'; id: number; monitors: readonly number[]; incidents: readonly number[] }
  /** Shows an announcement and its automatic updates on more pages, and sends the last one to their subscribers. */
  | { do: 'show'; id: number; pages: readonly number[]; notify: boolean }
  | { do: 'hide'; id: number; pages: readonly number[]; monitors: readonly number[] }
  | { do: 'set'; id: number; fields: ChangedFields }
  | { do: 'notify'; updateId: number; pages: readonly number[] }
  | { do: 'remove'; id: number };

export interface NewAnnouncement {
  kind: AnnouncementKind;
  origin: 'automatic' | 'window';
  title: string | null;
  impact: Impact;
  state: string;
  startedAt: number;
  plannedUntil: number | null;
  windowId: number | null;
  windowFrom: number | null;
  monitors: readonly number[];
  incidents: readonly number[];
  pages: readonly number[];
}

export interface ChangedFields {
  title?: string;
  impact?: Impact;
  startedAt?: number;
  plannedUntil?: number;
  windowFrom?: number;
}

/** Changes to make now, and the time at which to decide again if the facts stay the same; null for never. */
export interface Decision {
  changes: Change[];
  nextAt: number | null;
}
