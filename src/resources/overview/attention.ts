import type { Bus } from '../../engine/bus/contract.ts';
import { isInScope } from '../../engine/maintenance/window.ts';
import { isAtLeast, type Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Regions } from '../../model/regions.ts';
import type { Database } from '../../store/database/contract.ts';
import { openOccurrencesOfTeams, type ScopedOccurrence } from '../../store/engine/maintenance.ts';
import {
  deactivatedEndpoints,
  failingChannels,
  failingDomains,
  openIncidentsOf,
  pausedMonitors,
  type Found,
} from '../../store/resources/attention.ts';
import { unreportedExpirations } from '../../store/resources/expirations.ts';
import { NO_FILTER } from '../../store/resources/monitors.ts';
import {
  monitorLabels,
  monitorStandings,
  type MonitorStanding,
} from '../../store/resources/overview.ts';
import { monitorsOfTeam, scopedMonitors } from '../../store/resources/scoped-monitors.ts';
import { PROBE_ALIVE_MS } from '../checks/monitor-check.ts';
import { authorize } from '../common/errors.ts';
import { readQuery } from '../common/input.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import {
  byLastCheck,
  byUrgency,
  CHANNEL_FAILURES,
  channelItem,
  deadRegions,
  endpointItem,
  expirationItem,
  failingDomainItem,
  incidentItem,
  isDead,
  isUnchecked,
  pausedItem,
  regionItem,
  regionUses,
  uncheckedItem,
  type AttentionItem,
} from './attention-rules.ts';
import { attentionQuery, DEFAULT_ATTENTION_ITEMS } from './input.ts';
import { countStandings } from './uptime-rules.ts';

/** Time after which a paused monitor is listed. */
const PAUSED_LONG_MS = 7 * 86_400_000;

/** Lists what needs attention now, most urgent first (contract 47.1). Throws InvalidInput for an invalid query. */
export type GetAttention = (caller: Caller, query: object) => Promise<object>;

export interface AttentionDeps {
  database: Database;
  bus: Pick<Bus, 'lastSeen'>;
  regions: Pick<Regions, 'isForeign'>;
  clock: Pick<Clock, 'now'>;
}

export function createGetAttention({ database, bus, regions, clock }: AttentionDeps): GetAttention {
  const db = database.scan;

  return async (caller, query) => {
    authorize(caller, 'read');
    const { limit = DEFAULT_ATTENTION_ITEMS } = readQuery(attentionQuery, query);
    const now = clock.now();
    const teamId = caller.team.id;
    const standings = await monitorStandings(db, teamId, NO_FILTER);
    const windows = await activeMaintenance(teamId, now);
    const sources = [
      await incidents(teamId, windows, limit),
      await expirations(teamId, now, limit),
      ...(await checks(teamId, standings, now, limit)),
      await paused(teamId, now, limit),
      await messages(caller),
    ];
    const items = sources.flatMap(({ rows }) => rows).toSorted(byUrgency);
    return {
      checked_at: isoTime(now),
      summary: {
        monitors: standings.length,
        ...countStandings(standings, now),
        in_maintenance: await countInMaintenance(teamId, windows, standings),
      },
      total: sources.reduce((sum, { total }) => sum + total, 0),
      data: items.slice(0, limit).map(viewItem),
    };
  };

  async function activeMaintenance(teamId: number, now: number): Promise<ScopedOccurrence[]> {
    const occurrences = await openOccurrencesOfTeams(database.read, [teamId], now);
    return occurrences.filter(({ from }) => from <= now);
  }

  /** Counts only monitors that were counted before: one created since then would make a part larger than the whole. */
  async function countInMaintenance(
    teamId: number,
    windows: readonly ScopedOccurrence[],
    counted: readonly MonitorStanding[],
  ): Promise<number> {
    if (windows.length === 0) return 0;
    const ids = new Set(counted.map(({ id }) => id));
    const monitors = await monitorsOfTeam(db, teamId);
    return monitors.filter(
      (monitor) => ids.has(monitor.id) && windows.some((window) => isInScope(window, monitor)),
    ).length;
  }

  async function incidents(
    teamId: number,
    windows: readonly ScopedOccurrence[],
    limit: number,
  ): Promise<Found<AttentionItem>> {
    const { rows, total } = await openIncidentsOf(db, teamId, limit);
    const ids = windows.length === 0 ? [] : rows.map(({ monitor }) => monitor.id);
    const covered = (await scopedMonitors(database.read, ids)).filter((monitor) =>
      windows.some((window) => isInScope(window, monitor)),
    );
    const inMaintenance = new Set(covered.map(({ id }) => id));
    return {
      rows: rows.map((row) => incidentItem(row, inMaintenance.has(row.monitor.id))),
      total,
    };
  }

  async function expirations(
    teamId: number,
    now: number,
    limit: number,
  ): Promise<Found<AttentionItem>> {
    const { rows, total } = await unreportedExpirations(db, teamId, now, limit);
    return { rows: rows.map((row) => expirationItem(row, now)), total };
  }

  /** Regions without a probe, and monitors that are not checked although a region of theirs has one. */
  async function checks(
    teamId: number,
    standings: readonly MonitorStanding[],
    now: number,
    limit: number,
  ): Promise<Found<AttentionItem>[]> {
    const uses = regionUses(standings);
    const lastSeen = new Map(
      uses
        .flatMap((use) => use.regions)
        .map((code) => [code, regions.isForeign(teamId, code) ? null : bus.lastSeen(code)]),
    );
    const dead = new Map([...lastSeen].filter(([, at]) => (at ?? 0) < now - PROBE_ALIVE_MS));
    const without = deadRegions(dead, uses).map(regionItem);
    const unreachable = new Set(
      uses.filter((use) => isDead(use.regions, dead)).map(({ stored }) => stored),
    );
    const unchecked = standings
      .filter((one) => isUnchecked(one, now) && !unreachable.has(one.regions))
      .toSorted(byLastCheck);
    const shown = unchecked.slice(0, limit);
    const labels = await monitorLabels(
      database.read,
      shown.map(({ id }) => id),
    );
    const items = shown.flatMap((one) => {
      const label = labels.get(one.id);
      return label === undefined ? [] : uncheckedItem(one, label);
    });
    return [
      { rows: without, total: without.length },
      { rows: items, total: unchecked.length },
    ];
  }

  async function paused(teamId: number, now: number, limit: number): Promise<Found<AttentionItem>> {
    const { rows, total } = await pausedMonitors(db, teamId, now - PAUSED_LONG_MS, limit);
    return { rows: rows.map(pausedItem), total };
  }

  /** Ways to reach people and programs that do not work; team channels for admins alone, who may see them. */
  async function messages({ team, role, person }: Caller): Promise<Found<AttentionItem>> {
    const seesChannels = isAtLeast(role, 'admin');
    const of = { teamId: seesChannels ? team.id : null, personId: person.id };
    const rows = [
      ...(await failingDomains(db, team.id)).map(failingDomainItem),
      ...(await deactivatedEndpoints(db, team.id)).map(endpointItem),
      ...(await failingChannels(db, of, CHANNEL_FAILURES)).map(channelItem),
    ];
    return { rows, total: rows.length };
  }
}

function viewItem(item: AttentionItem) {
  return {
    kind: item.kind,
    severity: item.severity,
    text: item.text,
    since: isoOrNull(item.since),
    monitor: item.monitor,
    incident_id: item.incidentId,
    acknowledged_at: isoOrNull(item.acknowledgedAt),
  };
}
