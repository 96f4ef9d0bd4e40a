import type {
  AnnouncementUpdate,
  Incident,
  IncidentActivity,
  IncidentDetail,
  IncidentNotification,
  IncidentRound,
  IncidentRounds,
  OverviewMonitor,
} from '../../app/api.gen.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { displayStatusOfSeverity } from '../../lib/severity.ts';
import type { Places } from '../../app/regions.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { causeText } from '../../parts/cause.tsx';
import { words } from '../../words/index.ts';

type Rule = NonNullable<IncidentRounds['rule']>;

/** Regions of some rounds, each once, in the order of the first round. */
export function regionsOf(rounds: readonly IncidentRound[]): string[] {
  return [...new Set(rounds.flatMap(({ regions }) => regions.map(({ region }) => region)))];
}

/** Evidence in the order in which the installation lists its regions; that of unknown ones comes last. */
export function inOrderOf<T extends { region: string | null }>(
  codes: readonly string[],
  evidence: readonly T[],
): T[] {
  const placeOf = ({ region }: T) => {
    const place = region === null ? -1 : codes.indexOf(region);
    return place === -1 ? codes.length : place;
  };
  return evidence.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Round that confirmed the incident: the first one with as many bad rounds as it takes, else the last bad one. */
export function decidingRound(
  rounds: readonly IncidentRound[],
  threshold: number,
): IncidentRound | undefined {
  return (
    rounds.find(({ bad_round }) => bad_round !== null && bad_round >= threshold) ??
    rounds.findLast(({ bad_round }) => bad_round !== null) ??
    rounds.findLast(({ verdict }) => verdict === 'down')
  );
}

/**
 * Time in milliseconds between a round and the one before it, if so much lies between them that some are left out; else null.
 *
 * @param times epoch milliseconds, the oldest first
 */
export function gapBefore(
  times: readonly number[],
  index: number,
  intervalMs: number,
): number | null {
  if (index === 0) return null;
  const apart = times[index]! - times[index - 1]!;
  return apart > 2 * intervalMs ? apart : null;
}

/** Verdict of a round, with its place in the row of bad rounds: "Down, bad round 1 of 2", "Down, confirmed". */
export function verdictOf(
  { verdict, bad_round }: Pick<IncidentRound, 'verdict' | 'bad_round'>,
  threshold: number,
): string {
  // A round that is bad though its target answers is slow.
  const name =
    verdict === 'up' && bad_round !== null
      ? words.incidents.types.slow_response
      : words.incident.verdicts[verdict];
  if (bad_round === null) return name;
  return bad_round >= threshold
    ? words.incident.confirmed(name)
    : words.incident.badRound(name, bad_round, threshold);
}

/** The rule as sentences: what was seen, then what it takes. */
export function explanationOf(
  type: IncidentDetail['type'],
  round: Pick<IncidentRound, 'votes' | 'regions'>,
  rule: Rule,
  nameOf: (region: string) => string,
): { first: string; rest: string } {
  const { down, voting } = round.votes;
  const unknown = round.regions.filter(({ vote }) => vote === 'unknown');
  const absent =
    unknown.length === 0 ? '' : words.incident.notVoting(unknown.map((one) => nameOf(one.region)));
  const takes = words.incident.needed(rule.votes_needed, rule.regions, rule.failure_threshold);
  if (type === 'slow_response' && rule.slow_response_threshold !== null) {
    return {
      first: words.incident.slower(rule.slow_response_threshold, rule.failure_threshold),
      rest: absent,
    };
  }
  if (type === 'regional')
    return { first: words.incident.regional(down, voting), rest: joined(takes, absent) };
  return { first: words.incident.votedDown(down, voting), rest: joined(takes, absent) };
}

function joined(...sentences: string[]): string {
  return sentences.filter(Boolean).join(' ');
}

/** Codes of failures that say nothing of the target: the probe could not look. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set([
  'no_probe',
  'probe_lost',
  'probe_lagged',
  'probe_no_network',
  'probe_unable',
  'probe_error',
  'aborted',
]);

/** Shape of what one region saw; a probe that could not look saw nothing. */
export function displayStatusOfFailure(code: string | undefined): DisplayStatus {
  if (code === undefined) return 'online';
  return UNKNOWN_CODES.has(code) ? 'unknown' : 'offline';
}

/** Why a region got no status code, in a word. */
export function failureInAWord(code: string | null): string {
  if (code === 'connection_refused') return words.incident.refused;
  if (code?.startsWith('dns_')) return 'DNS';
  return code?.startsWith('tls_') ? 'TLS' : words.terms.noAnswer;
}

/** Entry of the timeline of an incident. */
export type Moment = {
  key: string;
  /** ISO 8601. */
  at: string;
  /** Shape of the entry; null for a plain dot. */
  displayStatus: DisplayStatus | null;
} & (
  | { kind: IncidentActivity['type']; name: string | null; text: string }
  | { kind: 'update'; state: AnnouncementUpdate['state']; text: string | null }
  | { kind: 'bad'; down: number; voting: number }
  | { kind: 'good' }
);

/** Activities, updates of status pages, the last good round and the first bad one: newest first. */
export function momentsOf(
  { activities, severity }: Pick<IncidentDetail, 'activities' | 'severity'>,
  updates: readonly AnnouncementUpdate[],
  rounds: readonly IncidentRound[],
): Moment[] {
  const moments: Moment[] = [
    ...activities.map(({ id, type, description, user, created_at }) => ({
      key: `a${id}`,
      at: created_at,
      displayStatus: displayStatusOfActivity(type, severity),
      kind: type,
      name: user?.name ?? null,
      text: description,
    })),
    ...updates.map(({ id, state, text, created_at }) => ({
      key: `u${id}`,
      at: created_at,
      displayStatus: null,
      kind: 'update' as const,
      state,
      text,
    })),
    ...roundMoments(rounds),
  ];
  return moments.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

function displayStatusOfActivity(
  type: IncidentActivity['type'],
  severity: IncidentDetail['severity'],
): DisplayStatus | null {
  if (type === 'opened' || type === 'reopened') return displayStatusOfSeverity(severity);
  return type === 'resolved' ? 'online' : null;
}

function roundMoments(rounds: readonly IncidentRound[]): Moment[] {
  const first = rounds.findIndex(({ bad_round }) => bad_round === 1);
  if (first === -1) return [];
  const bad = rounds[first]!;
  const good = rounds[first - 1];
  return [
    {
      key: 'bad',
      at: bad.at,
      displayStatus: null,
      kind: 'bad',
      down: bad.votes.down,
      voting: bad.votes.voting,
    },
    ...(good === undefined
      ? []
      : [{ key: 'good', at: good.at, displayStatus: 'online' as const, kind: 'good' as const }]),
  ];
}

/** A person or a channel of the team that was notified of an incident, with its messages, the oldest first. */
export interface Recipient {
  key: string;
  channel: IncidentNotification['channel'];
  /** Name of the person whose own channel it is; null for a channel of the team. */
  person: string | null;
  messages: IncidentNotification[];
}

/** Gathers the messages of each channel. Who was notified first comes first. */
export function recipientsOf(newestFirst: readonly IncidentNotification[]): Recipient[] {
  const found = new Map<string, Recipient>();
  for (const message of newestFirst.toReversed()) {
    const { channel, user } = message;
    // Channels that the caller may not see have no id: those of one kind look the same.
    const key = `${channel.id ?? channel.type} ${user?.id ?? ''}`;
    const recipient = found.get(key) ?? { key, channel, person: user?.name ?? null, messages: [] };
    recipient.messages.push(message);
    found.set(key, recipient);
  }
  return [...found.values()];
}

/** Messages are kept for this time, in milliseconds (contract 59). */
export const MESSAGES_KEPT_MS = 30 * 86_400_000;

/** Incidents that begin within this time of each other may have one cause. */
export const SAME_TIME_MS = 30 * 60_000;

type Known = Pick<Incident, 'id' | 'monitor_id' | 'root_cause' | 'started_at'>;
type Place = Pick<OverviewMonitor, 'id' | 'target' | 'group_id'>;

/**
 * Incidents that probably belong together with one: they began at that time, and their monitors share a host or a group, depend on
 * each other, or fail with the same words.
 *
 * @param dependsOn ids of the monitors that the monitor of the incident depends on
 */
export function relatedTo<Other extends Known>(
  incident: Known,
  others: readonly Other[],
  monitors: readonly Place[],
  dependsOn: readonly number[],
): Other[] {
  const places = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const own = places.get(incident.monitor_id);
  const isNear = ({ started_at }: Known) =>
    Math.abs(Date.parse(started_at) - Date.parse(incident.started_at)) <= SAME_TIME_MS;
  const isRelated = ({ monitor_id, root_cause }: Known) => {
    const place = places.get(monitor_id);
    return (
      monitor_id === incident.monitor_id ||
      dependsOn.includes(monitor_id) ||
      isSame(place?.group_id, own?.group_id) ||
      isSame(hostOf(place?.target), hostOf(own?.target)) ||
      isSame(root_cause, incident.root_cause)
    );
  };
  return others.filter((other) => other.id !== incident.id && isNear(other) && isRelated(other));
}

const isSame = (one: unknown, other: unknown) => one != null && one === other;

/** Host of a target such as `https://example.com/x`, `example.com:5432` or `example.com`. */
function hostOf(target: string | undefined): string | undefined {
  return target
    ?.replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '');
}

/** Sentence that names an incident: the monitor, and what is wrong with it. */
export function incidentTitle({ monitor, root_cause }: Incident): string {
  const cause = root_cause === null ? words.incidents.causeUnknown : causeText(root_cause);
  return `${monitorName(monitor)}: ${cause}`;
}

/** Shape of an incident: down or degraded while it is open, up when it is over. */
export function incidentDisplayStatus({ status, severity }: Incident): DisplayStatus {
  return status === 'resolved' ? 'online' : displayStatusOfSeverity(severity);
}

/** What kind of incident it is, in a line of small words. */
export function incidentKind({ type, severity, region }: Incident, places: Places): string {
  return [words.incidents.types[type], words.severities[severity], places.checkOf(region)]
    .filter(Boolean)
    .join(' · ');
}
