import type { Severity } from '../model/condition.ts';
import type { RegionEvidence } from '../model/incident.ts';
import { isPushType } from '../model/monitor.ts';
import type { MonitorType } from '../model/monitor.ts';
import type { Trouble } from './notice.ts';

/** An incident with all that is known around it. */
export interface TroubleFacts {
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
  /** Null when it was deleted. */
  monitor: { type: MonitorType; name: string | null; url: string } | null;
  /** What a deleted one was, where that is known. */
  former?: { type: MonitorType; name: string | null; url: string } | null;
  /** When its alert began, epoch ms: all that is known of an incident that was deleted. */
  openedAt?: number;
  /** The JSON of each region's `RegionEvidence`. */
  evidence: readonly string[];
  ending: { reason: string | null; person: string | null } | null;
}

/** What is shown of an incident in messages. */
export function troubleOf(facts: TroubleFacts, now: number): Trouble {
  const { incident, monitor, incidentId, monitorId } = facts;
  const seen = facts.evidence.map((json) => JSON.parse(json) as RegionEvidence);
  const failed = seen.filter(({ failure }) => failure !== null);
  return {
    incidentId,
    monitorId,
    ...nameOf(monitorId, monitor ?? facts.former ?? null),
    type: incident?.type ?? 'uptime',
    severity: (incident?.severity ?? 'info') as Severity,
    cause: incident?.root_cause ?? null,
    regions: incident?.region?.split(', ') ?? failed.flatMap(({ region }) => region ?? []),
    startedAt: incident?.started_at ?? facts.openedAt ?? now,
    endedAt: incident === null || monitor === null ? now : incident.ended_at,
    ending: endingOf(facts),
    acknowledged: incident !== null && incident.acknowledged_at !== null,
    evidence: failed.length === 0 ? null : evidenceLine(failed),
  };
}

function nameOf(id: number, monitor: TroubleFacts['monitor']): Pick<Trouble, 'name' | 'url'> {
  if (monitor === null) return { name: `Monitor ${id}`, url: null };
  const url = isPushType(monitor.type) ? null : monitor.url;
  return { name: monitor.name ?? url ?? `Monitor ${id}`, url };
}

const REASONS: Record<string, string> = {
  target_changed: 'The monitor looks at another target now',
  switched_off: 'The check was switched off',
};

/** Null when it simply recovered, or goes on. */
function endingOf({ incident, monitor, ending }: TroubleFacts): string | null {
  if (monitor === null) return 'The monitor was deleted';
  if (incident === null) return 'The incident was deleted';
  if (incident.ended_at === null || ending === null) return null;
  if (ending.person !== null) return `${ending.person} resolved the incident`;
  return ending.reason === null ? null : (REASONS[ending.reason] ?? null);
}

/** What was seen, those that saw the same together. */
function evidenceLine(failed: readonly RegionEvidence[]): string {
  const alike = Map.groupBy(failed, ({ failure, statusCode, remoteAddress }) =>
    JSON.stringify([failure!.text, statusCode, remoteAddress]),
  );
  return [...alike.values()].map(lineOf).join('; ');
}

function lineOf(alike: readonly RegionEvidence[]): string {
  const { failure, statusCode, remoteAddress } = alike[0]!;
  const { text } = failure!;
  const parts = [text];
  if (statusCode !== null && !text.includes(String(statusCode))) parts.push(`HTTP ${statusCode}`);
  if (remoteAddress !== null && !text.includes(remoteAddress)) parts.push(`from ${remoteAddress}`);
  const times = alike.flatMap(({ timings }) => timings.totalMs ?? []).map(Math.round);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  if (times.length > 0) parts.push(`after ${least === most ? least : `${least} to ${most}`} ms`);
  const regions = alike.flatMap(({ region }) => region ?? []);
  return `${regions.length === 0 ? '' : `${regions.join(', ')}: `}${parts.join(', ')}`;
}
