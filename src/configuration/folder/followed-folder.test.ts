import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { freshDirectory } from '../../../test/support/directories.ts';
import { waitUntil } from '../../../test/support/event-loop.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createChildJobs } from '../../lib/child-jobs.ts';
import type { Log } from '../../lib/log.ts';
import { createFollowedFolder } from './followed-folder.ts';
import type { ReadAnswer, ReadRequest } from './program.ts';
import { createFolderReader } from './reader.ts';
import { watchFolder } from './watch.ts';

class Refused extends Error {
  readonly errors: Record<string, string[]>;

  constructor(errors: Record<string, string[]>) {
    super('It is refused.');
    this.errors = errors;
  }
}
class Unavailable extends Error {}

/** The program that the server starts for each read; here one process does all. */
const jobs = createChildJobs<ReadRequest, ReadAnswer>({
  program: new URL('./program.ts', import.meta.url),
  heapMiB: 256,
  deadlineMs: 60_000,
  keepMs: 60_000,
});
afterAll(jobs.stop);

const SET = 'name: shop\nmonitors:\n  - key: home\n    url: {env: URL}\n';

async function settle() {
  const fresh = await freshDirectory();
  onTestFinished(fresh.remove);
  const folder = fresh.place;
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  await write('shop.yaml', SET);
  let running = 0;
  /** No time passes while files are read. */
  const busy = async <Result>(work: Promise<Result>): Promise<Result> => {
    running += 1;
    return work.finally(() => (running -= 1));
  };
  const clock = createFakeClock({ busy: () => running > 0 });
  const seen = {
    asked: [] as unknown[],
    logged: [] as unknown[],
    reads: 0,
    changes: [{}],
    warnings: [] as string[],
  };
  const hooks = { refuse() {}, change() {} };
  const note =
    (level: string): Log['info'] =>
    ({ file, ...fields }, message) => {
      const relative = typeof file === 'string' ? { file: path.relative(folder, file) } : {};
      seen.logged.push([level, message, { ...fields, ...relative }]);
    };
  const followed = createFollowedFolder({
    folder,
    environment: { URL: 'https://example.com' },
    read: (request) => ((seen.reads += 1), busy(jobs.run(0, request))),
    watch(place, onChange) {
      hooks.change = onChange;
      const { signature, stop } = watchFolder(place, () => {});
      return { signature: () => busy(signature()), stop };
    },
    async plan(body) {
      seen.asked.push(body);
      hooks.refuse();
      return { name: 'shop', fingerprint: 'f', changes: seen.changes, warnings: seen.warnings };
    },
    async apply(_body, fingerprint) {
      seen.asked.push(fingerprint);
      seen.changes = [];
      return {};
    },
    isUnavailable: (error) => error instanceof Unavailable,
    clock,
    log: { debug() {}, info: note('info'), warn: note('warn'), error: note('error') },
  });
  onTestFinished(followed.stop);
  followed.start();
  await clock.settle();
  return {
    folder,
    write,
    clock,
    seen,
    followed,
    change: () => hooks.change(),
    refuseWith(error: Error | null) {
      hooks.refuse = () => {
        if (error !== null) throw error;
      };
    },
  };
}

const BODY = {
  document: {
    name: 'shop',
    monitors: [{ key: 'home', url: { from: 'env URL', value: 'https://example.com' } }],
  },
  prune: false,
  max_deletions: null,
};
const APPLIED = ['info', 'Configuration files were applied.', { set: 'shop', count: 1 }];

test('files are applied at the start and when they change, and left alone otherwise', async () => {
  const { clock, seen, write, followed, change } = await settle();
  expect(seen.asked).toEqual([BODY, 'f']);
  expect(seen.logged).toEqual([APPLIED]);
  await clock.advance(600_000);
  expect([seen.reads, followed.isFailing()]).toEqual([1, false]);

  seen.asked = [];
  seen.changes = [{}];
  seen.warnings = ['It stays paused.'];
  await write('shop.yaml', `prune: true\nmax_deletions: 9\n${SET}`);
  change();
  await clock.advance(500);
  change();
  await clock.advance(900);
  expect(seen.reads).toBe(1);
  await clock.advance(100);
  expect(seen.asked).toEqual([{ ...BODY, prune: true, max_deletions: 9 }, 'f']);
  expect(seen.logged.at(-1)).toEqual([
    'warn',
    'Applied configuration files have a warning.',
    { set: 'shop', reason: 'It stays paused.' },
  ]);

  // No event announced this change.
  seen.asked = [];
  await write('more.yaml', 'groups: []\n');
  await clock.advance(60_000);
  expect(seen.asked).toEqual([
    { ...BODY, document: { ...BODY.document, groups: [] }, prune: true, max_deletions: 9 },
  ]);
});

test('wrong files change nothing, and are logged once with their places [39.74]', async () => {
  const { clock, seen, write, followed } = await settle();
  seen.asked = [];
  seen.logged = [];
  await write('shop.yaml', 'name: shop\nmonitors: [{}]\n');
  await clock.advance(180_000);
  expect(followed.isFailing()).toBe(true);
  expect(seen.asked).toEqual([]);
  const reason =
    'The item has no key. Write "key:" with a name that stays, such as "key: website".';
  expect(seen.logged).toEqual([
    [
      'error',
      'Configuration files were refused.',
      { file: 'shop.yaml', line: 2, column: 12, reason },
    ],
  ]);
  await write('shop.yaml', SET);
  await clock.advance(60_000);
  expect(followed.isFailing()).toBe(false);
  expect(seen.logged.at(-1)).toEqual([
    'info',
    'Configuration files are right again.',
    { file: '' },
  ]);
});

test('what the API refuses is at its place, and tried again each minute', async () => {
  const { clock, seen, write, followed, refuseWith } = await settle();
  const refused = { 'monitors.0.url': ['monitors.0.url is odd.'], 'document.x': ['x is odd.'] };
  refuseWith(new Refused(refused));
  seen.logged = [];
  await write('shop.yaml', `${SET}\n`);
  await clock.advance(60_000);
  const message = 'Configuration files were refused.';
  expect(seen.logged).toEqual([
    ['error', message, { file: '', line: 1, column: 1, reason: 'x is odd.' }],
    ['error', message, { file: 'shop.yaml', line: 4, column: 5, reason: 'url is odd.' }],
  ]);
  refuseWith(new Refused({}));
  await clock.advance(60_000);
  expect(seen.logged.at(-1)).toEqual([
    'error',
    'Configuration files were refused.',
    { file: '', line: 1, column: 1, reason: 'It is refused.' },
  ]);
  refuseWith(null);
  await clock.advance(60_000);
  expect(followed.isFailing()).toBe(false);
});

test('a database that is away is waited for', async () => {
  const { clock, seen, write, followed, refuseWith } = await settle();
  seen.logged = [];
  seen.changes = [{}];
  refuseWith(new Unavailable());
  await write('shop.yaml', `${SET}\n`);
  await clock.advance(120_000);
  expect([seen.logged, followed.isFailing()]).toEqual([[], false]);
  refuseWith(null);
  await clock.advance(60_000);
  expect(seen.logged).toEqual([APPLIED]);
});

/** Watches a folder, and counts the changes that the system reports. */
function watched(folder: string) {
  const count = { changes: 0 };
  const { signature, stop } = watchFolder(folder, () => (count.changes += 1));
  onTestFinished(stop);
  return { signature, count };
}

test('the signature of a folder differs when something in it does', async () => {
  const { folder, write } = await settle();
  const { signature } = watched(folder);
  const known = new Set([await signature()]);
  const changes = [
    () => write('shop.yaml', `${SET}\n`),
    () => mkdir(path.join(folder, 'secrets')),
    () => write('secrets/token', 'a'),
    () => write('secrets/token', 'bc'),
    () => rename(path.join(folder, 'shop.yaml'), path.join(folder, 'other.yaml')),
    () => rm(folder, { recursive: true }),
  ];
  for (const [index, act] of changes.entries()) {
    await act();
    known.add(await signature());
    expect(known.size).toBe(index + 2);
  }
});

test('one file in place of a folder has a signature, too', async () => {
  const { folder, write } = await settle();
  const { signature } = watched(path.join(folder, 'shop.yaml'));
  const before = await signature();
  expect(await signature()).toBe(before);
  await write('shop.yaml', `${SET}\n`);
  expect(await signature()).not.toBe(before);
});

test('the system reports changes of files that were replaced, and of folders that came later', async () => {
  const { folder } = await settle();
  const later = path.join(folder, 'later');
  const { signature, count } = watched(later);
  await signature();
  await mkdir(path.join(later, 'below'), { recursive: true });
  const file = path.join(later, 'below', 'shop.yaml');
  await writeFile(file, SET);
  const steps = [
    () => {
      writeFileSync(`${file}.new`, SET);
      renameSync(`${file}.new`, file);
    },
    () => appendFileSync(file, '\n'),
  ];
  for (const step of steps) {
    // What is still to be reported of the step before is not counted after it.
    await signature();
    const { changes } = count;
    step();
    await waitUntil(() => count.changes > changes);
  }
});

test('a child process reads the folder', async () => {
  const { folder } = await settle();
  const reader = createFolderReader();
  onTestFinished(reader.stop);
  const environment = { URL: 'https://example.com' };
  const { document } = BODY;
  const answer = { document, prune: false, maxDeletions: null };
  expect(await reader.read({ folder, environment })).toEqual(answer);
});
