import { expect, it } from 'vitest';
import { Checkpointer, type LogPages } from './checkpointer.ts';

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
