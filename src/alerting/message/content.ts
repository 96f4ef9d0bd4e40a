import type { Severity } from '../../model/condition.ts';
import type { RegionEvidence } from '../../model/incident.ts';
import { isPushType, type MonitorType } from '../../monitor-types/registry.ts';
import { sharedProbeHost } from '../../model/check.ts';
import { isUnknownCode } from '../../model/failure.ts';

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
  /** Totals over several incidents, listed or not; absent for one, and for those of a delivery gap. */
  totals?: ReturnType<typeof totalsOf>;
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

export interface MessageIncident {
  incidentId: number;
  monitorId: number;
  /** Its friendly name, else its url; never the url of a push monitor. */
  name: string;
  /** Null for a push monitor, whose url is a secret. */
  url: string | null;
  type: string;
  severity: Severity;
  /** A short sentence without a full stop; null if unknown. */
  cause: string | null;
  /** Failed regions; empty for push monitors and inspections. */
  regions: string[];
  /** Name of the machine that checked for all regions; null if there were several or none is known. */
  vantage?: string | null;
  startedAt: number;
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

export interface IncidentFacts {
  incident: {
    id: number;
    monitor_id: number;
    type: string;
    severity: string;
    root_cause: string | null;
    region: string | null;
    started_at: number;
    ended_at: number | null;
    acknowledged_at: number | null;
  } | null;
  incidentId: number;
  monitorId: number;
  monitor: { type: MonitorType; name: string | null; url: string } | null;
  /** The last known name and type of a deleted one. */
  former?: { type: MonitorType; name: string | null; url: string } | null;
  /** Start of its alert, epoch ms: the only time known of a deleted incident. */
  openedAt?: number;
  evidence: readonly string[];
  ending: { reason: string | null; person: string | null } | null;
  /** Milliseconds between its start and its end, or now, for which nothing was observed. */
  unobservedMs?: number;
}

export function messageIncidentOf(facts: IncidentFacts, now: number): MessageIncident {
  const { incident, monitor, incidentId, monitorId } = facts;
  const seen = facts.evidence.map((json) => JSON.parse(json) as RegionEvidence);
  const failed = seen.filter(({ failure }) => failure !== null && !isUnknownCode(failure.code));
  const vantage = sharedProbeHost(seen);
  const checks = seen.filter((one) => one.vantage !== undefined).length;
  const cause = incident?.root_cause ?? null;
  return {
    incidentId,
    monitorId,
    ...nameOf(monitorId, monitor ?? facts.former ?? null),
    type: incident?.type ?? 'uptime',
    severity: (incident?.severity ?? 'info') as Severity,
    cause,
    regions: incident?.region?.split(', ') ?? failed.flatMap(({ region }) => region ?? []),
    vantage,
    startedAt: incident?.started_at ?? facts.openedAt ?? now,
    endedAt: incident === null || monitor === null ? now : incident.ended_at,
    ...((facts.unobservedMs ?? 0) > 0 && { unobservedMs: facts.unobservedMs! }),
    ending: endingOf(facts),
    acknowledged: incident !== null && incident.acknowledged_at !== null,
    evidence: failed.length === 0 ? null : evidenceLine(failed, { cause, vantage, checks }),
  };
}

function nameOf(id: number, monitor: IncidentFacts['monitor']) {
  if (monitor === null) return { name: `Monitor ${id}`, url: null };
  const url = isPushType(monitor.type) ? null : monitor.url;
  return { name: monitor.name ?? url ?? `Monitor ${id}`, url };
}

const REASONS: Record<string, string> = {
  target_changed: 'The monitor looks at another target now',
  switched_off: 'The check was switched off',
};

/** Null if it recovered or is open. */
function endingOf({ incident, monitor, ending }: IncidentFacts): string | null {
  if (monitor === null) return 'The monitor was deleted';
  if (incident === null) return 'The incident was deleted';
  if (incident.ended_at === null || ending === null) return null;
  if (ending.person !== null) return `${ending.person} resolved the incident`;
  return ending.reason === null ? null : (REASONS[ending.reason] ?? null);
}

/** The evidence in one line, with equal results grouped, without the cause. */
function evidenceLine(failed: readonly RegionEvidence[], context: EvidenceContext): string {
  const alike = Map.groupBy(failed, ({ failure, statusCode, remoteAddress }) =>
    JSON.stringify([failure!.text, statusCode, remoteAddress]),
  );
  return [...alike.values()].map((group) => lineOf(group, context)).join('; ');
}

interface EvidenceContext {
  cause: string | null;
  /** Checks of one vantage point are counted; those of several are listed by region. */
  vantage: string | null;
  checks: number;
}

function lineOf(alike: readonly RegionEvidence[], context: EvidenceContext): string {
  const { text } = alike[0]!.failure!;
  const sources = sourcesOf(alike, context);
  const details = detailsOf(alike);
  if (context.cause?.startsWith(text))
    return [sources === null ? 'Failed' : `${sources} failed`, ...details].join(' ');
  const seen = [text, ...details].join(', ');
  return sources === null ? seen : `${sources}: ${seen}`;
}

/** Details that the failure's text does not contain: `with HTTP 200`, `at 203.0.113.7`, `after 2 to 5 ms`. */
function detailsOf(alike: readonly RegionEvidence[]): string[] {
  const { failure, statusCode, remoteAddress } = alike[0]!;
  const isNews = (detail: string | number | null): detail is string | number =>
    detail !== null && !failure!.text.includes(String(detail));
  const times = alike.flatMap(({ timings }) => timings.totalMs ?? []).map(Math.round);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  return [
    ...(isNews(statusCode) ? [`with HTTP ${statusCode}`] : []),
    ...(isNews(remoteAddress) ? [`at ${remoteAddress}`] : []),
    ...(times.length > 0 ? [`after ${least === most ? least : `${least} to ${most}`} ms`] : []),
  ];
}

/** `ash, nbg`, or `2 of 4 checks`; null for an inspection, which has no region. */
function sourcesOf(alike: readonly RegionEvidence[], { vantage, checks }: EvidenceContext) {
  const regions = alike.flatMap(({ region }) => region ?? []);
  if (regions.length === 0) return null;
  return vantage === null ? regions.join(', ') : `${regions.length} of ${checks} checks`;
}

/** The times of an incident that totals count. Epoch milliseconds. */
interface CountedIncident extends Pick<IncidentFacts, 'incident' | 'monitorId'> {
  joinedAt: number;
  removedAt: number | null;
}

/**
 * Totals over the incidents of a message. A deleted one counts from when it joined its alert until it was deleted.
 *
 * @param rows at least one.
 * @param isThere whether a monitor exists.
 */
export function totalsOf(
  rows: readonly CountedIncident[],
  isThere: (monitorId: number) => boolean,
  now: number,
) {
  let from = Infinity;
  let to = -Infinity;
  let open = 0;
  let acknowledged = 0;
  let isAllDown = true;
  const monitors = new Set<number>();
  const causes = new Set<string>();
  for (const { incident, monitorId, joinedAt, removedAt } of rows) {
    monitors.add(monitorId);
    from = Math.min(from, incident?.started_at ?? joinedAt);
    isAllDown &&= (incident?.type ?? 'uptime') === 'uptime';
    const endedAt = incident?.ended_at ?? null;
    if (incident === null || endedAt !== null || !isThere(monitorId)) {
      to = Math.max(to, endedAt ?? removedAt ?? now);
      continue;
    }
    open += 1;
    if (incident.acknowledged_at !== null) acknowledged += 1;
    causes.add(JSON.stringify([incident.type, incident.root_cause]));
  }
  return {
    from,
    to: open > 0 ? null : to,
    open,
    /** Of the open ones. */
    acknowledged,
    monitors: monitors.size,
    isAllDown,
    /** Whether all open incidents have the same type and cause. */
    isSameCause: causes.size === 1,
  };
}
