import { expect, it, test } from 'vitest';
import { Checkpointer, LogSync, createDiskSync, type LogPages } from './write-ahead-log.ts';

const LIMIT = 8_000;

/** A log of that many pages, whose copies leave what a reader needs, and the order of what happened. */
function checkpointed() {
  const happened: string[] = [];
  const log = { pages: 0, needed: 0, fails: false };
  const copy = async (): Promise<LogPages> => {
    if (log.fails) throw new Error('The disk is full.');
    happened.push('copy');
    return { log: log.pages, copied: log.pages - log.needed };
  };
  const checkpointer = new Checkpointer({
    count: () => ({ log: log.pages, copied: 0 }),
    inThread: (work) => work(copy),
    async exclusively(work) {
      happened.push('alone');
      await work();
      happened.push('together');
    },
    onError: (error) => void happened.push(String(error)),
  });
  /** Commits until the pages are counted, and waits for a copy. */
  const commitAt = async (pages: number) => {
    log.pages = pages;
    happened.length = 0;
    for (let commit = 0; commit < 16; commit += 1) checkpointer.committed();
    await new Promise((resolve) => void setImmediate(resolve));
    return [...happened];
  };
  return { checkpointer, log, commitAt };
}

const WHOLE = ['copy', 'alone', 'copy', 'together'];

it('copies a large log, the last of it while nobody commits', async () => {
  const { commitAt } = checkpointed();
  expect(await commitAt(LIMIT - 1)).toEqual([]);
  expect(await commitAt(LIMIT)).toEqual(WHOLE);
  expect(await commitAt(10)).toEqual([]);
  expect(await commitAt(LIMIT)).toEqual(WHOLE);
});

it('waits until the log has grown again when a reader needs old pages', async () => {
  const { commitAt, log } = checkpointed();
  log.needed = 5;
  expect(await commitAt(LIMIT)).toEqual(WHOLE);
  expect(await commitAt(LIMIT + 1_000)).toEqual([]);
  expect(await commitAt(2 * LIMIT)).toEqual(WHOLE);
  log.needed = 0;
  expect(await commitAt(3 * LIMIT)).toEqual(WHOLE);
  expect(await commitAt(LIMIT)).toEqual(WHOLE);
});

it('reports a copy that fails, and tries again when the log has grown', async () => {
  const { commitAt, log } = checkpointed();
  log.fails = true;
  expect(await commitAt(LIMIT)).toEqual(['Error: The disk is full.']);
  expect(await commitAt(LIMIT + 1_000)).toEqual([]);
  log.fails = false;
  expect(await commitAt(2 * LIMIT)).toEqual(WHOLE);
});

it('starts none when it is closed', async () => {
  const { checkpointer, commitAt } = checkpointed();
  await checkpointer.close();
  expect(await commitAt(LIMIT)).toEqual([]);
});

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

/** Syncs a disk that takes that many milliseconds for each, and returns where. */
async function placesOfSyncs(count: number, takesMs: (index: number) => number) {
  let now = 0;
  let index = 0;
  const where: string[] = [];
  const sync = createDiskSync({
    here() {
      where.push('here');
      now += takesMs(index);
    },
    elsewhere: async () => void where.push('elsewhere'),
    now: () => now,
  });
  for (; index < count; index += 1) await sync();
  return where;
}

test('a quick disk is synced in this thread, also when it is slow once', async () => {
  const where = await placesOfSyncs(500, (index) => (index === 250 ? 9 : 0.1));
  expect(where).toEqual(Array.from({ length: 500 }, () => 'here'));
});

test('a slow disk is synced in another thread, and tried again now and then', async () => {
  const where = await placesOfSyncs(1_000, () => 20);
  expect(where.filter((place) => place === 'here')).toHaveLength(5);
  expect(where.slice(0, 2)).toEqual(['here', 'elsewhere']);
});

test('a failing sync rejects', async () => {
  const sync = createDiskSync({
    here() {
      throw new Error('I/O error');
    },
    elsewhere: async () => {},
    now: () => 0,
  });
  await expect(sync()).rejects.toThrow('I/O error');
});
