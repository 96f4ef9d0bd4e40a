import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { settlePeople } from '../../../test/support/people.ts';
import type { Database } from '../../store/database/contract.ts';
import { probeHealthChanges } from '../../store/engine/probe-health.ts';
import type { MessageContent } from '../message/content.ts';
import { notifyOfOverloads } from './system-messages.ts';

const NOW = Date.UTC(2030, 0, 1, 8, 2);
const SECOND = 1_000;

function change(database: Database, at: number, isOverloaded: boolean) {
  const reason = isOverloaded ? '9 checks wait for a slot' : '';
  const overloadedAt = isOverloaded ? at : null;
  return database.transaction((tx) =>
    probeHealthChanges(tx).writeOverload({
      probe: 'cellar:3000',
      overloadedAt,
      reason,
      changedAt: at,
    }),
  );
}

const notices = async (database: Database) =>
  (await database.read.selectFrom('delivery').selectAll().orderBy('id').execute()).map((row) => ({
    ...(JSON.parse(row.body) as MessageContent),
    teamId: row.team_id,
  }));

async function openWithPeople(open: () => Promise<Database>) {
  const database = await open();
  const { alice } = await settlePeople(database, NOW);
  await database.transaction((tx) => tx.updateTable('person').set({ email_verified: 1 }).execute());
  return { database, teamId: alice.teamId };
}

eachDatabase((_name, open) => {
  test('admins of the oldest team are notified once that a probe is overloaded, and once that it is over [25.27]', async () => {
    const { database, teamId } = await openWithPeople(open);
    await change(database, NOW, true);
    expect(await notifyOfOverloads(database, NOW + 60 * SECOND - 1, true)).toBe(0);
    const written = await Promise.all([
      notifyOfOverloads(database, NOW + 60 * SECOND, true),
      notifyOfOverloads(database, NOW + 60 * SECOND, true),
    ]);
    expect(written.toSorted()).toEqual([0, 1]);
    const first = await notices(database);
    expect(first[0]).toMatchObject({
      kind: 'notice',
      severity: 'warning',
      teamId,
      headline: 'The probe of cellar:3000 has been overloaded since 2030-01-01 08:02 UTC',
      text: '9 checks wait for a slot. Until it keeps up again, checks start late, and outages are noticed later than their interval says.',
    });

    await change(database, NOW + 400 * SECOND, false);
    expect(await notifyOfOverloads(database, NOW + 460 * SECOND, true)).toBe(1);
    expect(await notifyOfOverloads(database, NOW + 900 * SECOND, true)).toBe(0);
    const last = (await notices(database)).slice(first.length);
    expect(last).toHaveLength(first.length);
    expect(last[0]).toMatchObject({
      severity: 'info',
      headline: 'The probe of cellar:3000 has kept up again since 2030-01-01 08:08 UTC',
    });
  });

  test('nobody is notified of an overload that ends within a minute, nor of a probe that keeps up', async () => {
    const { database } = await openWithPeople(open);
    await change(database, NOW - 500 * SECOND, false);
    await change(database, NOW, true);
    await change(database, NOW + 59 * SECOND, false);
    expect(await notifyOfOverloads(database, NOW + 900 * SECOND, true)).toBe(0);
  });
});
