import type { RuleCoverage } from '../coverage.ts';
import { createHistoryJobs } from '../../../src/engine/history/jobs.ts';
import { shardOf } from '../../../src/model/monitor.ts';
import type { RoundKind, RecordedRound } from '../../../src/store/engine/round-codec.ts';
import { ensureDays, insertRounds } from '../../../src/store/engine/results.ts';
import { monitorChanges } from '../../../src/store/resources/monitor-changes.ts';
import { nextVersion } from '../../../src/store/engine/shards.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { roundOf } from '../../support/rounds.ts';
import { countedDatabase } from '../counted-database.ts';
import { createWorldLog } from '../log.ts';
import { createStory } from '../story.ts';
import { openWorldDatabase } from '../world-database.ts';
import { Ledger, type HistoryMonitor } from './ledger.ts';
import {
  MINUTE,
  historyScenarioOf,
  type HistoryScenario,
  type StepEvent,
  HOUR,
} from './scenario.ts';
import { createHistoryProcesses } from './processes.ts';
import { createHistoryRules } from './rules.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { createMonitor } from '../../support/monitor-rows.ts';

/** Creates a monitor with one row in each table that refers to monitors. */
async function addMonitorWithRows(
  database: Database,
  teamId: number,
  now: number,
): Promise<HistoryMonitor> {
  const id = await createMonitor(database, now, { team_id: teamId });
  await database.transaction(async (tx) => {
    const own = { team_id: teamId, monitor_id: id };
    const spans = [
      { ...own, status: 'online', from_at: now - 2 * HOUR, to_at: now - HOUR },
      { ...own, status: 'offline', from_at: now - HOUR, to_at: null },
    ];
    await tx.insertInto('status_span').values(spans).execute();
    const { id: incident } = await tx
      .insertInto('incident')
      .values({
        ...own,
        type: 'uptime',
        severity: 'critical',
        root_cause: null,
        is_regional: 0,
        started_at: now - HOUR,
        ended_at: null,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('incident_evidence')
      .values({ incident_id: incident, region: 'ash', evidence: '{}' })
      .execute();
    await tx
      .insertInto('activity')
      .values({
        team_id: teamId,
        incident_id: incident,
        type: 'created',
        description: 'It began.',
        created_at: now,
      })
      .execute();
    await tx
      .insertInto('monitor_activity')
      .values({ ...own, type: 'dns_changed', description: 'It changed.', created_at: now })
      .execute();
    await tx
      .insertInto('event')
      .values({
        ...own,
        incident_id: incident,
        type: 'monitor.down',
        payload: '{}',
        kind: 'open',
        severity: 'critical',
        reason: null,
        fan_out_at: null,
        created_at: now,
      })
      .execute();
    await tx
      .insertInto('ping')
      .values({
        monitor_id: id,
        number: 1,
        at: now,
        kind: 'success',
        source_address: '192.0.2.1',
        is_body_cut: 0,
      })
      .execute();
  });
  return { id, teamId, createdAt: now, deletedAt: null };
}

async function addTeam(database: Database, id: number, now: number): Promise<void> {
  const named = { name: `Team ${id}`, slug: `team-${id}`, personal_team: 0, plan: null };
  const times = { deleted_at: null, created_at: now, updated_at: now };
  await database.transaction((tx) =>
    tx
      .insertInto('team')
      .values({ id, ...named, ...times })
      .execute(),
  );
}

export interface HistoryDoubles {
  createHistoryJobs?: typeof createHistoryJobs;
}

/** Time after a fault before rounds are recorded again. */
const SETTLED_MS = 45_000;

/** Time to work off what fell due in a leap. */
const WORK_MS = 100_000;

const CALM_MS = 10 * MINUTE;

/** One pass takes a few hundred transactions per day. */
const MAX_TRANSACTIONS_PER_STEP = 40_000;

/**
 * Runs weeks of roll-ups and retention in one or two processes on one database, with a clock and a database of its own.
 * Returns the broken rules.
 */
export async function runHistoryWorld(
  seed: number,
  coverage: RuleCoverage,
  doubles: HistoryDoubles = {},
): Promise<{ violations: string[]; story: string[] }> {
  const scenario = historyScenarioOf(seed);
  const clock = createFakeClock({ now: scenario.beginsAt });
  const story = createStory(() => clock.monotonic());
  const violations: string[] = [];
  const violate = (rule: string): void => {
    violations.push(rule);
    story.add(`VIOLATED: ${rule}`);
  };
  const real = await openWorldDatabase(clock);
  const counted = countedDatabase(real.database, clock, () => {
    violate('the history jobs never become idle');
    processes.end();
  });
  const processes = createHistoryProcesses({
    scenario,
    clock,
    counted,
    read: real.read,
    story,
    log: createWorldLog(story, violate),
    createJobs: doubles.createHistoryJobs ?? createHistoryJobs,
  });
  const ledger = new Ledger();
  let latest = 0;
  const rules = createHistoryRules({
    scenario,
    database: real.database,
    ledger,
    coverage,
    latest: () => (latest = Math.max(latest, clock.now() + Math.max(...scenario.offsets))),
    earliest: () => clock.now() + Math.min(...scenario.offsets),
    violate,
  });
  const context = { scenario, clock, story, ledger, processes, database: counted.database };
  try {
    await populate(context);
    processes.begin();
    for (const { event, passMs, records } of scenario.steps) {
      const writes = counted.writes();
      if (records) await record(context);
      await applyEvent(context, event);
      await pass(context, passMs);
      await rules.look();
      if (counted.writes() - writes > MAX_TRANSACTIONS_PER_STEP)
        violate(`the history jobs made ${counted.writes() - writes} transactions in one step`);
      if (violations.length > 0) break;
    }
    if (violations.length === 0) {
      await clock.advance(CALM_MS);
      await clock.advance(CALM_MS);
      await rules.checkAtEnd();
    }
  } finally {
    processes.end();
    await real.database.close();
  }
  return { violations, story: story.lines() };
}

interface HistoryContext {
  scenario: HistoryScenario;
  clock: ReturnType<typeof createFakeClock>;
  story: ReturnType<typeof createStory>;
  ledger: Ledger;
  processes: ReturnType<typeof createHistoryProcesses>;
  database: ReturnType<typeof countedDatabase>['database'];
}

async function populate({ scenario, clock, database, ledger }: HistoryContext): Promise<void> {
  for (const [index, count] of [scenario.monitors.staying, scenario.monitors.leaving].entries()) {
    const team = index + 1;
    await addTeam(database, team, clock.now());
    for (let added = 0; added < count; added += 1)
      ledger.monitors.push(await addMonitorWithRows(database, team, clock.now()));
  }
}

/** Lets time pass in parts, each followed by time to work off what fell due. */
async function pass(context: HistoryContext, passMs: number): Promise<void> {
  const { scenario, clock } = context;
  const parts = scenario.random.integer(1, 2);
  for (let part = 0; part < parts; part += 1) {
    clock.freeze(Math.round(passMs / parts));
    await clock.advance(WORK_MS);
    if (scenario.random.chance(0.6)) await record(context);
  }
}

/** Records rounds that started within the last minute, as a healthy process would. */
async function record({
  scenario,
  clock,
  ledger,
  processes,
  database,
  story,
}: HistoryContext): Promise<void> {
  const { random } = scenario;
  const since = processes.undisturbedSince();
  if (since === null || clock.monotonic() - since < SETTLED_MS) return;
  const slowest = clock.now() + Math.min(...scenario.offsets);
  const recorded: RecordedRound[] = [];
  for (const { id, teamId, deletedAt } of ledger.monitors) {
    if (deletedAt !== null) continue;
    for (let count = random.integer(0, 4); count > 0; count -= 1) {
      const startedAt = slowest - random.integer(0, 40_000);
      if (ledger.isTaken(id, startedAt)) continue;
      const votes = random.pick(['uuuu', 'uudu', 'dddd', 'u', 'u?d', '??']);
      const responseTimeMs = random.integer(1, 5_000);
      const kind = random.weighted<RoundKind>({ voted: 8, stale: 1, manual: 1 });
      const round = roundOf(votes, { monitorId: id, teamId, startedAt, responseTimeMs });
      const one: RecordedRound = { round, kind, class: votes.includes('u') ? 'up' : 'down' };
      recorded.push(one);
      ledger.add(one);
    }
  }
  story.add(`${recorded.length} rounds are recorded at ${new Date(slowest).toISOString()}`);
  await ensureDays(
    database,
    recorded.map(({ round }) => round.startedAt),
  );
  await database.transaction((tx) => insertRounds(tx, database, recorded));
}

async function applyEvent(context: HistoryContext, event: StepEvent): Promise<void> {
  const { clock, processes, story } = context;
  switch (event.kind) {
    case 'kill':
      return processes.killAfter(event.process, event.crashPoints, event.downMs);
    case 'refuse':
      return processes.refuse(event.lastsMs);
    case 'freeze':
      story.add(`all processes are frozen for ${event.byMs} ms`);
      return clock.freeze(event.byMs);
    case 'setBack':
      story.add(`the clock is set back by ${event.byMs} ms`);
      clock.stepWall(-event.byMs);
      // The jobs notice the new time before rounds are recorded.
      await clock.advance(SETTLED_MS);
      return;
    case 'deleteMonitor':
      return deleteMonitor(context);
    case 'deleteTeam':
      return deleteTeam(context);
  }
}

async function deleteMonitor({
  scenario,
  clock,
  ledger,
  database,
  story,
}: HistoryContext): Promise<void> {
  const living = ledger.monitors.filter(({ deletedAt }) => deletedAt === null);
  if (living.length < 2) return;
  const monitor = scenario.random.pick(living);
  const now = clock.now();
  monitor.deletedAt = now;
  story.add(`a user deletes monitor ${monitor.id}`);
  await database.transaction(async (tx) => {
    const version = await nextVersion(tx, shardOf(monitor.id));
    await monitorChanges(tx).markDeleted(monitor.id, version, now);
  });
}

async function deleteTeam({
  scenario,
  clock,
  ledger,
  database,
  story,
}: HistoryContext): Promise<void> {
  if (scenario.monitors.leaving === 0) return;
  const now = clock.now();
  story.add('a user deletes team 2');
  for (const monitor of ledger.monitors) if (monitor.teamId === 2) monitor.deletedAt ??= now;
  await database.transaction((tx) =>
    tx
      .updateTable('team')
      .set({ deleted_at: now })
      .where('id', '=', 2)
      .where('deleted_at', 'is', null)
      .execute(),
  );
}
