import { NO_PRIVATE_REGIONS } from '../support/regions.ts';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { Vote } from '../../src/model/check.ts';
import type { Round } from '../../src/model/round.ts';
import type { MonitorState } from '../../src/model/state.ts';
import { Scheduler } from '../../src/engine/schedule/scheduler.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { stateOf } from '../../src/store/engine/monitor-state.ts';
import { evaluateRound } from '../../src/engine/verdict/evaluate.ts';
import { createRoundRecorder } from '../../src/engine/index.ts';
import type { RoundOutcome } from '../../src/engine/verdict/evaluate.ts';
import { freshPostgres, postgres } from '../support/databases.ts';
import { amounts } from '../support/depth.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMonitor } from '../support/monitor-rows.ts';
import { openPatiently } from '../support/patient-postgres.ts';
import { checkResult, roundOf, inspectNothing } from '../support/rounds.ts';
import { lineTo, passTime, timeUntil } from '../support/scheduling.ts';
import { useServices } from '../support/service.ts';
import { expectSoundHistory } from '../support/sound-history.ts';
import { createRandom } from '../simulation/random.ts';
import { PLAIN_SECRETS } from '../support/plain-secrets.ts';

vi.setConfig({ testTimeout: 90_000 });

const cleanups = useServices();
const START = Date.UTC(2030, 0, 1);
const MONITORS = 8;

/**
 * One Postgres and a log of the slots that were counted on it, in the order of their commits; of several that were
 * counted in one transaction, the last.
 */
async function openShared() {
  const { place, remove } = await freshPostgres();
  cleanups.use({ close: remove });
  const open = async () => cleanups.use(await openPatiently(place));
  const database = await open();
  await database.transaction(async (tx) => {
    await sql`create table slot_log (id bigserial primary key, monitor_id bigint, slot bigint)`.execute(
      tx,
    );
    await sql`create function log_slot() returns trigger language plpgsql as $$ begin
      insert into slot_log (monitor_id, slot) values (new.monitor_id, new.last_slot);
      return new;
    end $$`.execute(tx);
    await sql`create trigger log_slot after update of last_slot on monitor_state
      for each row when (new.last_slot is not null) execute function log_slot()`.execute(tx);
  });
  return { database, open };
}

/** Every slot that was counted comes after the one before it of the same monitor. Answers them by monitor. */
async function countedSlots(database: Database): Promise<Map<number, number[]>> {
  const { rows } = await sql<{
    monitor_id: number;
    slot: number;
  }>`select monitor_id, slot from slot_log order by id`.execute(database.read);
  const slots = new Map<number, number[]>();
  for (const { monitor_id, slot } of rows) {
    const before = slots.get(monitor_id) ?? [];
    if (before.length > 0) expect(slot).toBeGreaterThan(before.at(-1)!);
    slots.set(monitor_id, [...before, slot]);
  }
  return slots;
}

interface Seen {
  monitorId: number;
  slot: number;
  outcome: RoundOutcome['outcome'];
}

/** A whole owner, schedule and recorder, with a clock and a line of its own; its checks answer when the test says so. */
function startOwner(database: Database, nodeId: string, now: number) {
  const line = lineTo(database);
  const clock = createFakeClock({ now });
  const recorder = createRoundRecorder({
    database: line.database,
    clock,
    log: silentLog,
    gatherMs: 10,
  });
  let answers: (() => void)[] = [];
  const seen: Seen[] = [];
  const owner = {
    nodeId,
    clock,
    line,
    recorder,
    seen,
    /** What its checks see from now on. */
    sees: 'up' as Vote,
    /** Whether its checks are kept back until `answer`. */
    isHolding: false,
    held: () => answers.length,
    answer() {
      for (const call of answers) call();
      answers = [];
    },
    count: (outcome: RoundOutcome['outcome']) =>
      seen.filter((one) => one.outcome === outcome).length,
    hasCounted: (monitorId: number) =>
      seen.some((one) => one.monitorId === monitorId && one.outcome === 'counted'),
    scheduler: new Scheduler({
      database: line.database,
      clock,
      log: silentLog,
      nodeId,
      regions: NO_PRIVATE_REGIONS,
      secrets: PLAIN_SECRETS,
      recorder: {
        async submit(round) {
          const recorded = await recorder.submit(round);
          seen.push({ monitorId: round.monitorId, slot: round.slot, outcome: recorded.outcome });
          return recorded;
        },
      },
      bus: {
        async check() {
          const result = checkResult(owner.sees);
          if (owner.isHolding) await new Promise<void>((resolve) => void answers.push(resolve));
          return result;
        },
        inspect: inspectNothing,
        lastSeen: () => clock.now(),
        vantageOf: () => 'office',
        close: async () => {},
      },
    }),
  };
  cleanups.use({
    async close() {
      owner.isHolding = false;
      owner.answer();
      const ended = Promise.all([owner.scheduler.stop(), recorder.close()]);
      await passTime([owner], 10_000);
      await ended;
    },
  });
  owner.scheduler.start();
  return owner;
}

type Owner = ReturnType<typeof startOwner>;

/** As if the database's clock had gone on by more than a lease since that node was heard of last. */
async function outlive(database: Database, nodeId: string): Promise<void> {
  await database.transaction(async (tx) => {
    await sql`update shard set lease_until = lease_until - 11000 where owner = ${nodeId}`.execute(
      tx,
    );
    await sql`update node set seen_at = seen_at - 11000 where id = ${nodeId}`.execute(tx);
  });
}

async function createMonitors(database: Database, fields: object): Promise<number[]> {
  const ids: number[] = [];
  for (let count = 0; count < MONITORS; count++) {
    ids.push(await createMonitor(database, START, fields));
  }
  return ids;
}

const openIncidents = (database: Database) =>
  database.read
    .selectFrom('incident')
    .select(['monitor_id', 'type'])
    .where('ended_at', 'is', null)
    .orderBy('monitor_id')
    .execute();

/** An owner that stands still in the middle of a round of each monitor, and one that takes over and records them. */
async function frozenAndSuccessor(
  where: 'checks are out' | 'answers are gathered',
  sees: { frozen: Vote; successor: Vote },
) {
  const { database, open } = await openShared();
  const ids = await createMonitors(database, { failure_threshold: 1 });
  const frozen = startOwner(await open(), 'frozen', START);
  await timeUntil([frozen], () => ids.every(frozen.hasCounted));

  frozen.sees = sees.frozen;
  frozen.isHolding = true;
  await timeUntil([frozen], () => frozen.held() === MONITORS);
  if (where === 'answers are gathered') {
    // Its clock stands still, so that what it gathers is not yet sent to the database.
    frozen.answer();
    await frozen.clock.settle();
    expect(frozen.recorder.waiting()).toBe(MONITORS);
  }
  await outlive(database, 'frozen');

  const successor = startOwner(await open(), 'successor', frozen.clock.now());
  successor.sees = sees.successor;
  await timeUntil([successor], () => ids.every(successor.hasCounted));
  frozen.clock.freeze(successor.clock.now() - frozen.clock.now());
  return { database, ids, frozen, successor };
}

async function statesOf(database: Database): Promise<Map<number, MonitorState>> {
  const rows = await database.read.selectFrom('monitor_state').selectAll().execute();
  return new Map(rows.map((row) => [row.monitor_id, stateOf(row)]));
}

/** What these rounds, recorded by one alone, come to. */
function replay(start: MonitorState, rounds: readonly Round[]) {
  const opened: { type: string; started_at: number; ended_at: number | null }[] = [];
  let state = start;
  for (const round of rounds) {
    const decision = evaluateRound(state, round);
    state = decision.state;
    for (const { kind, type, at } of decision.incidents) {
      const open = opened.find((one) => one.type === type && one.ended_at === null);
      if (kind === 'open') opened.push({ type, started_at: at, ended_at: null });
      else open!.ended_at = Math.max(at, open!.started_at);
    }
  }
  return { state, opened };
}

describe.skipIf('missing' in postgres)('two owners on one Postgres', () => {
  const both: Vote[] = ['up', 'down'];
  const cases = (['checks are out', 'answers are gathered'] as const).flatMap((where) =>
    both.flatMap((frozen) => both.map((successor) => ({ where, frozen, successor }))),
  );

  test.each(amounts.owners.isFrozen ? cases : [])(
    'frozen while $where that say $frozen: the successor saw $successor, and that stays [40.6]',
    async ({ where, ...sees }) => {
      const { database, ids, frozen, successor } = await frozenAndSuccessor(where, sees);
      const expected =
        sees.successor === 'down' ? ids.map((id) => ({ monitor_id: id, type: 'uptime' })) : [];
      expect(await openIncidents(database)).toEqual(expected);
      const before = await countedSlots(database);
      const countedBefore = frozen.count('counted');

      successor.isHolding = true;
      frozen.isHolding = false;
      frozen.answer();
      await timeUntil([frozen], () => frozen.count('duplicate') === MONITORS);
      expect(frozen.count('counted')).toBe(countedBefore);
      expect(await countedSlots(database)).toEqual(before);
      expect(await openIncidents(database)).toEqual(expected);
      const incidents = await database.read.selectFrom('incident').select('id').execute();
      expect(incidents).toHaveLength(expected.length);

      // From now on they share the monitors, and nothing is recorded twice.
      successor.isHolding = false;
      successor.answer();
      frozen.sees = sees.successor;
      await passTime([frozen, successor], 70_000);
      expect(frozen.scheduler.monitors + successor.scheduler.monitors).toBe(MONITORS);
      expect(frozen.scheduler.monitors).toBeGreaterThan(0);
      expect(successor.scheduler.monitors).toBeGreaterThan(0);
      expect(frozen.count('duplicate') + successor.count('duplicate')).toBe(MONITORS);
      const after = await countedSlots(database);
      for (const id of ids) expect(after.get(id)!.length).toBeGreaterThan(before.get(id)!.length);
      expect(await openIncidents(database)).toEqual(expected);
      await expectSoundHistory(database);
    },
  );

  test.each(amounts.owners.seeds)(
    'interleaved at random (%i): each round is counted once [40.3]',
    async (seed) => {
      const random = createRandom(seed);
      const { database, open } = await openShared();
      const ids = await createMonitors(database, { failure_threshold: 2 });
      const owners = [
        startOwner(await open(), 'a', START),
        // Their machines' clocks are not quite the same.
        startOwner(await open(), 'b', START + random.integer(-3_000, 3_000)),
      ];
      const turn: ((owner: Owner) => Promise<unknown> | void)[] = [
        (owner) => passTime([owner], random.integer(1, 12) * 500),
        (owner) => passTime([owner], random.integer(1, 12) * 500),
        (owner) => passTime(owners, random.integer(1, 12) * 500 + (owner.isHolding ? 100 : 0)),
        (owner) => owner.clock.freeze(random.integer(1_000, 20_000)),
        (owner) => outlive(database, owner.nodeId),
        (owner) => void (owner.isHolding = !owner.isHolding),
        (owner) => owner.answer(),
        (owner) => void (owner.sees = random.pick(['up', 'down', 'unknown'])),
      ];
      for (let step = 0; step < 100; step++) await random.pick(turn)(random.pick(owners));
      for (const owner of owners) {
        owner.isHolding = false;
        owner.sees = 'down';
        owner.answer();
      }
      await passTime(owners, 120_000);

      const slots = await countedSlots(database);
      const counted = owners.flatMap(({ seen }) => seen.filter((one) => one.outcome === 'counted'));
      for (const id of ids) {
        const told = counted.filter((one) => one.monitorId === id).map(({ slot }) => slot);
        expect(new Set(told).size).toBe(told.length);
        expect(told).toEqual(expect.arrayContaining(slots.get(id)!));
      }
      const down = ids.map((id) => ({ monitor_id: id, type: 'uptime' }));
      expect(await openIncidents(database)).toEqual(down);
      await expectSoundHistory(database);
    },
  );

  test('two recorders that are given the same rounds at once count each of them once', async () => {
    const random = createRandom('recorders');
    const { database, open } = await openShared();
    const ids = await createMonitors(database, {});
    const judgeOn = async () =>
      createRoundRecorder({
        database: await open(),
        clock: systemClock,
        log: silentLog,
        gatherMs: 0,
      });
    const recorders = [await judgeOn(), await judgeOn()];
    const start = await statesOf(database);
    const counted: Round[] = [];
    const looks = ['uuuu', 'uuuu', 'dddd', 'dddd', 'uudu', '????', 'dd??'];
    const votes = new Map(ids.map((id) => [id, 'uuuu']));

    for (let step = 0; step < amounts.owners.turns; step++) {
      const rounds = ids.flatMap((id) => {
        if (random.chance(0.4)) votes.set(id, random.pick(looks));
        const revision = start.get(id)!.revision;
        return [0, 1].map((half) => {
          const slot = START + (2 * step + half) * 30_000;
          return roundOf(votes.get(id)!, { monitorId: id, revision, slot, startedAt: slot });
        });
      });
      // Now both get both rounds, now each gets one of them, in either order.
      const shares = recorders.map((_, which) =>
        random.chance(0.5) ? rounds : rounds.filter((_round, index) => index % 2 === which),
      );
      const recorded = await Promise.all(
        recorders.flatMap((recorder, which) =>
          shares[which]!.map(async (round) => ({ round, ...(await recorder.submit(round)) })),
        ),
      );
      const won = recorded.filter(({ outcome }) => outcome === 'counted').map(({ round }) => round);
      expect(new Set(won).size).toBe(won.length);
      // The newer of the two is never lost.
      for (const newer of rounds.filter((round) => round.slot % 60_000 !== 0)) {
        const isGiven = shares.some((share) => share.includes(newer));
        expect(won.includes(newer)).toBe(isGiven);
      }
      const others = recorded.filter(({ outcome }) => outcome !== 'counted');
      expect(others.every(({ outcome }) => outcome === 'duplicate')).toBe(true);
      counted.push(...won);
      const stillOpen = (await openIncidents(database)).map(
        (one) => `${one.monitor_id} ${one.type}`,
      );
      expect(new Set(stillOpen).size).toBe(stillOpen.length);
    }
    await Promise.all(recorders.map((recorder) => recorder.close()));

    // What is stored is what the counted rounds say one after another.
    const end = await statesOf(database);
    const slots = await countedSlots(database);
    for (const id of ids) {
      const rounds = counted
        .filter((round) => round.monitorId === id)
        .toSorted((a, b) => a.slot - b.slot);
      expect(rounds.map(({ slot }) => slot)).toEqual(expect.arrayContaining(slots.get(id)!));
      const { state, opened } = replay(start.get(id)!, rounds);
      expect(end.get(id)).toEqual(state);
      const stored = await database.read
        .selectFrom('incident')
        .select(['type', 'started_at', 'ended_at'])
        .where('monitor_id', '=', id)
        .orderBy('id')
        .execute();
      expect(stored).toEqual(opened);
      expect(stored.length).toBeGreaterThan(5);
    }
    await expectSoundHistory(database);
  });
});
