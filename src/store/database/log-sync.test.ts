import { expect, it } from 'vitest';
import { LogSync } from './log-sync.ts';

/** A sync whose disk answers when the test says so. */
function controlled() {
  const syncs: PromiseWithResolvers<void>[] = [];
  const repairs: PromiseWithResolvers<void>[] = [];
  return { sync: new LogSync(startedIn(syncs), startedIn(repairs)), syncs, repairs };
}

const startedIn = (list: PromiseWithResolvers<void>[]) => () => {
  const started = Promise.withResolvers<void>();
  list.push(started);
  return started.promise;
};

/** Whether a promise has settled once all that is ready has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => void (settled = true);
  promise.then(note, note);
  await new Promise((resolve) => void setImmediate(resolve));
  return settled;
}

it('does not sync what holds no commit', async () => {
  const { sync, syncs } = controlled();
  await sync.durable();
  expect(syncs).toHaveLength(0);
});

it('syncs once for all commits before it', async () => {
  const { sync, syncs } = controlled();
  sync.committed();
  sync.committed();
  const both = [sync.durable(), sync.durable()];
  expect(await isSettled(Promise.race(both))).toBe(false);
  expect(syncs).toHaveLength(1);
  syncs[0]!.resolve();
  await Promise.all(both);
  await sync.durable();
  expect(syncs).toHaveLength(1);
});

it('syncs again for a commit that came during a sync', async () => {
  const { sync, syncs } = controlled();
  sync.committed();
  const first = sync.durable();
  sync.committed();
  const [second, third] = [sync.durable(), sync.durable()];
  syncs[0]!.resolve();
  await first;
  expect(await isSettled(second)).toBe(false);
  expect(syncs).toHaveLength(2);
  syncs[1]!.resolve();
  await Promise.all([second, third]);
});

it('rejects what the disk did not confirm, and then repairs instead of syncing', async () => {
  const { sync, syncs, repairs } = controlled();
  sync.committed();
  const failed = sync.durable();
  sync.committed();
  const behind = sync.durable();
  syncs[0]!.reject(new Error('I/O error'));
  await expect(failed).rejects.toThrow('I/O error');
  expect(await isSettled(behind)).toBe(false);
  expect([syncs.length, repairs.length]).toEqual([1, 1]);
  repairs[0]!.reject(new Error('still'));
  await expect(behind).rejects.toThrow('still');

  const again = sync.durable();
  expect([syncs.length, repairs.length]).toEqual([1, 2]);
  repairs[1]!.resolve();
  await again;
  sync.committed();
  const healthy = sync.durable();
  expect([syncs.length, repairs.length]).toEqual([2, 2]);
  syncs[1]!.resolve();
  await healthy;
});
