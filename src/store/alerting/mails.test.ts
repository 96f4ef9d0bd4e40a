import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { secretBox } from '../../../test/support/deliveries.ts';
import type { Database } from '../database/contract.ts';
import { lockDestination, leaseStore } from './claims.ts';
import { createMailQueue, openMail, readMail } from './mails.ts';

const MINUTE = 60_000;

const queue = createMailQueue({
  secretBox,
  keys: ['a key'],
  isConfigured: true,
  openSignup: false,
});

const enqueue = (database: Database, to: string, now: number) =>
  database.transaction((tx) =>
    queue.enqueue(
      tx,
      { kind: 'invitation', to, subject: '', text: '', html: '', expiresAt: 1_000 * MINUTE },
      now,
    ),
  );

const due = (now: number) =>
  ({
    now,
    leaseNow: now,
    onlyFree: false,
    exceptIds: [],
    exceptOwners: [],
    exceptFailing: false,
    exceptKinds: ['webhook', 'channel'],
  }) as const;

const LEASES = { webhook: 0, channel: 0, mail: MINUTE, subscriber: 0, subscriber_mail: 0 };

async function claim(database: Database, now: number, limit = 10) {
  const { claimed } = await database.transaction((tx) =>
    leaseStore(tx).claim(
      { ...due(now), limit },
      (kind) => LEASES[kind],
      (found) => new Set(found.map(({ id }) => id)),
    ),
  );
  return claimed;
}

async function recipient(database: Database, destinationId: number): Promise<string> {
  const mail = await readMail(database.read, destinationId);
  return openMail(secretBox, mail!).to;
}

eachDatabase((_, open) => {
  test('mails are taken up the longest due first, and by one at a time', async () => {
    const database = await open();
    for (const [to, at] of [
      ['third', 3],
      ['first', 1],
      ['second', 1],
    ] as const)
      await enqueue(database, to, at);
    expect(await leaseStore(database.read).isAnyDue(due(0))).toBe(false);
    const claims = [await claim(database, 3, 2), await claim(database, 3, 2)];
    const recipients = claims.map((mails) =>
      Promise.all(mails.map(({ id }) => recipient(database, id))),
    );
    expect(await Promise.all(recipients)).toEqual([['first', 'second'], ['third']]);
    expect(await leaseStore(database.read).isAnyDue(due(3))).toBe(false);
    expect(await leaseStore(database.read).isAnyDue(due(3 + MINUTE))).toBe(true);
    const others = { ...due(3 + MINUTE), exceptKinds: ['mail'] as const };
    expect(await leaseStore(database.read).isAnyDue(others)).toBe(false);
  });

  test('who was too slow does not hold what another one has', async () => {
    const database = await open();
    await enqueue(database, 'mail', 0);
    const [slow] = await claim(database, 0);
    const [quick] = await claim(database, MINUTE);
    expect([slow!.claim, quick!.claim]).toEqual([1, 2]);
    const holds = (one: typeof slow) => database.transaction((tx) => lockDestination(tx, one!));
    expect([await holds(slow), await holds(quick)]).toEqual([false, true]);
  });
});
