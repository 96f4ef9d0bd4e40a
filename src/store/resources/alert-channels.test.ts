import { queueChanges } from '../alerting/delivery-outcomes.ts';
import { describe, expect, it } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { insertTeamChannel } from '../../../test/support/deliveries.ts';
import { settlePeople } from '../../../test/support/people.ts';
import {
  channelsOfTeam,
  hasEmailByDefault,
  PERSONAL_EMAIL,
  channelDestinations,
} from './alert-channels.ts';
import type { Database } from '../database/contract.ts';
import { destinationStore } from '../alerting/destinations.ts';
import { teamStore } from '../people/teams.ts';
import { updateRows } from '../../../test/support/rows.ts';

const NOW = 1_000;
const SLACK = { ...PERSONAL_EMAIL, name: 'Slack', settings: 'sealed' };

async function verify(database: Database): Promise<void> {
  await updateRows(database, 'person', { email_verified: 1, timezone: 'Europe/Berlin' });
}

eachDatabase((_name, open) => {
  async function world() {
    const database = await open();
    const people = await settlePeople(database, NOW);
    const { teamId } = people.alice;
    return {
      database,
      ...people,
      teamId,
      teamChannel: (columns: Partial<typeof SLACK> = {}, team = teamId) =>
        database.transaction((tx) =>
          insertTeamChannel(tx, { teamId: team, type: 'slack' }, { ...SLACK, ...columns }, NOW),
        ),
      personChannel: (personId: number, type: string, columns: Partial<typeof SLACK> = {}) =>
        database.transaction((tx) =>
          channelDestinations(tx).insertPersonal({ personId, type }, { ...SLACK, ...columns }, NOW),
        ),
      admins: (mail = true) =>
        database.transaction((tx) => channelDestinations(tx).ofAdmins(teamId, NOW, mail)),
    };
  }

  describe('the channels of a team', () => {
    it('are its own enabled ones and those of its active members, with the zone that holds', async () => {
      const { database, alice, ed, vera, mallory, ...ours } = await world();
      await verify(database);
      const own = await ours.teamChannel({ is_default: 1 });
      await ours.teamChannel({ enabled: 0 });
      await ours.teamChannel({}, mallory.teamId);
      await ours.personChannel(alice.personId, 'slack', { timezone: 'Asia/Tokyo' });
      await ours.personChannel(ed.personId, 'slack');
      await ours.personChannel(vera.personId, 'slack');
      await ours.personChannel(mallory.personId, 'slack');
      const member = { teamId: ours.teamId, personId: vera.personId };
      await database.transaction((tx) =>
        teamStore(tx).updateMember(member, { status: 'disabled' }),
      );

      const rows = await channelsOfTeam(database.read, ours.teamId);
      expect(rows).toMatchObject([
        { id: own, team_id: ours.teamId, person_id: null, is_default: 1, timezone: 'UTC' },
        { team_id: null, person_id: alice.personId, type: 'slack', timezone: 'Asia/Tokyo' },
        { team_id: null, person_id: ed.personId, timezone: 'Europe/Berlin' },
      ]);
      expect(new Set(rows.map((row) => row.destination_id)).size).toBe(3);
    });
  });

  describe('the e-mail channel by default', () => {
    it('is made once for those who edit and whose address is verified [30.17]', async () => {
      const { database, alice, ed, vera, teamId } = await world();
      const ensure = () =>
        database.transaction((tx) => channelDestinations(tx).ensurePersonalEmail(teamId, NOW));
      await ensure();
      expect(await channelsOfTeam(database.read, teamId)).toEqual([]);
      expect(await hasEmailByDefault(database.read, alice.personId)).toBe(false);

      await verify(database);
      expect(await hasEmailByDefault(database.read, ed.personId)).toBe(true);
      expect(await hasEmailByDefault(database.read, vera.personId)).toBe(false);
      await Promise.all([ensure(), ensure()]);
      const rows = await channelsOfTeam(database.read, teamId);
      expect(rows.map((row) => row.person_id).toSorted()).toEqual([alice.personId, ed.personId]);
      const { count } = await database.read
        .selectFrom('destination')
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      expect(Number(count)).toBe(2);
    });
  });

  describe('the people who run a team', () => {
    it('are told by their own channels, with e-mail by default', async () => {
      const { database, alice, ed, admins, ...ours } = await world();
      await verify(database);
      await ours.teamChannel({ is_default: 1 });
      await ours.personChannel(alice.personId, 'slack');
      await ours.personChannel(ed.personId, 'slack');
      const { team, destinations } = await admins();
      expect(team).toEqual({ id: ours.teamId, name: 'Team ours' });
      const rows = await channelsOfTeam(database.read, ours.teamId);
      const ofAlice = rows.filter((row) => row.person_id === alice.personId);
      expect(ofAlice.map((row) => row.type)).toEqual(['slack', 'email']);
      expect(destinations).toEqual(ofAlice.map((row) => row.destination_id));
    });

    it('are told by the default channels of the team where none of them has one [34.40]', async () => {
      const { database, admins, ...ours } = await world();
      const first = await ours.teamChannel({ is_default: 1 });
      await ours.teamChannel();
      const rows = await channelsOfTeam(database.read, ours.teamId);
      const wanted = rows.filter((row) => row.id === first).map((row) => row.destination_id);
      expect((await admins()).destinations).toEqual(wanted);
      await verify(database);
      expect((await admins(false)).destinations).toEqual(wanted);
      expect((await admins()).destinations).not.toEqual(wanted);
    });
  });

  it('what waits to be tried again is tried at once, and nothing else wakes', async () => {
    const { database, teamId, teamChannel } = await world();
    const ids = [await teamChannel(), await teamChannel()];
    const rows = await channelsOfTeam(database.read, teamId);
    const [waiting, idle] = ids.map((id) => rows.find((row) => row.id === id)!.destination_id);
    const message = { teamId, kind: 'alarm', eventType: null, incidentId: null, alertId: null };
    await database.transaction(async (tx) => {
      const one = { ...message, destinationId: waiting!, messageId: 'msg_1', body: '{}' };
      await destinationStore(tx).enqueue([one], NOW);
      await tx.updateTable('delivery').set({ next_at: 9_000 }).execute();
      await tx
        .updateTable('destination')
        .set({ next_at: 9_000 })
        .where('next_at', 'is not', null)
        .execute();
      for (const id of [waiting!, idle!]) await queueChanges(tx).makeDue(id, 2_000);
    });
    const queues = await database.read
      .selectFrom('destination')
      .select(['id', 'next_at'])
      .orderBy('id')
      .execute();
    expect(queues).toEqual([
      { id: waiting, next_at: 2_000 },
      { id: idle, next_at: null },
    ]);
    const sent = await database.read.selectFrom('delivery').select('next_at').execute();
    expect(sent).toEqual([{ next_at: 2_000 }]);
  });
});
