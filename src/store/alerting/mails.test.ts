import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import type { Database } from '../database/contract.ts';
import { claimMails, insertMail, isMailDue, postponeMail } from './mails.ts';

const MINUTE = 60_000;

const insert = (database: Database, sealed: string, now: number) =>
  database.transaction((tx) =>
    insertMail(tx, { kind: 'invitation', sealed, expiresAt: 1_000 * MINUTE, now }),
  );

const claim = (database: Database, now: number, limit = 10) =>
  database.transaction((tx) => claimMails(tx, { now, limit, leasedUntil: now + MINUTE }));

eachDatabase((_, open) => {
  test('mails are taken up the longest due first, and by one at a time', async () => {
    const database = await open();
    for (const [sealed, at] of [
      ['third', 3],
      ['first', 1],
      ['second', 1],
    ] as const)
      await insert(database, sealed, at);
    expect(await isMailDue(database.read, 0)).toBe(false);
    const [one, two] = [await claim(database, 3, 2), await claim(database, 3, 2)];
    expect([one, two].map((mails) => mails.map(({ sealed }) => sealed))).toEqual([
      ['first', 'second'],
      ['third'],
    ]);
    expect(await isMailDue(database.read, 3)).toBe(false);
    expect(await isMailDue(database.read, 3 + MINUTE)).toBe(true);
  });

  test('who was too slow does not put off what another one has', async () => {
    const database = await open();
    await insert(database, 'mail', 0);
    const [slow] = await claim(database, 0);
    const [quick] = await claim(database, MINUTE);
    expect([slow!.attempts, quick!.attempts]).toEqual([1, 2]);
    await database.transaction((tx) => postponeMail(tx, slow!, 0));
    expect(await claim(database, MINUTE)).toEqual([]);
    await database.transaction((tx) => postponeMail(tx, quick!, 0));
    expect(await claim(database, MINUTE)).toHaveLength(1);
  });
});
