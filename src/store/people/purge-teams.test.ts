import { expect, test } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { EVENT_MS, runRetentionSlice } from '../../engine/history/retention.ts';
import type { Database } from '../database/contract.ts';
import { deleteMonitorsOfDeletedTeams, purgeDeletedTeams } from './purge-teams.ts';
import { updateRows } from '../../../test/support/rows.ts';

const DAY = 24 * 3_600_000;

async function retain(database: Database, now: number) {
  const clock = createFakeClock({ now });
  const days = { rawRetentionDays: 3, rollupRetentionDays: 400, auditRetentionDays: 400 };
  while ((await runRetentionSlice({ database, clock, ...days })) === 'more');
}

const deleteOurs = (api: TestApi) =>
  api.call(api.alice, 'DELETE', `/api/v1/teams/${api.alice.teamId}?name=Team%20ours`);

const monitorsOf = (api: TestApi, teamId: number) =>
  api.database.read
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .innerJoin('shard', 'shard.shard', 'monitor.shard')
    .where('monitor.team_id', '=', teamId)
    .select([
      'monitor.id',
      'monitor.deleted_at',
      'monitor.version',
      'monitor.revision',
      'monitor_state.run_at',
      'monitor_state.is_paused',
      'shard.version as shard_version',
    ])
    .orderBy('monitor.id')
    .execute();

const rowsOf = async (api: TestApi, teamId: number) => {
  const count = async (table: 'monitor' | 'monitor_group' | 'audit_entry' | 'event') =>
    (await api.database.read.selectFrom(table).where('team_id', '=', teamId).select('id').execute())
      .length;
  const team = await api.database.read
    .selectFrom('team')
    .select('id')
    .where('id', '=', teamId)
    .execute();
  return {
    team: team.length,
    monitor: await count('monitor'),
    group: await count('monitor_group'),
    audit: await count('audit_entry'),
    event: await count('event'),
  };
};

eachDatabase((_name, open) => {
  test('the monitors of a deleted team stop as if each had been deleted, and no others [37.26]', async () => {
    const api = await openApi(await open());
    const ours = [await api.create(), await api.create(), await api.create()];
    const job = {
      monitor_type: 'heartbeat',
      friendly_name: 'Job',
      heartbeat_interval: 60,
      url: '',
    };
    const push = await api.create({ ...job, check_interval: null });
    await api.create({}, api.mallory);
    const before = await monitorsOf(api, api.alice.teamId);
    await deleteOurs(api);
    expect(await monitorsOf(api, api.alice.teamId)).toEqual(before);
    await api.clock.advance(1_000);
    const now = api.clock.now();
    await deleteMonitorsOfDeletedTeams(api.database, now);
    const after = await monitorsOf(api, api.alice.teamId);
    expect(after.map(({ id }) => id)).toEqual([...ours, push].map(({ id }) => id));
    for (const [index, row] of after.entries()) {
      const was = before[index]!;
      expect(row).toMatchObject({ deleted_at: now, run_at: null, is_paused: 1 });
      expect(row.version).toBe(was.shard_version + 1);
      expect([row.revision, row.shard_version]).toEqual([row.version, row.version]);
    }
    expect(await monitorsOf(api, api.mallory.teamId)).toMatchObject([{ deleted_at: null }]);
    await api.clock.advance(1_000);
    expect(await deleteMonitorsOfDeletedTeams(api.database, api.clock.now())).toBe(false);
    expect(await monitorsOf(api, api.alice.teamId)).toEqual(after);
  });

  test('a monitor that comes in late is stopped, too', async () => {
    const api = await openApi(await open());
    const { id } = await api.create();
    await deleteOurs(api);
    await deleteMonitorsOfDeletedTeams(api.database, api.clock.now());
    await updateRows(api.database, 'monitor', { deleted_at: null }, { id });
    await deleteMonitorsOfDeletedTeams(api.database, api.clock.now());
    expect(await monitorsOf(api, api.alice.teamId)).toMatchObject([
      { deleted_at: api.clock.now() },
    ]);
  });

  test('retention clears all of it away, and leaves the other team as it is [37.27]', async () => {
    const api = await openApi(await open());
    for (const who of [api.alice, api.mallory]) {
      const group = await api.call(who, 'POST', '/api/v1/groups', { name: 'Web' });
      await api.create({ group_id: group.body.id }, who);
    }
    const theirs = await rowsOf(api, api.mallory.teamId);
    await deleteOurs(api);
    const deletedAt = api.clock.now();
    await retain(api.database, deletedAt + EVENT_MS - 1);
    expect(await rowsOf(api, api.alice.teamId)).toMatchObject({ team: 1, monitor: 1, group: 1 });
    // A monitor goes a day after it was buried, and its team after it.
    await retain(api.database, deletedAt + 3 * DAY);
    expect(await rowsOf(api, api.alice.teamId)).toEqual({
      team: 0,
      monitor: 0,
      group: 0,
      audit: 0,
      event: 0,
    });
    expect(await rowsOf(api, api.mallory.teamId)).toEqual(theirs);
    const [persons] = await api.database.read
      .selectFrom('person')
      .select((select) => select.fn.countAll<number>().as('count'))
      .execute();
    expect(Number(persons!.count)).toBe(4);
  });

  test('it goes on after a crash: what is left is found again, the team goes last', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const { teamId } = api.alice;
    await api.database.transaction(async (tx) => {
      const entry = {
        team_id: teamId,
        person_id: null,
        actor: 'Alice',
        via: 'token',
        credential_name: null,
        ip_address: null,
        action: 'team.updated',
        target_type: 'team',
        target_id: null,
        target_name: null,
        before: null,
        after: null,
        created_at: now,
      };
      for (let index = 0; index < 6; index += 1)
        await tx
          .insertInto('audit_entry')
          .values(Array.from({ length: 100 }, () => entry))
          .execute();
    });
    await deleteOurs(api);
    const before = now + 1;
    expect(await purgeDeletedTeams(api.database, now)).toBe(false);
    expect(await purgeDeletedTeams(api.database, before)).toBe(true);
    const left = await rowsOf(api, teamId);
    expect(left.team).toBe(1);
    expect(left.audit).toBeGreaterThan(0);
    expect(left.audit).toBeLessThanOrEqual(601 - 500);
    expect(await purgeDeletedTeams(api.database, before)).toBe(true);
    expect(await purgeDeletedTeams(api.database, before)).toBe(false);
    expect(await rowsOf(api, teamId)).toMatchObject({ team: 0, audit: 0 });
  });
});
