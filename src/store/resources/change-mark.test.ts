import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import type { Database } from '../database/contract.ts';
import { nextVersion } from '../engine/shards.ts';
import { createChangeMark } from './change-mark.ts';

const commit = (database: Database) => database.transaction((tx) => nextVersion(tx, 0));

eachDatabase((engine, open) => {
  test('a mark changes with each commit, and by nothing else', async () => {
    const database = await open();
    const read = createChangeMark(database);
    const first = await read();
    const second = await read();
    await commit(database);
    const third = await read();
    const refused = database.transaction(async (tx) => {
      await nextVersion(tx, 0);
      throw new Error('Refused.');
    });
    await expect(refused).rejects.toThrow('Refused.');
    const fourth = await read();
    if (engine === 'postgres') return expect([first, third]).toEqual([null, null]);
    expect([second === first, third === first, fourth === third]).toEqual([true, false, true]);
  });
});

test('a database in memory has none', async () => {
  const database = await openInMemory();
  expect(await createChangeMark(database)()).toBeNull();
});
