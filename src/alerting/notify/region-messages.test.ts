import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { settlePeople } from '../../../test/support/people.ts';
import type { Database } from '../../store/database/contract.ts';
import { probeHealthChanges } from '../../store/engine/probe-health.ts';
import type { MessageContent } from '../message/content.ts';
import { regionMessages, notifyRegionChanges } from './system-messages.ts';
import { updateRows } from '../../../test/support/rows.ts';

const NOW = Date.UTC(2030, 0, 1, 8, 2);
const SECOND = 1_000;

const OFFICE = { name: 'office', regions: ['ash', 'nbg', 'pdx', 'sin'] };

function change(database: Database, region: string, at: number, isQuarantined: boolean) {
  const reason = isQuarantined
    ? `6 of 7 targets can't be reached from ${region} alone`
    : 'It is over';
  return database.transaction((tx) =>
    probeHealthChanges(tx).writeRegion({
      region,
      quarantinedAt: isQuarantined ? at : null,
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

eachDatabase((_name, open) => {
  test('the admins of the oldest team are notified once that it began, and once that it is over [25.16, 34.41]', async () => {
    const database = await open();
    const { alice } = await settlePeople(database, NOW);
    await updateRows(database, 'person', { email_verified: 1 });
    await change(database, 'ash', NOW, true);
    expect(await notifyRegionChanges(database, NOW + 59 * SECOND, true)).toBe(0);
    const written = await Promise.all([
      notifyRegionChanges(database, NOW + 60 * SECOND, true),
      notifyRegionChanges(database, NOW + 60 * SECOND, true),
    ]);
    expect(written.toSorted()).toEqual([0, 1]);
    const first = await notices(database);
    expect(new Set(first.map(({ headline }) => headline)).size).toBe(1);
    expect(first[0]).toMatchObject({
      kind: 'notice',
      severity: 'warning',
      teamId: alice.teamId,
      headline: 'The network of region ash has been in doubt since 2030-01-01 08:02 UTC',
    });
    expect(first[0]!.text).toMatch(/^6 of 7 targets can't be reached from ash alone\. Until it/);

    // Another reason for the same is no change.
    await change(database, 'ash', NOW + 200 * SECOND, true);
    expect(await notifyRegionChanges(database, NOW + 300 * SECOND, true)).toBe(0);
    await change(database, 'ash', NOW + 400 * SECOND, false);
    expect(await notifyRegionChanges(database, NOW + 460 * SECOND, true)).toBe(1);
    const last = (await notices(database)).slice(first.length);
    expect(last).toHaveLength(first.length);
    expect(last[0]).toMatchObject({
      severity: 'info',
      headline: 'The network of region ash has worked again since 2030-01-01 08:08 UTC',
    });
    expect(await notifyRegionChanges(database, NOW + 999 * SECOND, true)).toBe(0);
  });

  test('quiet hours do not hold what the system says [31.21]', async () => {
    const database = await open();
    await settlePeople(database, NOW);
    const always = { from: '00:00', to: '23:59', timezone: 'UTC', allow_critical: false };
    await updateRows(database, 'person', { email_verified: 1 });
    await updateRows(database, 'alert_channel', { quiet_hours: JSON.stringify(always) });
    await change(database, 'ash', NOW, true);
    await notifyRegionChanges(database, NOW + 60 * SECOND, true);
    const due = await database.read
      .selectFrom('destination')
      .select(['id', 'next_at'])
      .where('next_at', 'is not', null)
      .execute();
    expect(due.length).toBeGreaterThan(0);
    expect(due.every(({ next_at }) => next_at! <= NOW + 60 * SECOND)).toBe(true);
  });

  test('nobody is notified of what lasts less than a minute, nor of a break of less than that [25.16]', async () => {
    const database = await open();
    await settlePeople(database, NOW);
    await change(database, 'ash', NOW, true);
    await change(database, 'ash', NOW + 30 * SECOND, false);
    expect(await notifyRegionChanges(database, NOW + 100 * SECOND, true)).toBe(0);
    await change(database, 'ash', NOW + 200 * SECOND, true);
    expect(await notifyRegionChanges(database, NOW + 260 * SECOND, true)).toBe(1);
    await change(database, 'ash', NOW + 300 * SECOND, false);
    await change(database, 'ash', NOW + 320 * SECOND, true);
    expect(await notifyRegionChanges(database, NOW + 400 * SECOND, true)).toBe(0);
    await change(database, 'ash', NOW + 500 * SECOND, false);
    expect(await notifyRegionChanges(database, NOW + 560 * SECOND, true)).toBe(1);
  });

  test('regions that one machine probes for are one place, in doubt until the last of them is not', async () => {
    const database = await open();
    await settlePeople(database, NOW);
    await updateRows(database, 'person', { email_verified: 1 });
    const notify = (seconds: number) =>
      notifyRegionChanges(database, NOW + seconds * SECOND, true, OFFICE);
    const headlines = async () => [
      ...new Set((await notices(database)).map(({ headline }) => headline)),
    ];
    // A region that the installation had once.
    await change(database, 'lhr', NOW - 900 * SECOND, true);
    for (const region of OFFICE.regions.slice(0, 3)) await change(database, region, NOW, true);
    expect(await notify(60)).toBe(1);
    expect(await headlines()).toEqual([
      'The network of office has been in doubt since 2030-01-01 08:02 UTC',
    ]);
    await change(database, 'sin', NOW + 100 * SECOND, true);
    await change(database, 'ash', NOW + 110 * SECOND, false);
    expect(await notify(300)).toBe(0);
    for (const region of ['nbg', 'pdx']) await change(database, region, NOW + 310 * SECOND, false);
    await change(database, 'sin', NOW + 350 * SECOND, false);
    expect(await notify(400)).toBe(0);
    expect(await notify(410)).toBe(1);
    expect(await headlines()).toEqual([
      'The network of office has been in doubt since 2030-01-01 08:02 UTC',
      'The network of office has worked again since 2030-01-01 08:07 UTC',
    ]);
    expect(await notify(999)).toBe(0);
  });

  test('without a team nobody is notified', async () => {
    const database = await open();
    await change(database, 'ash', NOW, true);
    expect(await notifyRegionChanges(database, NOW + 60 * SECOND, true)).toBe(0);
  });
});

test('several regions are one notice', () => {
  const row = (region: string, quarantined_at: number | null) => ({
    region,
    quarantined_at,
    reason: 'Our own network is suspected',
    changed_at: NOW,
    notified_at: null,
  });
  const written = regionMessages(
    [row('ash', NOW), row('nbg', NOW - 60_000), row('pdx', NOW), row('sin', null)],
    null,
  );
  expect(written.map(({ headline }) => headline)).toEqual([
    'The network of regions ash, nbg and pdx has been in doubt since 2030-01-01 08:01 UTC',
    'The network of region sin has worked again since 2030-01-01 08:02 UTC',
  ]);
  expect(written[0]!.text).toMatch(
    /^Our own network is suspected\. Until they recover, targets that/,
  );
});
