import { hash } from 'node:crypto';
import { z } from 'zod';
import { sleep, type Clock } from '../../lib/clock.ts';
import { SEVERITIES } from '../../model/condition.ts';
import { CHECK_TYPES, MONITOR_STATUSES } from '../../model/monitor.ts';
import { perTeam, type Regions } from '../../model/regions.ts';
import { MONITOR_TYPES, PUSH } from '../../monitor-types/registry.ts';
import type { Database } from '../../store/database/contract.ts';
import { readChanges, readMark, type Mark } from '../../store/resources/live-changes.ts';
import { overviewStore } from '../../store/resources/monitor-overview.ts';
import { noun, type Call } from '../common/operation.ts';
import { Prepared } from '../common/prepared.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { isoTime } from '../common/time.ts';
import { acknowledgedOfOverview } from '../incidents/facts.ts';
import { UPTIME_DAYS, viewEntry } from './monitor-entry.ts';
import { BAR_LETTERS, barStart, REGION_LETTERS, SLOT_MINUTES, SLOTS } from './overview-rules.ts';
import { createTeamMonitors, type TeamMonitors } from './team-monitors.ts';

/** Maximum age of an answer. Changes that people make or that event streams report show at once. */
const ANSWER_HOLDS_MS = 1_000;
/** Minimum time from one answer to the next in a storm of reported changes: an answer of 10,000 monitors takes 50 ms. */
const STORM_MS = 250;
/** Teams that nobody asked about for this long are forgotten. */
const IDLE_MS = 10 * 60_000;
/** Maximum number of monitors in memory, of about 4 kB each; the team used longest ago is forgotten first. */
const MAX_MONITORS = 50_000;

/** What is in memory of a team. Times are those of the monotonic clock. */
interface Team {
  monitors: TeamMonitors;
  answer: Prepared | null;
  /** When the reads of the answer began. */
  readAt: number;
  /** State of the log of changes before these reads. */
  mark: Mark;
  audited: number | null;
  refreshing: Promise<void> | null;
  usedAt: number;
  /** Head of the answer without its time: what concerns no single monitor. */
  head: string;
  /** Number of monitors in the answer. */
  shown: number;
}

/** Returns all monitors of the team of the caller in one answer (contract 51.1). */
function createMonitorOverview(deps: {
  database: Database;
  clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  regions: Regions;
}) {
  const { database, clock } = deps;
  const regionsOf = perTeam(deps.regions, (codes) => codes);
  const teams = new Map<number, Team>();

  return async ({ caller }: Call): Promise<Prepared> => {
    const teamId = caller.team.id;
    const team = use(teamId);
    forgetIdle(teamId);
    // A second run only after one that began too long ago.
    for (let run = 0; run < 2; run += 1) {
      const waitMs = await timeToRefresh(team, teamId);
      if (waitMs === null) break;
      team.refreshing ??= refresh(team, teamId, waitMs).finally(() => (team.refreshing = null));
      await team.refreshing;
    }
    return team.answer!;
  };

  function use(teamId: number): Team {
    const team = teams.get(teamId) ?? {
      monitors: createTeamMonitors(deps, teamId, regionsOf(teamId)),
      answer: null,
      readAt: -Infinity,
      mark: '',
      audited: null,
      refreshing: null,
      usedAt: 0,
      head: '',
      shown: 0,
    };
    team.usedAt = clock.monotonic();
    // The order of the map is that of their use.
    teams.delete(teamId);
    teams.set(teamId, team);
    return team;
  }

  function forgetIdle(except: number): void {
    const longAgo = clock.monotonic() - IDLE_MS;
    let total = 0;
    for (const { monitors } of teams.values()) total += monitors.entries.size;
    for (const [id, { usedAt, monitors }] of teams) {
      if (id === except || (usedAt >= longAgo && total <= MAX_MONITORS)) continue;
      total -= monitors.entries.size;
      teams.delete(id);
    }
  }

  /** Milliseconds until the answer is to be made anew; null for one that is current. */
  async function timeToRefresh(team: Team, teamId: number): Promise<number | null> {
    const { answer, readAt, audited, mark } = team;
    const age = clock.monotonic() - readAt;
    if (answer === null || age >= ANSWER_HOLDS_MS) return 0;
    if ((await overviewStore(database.read).editStamp(teamId)).audited !== audited) return 0;
    const until = await readMark(database);
    const query = { after: mark, known: [], until, teamIds: [teamId], limit: 1 };
    const isChanged = (await readChanges(database, query)).length > 0;
    return isChanged ? Math.max(0, STORM_MS - age) : null;
  }

  async function refresh(team: Team, teamId: number, waitMs: number): Promise<void> {
    if (waitMs > 0) await sleep(clock, waitMs);
    const readAt = clock.monotonic();
    try {
      const mark = await readMark(database);
      const { audited } = await overviewStore(database.read).editStamp(teamId);
      await team.monitors.refresh();
      answerAnew(team);
      Object.assign(team, { readAt, mark, audited });
    } catch (error) {
      // What was read so far is incomplete.
      if (teams.get(teamId) === team) teams.delete(teamId);
      throw error;
    }
  }

  /** Makes another answer, unless nothing in it changed. */
  function answerAnew(team: Team): void {
    const { monitors } = team;
    const now = clock.now();
    const head = headOf(monitors, now);
    let isChanged = team.answer === null || head !== team.head;
    const shown: string[] = [];
    const digests: string[] = [];
    for (const entry of monitors.entries.values()) {
      isChanged ||= entry.json === null;
      const json = entry.json ?? JSON.stringify(viewEntry(entry, monitors.facts, now));
      if (entry.json === null) entry.digest = hash('sha1', json, 'base64');
      entry.json = json;
      shown.push(json);
      digests.push(entry.digest);
    }
    // One that was deleted changes no other monitor.
    if (!isChanged && shown.length === team.shown) return;
    const plain = Buffer.from(
      `{"generated_at":"${isoTime(now)}",${head}"monitors":[${shown.join(',')}]}`,
    );
    const answer = new Prepared(plain, head + digests.join());
    Object.assign(team, { head, shown: shown.length, answer });
  }
}

function headOf({ facts }: TeamMonitors, now: number): string {
  const { groups, regions } = facts;
  const shown = groups.map(({ parent_id: parent, ...group }) => ({
    ...group,
    ...(parent !== null && { parent_id: parent }),
  }));
  const head = { slot_minutes: SLOT_MINUTES, bar_starts_at: isoTime(barStart(now)), regions };
  return `${JSON.stringify({ ...head, groups: shown }).slice(1, -1)},`;
}

const id = z.int().min(1);
const instant = (description: string) =>
  z.int().meta({ description: `${description} In Unix seconds.` });
const meaningOf = (letters: Readonly<Record<string, string>>) =>
  Object.entries(letters)
    .map(([letter, meaning]) => `\`${letter}\` ${meaning}`)
    .join(', ');

const group = z.object({
  id,
  name: z.string(),
  parent_id: id.optional().meta({ description: 'Absent for a group without a parent.' }),
});

const schedule = z.object({
  interval: z.int().min(1).optional().meta({ description: 'Seconds; heartbeat monitors only.' }),
  cron: z.string().optional().meta({ description: 'Cron expression; cron monitors only.' }),
  timezone: z.string().optional().meta({ description: 'Time zone of the cron expression.' }),
});

const incident = z.object({
  id,
  severity: z.enum(SEVERITIES),
  cause: textOrNull,
  since: instant('Start of the incident.'),
  ...acknowledgedOfOverview.shape,
  open: z.int().min(1).meta({ description: 'Number of open incidents of the monitor.' }),
});

const monitor = z
  .object({
    id,
    name: z.string().meta({ description: '`friendly_name`, else `target`, else `#` and the id.' }),
    target: z
      .string()
      .optional()
      .meta({
        description: `Host, port and path, without user name, password and query. Absent for ${PUSH.and} monitors.`,
      }),
    since: instant(
      'Since when it has its status; the time of its creation before a first verdict.',
    ),
    response_ms: z.int().min(0).optional().meta({
      description: 'Median of the newest results that are up; absent without any.',
    }),
    uptime_90d: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .meta({
        description: `Uptime in percent of the last ${UPTIME_DAYS} days, or since its creation, as in the uptime of the monitor. At most a minute old. Absent when nothing was observed.`,
      }),
    observed_90d: z.number().min(0).max(100).optional().meta({
      description: 'Observed share of that period in percent; absent from 99.5 on.',
    }),
    group_id: id.optional().meta({ description: 'Absent without a group.' }),
    tags: z.array(z.string()).optional().meta({ description: 'Absent without tags.' }),
    last_ping_at: instant(
      'Newest ping that reported a success; absent before the first.',
    ).optional(),
    next_expected_at: instant(
      'When the next ping is expected; absent while it is paused or waits for its first ping.',
    ).optional(),
    last_duration: z.number().min(0).optional().meta({
      description: 'Seconds that the last run took; absent when unknown.',
    }),
    schedule: schedule
      .optional()
      .meta({ description: `Of ${PUSH.and} monitors; absent for others.` }),
    type: z.enum(MONITOR_TYPES),
    status: z.enum(MONITOR_STATUSES),
    observed_until: instant(
      'Time until which its status was known. Absent while it is known, pending or paused: only there when checks do not come, or pings are not taken.',
    ).optional(),
    is_paused: z.literal(true).optional().meta({ description: 'Absent when it is not paused.' }),
    maintenance_until: instant(
      'End of the maintenance that covers it now; absent outside of maintenance.',
    ).optional(),
    check_types: z
      .array(z.enum(CHECK_TYPES))
      .optional()
      .meta({ description: 'Absent without any.' }),
    regions: z
      .string()
      .optional()
      .meta({
        description: `Newest result of each region, a letter each, in the order of \`regions\` of the whole answer: ${meaningOf(REGION_LETTERS)}. Absent for ${PUSH.and} monitors.`,
      }),
    bar: z
      .string()
      .length(SLOTS)
      .meta({
        description: `The last 24 hours, a letter for each ${SLOT_MINUTES} minutes, the newest one last. The first that applies counts: ${meaningOf(BAR_LETTERS)}.`,
      }),
    incident: incident.optional().meta({
      description:
        'Of its open incidents the one with the greatest severity, then one that nobody acknowledged, then the oldest. Absent without any.',
    }),
  })
  .meta({ id: 'OverviewMonitor', description: 'A monitor in the overview of all.' });

const answer = z
  .object({
    generated_at: time.meta({
      description: 'When this was read. It is sent again for as long as nothing in it changes.',
    }),
    slot_minutes: z.literal(SLOT_MINUTES),
    bar_starts_at: time.meta({ description: 'Beginning of the first slot of the bars.' }),
    regions: z.array(z.string()).meta({ description: 'Codes, in the order of the letters.' }),
    groups: z
      .array(group)
      .meta({ description: 'All groups of the team by `sort_order`, then name.' }),
    monitors: z.array(monitor).meta({ description: 'All monitors of the team by id.' }),
  })
  .meta({ id: 'MonitorOverview', description: 'All monitors of a team in one answer.' });

export const getMonitorOverview = noun('Overview', createMonitorOverview, {
  getMonitorOverview: {
    at: 'GET /monitors/overview',
    summary: 'Get all monitors in one compact answer',
    description:
      'For lists of all monitors: 10,000 are about 300 kB. Fields without a value are left out, and times of monitors are Unix seconds. Status and incidents are at most a second old, changes by people and those that `GET /events` reports show at once, `uptime_90d` and `bar` are at most a minute old. The answer is compressed for clients that accept gzip, and has an `ETag`: with `If-None-Match` it is 304 while nothing changed.',
    answer,
    isPrepared: true,
    example: {
      answer: {
        generated_at: '2030-01-01T00:00:00.000Z',
        slot_minutes: SLOT_MINUTES,
        bar_starts_at: '2029-12-31T00:30:00.000Z',
        regions: ['ash', 'pdx', 'nbg', 'sin'],
        groups: [{ id: 1, name: 'Shop' }],
        monitors: [
          {
            id: 1,
            name: 'Shop',
            target: 'shop.example.com/health',
            since: 1_893_455_100,
            response_ms: 142,
            uptime_90d: 99.988,
            observed_90d: 98.2,
            tags: ['prod'],
            type: 'http',
            status: 'offline',
            maintenance_until: 1_893_459_600,
            check_types: ['ssl'],
            regions: 'ddu-',
            bar: `${'u'.repeat(SLOTS - 1)}m`,
            incident: {
              id: 1,
              severity: 'critical',
              cause: 'HTTP 503 Service Unavailable',
              since: 1_893_455_100,
              open: 1,
            },
          },
          {
            id: 2,
            name: 'Backup',
            since: 1_890_777_600,
            uptime_90d: 100,
            group_id: 1,
            last_ping_at: 1_893_380_400,
            next_expected_at: 1_893_466_800,
            last_duration: 312.4,
            schedule: { cron: '0 3 * * *', timezone: 'UTC' },
            type: 'cron',
            status: 'online',
            bar: 'u'.repeat(SLOTS),
          },
        ],
      },
    },
  },
});
