import type { Severity } from '../../model/condition.ts';
import type { GroupingWindows } from './grouping-window.ts';
import type { NoticeKind } from '../message/notice.ts';
import type { RoutedChannel, Target } from './route.ts';

/** Notifications about one incident, several that share a cause, or a monitor that comes and goes. */
export interface Alert {
  id: number;
  kind: 'single' | 'storm' | 'flapping';
  openedAt: number;
  /** What all of a storm share; null where nothing is known. */
  sharedCause: string | null;
  /** Time of the first notification. */
  toldAt: number | null;
}

/** One of its incidents. Times are epoch milliseconds. */
export interface Member {
  incidentId: number;
  monitorId: number;
  severity: Severity;
  startedAt: number;
  /** Null while it is open; when it was deleted, where its record or its monitor was. */
  endedAt: number | null;
  /** When its end was found out, later than the first good result; null while it is open. */
  endSeenAt: number | null;
  isAcknowledged: boolean;
  joinedAt: number;
  /** It became another one, which follows. */
  hasSuccessor: boolean;
  /**
   * Set while nobody is notified of it: when to evaluate it again. Null when people may be notified. Of one that became another one, which
   * nobody may be notified of yet, too.
   */
  heldUntil: number | null;
  /** Of one that is over: destinations that another alert notified of the same problem of its monitor since. */
  toldAgain: readonly number[];
  targets: readonly Target[];
}

/** A destination that was notified. */
export interface Recipient {
  destinationId: number;
  toldAt: number;
  lastToldAt: number;
  /** The worst severity in its notifications. */
  severity: Severity;
}

export interface Telling {
  destinationId: number;
  kind: Extract<NoticeKind, 'alarm' | 'update' | 'reminder' | 'escalation' | 'recovery'>;
  severity: Severity;
  /** The incidents that it is about. */
  incidentIds: number[];
}

/** Who can be notified of an alert, and when something new may be sent to them. */
export interface Reach {
  /** All destinations that may be notified. Others get no further notifications. */
  channels: ReadonlyMap<number, RoutedChannel>;
  windows: GroupingWindows;
}

export interface AlertStep {
  tellings: Telling[];
  /** Channels that are notified of something new: what begins right after it is grouped. */
  opened: { destinationId: number; severity: Severity }[];
  kind: Alert['kind'];
  toldAt: number | null;
  overAt: number | null;
  /** When something can change without an event; null when nothing can. */
  nextAt: number | null;
}
