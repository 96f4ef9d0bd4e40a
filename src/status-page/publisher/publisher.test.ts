import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { ending, opening } from '../../../test/support/incident-changes.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { settlePeople } from '../../../test/support/people.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { insertPage, insertServices } from '../../../test/support/status-pages.ts';
import { wrapDatabase } from '../../../test/support/wrapped-database.ts';
import { applyIncidentChanges } from '../../engine/record/record.ts';
import { silentLog } from '../../lib/log.ts';
import type { Condition } from '../../model/condition.ts';
import type { Database } from '../../store/database/contract.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';
import { createPublisher } from './publisher.ts';

const START = Date.UTC(2030, 0, 7);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface World {
  database: Database;
  clock: FakeClock;
  teamId: number;
  page: number;
  shop: number;
  blog: number;
  publisher: ReturnType<typeof createPublisher>;
  /** Errors that the publisher logged. */
  faults: object[];
  fail(monitorId: number, condition?: Condition): Promise<void>;
  recover(monitorId: number, condition?: Condition): Promise<void>;
  /** Advances the clock and runs the publisher. */
  after(ms: number): Promise<void>;
  /** Announcements with the states of their updates, and how many of these were mailed. */
  shown(): Promise<string[]>;
}

async function world(database: Database, onFault?: boolean): Promise<World> {
  const clock = createFakeClock({ now: START });
  const { alice } = await settlePeople(database, START);
  const { teamId } = alice;
  const monitor = (name: string) =>
    createMonitor(database, START, { team_id: teamId, friendly_name: name });
  const [shop, blog] = [await monitor('Shop'), await monitor('Blog')];
  const page = await insertPage(database, { team_id: teamId, slug: 'harbour' });
  await insertServices(database, page, [{ id: shop }, { id: blog }]);
  const faults: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void faults.push(fields) };
  const publisher = createPublisher({ database, clock, log });
  const apply = (change: ReturnType<typeof opening>) =>
    database.transaction((tx) => applyIncidentChanges(tx, [change], clock.now()));
  if (onFault !== true) await publisher.run();
  return {
    database,
    clock,
    teamId,
    page,
    shop,
    blog,
    publisher,
    faults,
    fail: async (monitorId, condition = 'uptime') =>
      void (await apply(opening({ monitorId, teamId, at: clock.now(), trouble: { condition } }))),
    recover: async (monitorId, condition = 'uptime') =>
      void (await apply(ending({ monitorId, teamId, at: clock.now(), condition }))),
    async after(ms) {
      await clock.advance(ms);
      await publisher.run();
      const { changes } = publisher.counters;
      await publisher.run();
      expect(publisher.counters.changes, 'a second run changes nothing').toBe(changes);
    },
    shown: () => shownOf(database),
  };
}

async function shownOf({ read }: Database): Promise<string[]> {
  const announcements = await read
    .selectFrom('announcement')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  const updates = await read.selectFrom('announcement_update').selectAll().orderBy('id').execute();
  const mailings = await read.selectFrom('mailing').select('update_id').execute();
  const mailed = new Set(mailings.map((row) => row.update_id));
  expect(mailed.size).toBe(mailings.length);
  return announcements.map(({ id, title, impact, state, ended_at }) => {
    const own = updates.filter((update) => update.announcement_id === id);
    const states = own.map((update) => `${update.state}${mailed.has(update.id) ? ' mailed' : ''}`);
    const end = ended_at === null ? '' : ` ended +${(ended_at - START) / MINUTE}`;
    return `${title ?? impact}, ${state}${end}: ${states.join(', ')}`;
  });
}

const addOccurrence = (its: World, windowId: number, from: number, to: number) =>
  its.database.transaction((tx) =>
    tx
      .insertInto('maintenance_occurrence')
      .values({
        window_id: windowId,
        team_id: its.teamId,
        monitors: '[]',
        groups: '[]',
        tags: '[]',
        from_at: from,
        to_at: to,
      })
      .execute(),
  );
const addWindow = (its: World, rrule: string | null, from: number, to: number) =>
  its.database.transaction(async (tx) => {
    const { id } = await tx
      .insertInto('maintenance_window')
      .values({
        team_id: its.teamId,
        name: 'Move',
        starts_at: from,
        ends_at: to,
        rrule,
        timezone: 'UTC',
        monitors: '[]',
        groups: '[]',
        tags: '[]',
        next_at: from,
        created_at: START,
        updated_at: START,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });

eachDatabase((_name, open) => {
  describe('an incident', () => {
    test('a burning error budget is not announced [46.18]', async () => {
      const its = await world(await open());
      await its.fail(its.shop, 'error_budget_fast');
      await its.after(10 * MINUTE);
      expect(await its.shown()).toEqual([]);
    });

    test('is announced at once and ends with its announcement [43.15, 43.19]', async () => {
      const its = await world(await open());
      await its.fail(its.shop);
      await its.after(1_000);
      expect(await its.shown()).toEqual(['major, investigating: investigating mailed']);
      await its.clock.advance(9 * MINUTE);
      await its.recover(its.shop);
      await its.after(MINUTE);
      const [one] = await its.shown();
      expect(one).toMatch(
        /^major, resolved ended \+9\.\d+: investigating mailed, resolved mailed$/,
      );
      expect(its.faults).toEqual([]);
    });
  });

  test('an idle run is one statement, and a note of a change evaluates its team alone [43.33]', async () => {
    const its = await world(await open());
    let statements = 0;
    const read = its.database.read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1;
        return result;
      },
    });
    const database = wrapDatabase(its.database, { read });
    const publisher = createPublisher({ database, clock: its.clock, log: silentLog });
    const counted = async () => {
      statements = 0;
      const before = publisher.counters.evaluated;
      await its.clock.advance(1_000);
      await publisher.run();
      return [statements, publisher.counters.evaluated - before];
    };
    await publisher.run();
    expect(await counted()).toEqual([1, 0]);
    expect(await counted()).toEqual([1, 0]);
    await updateRows(database, 'status_page', { name: 'Quay' }, { id: its.page });
    const [, evaluated] = await counted();
    expect(evaluated).toBe(1);
    expect(await counted()).toEqual([1, 0]);
  });

  test('two processes, and one that dies before or after its commit, announce once [43.34]', async () => {
    for (const step of ['before', 'after', 'never'] as const) {
      const its = await world(await open(), true);
      const dying = createPublisher({
        clock: its.clock,
        log: silentLog,
        database: wrapDatabase(its.database, {
          transaction: (work) =>
            its.database
              .transaction(async (tx) => {
                const done = await work(tx);
                if (step === 'before') throw new DatabaseUnavailable('It died.');
                return done;
              })
              .then((done) => {
                if (step === 'after') throw new DatabaseUnavailable('It died.');
                return done;
              }),
        }),
      });
      await its.fail(its.shop);
      await its.clock.advance(1_000);
      await Promise.allSettled([dying.run(), its.publisher.run()]);
      await its.after(1_000);
      expect(await its.shown()).toEqual(['major, investigating: investigating mailed']);
      await its.recover(its.shop);
      await its.clock.advance(1_000);
      await Promise.allSettled([dying.run(), its.publisher.run()]);
      await its.after(1_000);
      const [one, ...others] = await its.shown();
      expect(others).toEqual([]);
      expect(one).toMatch(/: investigating mailed, resolved mailed$/);
    }
  });

  describe('a maintenance window', () => {
    test('shows a week ahead, is mailed a day ahead, and holds incidents [43.25, 43.26, 43.23, 43.36]', async () => {
      const its = await world(await open());
      const from = START + 8 * 24 * HOUR;
      const id = await addWindow(its, null, from, from + HOUR);
      await addOccurrence(its, id, from, from + HOUR);
      await its.after(HOUR);
      expect(await its.shown()).toEqual([]);
      await its.after(23 * HOUR);
      expect(await its.shown()).toEqual(['Move, scheduled: scheduled']);
      // One that is not to be announced leaves the pages.
      const announce = (value: 0 | 1) =>
        updateRows(its.database, 'maintenance_window', { announce: value }, { id });
      await announce(0);
      await its.after(HOUR);
      expect(await its.shown()).toEqual([]);
      await announce(1);
      await its.after((6 * 24 - 1) * HOUR);
      expect(await its.shown()).toEqual(['Move, scheduled: scheduled mailed']);
      await its.after(24 * HOUR);
      expect(await its.shown()).toEqual(['Move, in_progress: scheduled mailed, in_progress']);
      await its.fail(its.shop);
      await its.after(MINUTE);
      expect(await its.shown()).toHaveLength(1);
      await its.after(HOUR);
      const [maintenance, incident] = await its.shown();
      expect(maintenance).toMatch(/completed ended .*: scheduled mailed, in_progress, completed$/);
      expect(incident).toBe('major, investigating: investigating mailed');
      expect(its.faults).toEqual([]);
    });

    test('says its description until it is over, with its newest words [43.25, 43.28]', async () => {
      const its = await world(await open());
      const from = START + 2 * 24 * HOUR;
      const id = await addWindow(its, null, from, from + HOUR);
      const say = (description: string) =>
        updateRows(its.database, 'maintenance_window', { description }, { id });
      const said = async () => {
        const updates = its.database.read.selectFrom('announcement_update').orderBy('id');
        return (await updates.select('body').execute()).map(({ body }) => body);
      };
      await say('Carts are kept.');
      await addOccurrence(its, id, from, from + HOUR);
      await its.after(HOUR);
      expect(await said()).toEqual(['Carts are kept.']);
      await say('Carts are *kept*.');
      await its.after(2 * 24 * HOUR - HOUR);
      expect(await said()).toEqual(['Carts are *kept*.', null]);
      await say('It takes longer.');
      await its.after(1_000);
      expect(await said()).toEqual(['It takes longer.', null]);
      await its.after(HOUR);
      expect(await said()).toEqual(['It takes longer.', null, null]);
    });
  });
});
