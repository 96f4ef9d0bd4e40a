import { daysLeft } from '../../engine/inspect/finding.ts';
import { intervalMsOf } from '../../engine/schedule/request.ts';
import { SEVERITIES, type Severity } from '../../model/condition.ts';
import { endOfCover, unobservedSince } from '../../model/observation.ts';
import type {
  DeactivatedEndpoint,
  FailingChannel,
  FailingDomain,
  OpenIncident,
  PausedMonitor,
} from '../../store/resources/attention.ts';
import type { MonitorLabel, MonitorStanding } from '../../store/resources/overview.ts';
import type { Expiration } from '../../store/resources/expirations.ts';
import { namedMonitor, type NamedMonitor } from './monitor-name.ts';

const DAY_MS = 86_400_000;

/** Kinds of items, in the order in which items of one severity are listed. */
export const ATTENTION_KINDS = [
  'incident',
  'region',
  'certificate',
  'domain',
  'not_checked',
  'status_page_domain',
  'webhook_endpoint',
  'channel',
  'paused',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** Something that needs the attention of a person. Times are epoch milliseconds. */
export interface AttentionItem {
  kind: AttentionKind;
  severity: Severity;
  /** One or two sentences. */
  text: string;
  /** Null when unknown. */
  since: number | null;
  monitor: NamedMonitor | null;
  incidentId: number | null;
  acknowledgedAt: number | null;
}

/**
 * Orders items by urgency: critical before warning before info, then what nobody has acknowledged, then by kind, then the
 * oldest, those of an unknown age last. Ties by the ids of incident and monitor.
 */
export function byUrgency(one: AttentionItem, other: AttentionItem): number {
  const [first, second] = [rankOf(one), rankOf(other)];
  const at = first.findIndex((value, index) => value !== second[index]);
  return at < 0 ? 0 : first[at]! - second[at]!;
}

function rankOf({ severity, acknowledgedAt, kind, since, incidentId, monitor }: AttentionItem) {
  return [
    SEVERITIES.indexOf(severity),
    acknowledgedAt === null ? 0 : 1,
    ATTENTION_KINDS.indexOf(kind),
    since ?? Number.MAX_SAFE_INTEGER,
    incidentId ?? 0,
    monitor?.id ?? 0,
  ];
}

/** @param isInMaintenance whether its monitor is, so that nobody is notified. */
export function incidentItem(incident: OpenIncident, isInMaintenance: boolean): AttentionItem {
  const monitor = namedMonitor(incident);
  const cause = withoutStop(incident.root_cause ?? 'An incident is open');
  const remark = isInMaintenance ? ' (in maintenance)' : '';
  return {
    kind: 'incident',
    severity: incident.severity as Severity,
    text: `${monitor.name}: ${cause}${remark}.`,
    since: incident.started_at,
    monitor,
    incidentId: incident.incident_id,
    acknowledgedAt: incident.acknowledged_at,
  };
}

/** A certificate or registration that expired, or is within the threshold of its monitor. */
export function expirationItem(expiration: Expiration, now: number): AttentionItem {
  const { kind, target, expires_at: expiresAt, threshold_days: thresholdDays } = expiration;
  const monitor = namedMonitor(expiration);
  const subject = kind === 'ssl' ? 'TLS certificate' : 'registration';
  const isExpired = expiresAt <= now;
  const days = daysLeft(expiresAt, now);
  const what = isExpired ? 'expired' : `expires in ${inDays(days)},`;
  return {
    ...NO_INCIDENT,
    kind: kind === 'ssl' ? 'certificate' : 'domain',
    severity: isExpired ? 'critical' : 'warning',
    text: `${monitor.name}: the ${subject} of ${target} ${what} on ${dayOf(expiresAt)}.`,
    since: isExpired ? expiresAt : expiresAt - thresholdDays * DAY_MS,
    monitor,
  };
}

/**
 * Whether the checks of a monitor do not come. The first check is waited for as long as any other one, and the next one after
 * an edit too. Push monitors are not checked.
 */
export function isUnchecked(monitor: MonitorStanding, now: number): boolean {
  const { checkInterval, observedUntil, updatedAt } = monitor;
  if (checkInterval === null) return false;
  const sinceEdit = endOfCover(updatedAt, intervalMsOf(checkInterval));
  const expected = { status: 'online', observedUntil: Math.max(observedUntil ?? 0, sinceEdit) };
  return unobservedSince({ ...monitor, ...expected }, now) !== null;
}

/** The longest unchecked first. */
export function byLastCheck(one: MonitorStanding, other: MonitorStanding): number {
  return lastSignOf(one) - lastSignOf(other) || one.id - other.id;
}

const lastSignOf = ({ lastCheckedAt, createdAt }: UncheckedMonitor) => lastCheckedAt ?? createdAt;

type UncheckedMonitor = Pick<MonitorStanding, 'checkInterval' | 'lastCheckedAt' | 'createdAt'>;

export function uncheckedItem(unchecked: UncheckedMonitor, label: MonitorLabel): AttentionItem {
  const { checkInterval, lastCheckedAt, createdAt } = unchecked;
  const monitor = namedMonitor(label);
  const last =
    lastCheckedAt === null
      ? `was created on ${minuteOf(createdAt)} and never checked`
      : `was last checked on ${minuteOf(lastCheckedAt)}`;
  return {
    ...NO_INCIDENT,
    kind: 'not_checked',
    severity: 'warning',
    text: `${monitor.name} ${last}, although a check is due every ${inMinutes(checkInterval!)}.`,
    since: lastSignOf(unchecked),
    monitor,
  };
}

export function pausedItem(paused: PausedMonitor): AttentionItem {
  const { updated_at: changedAt } = paused;
  const monitor = namedMonitor(paused);
  return {
    ...NO_INCIDENT,
    kind: 'paused',
    severity: 'info',
    text: `${monitor.name} is paused, and was last changed on ${dayOf(changedAt)}.`,
    since: changedAt,
    monitor,
  };
}

/** A region without a live probe, and how many monitors miss it. */
export interface DeadRegion {
  code: string;
  /** Last sign of life of its probes; null when there was none. */
  lastSeenAt: number | null;
  /** Monitors that are checked from it. */
  monitors: number;
  /** Those of them whose other regions have no live probe either. */
  unchecked: number;
}

/** Number of monitors with one list of regions. */
export interface RegionUse {
  /** The list as it is stored: JSON. */
  stored: string;
  regions: readonly string[];
  monitors: number;
}

/** Counts the monitors that are checked, and not paused, by their lists of regions. */
export function regionUses(monitors: readonly MonitorStanding[]): RegionUse[] {
  const checked = monitors.filter((one) => !one.isPaused && one.checkInterval !== null);
  return [...Map.groupBy(checked, ({ regions }) => regions)].map(([stored, of]) => ({
    stored,
    regions: JSON.parse(stored) as string[],
    monitors: of.length,
  }));
}

/** Counts the monitors of each region without a live probe; regions that no monitor has are left out. */
export function deadRegions(
  lastSeenOfDead: ReadonlyMap<string, number | null>,
  uses: readonly Omit<RegionUse, 'stored'>[],
): DeadRegion[] {
  const sumOf = (some: typeof uses) => some.reduce((sum, { monitors }) => sum + monitors, 0);
  return [...lastSeenOfDead]
    .map(([code, lastSeenAt]) => {
      const missing = uses.filter(({ regions }) => regions.includes(code));
      const unchecked = missing.filter(({ regions }) => isDead(regions, lastSeenOfDead));
      return { code, lastSeenAt, monitors: sumOf(missing), unchecked: sumOf(unchecked) };
    })
    .filter(({ monitors }) => monitors > 0);
}

/** True when none of these regions has a live probe. */
export function isDead(
  regions: readonly string[],
  dead: Pick<ReadonlyMap<string, unknown>, 'has'>,
): boolean {
  return regions.every((code) => dead.has(code));
}

export function regionItem({ code, lastSeenAt, monitors, unchecked }: DeadRegion): AttentionItem {
  const miss =
    unchecked === 0
      ? `${counted(monitors)} checked from other regions alone`
      : `${counted(unchecked)} not checked at all`;
  return {
    ...NO_INCIDENT,
    kind: 'region',
    severity: unchecked > 0 ? 'critical' : 'warning',
    text: `The region ${code} has no live probe: ${miss}.`,
    since: lastSeenAt,
    monitor: null,
  };
}

export function failingDomainItem(failing: FailingDomain): AttentionItem {
  const { name: page, custom_domain: domain, domain_error: error } = failing;
  return {
    ...NO_INCIDENT,
    kind: 'status_page_domain',
    // One that was verified before still serves the page.
    severity: failing.domain_verified_at === null ? 'info' : 'warning',
    text: `The domain ${domain} of the status page ${page} could not be verified. ${error}`,
    since: failing.domain_failing_since,
    monitor: null,
  };
}

export function endpointItem(endpoint: DeactivatedEndpoint): AttentionItem {
  return {
    ...NO_INCIDENT,
    kind: 'webhook_endpoint',
    severity: 'warning',
    text: `The webhook endpoint ${endpoint.name} was deactivated. ${endpoint.deactivated_reason}`,
    since: endpoint.updated_at,
    monitor: null,
  };
}

/** Failed attempts in a row after which a channel is listed. */
export const CHANNEL_FAILURES = 3;

export function channelItem(channel: FailingChannel): AttentionItem {
  const { name, type, failures, team_id: teamId } = channel;
  const which = teamId === null ? `Your notification channel ${type}` : `The alert channel ${name}`;
  return {
    ...NO_INCIDENT,
    kind: 'channel',
    severity: 'warning',
    text: `${which} keeps failing: ${failures} attempts in a row did not arrive.`,
    since: channel.failing_since,
    monitor: null,
  };
}

const NO_INCIDENT = { incidentId: null, acknowledgedAt: null } as const;

const counted = (monitors: number) =>
  monitors === 1 ? '1 monitor is' : `${monitors} monitors are`;

function inDays(days: number): string {
  if (days === 0) return 'less than a day';
  return days === 1 ? '1 day' : `${days} days`;
}

function inMinutes(minutes: number): string {
  if (minutes < 1) return `${Math.round(minutes * 60)} seconds`;
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}

const withoutStop = (sentence: string) => sentence.replace(/\.$/, '');

/** In UTC. */
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const minuteOf = (at: number) =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
