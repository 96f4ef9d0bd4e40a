import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { ending, opening } from '../../../test/support/incident-changes.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { settlePeople } from '../../../test/support/people.ts';
import { insertRows, rowOf, updateRows } from '../../../test/support/rows.ts';
import { insertPage, insertServices } from '../../../test/support/status-pages.ts';
import { wrapDatabase } from '../../../test/support/wrapped-database.ts';
import { applyIncidentChanges } from '../../engine/record/record.ts';
import { silentLog } from '../../lib/log.ts';
import type { Condition } from '../../model/condition.ts';
import type { Database } from '../../store/database/contract.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';
import { insertUpdate } from '../../store/resources/announcement-updates.ts';
import { deleteAnnouncement, updateAnnouncement } from '../../store/resources/announcements.ts';
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

/** States of the announcements that pages show. */
async function statesOnPages({ database: { read } }: World): Promise<string[]> {
  const rows = await read
    .selectFrom('announcement_page')
    .innerJoin('announcement', 'announcement.id', 'announcement_page.announcement_id')
    .select('announcement.state')
    .orderBy('announcement.id')
    .execute();
  return rows.map(({ state }) => state);
}

/** Two monitors fail and recover, which is one announcement. */
async function failTogether(its: World): Promise<void> {
  await its.fail(its.shop);
  await its.fail(its.blog);
  await its.after(MINUTE);
  await its.recover(its.shop);
  await its.recover(its.blog);
  await its.after(HOUR);
}

/** Declares the first hour a false alarm of a monitor. */
const declareFalse = (its: World, monitorId: number) =>
  insertRows(its.database, 'correction', {
    team_id: its.teamId,
    monitor_id: monitorId,
    from_at: START,
    to_at: START + HOUR,
    counts_as: 'false_alarm',
    reason: 'A fault of ours.',
    evidence: null,
    person_id: null,
    removed_at: null,
    removed_by: null,
    created_at: its.clock.now(),
    updated_at: its.clock.now(),
  });
const takeBack = (its: World, monitorId: number) =>
  updateRows(
    its.database,
    'correction',
    { removed_at: its.clock.now(), updated_at: its.clock.now() },
    { monitor_id: monitorId },
  );

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
        good_rounds: null,
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

    test('shows after the minutes of its service, or never [43.16]', async () => {
      const its = await world(await open());
      const { database } = its;
      await updateRows(
        database,
        'status_page_service',
        { show_automatic: '{"after_minutes":5}' },
        { monitor_id: its.shop },
      );
      await updateRows(
        database,
        'status_page_service',
        { show_automatic: '{"never":true}' },
        { monitor_id: its.blog },
      );
      await its.fail(its.shop);
      await its.fail(its.blog);
      await its.after(4 * MINUTE);
      expect(await its.shown()).toEqual([]);
      await its.after(MINUTE);
      expect(await its.shown()).toEqual(['major, investigating: investigating mailed']);
      const services = await database.read.selectFrom('announcement_service').selectAll().execute();
      expect(services.map((row) => row.monitor_id)).toEqual([its.shop]);
    });

    test('that begins within 5 minutes of another joins it without a mail [43.17]', async () => {
      const its = await world(await open());
      await its.fail(its.shop, 'slow_response');
      await its.after(1_000);
      await its.clock.advance(4 * MINUTE);
      await its.fail(its.blog);
      await its.after(1_000);
      expect(await its.shown()).toEqual(['major, investigating: investigating mailed']);
      await its.recover(its.shop, 'slow_response');
      await its.after(1_000);
      expect(await its.shown()).toEqual(['major, investigating: investigating mailed']);
      await its.recover(its.blog);
      await its.after(1_000);
      expect(await its.shown()).toHaveLength(1);
    });

    test('that is deleted takes its announcement with it [43.21]', async () => {
      const its = await world(await open());
      await its.fail(its.shop);
      await its.after(1_000);
      await its.database.transaction(async (tx) => {
        await tx.deleteFrom('incident_evidence').execute();
        await tx.deleteFrom('activity').execute();
        await tx.deleteFrom('event').execute();
        await tx.deleteFrom('incident').execute();
      });
      await its.after(1_000);
      expect(await its.shown()).toEqual([]);
    });

    test('leaves with the others of its announcement, however far apart people declare them false [43.21]', async () => {
      const its = await world(await open());
      await failTogether(its);
      await declareFalse(its, its.shop);
      await its.after(MINUTE);
      expect(await statesOnPages(its)).toEqual(['resolved']);
      await its.clock.advance(48 * HOUR);
      await declareFalse(its, its.blog);
      await its.after(MINUTE);
      expect(await statesOnPages(its)).toEqual([]);
      expect(its.faults).toEqual([]);
    });

    test('that is declared false again stays away until that is taken back [43.21]', async () => {
      const its = await world(await open());
      await failTogether(its);
      await declareFalse(its, its.shop);
      await declareFalse(its, its.blog);
      await its.after(MINUTE);
      expect(await statesOnPages(its)).toEqual([]);
      await its.clock.advance(48 * HOUR);
      await declareFalse(its, its.blog);
      await its.after(MINUTE);
      expect(await statesOnPages(its)).toEqual([]);
      await its.clock.advance(48 * HOUR);
      await takeBack(its, its.blog);
      await its.after(MINUTE);
      expect(await statesOnPages(its)).toEqual(['resolved']);
      expect(its.faults).toEqual([]);
    });

    test('of a service that is taken off the page goes, and comes back with it [43.22]', async () => {
      const its = await world(await open());
      await its.fail(its.shop);
      await its.after(1_000);
      await its.database.transaction((tx) =>
        tx.deleteFrom('status_page_service').where('monitor_id', '=', its.shop).execute(),
      );
      await its.after(1_000);
      expect(await its.shown()).toEqual([]);
      await its.database.transaction((tx) => tx.deleteFrom('status_page_service').execute());
      await insertServices(its.database, its.page, [{ id: its.shop }]);
      await its.after(1_000);
      expect(await its.shown()).toEqual(['major, investigating: investigating mailed']);
      await its.database.transaction((tx) => tx.deleteFrom('status_page').execute());
      await its.after(1_000);
      expect(await its.shown()).toEqual([]);
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
    test('shows a week ahead, is mailed a day ahead, and holds incidents [43.25, 43.26, 43.23]', async () => {
      const its = await world(await open());
      const from = START + 8 * 24 * HOUR;
      const id = await addWindow(its, null, from, from + HOUR);
      await addOccurrence(its, id, from, from + HOUR);
      await its.after(HOUR);
      expect(await its.shown()).toEqual([]);
      await its.after(23 * HOUR);
      expect(await its.shown()).toEqual(['Move, scheduled: scheduled']);
      await its.after(6 * 24 * HOUR);
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

    test('that recurs more often than weekly is never mailed [43.27]', async () => {
      const its = await world(await open());
      const from = START + HOUR;
      const id = await addWindow(its, 'FREQ=DAILY', from, from + HOUR);
      await addOccurrence(its, id, from, from + HOUR);
      await its.after(MINUTE);
      await its.after(HOUR);
      expect(await its.shown()).toEqual(['Move, in_progress: scheduled, in_progress']);
    });

    test.each(['deleted', 'completed', 'edited and deleted'])(
      'that recurs without a gap is not announced again once its announcement was %s [43.10, 43.25]',
      async (act) => {
        const its = await world(await open());
        const day = (number: number) => START + HOUR + number * 24 * HOUR;
        const id = await addWindow(its, 'FREQ=DAILY', day(0), day(1));
        // As the scheduler does, the next occurrence is added when one begins.
        await addOccurrence(its, id, day(0), day(1));
        await its.after(HOUR);
        await addOccurrence(its, id, day(1), day(2));
        await its.after(HOUR);
        expect(await its.shown()).toEqual(['Move, in_progress: in_progress']);
        const one = await rowOf(its.database, 'announcement', { window_id: id });
        const begin = async (number: number) => {
          await its.clock.advance(24 * HOUR);
          await addOccurrence(its, id, day(number + 1), day(number + 2));
          await its.after(MINUTE);
        };
        if (act === 'edited and deleted') {
          await updateRows(its.database, 'announcement', { person_id: 1 }, { id: one.id });
          for (const number of [1, 2, 3]) await begin(number);
        }
        await its.database.transaction(async (tx) => {
          const now = its.clock.now();
          if (act !== 'completed') return deleteAnnouncement(tx, one.id, now);
          const update = { announcementId: one.id, state: 'completed', pages: [its.page] };
          await insertUpdate(tx, { ...update, body: 'Done.', personId: 1 }, now);
          await updateAnnouncement(tx, one.id, { state: 'completed', ended_at: now }, now);
        });
        const before = await its.shown();
        const first = act === 'edited and deleted' ? 4 : 1;
        for (const number of [first, first + 1, first + 2]) {
          await begin(number);
          expect(await its.shown(), `day ${number}`).toEqual(before);
        }
        expect(its.faults).toEqual([]);

        // After a gap it is another occurrence.
        await its.clock.advance(5 * 24 * HOUR);
        await addOccurrence(its, id, day(first + 8), day(first + 9));
        await its.after(MINUTE);
        expect(await its.shown()).toHaveLength(before.length + 1);
      },
    );

    test('that is moved or deleted is followed [43.28, 43.29]', async () => {
      const its = await world(await open());
      const from = START + 5 * HOUR;
      const id = await addWindow(its, null, from, from + HOUR);
      await addOccurrence(its, id, from, from + HOUR);
      await its.after(MINUTE);
      expect(await its.shown()).toEqual(['Move, scheduled: scheduled mailed']);
      const clear = () =>
        its.database.transaction((tx) => tx.deleteFrom('maintenance_occurrence').execute());
      await clear();
      await addOccurrence(its, id, from + HOUR, from + 2 * HOUR);
      await its.after(MINUTE);
      expect(await its.shown()).toEqual(['Move, scheduled: scheduled mailed, scheduled mailed']);
      await clear();
      await its.after(MINUTE);
      expect(await its.shown()).toEqual([]);
    });
  });
});
