import type { Severity } from '../../model/condition.ts';

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** When nothing is sent to a channel; stored as this JSON. */
export interface QuietHours {
  /** Wall time `HH:MM`, both; they may pass midnight. */
  from: string;
  to: string;
  /** On which of them it begins; all when absent. */
  days?: Weekday[];
  /** IANA name. */
  timezone: string;
  /** Whether critical messages are sent all the same. */
  allow_critical: boolean;
}

/** A channel that can be notified: of the team, or a member's own. */
export interface RoutedChannel {
  id: number;
  destinationId: number;
  /** Null of a team's channel. */
  personId: number | null;
  type: string;
  /** Whether the provider keeps incidents of its own, which are closed at any hour. */
  keepsIncidents: boolean;
  isDefault: boolean;
  severities: readonly Severity[];
  quietHours: QuietHours | null;
}

/** The way in which a channel is notified of an incident. */
export interface Target {
  channel: RoutedChannel;
  /** 0 for at once, else only if nobody acknowledged it since the first notification. */
  afterMinutes: number;
  /** Between reminders; null for none. */
  reminderMinutes: number | null;
}

/** The last notification of something new that a channel got, of a team. Times are epoch milliseconds. */
export interface GroupingWindow {
  openedAt: number;
  /** The worst of what the channel was notified of. */
  severity: Severity;
}

/** Grouping windows by destination. */
export type GroupingWindows = ReadonlyMap<number, GroupingWindow>;
