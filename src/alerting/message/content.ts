import type { Severity } from '../../model/condition.ts';

/**
 * What a message is about. `alarm`: the first of an alert, or it got worse. `update`: more incidents joined, or some of
 * several are over. `reminder`: nobody acknowledged it. `escalation`: an alarm for the channels of a later step.
 * `recovery`: it is over. `blind_spot`: the incidents of a delivery gap. `notice`: a system message, or an event without
 * an incident. `test`: somebody tests a channel.
 */
export const MESSAGE_KINDS = [
  'alarm',
  'update',
  'reminder',
  'escalation',
  'recovery',
  'blind_spot',
  'notice',
  'test',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** What a message says, as it was when it was enqueued; stored as this JSON with its delivery. Times are epoch ms. */
export interface MessageContent {
  kind: MessageKind;
  /** Null when it concerns no team. */
  team: { id: number; name: string } | null;
  severity: Severity;
  at: number;
  /** Null of system messages, tests and delivery gaps. */
  alert: {
    id: number;
    kind: 'single' | 'storm' | 'flapping';
    /** What the incidents of a storm share, such as `the address 203.0.113.7`. */
    sharedCause: string | null;
  } | null;
  /** The incidents that it is about, the newest last; at most MAX_LISTED_INCIDENTS of `troubleCount`. */
  troubles: MessageIncident[];
  troubleCount: number;
  /** Totals over all of several incidents, listed or not; messages that an earlier version stored have none. */
  totals?: Totals;
  /** Of a flapping monitor: its episodes so far, with those before it counted as flapping. */
  flapping?: { incidents: number; since: number };
  /** Of a system message: a headline, and sentences. Null when the incidents say it all. */
  headline: string | null;
  text: string | null;
  /** The delivery gap: when the channel was unreachable, and why. */
  silence: { from: number; to: number; reason: string | null } | null;
}

/** Longer lists are cut, and say how many there are. */
export const MAX_LISTED_INCIDENTS = 50;

/** Totals over all incidents that a message is about. Times are epoch milliseconds. */
export interface Totals {
  /** When the first began. */
  from: number;
  /** When the last was over; null while one goes on. */
  to: number | null;
  open: number;
  /** Open ones that somebody acknowledged. */
  acknowledged: number;
  monitors: number;
  /** Whether all of them are outages. */
  isAllDown: boolean;
  /** Whether all open ones have the same type and the same cause. */
  isSameCause: boolean;
}

/** An incident, as messages show it. */
export interface MessageIncident {
  incidentId: number;
  monitorId: number;
  /** Its friendly name, else its url; of a push monitor never the url. */
  name: string;
  /** Null of a push monitor, whose url is a secret. */
  url: string | null;
  /** Of the incident (model/condition.ts). */
  type: string;
  severity: Severity;
  /** A short sentence without a full stop; null when nobody knows. */
  cause: string | null;
  /** Those that failed; empty where there are none, as of pings and inspections. */
  regions: string[];
  /** Name of the machine that looked for all regions; null when there were several or none is known, absent in older records. */
  vantage?: string | null;
  startedAt: number;
  /** Null while it goes on. */
  endedAt: number | null;
  /** Why it ended, where it is no recovery: such as `Ada resolved the incident` or `The monitor was deleted`. */
  ending: string | null;
  acknowledged: boolean;
  /** What was seen, in a line: `ash, nbg failed at 203.0.113.7 after 120 ms`; null when nothing was kept. */
  evidence: string | null;
}

/** Content in words, for all channels. Plain texts: a channel escapes what its provider would read as mark-up. */
export interface Message {
  /** One line: what, and since when. */
  subject: string;
  /** Whole lines for people, links not among them. */
  lines: string[];
  /** At most 160 characters, without links. */
  short: string;
  /** The same in names and values, for channels that show tables: cause, regions, since, lasted, evidence. */
  facts: { name: string; value: string }[];
  tone: 'critical' | 'warning' | 'good' | 'neutral';
  /** Absolute URLs; the pages need no sign-in. Null where there is nothing to see or to acknowledge. */
  links: { details: string | null; acknowledge: string | null };
  /** Of mails: the whole text with its links, and the same as HTML. */
  text: string;
  html: string;
}
