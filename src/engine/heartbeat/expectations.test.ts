import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import {
  createJob,
  createJobs,
  deleteJob,
  editJob,
  pingOf,
  planFor,
  type JobSettings,
} from '../../../test/support/jobs.ts';
import type { Database } from '../../store/database/contract.ts';
import { lockFreeHeartbeats, readHeartbeatSettings } from '../../store/engine/heartbeats.ts';
import { PingExpectations, expectationOf } from './expectations.ts';

const START = Date.UTC(2030, 0, 1);
const hashOf = (token: string) => pingOf(token).tokenHash;

/** As a commit asks: first who is meant, then what holds for them. */
async function look(plans: PingExpectations, database: Database, tokens: string[]) {
  return database.transaction(async (tx) => {
    const found = await plans.find(tx, new Set(tokens.map(hashOf)));
    const locked = await lockFreeHeartbeats(tx, found.monitorIds);
    await plans.refresh(tx, found, locked);
    const ids = tokens.map((token) => found.monitorOf({ tokenHash: hashOf(token), at: START }));
    return { ids, plans: await plans.expectationsOf(tx, locked.states) };
  });
}

eachDatabase((_, open) => {
  describe('the plan of stored settings', () => {
    test.each<[string, JobSettings]>([
      ['an interval', { interval: 300 }],
      ['without grace', { interval: 30, grace: 0 }],
      ['a day of grace and a longest run', { grace: 86_400, maxRuntime: 604_800 }],
      ['one that waits for its first ping', { waits: true }],
      ['cron', { cron: '30 2 * * *', timezone: 'Europe/Berlin' }],
    ])('%s', async (_name, settings) => {
      const database = await open();
      const { id } = await createJob(database, START, settings);
      const [row] = await readHeartbeatSettings(database.read, [id]);
      expect(expectationOf(row!)).toEqual(planFor(settings));
    });

    test('whose grace is unset is that of the contract [13.1]', async () => {
      const database = await open();
      const { id } = await createJob(database, START);
      const [row] = await readHeartbeatSettings(database.read, [id]);
      expect(expectationOf({ ...row!, heartbeat_grace: null }).graceMs).toBe(60_000);
    });
  });

  test('who is meant and what holds is kept in memory until it changes', async () => {
    const database = await open();
    const [one, two] = (await createJobs(database, START, 2)) as [Job, Job];
    const plans = new PingExpectations();
    const first = await look(plans, database, [one.token, two.token, 'nobody']);
    expect(first.ids).toEqual([one.id, two.id, undefined]);
    expect(first.plans).toEqual(
      new Map([
        [one.id, planFor()],
        [two.id, planFor()],
      ]),
    );
    await editJob(database, one.id, START, { heartbeat_grace: 5 });
    const second = await look(plans, database, [one.token, two.token]);
    expect(second.plans.get(one.id)).toEqual(planFor({ grace: 5 }));
    expect(second.plans.get(two.id)).toBe(first.plans.get(two.id));
  });

  test('a deleted monitor has no plan, whether it was known or not', async () => {
    const database = await open();
    const { id, token } = await createJob(database, START);
    const plans = new PingExpectations();
    await look(plans, database, [token]);
    await deleteJob(database, id, START);
    expect((await look(plans, database, [token])).plans.size).toBe(0);
    expect((await look(new PingExpectations(), database, [token])).ids).toEqual([undefined]);
  });
});

type Job = Awaited<ReturnType<typeof createJob>>;
