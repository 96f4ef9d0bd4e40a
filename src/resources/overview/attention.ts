import { z } from 'zod';
import type { Bus } from '../../engine/bus/contract.ts';
import { isInScope } from '../../engine/maintenance/window.ts';
import { isAtLeast, type Caller } from '../../identity/caller.ts';
import { SEVERITIES } from '../../model/condition.ts';
import type { Regions } from '../../model/regions.ts';
import { type ScopedOccurrence, windowOccurrences } from '../../store/engine/maintenance.ts';
import { failingChannels, type Found, attentionRows } from '../../store/resources/attention.ts';
import { unreportedExpirations } from '../../store/resources/expirations.ts';
import { NO_FILTER } from '../../store/resources/monitors.ts';
import {
  monitorLabels,
  monitorStandings,
  type MonitorStanding,
} from '../../store/resources/overview.ts';
import { scopedMonitors, scopedMonitorRows } from '../../store/resources/scoped-monitors.ts';
import { PROBE_ALIVE_MS } from '../checks/monitor-check.ts';
import { shownAs } from '../common/answer.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { queryNumber, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { time } from '../common/reference-schemas.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import {
  ATTENTION_KINDS,
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
import { BACKUP, monitorName, SHOP } from './monitor-name.ts';
import { countStandings, standingCounts } from './uptime-rules.ts';

/** Time after which a paused monitor is listed. */
const PAUSED_LONG_MS = 7 * 86_400_000;

const DEFAULT_ITEMS = 20;

const attentionQuery = z.object({
  limit: queryNumber(1, 100, 'a whole number')
    .optional()
    .meta({ description: `Items at most; by default ${DEFAULT_ITEMS}.` }),
});

interface AttentionDeps extends CollectionDeps {
  bus: Pick<Bus, 'lastSeen'>;
  regions: Pick<Regions, 'isForeign'>;
}

/** Lists what needs attention now, most urgent first (contract 47.1). */
function createGetAttention({ database, bus, regions, clock }: AttentionDeps) {
  const db = database.scan;

  return async ({ caller, query }: Call) => {
    const { limit = DEFAULT_ITEMS } = readQuery(attentionQuery, query);
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
    const urgent = sources.flatMap(({ rows }) => rows).toSorted(byUrgency);
    return {
      checked_at: isoTime(now),
      summary: {
        monitors: standings.length,
        ...countStandings(standings, now),
        in_maintenance: await countInMaintenance(teamId, windows, standings),
      },
      total: sources.reduce((sum, { total }) => sum + total, 0),
      data: urgent.slice(0, limit).map((item) => items.view(item)),
    };
  };

  async function activeMaintenance(teamId: number, now: number): Promise<ScopedOccurrence[]> {
    const occurrences = await windowOccurrences(database.read).openOfTeams([teamId], now);
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
    const monitors = await scopedMonitorRows(db, teamId).all();
    return monitors.filter(
      (monitor) => ids.has(monitor.id) && windows.some((window) => isInScope(window, monitor)),
    ).length;
  }

  async function incidents(teamId: number, windows: readonly ScopedOccurrence[], limit: number) {
    const { rows, total } = await attentionRows(db, teamId).openIncidents(limit);
    const ids = windows.length === 0 ? [] : rows.map(({ id }) => id);
    const covered = (await scopedMonitors(database.read, ids)).filter((monitor) =>
      windows.some((window) => isInScope(window, monitor)),
    );
    const inMaintenance = new Set(covered.map(({ id }) => id));
    return {
      rows: rows.map((row) => incidentItem(row, inMaintenance.has(row.id))),
      total,
    };
  }

  async function expirations(teamId: number, now: number, limit: number) {
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
    const { rows, total } = await attentionRows(db, teamId).pausedMonitors(
      now - PAUSED_LONG_MS,
      limit,
    );
    return { rows: rows.map(pausedItem), total };
  }

  /** Ways to reach people and programs that do not work; team channels for admins alone, who may see them. */
  async function messages({ team, role, person }: Caller): Promise<Found<AttentionItem>> {
    const seesChannels = isAtLeast(role, 'admin');
    const of = { teamId: seesChannels ? team.id : null, personId: person.id };
    const rows = [
      ...(await attentionRows(db, team.id).failingDomains()).map(failingDomainItem),
      ...(await attentionRows(db, team.id).deactivatedEndpoints()).map(endpointItem),
      ...(await failingChannels(db, of, CHANNEL_FAILURES)).map(channelItem),
    ];
    return { rows, total: rows.length };
  }
}

const items = shownAs<AttentionItem>()({
  kind: [z.enum(ATTENTION_KINDS), ({ kind }) => kind],
  severity: [z.enum(SEVERITIES), ({ severity }) => severity],
  text: [z.string().meta({ description: 'What is wrong, for people.' }), ({ text }) => text],
  since: [
    time.nullable().meta({ description: 'Since when; null when unknown.' }),
    ({ since }) => isoOrNull(since),
  ],
  monitor: [
    monitorName.nullable().meta({ description: 'Null for what concerns no single monitor.' }),
    ({ monitor }) => monitor,
  ],
  incident_id: [
    z.int().min(1).nullable().meta({
      description: 'Id of the incident; null for other kinds.',
    }),
    ({ incidentId }) => incidentId,
  ],
  acknowledged_at: [
    time.nullable().meta({
      description: 'When the incident was acknowledged; null when nobody did.',
    }),
    ({ acknowledgedAt }) => isoOrNull(acknowledgedAt),
  ],
});

const count = z.int().min(0);

const answer = z
  .object({
    checked_at: time.meta({ description: 'Time of this answer.' }),
    summary: z.object({
      monitors: count.meta({ description: 'Monitors of the team: the sum of the next six.' }),
      ...standingCounts,
      in_maintenance: count.meta({ description: 'Those that a maintenance window covers now.' }),
    }),
    total: count.meta({ description: 'Number of items, including those beyond `limit`.' }),
    data: z.array(
      z.object(items.shape).meta({
        id: 'AttentionItem',
        description: 'Something that needs the attention of a person.',
      }),
    ),
  })
  .meta({ id: 'Attention', description: 'What needs attention now, most urgent first.' });

export const getAttention = noun('Overview', createGetAttention, {
  getAttention: {
    at: 'GET /attention',
    summary: 'Get what needs attention now',
    description: [
      'Critical before warning before info, then what nobody has acknowledged, then by kind in this order, then the oldest. It looks at:',
      '- `incident`: open incidents, also those of error budgets that burn too fast, and those of monitors in maintenance.',
      '- `region`: regions without a live probe from which monitors are checked; critical when some of these have no other live region.',
      '- `certificate` and `domain`: those that have expired (critical) or are within the threshold of their monitor while no incident about it is open.',
      '- `not_checked`: monitors that have not been checked, or changed, for three intervals.',
      '- `status_page_domain`: custom domains of status pages whose last verification failed.',
      '- `webhook_endpoint`: endpoints that Tocsin deactivated.',
      '- `channel`: your own notification channels, and for admins the alert channels of the team, whose last 3 attempts or more failed.',
      '- `paused`: monitors that have been paused, and not changed, for more than 7 days.',
    ].join('\n'),
    query: attentionQuery,
    answer,
    example: {
      answer: {
        checked_at: '2030-01-01T00:00:00.000Z',
        summary: {
          monitors: 2,
          online: 0,
          offline: 1,
          degraded: 0,
          pending: 0,
          paused: 1,
          not_observed: 0,
          in_maintenance: 0,
        },
        total: 2,
        data: [
          {
            kind: 'incident',
            severity: 'critical',
            text: 'Shop: HTTP 503 Service Unavailable.',
            since: '2029-12-31T23:45:00.000Z',
            monitor: SHOP,
            incident_id: 1,
            acknowledged_at: null,
          },
          {
            kind: 'paused',
            severity: 'info',
            text: 'Backup is paused, and was last changed on 2029-12-01.',
            since: '2029-12-01T09:00:00.000Z',
            monitor: BACKUP,
            incident_id: null,
            acknowledged_at: null,
          },
        ],
      },
    },
  },
});
