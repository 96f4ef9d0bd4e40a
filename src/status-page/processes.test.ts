import { expect, test } from 'vitest';
import { closedAfterEach } from '../../test/support/closing.ts';
import { freshPostgres, onPostgres } from '../../test/support/databases.ts';
import { giveTeam } from '../../test/support/deliveries.ts';
import { updateRows } from '../../test/support/rows.ts';
import { insertPage } from '../../test/support/status-pages.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { openDatabase } from '../store/database/database.ts';
import type { DocumentSet } from './documents.ts';
import { createPages } from './pages.ts';

onPostgres(() => {
  const open = closedAfterEach<() => Promise<void>>();

  function pagesOn(database: Database) {
    const documents: DocumentSet = {
      sourceOf: () => 'page',
      read: async (id) =>
        (await database.read
          .selectFrom('status_page')
          .select('name')
          .where('id', '=', id)
          .executeTakeFirst()) ?? null,
      changesAt: () => null,
      render: (_, facts) => ({
        type: 'text/plain',
        body: Buffer.from((facts as { name: string }).name),
      }),
    };
    const pages = createPages({ database, clock: systemClock, log: silentLog, documents });
    pages.start();
    open.push(() => pages.stop());
    const shown = async () =>
      (await pages.document('harbour', { name: 'page' }))?.body.toString() ?? null;
    return { pages, shown };
  }

  test('two processes see each other’s changes, also of transactions that end in another order [42.11, 42.15]', async () => {
    const { place, remove } = await freshPostgres();
    open.push(remove);
    const databases = [
      await openDatabase({ engine: 'postgres', url: place }),
      await openDatabase({ engine: 'postgres', url: place }),
    ] as const;
    for (const database of databases) open.push(() => database.close());
    const team = await giveTeam(databases[0]);
    const id = await insertPage(databases[0], { team_id: team, slug: 'harbour' });
    const other = await insertPage(databases[0], { team_id: team, slug: 'other' });
    const [one, two] = [pagesOn(databases[0]), pagesOn(databases[1])];
    expect([await one.shown(), await two.shown()]).toEqual(['Harbour', 'Harbour']);

    // Its change has an earlier id than that of the other page, and is committed after it was seen.
    const isChanged = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const slow = databases[0].transaction(async (tx) => {
      await tx.updateTable('status_page').set({ name: 'Slow' }).where('id', '=', id).execute();
      isChanged.resolve();
      await mayCommit.promise;
    });
    await isChanged.promise;
    await updateRows(databases[1], 'status_page', { slug: 'moved' }, { id: other });
    await expect.poll(() => two.pages.findAny('moved')).not.toBeNull();
    mayCommit.resolve();
    await slow;
    await expect.poll(two.shown).toBe('Slow');

    await databases[1].transaction((tx) =>
      tx.deleteFrom('status_page').where('id', '=', id).execute(),
    );
    await expect.poll(one.shown).toBeNull();
  });
});
