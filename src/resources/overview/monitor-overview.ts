import { hash } from 'node:crypto';
import type { Caller } from '../../identity/caller.ts';
import { sleep, type Clock } from '../../lib/clock.ts';
import { perTeam, type Regions } from '../../model/regions.ts';
import type { Database } from '../../store/database/contract.ts';
import { readChanges, readMark, type Mark } from '../../store/resources/live-changes.ts';
import { readEditStamp } from '../../store/resources/monitor-overview.ts';
import { authorize } from '../common/errors.ts';
import { Prepared } from '../common/prepared.ts';
import { isoTime } from '../common/time.ts';
import { viewEntry } from './monitor-entry.ts';
import { barStart, SLOT_MINUTES } from './overview-rules.ts';
import { createTeamMonitors, type TeamMonitors } from './team-monitors.ts';

/** Maximum age of an answer. Changes that people make or that event streams report show at once. */
const ANSWER_HOLDS_MS = 1_000;
/** Minimum time from one answer to the next in a storm of reported changes: an answer of 10,000 monitors takes 50 ms. */
const STORM_MS = 250;
/** Teams that nobody asked about for this long are forgotten. */
const IDLE_MS = 10 * 60_000;
/** Maximum number of monitors in memory, of about 4 kB each; the team used longest ago is forgotten first. */
const MAX_MONITORS = 50_000;

/** Returns all monitors of the team of the caller in one answer (contract 51.1). */
export type GetMonitorOverview = (caller: Caller) => Promise<Prepared>;

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

export function createMonitorOverview(deps: {
  database: Database;
  clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  regions: Regions;
}): GetMonitorOverview {
  const { database, clock } = deps;
  const regionsOf = perTeam(deps.regions, (codes) => codes);
  const teams = new Map<number, Team>();

  return async (caller) => {
    authorize(caller, 'read');
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
    if ((await readEditStamp(database.read, teamId)).audited !== audited) return 0;
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
      const { audited } = await readEditStamp(database.read, teamId);
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
