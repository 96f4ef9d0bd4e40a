import type { Severity } from '../../model/condition.ts';

/**
 * The kind of a message. `alarm`: the first one of an alert, or it got worse. `update`: more incidents joined, or some
 * of several ended. `reminder`: nobody acknowledged it. `escalation`: an alarm for the channels of a later step.
 * `recovery`: it ended. `blind_spot`: the incidents of a delivery gap. `notice`: a system message, or an event without
 * an incident. `test`: a test of a channel.
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

/** The facts of a message as they were when it was enqueued; stored as JSON with its delivery. Times are epoch ms. */
export interface MessageContent {
  kind: MessageKind;
  /** Null for messages that concern no team. */
  team: { id: number; name: string } | null;
  severity: Severity;
  at: number;
  /** Null for system messages, tests and delivery gaps. */
  alert: {
    id: number;
    kind: 'single' | 'storm' | 'flapping';
    /** The common property of the incidents of a storm, such as `the address 203.0.113.7`. */
    sharedCause: string | null;
  } | null;
  /** Its incidents, newest last; at most MAX_LISTED_INCIDENTS of `troubleCount`. */
  troubles: MessageIncident[];
  troubleCount: number;
  /** Totals over several incidents, listed or not; absent for one, and for a delivery gap. */
  totals?: Totals;
  /** How much of the time of several incidents nobody observed, of any of them, in milliseconds; absent for none. */
  unobservedMs?: number;
  /** For a flapping monitor: its episodes so far, including those before it counted as flapping. */
  flapping?: { incidents: number; since: number };
  /** For a system message: a headline and sentences. Null if the incidents say everything. */
  headline: string | null;
  text: string | null;
  /** The delivery gap: when the channel was unreachable, and why. */
  silence: { from: number; to: number; reason: string | null } | null;
}

/** Longer lists are truncated and state the total. */
export const MAX_LISTED_INCIDENTS = 50;

/** Totals over all incidents that a message is about. Times are epoch milliseconds. */
export interface Totals {
  /** Start of the first incident. */
  from: number;
  /** End of the last incident; null while one is open. */
  to: number | null;
  open: number;
  /** Number of acknowledged open incidents. */
  acknowledged: number;
  monitors: number;
  /** Whether all of them are outages. */
  isAllDown: boolean;
  /** Whether all open incidents have the same type and cause. */
  isSameCause: boolean;
}

/** An incident as shown in messages. */
export interface MessageIncident {
  incidentId: number;
  monitorId: number;
  /** Its friendly name, else its url; never the url of a push monitor. */
  name: string;
  /** Null for a push monitor, whose url is a secret. */
  url: string | null;
  /** Type of the incident (model/condition.ts). */
  type: string;
  severity: Severity;
  /** A short sentence without a full stop; null if unknown. */
  cause: string | null;
  /** Failed regions; empty for push monitors and inspections. */
  regions: string[];
  /** Name of the machine that checked for all regions; null if there were several or none is known. */
  vantage?: string | null;
  startedAt: number;
  /** Null while it is open. */
  endedAt: number | null;
  /** How much of the time from its start to its end, or to the message, nobody observed: it is no downtime. Absent for none. */
  unobservedMs?: number;
  /** Why it ended if it did not recover, such as `Ada resolved the incident` or `The monitor was deleted`. */
  ending: string | null;
  acknowledged: boolean;
  /** The evidence in one line: `ash, nbg failed at 203.0.113.7 after 120 ms`; null if none was kept. */
  evidence: string | null;
}

/** A rendered message for all channels. Plain text: a channel escapes markup of its provider. */
export interface Message {
  /** One line: the problem, and since when. */
  subject: string;
  /** Complete lines without links. */
  lines: string[];
  /** At most 160 characters, without links. */
  short: string;
  /** The same as names and values, for channels with tables: cause, regions, since, lasted, evidence. */
  facts: { name: string; value: string }[];
  tone: 'critical' | 'warning' | 'good' | 'neutral';
  /** Absolute URLs of pages without sign-in. Null if there is nothing to show or to acknowledge. */
  links: { details: string | null; acknowledge: string | null };
  /** The complete mail with its links, as text and as HTML. */
  text: string;
  html: string;
}
