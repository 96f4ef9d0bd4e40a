import { signInSecrets } from '../../src/identity/session-cookie.ts';
import { runRollupSlice, HOURLY, HOURLY_DAYS } from '../../src/engine/history/rollup.ts';
import { isPushType, type MonitorType } from '../../src/monitor-types/registry.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { nextMailAt, type Frequency } from '../../src/report/period.ts';
import { connectApplication } from '../support/applications.ts';
import { insertRows, updateRows } from '../support/rows.ts';
import { createRequests, tellVisitors } from './communication.ts';
import { failEndpoints } from './deliveries.ts';
import { openDesk, type Desk } from './desk.ts';
import { answersOf, rawFrom, storeResults, storeSpans, type DemoMonitor } from './history.ts';
import { storeJobs } from './jobs.ts';
import { GROUPS, MONITORS, PAUSED } from './northwind/monitors.ts';
import { AUTHENTICATOR, PEOPLE, TEAM_NAME } from './northwind/people.ts';
import { DAY_MS, HISTORY_MS, HOUR_MS, problemsOf } from './northwind/problems.ts';
import {
  createTokens,
  invite,
  planMaintenance,
  setUpAlerting,
  setUpPages,
  setUpReports,
  type Names,
} from './settings.ts';
import { play, problemSteps, react, type Step } from './story.ts';
import { storeTargets } from './targets.ts';
import { statusesOf } from './timeline.ts';
import { type Rollup, type RollupName, rollupChanges } from '../../src/store/engine/rollups.ts';
import { addResult, encodeSummary, type Summary } from '../../src/engine/history/summary.ts';
import type { CheckResult } from '../../src/model/check.ts';
import type { Region } from '../../src/model/monitor.ts';

/** Checks that stand for all of an hour, and of two hours of a day, in each region. */
const SAMPLES = 4;

const AT_ONCE = 5_000;

/** A monitor whose results are summed up. */
interface Sampled {
  id: number;
  regions: readonly Region[];
  /** Start of its history, epoch milliseconds. */
  since: number;
  /** Results of one check; null at a time at which nothing was checked. */
  resultAt(region: Region, at: number): CheckResult | null;
}

/**
 * Writes the daily and hourly roll-ups of monitors before `end`, the start of an hour, from which on the program makes them
 * of results. Times are epoch milliseconds.
 */
async function storeRollups(
  database: Database,
  monitors: readonly Sampled[],
  { now, end }: { now: number; end: number },
): Promise<void> {
  // Older hours are days.
  const hours = Math.floor((now - HOURLY_DAYS * DAY_MS) / DAY_MS) * DAY_MS;
  const days: Rollup[] = [];
  const ofHours: Rollup[] = [];
  for (const monitor of monitors) {
    const firstDay = Math.floor(monitor.since / DAY_MS) * DAY_MS;
    days.push(...summaries(monitor, { from: firstDay, to: hours, step: DAY_MS }));
    ofHours.push(...summaries(monitor, { from: hours, to: end, step: HOUR_MS }));
  }
  await store(database, 'rollup_day', days);
  await store(database, 'rollup_hour', ofHours);
  const to = { period: end, monitor: 0 };
  await database.transaction((tx) => rollupChanges(tx).moveCursor(HOURLY, { from: null, to }));
}

async function store(database: Database, table: RollupName, rollups: readonly Rollup[]) {
  for (let index = 0; index < rollups.length; index += AT_ONCE)
    await database.transaction((tx) =>
      rollupChanges(tx).write(table, rollups.slice(index, index + AT_ONCE)),
    );
}

/** A summary for each hour or day in which something was checked. */
function summaries(
  { id, regions, since, resultAt }: Sampled,
  { from, to, step }: { from: number; to: number; step: number },
): Rollup[] {
  const rollups: Rollup[] = [];
  const between = Math.min(step, 2 * HOUR_MS) / SAMPLES;
  for (let at = from; at < to; at += step) {
    const summary: Summary = new Map();
    for (let sample = at; sample < at + step; sample += between) {
      if (sample < since) continue;
      for (const region of regions) {
        const result = resultAt(region, sample);
        if (result !== null) addResult(summary, { region, ...result });
      }
    }
    if (summary.size > 0) rollups.push({ monitorId: id, at, data: encodeSummary(summary) });
  }
  return rollups;
}

export interface FillOptions {
  /** The present, epoch milliseconds. */
  now: number;
  /** Ordinary problems of the past are drawn by it. */
  seed: number;
  /** Password of all members. */
  password: string;
  /** The list of SECRET_KEY. */
  keys: readonly string[];
}

/** The team as it was stored. */
export interface Demo {
  teamId: number;
  /** The members, the owner first. */
  people: readonly { id: number; name: string; email: string; role: string }[];
  /** Id of the monitor of that name. */
  monitor(name: string): number;
  /** Ids of the public status page and of the one with a password. */
  pages: readonly number[];
}

/**
 * Fills an empty database with the team Northwind and 90 days of its history. People act through the services, and alerts,
 * messages and announcements are made by the program itself, with a clock that goes through these days.
 */
export async function fillDemo(database: Database, options: FillOptions): Promise<Demo> {
  const { now, seed, password, keys } = options;
  const since = now - HISTORY_MS;
  const desk = await openDesk(database, { keys, since, team: TEAM_NAME, people: PEOPLE, password });
  const names = await createMonitors(desk);
  await setUpAlerting(desk, names);
  const pages = await setUpPages(desk, names);
  const weekly = await setUpReports(desk, names);
  await createTokens(desk);
  const monitors = await readMonitors(desk, { seed, now });
  await storeSpans(database, monitors);
  await playHistory(desk, { monitors, names, now });
  await storeMeasurements(desk, monitors, now);
  await storeTargets(database, { teamId: desk.teamId, since, now });
  desk.goTo(now);
  await createRequests(desk, { names, reportId: weekly });
  await storePeople(desk, now);
  await finishMails(desk, now);
  await failEndpoints(database, now);
  const people = PEOPLE.map(({ name, email, role }) => ({
    id: desk.as(name).person.id,
    name,
    email,
    role,
  }));
  return { teamId: desk.teamId, people, monitor: names.monitor, pages };
}

async function createMonitors(desk: Desk): Promise<Names> {
  const ada = desk.as('Ada Reyes');
  const groups = new Map<string, number>();
  for (const [index, group] of GROUPS.entries()) {
    const answer = await desk.carryOut('createGroup', ada, {
      body: { ...group, sort_order: index },
    });
    groups.set(group.name, (answer as { id: number }).id);
  }
  const ids = new Map<string, number>();
  for (const { friendly_name, group, body } of MONITORS) {
    const all = { friendly_name, group_id: groups.get(group), ...body };
    const answer = await desk.carryOut('createMonitor', ada, { body: all });
    ids.set(friendly_name, (answer as { id: number }).id);
  }
  const checkout = ids.get('Checkout API')!;
  await desk.carryOut('updateMonitor', ada, {
    id: checkout,
    body: { depends_on: [ids.get('Postgres primary')] },
  });
  return { monitor: (name) => ids.get(name)!, group: (name) => groups.get(name)! };
}

async function readMonitors(
  { database, teamId }: Desk,
  { seed, now }: { seed: number; now: number },
): Promise<DemoMonitor[]> {
  const problems = problemsOf(seed, now);
  const rows = await database.read
    .selectFrom('monitor')
    .select(['id', 'type', 'revision', 'friendly_name', 'check_interval', 'monitored_regions'])
    .where('team_id', '=', teamId)
    .orderBy('id')
    .execute();
  const since = now - HISTORY_MS + 60_000;
  return rows.map((row) => {
    const name = row.friendly_name!;
    const isPush = isPushType(row.type as MonitorType);
    return {
      id: row.id,
      teamId,
      name,
      type: row.type,
      revision: row.revision,
      answersInMs: MONITORS.find((one) => one.friendly_name === name)!.answersInMs ?? 0,
      regions: JSON.parse(row.monitored_regions),
      isPush,
      isPaused: PAUSED.some((one) => one.monitor === name),
      intervalMs: (row.check_interval ?? 0) * 60_000,
      problems: problems.filter((one) => one.monitor === name),
      // It has never called.
      statuses: name === 'Ledger export' ? [] : statusesOf(name, problems, { since, now, isPush }),
    };
  });
}

/** All that happened until now, in its order. */
async function playHistory(
  desk: Desk,
  { monitors, names, now }: { monitors: readonly DemoMonitor[]; names: Names; now: number },
): Promise<void> {
  const ada = desk.as('Ada Reyes');
  const steps: Step[] = [
    ...problemSteps(desk, monitors, now),
    ...tellVisitors(desk, names, now),
    ...PAUSED.map(({ monitor, days }) => ({
      at: now - days * DAY_MS,
      do: () => desk.carryOut('pauseMonitor', ada, { id: names.monitor(monitor) }),
    })),
    { at: now - 46 * 60_000, do: () => planMaintenance(desk, names) },
    { at: now - 12 * DAY_MS, do: () => invite(desk, 'frida@northwind.example', 'editor') },
    { at: now - 30 * HOUR_MS, do: () => invite(desk, 'george@northwind.example', 'viewer') },
  ];
  await play(desk, steps, now);
  desk.goTo(now);
  await react(desk, now, now);
}

/** Results, roll-ups and pings. The roll-ups of the last days are made of their results, by the program itself. */
async function storeMeasurements(
  { database, clock }: Desk,
  monitors: readonly DemoMonitor[],
  now: number,
): Promise<void> {
  const checked = monitors.filter(({ isPush }) => !isPush);
  const end = rawFrom(now);
  const sampled = checked.map((monitor) => ({
    ...monitor,
    since: now - HISTORY_MS,
    resultAt: answersOf(monitor, now),
  }));
  await storeRollups(database, sampled, { now, end });
  await storeResults(database, checked, now);
  while ((await runRollupSlice({ database, clock })) === 'more');
  await storeJobs(
    database,
    monitors.filter(({ isPush }) => isPush),
    now,
  );
}

/** Last sign-ins, a second factor, used tokens, and an application that a member connected. */
async function storePeople(desk: Desk, now: number): Promise<void> {
  const { database, keys, teamId } = desk;
  for (const { name, signedInHoursAgo, hasSecondFactor } of PEOPLE) {
    const { id } = desk.as(name).person;
    const changes = {
      last_login_at: now - signedInHoursAgo * HOUR_MS,
      mfa_enabled: hasSecondFactor ? 1 : 0,
      team_id: teamId,
    };
    await updateRows(database, 'person', changes, { id });
    if (hasSecondFactor) await insertRows(database, 'two_factor', await factorOf(id, keys));
  }
  await updateRows(
    database,
    'token',
    { last_used_at: now - 4 * 60_000 },
    { name: 'Deploy pipeline' },
  );
  await updateRows(database, 'token', { last_used_at: now - 31_000 }, { name: 'Grafana' });
  const { id: personId } = desk.as('Ada Reyes').person;
  const connectedAt = now - 5 * DAY_MS;
  await connectApplication(
    database,
    { personId, teamId },
    { permissions: ['read'], now: connectedAt },
  );
}

/** Subscribers got all updates, and members the reports that were due. */
async function finishMails({ database, teamId }: Desk, now: number): Promise<void> {
  await updateRows(database, 'mailing', { next_at: null });
  const reports = await database.read
    .selectFrom('report')
    .select(['id', 'frequency', 'timezone'])
    .where('team_id', '=', teamId)
    .execute();
  for (const { id, frequency, timezone } of reports)
    await updateRows(
      database,
      'report',
      { next_at: nextMailAt(frequency as Frequency, timezone, now) },
      { id },
    );
}

async function factorOf(personId: number, keys: readonly string[]) {
  const { symmetricEncrypt } = await import('better-auth/crypto');
  const [secret] = signInSecrets(keys);
  const key = {
    keys: new Map([[secret!.version, secret!.value]]),
    currentVersion: secret!.version,
  };
  return {
    person_id: personId,
    secret: await symmetricEncrypt({ key, data: AUTHENTICATOR.secret }),
    backup_codes: await symmetricEncrypt({ key, data: '[]' }),
    verified: 1,
    failed_verification_count: 0,
    locked_until: null,
  };
}
