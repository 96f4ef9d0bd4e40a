import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nextLine, startStoreChild, type Child } from '../../../test/support/children.ts';
import { freshDirectory, type Fresh } from '../../../test/support/directories.ts';
import { lockDirectory } from './process-lock.ts';

let fresh: Fresh;
const children: Child[] = [];

beforeEach(async () => {
  fresh = await freshDirectory();
});

afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  await fresh.remove();
});

const lockInChild = (): Child => {
  const child = startStoreChild('lock', fresh.place);
  children.push(child);
  return child;
};

it('keeps a second process out until the first is killed', async () => {
  const first = lockInChild();
  expect(await nextLine(first)).toBe('locked');
  const second = await nextLine(lockInChild());
  expect(second).toBe(
    `Another Tocsin server is already running on ${fresh.place}. ` +
      'Stop it first, or give this one another folder with DATA_DIR.',
  );
  expect(() => lockDirectory(fresh.place)).toThrow('already running');
  await first.kill();
  expect(await nextLine(lockInChild())).toBe('locked');
});

it('keeps a second server in the same process out until it is released', () => {
  const place = join(fresh.place, 'made', 'on the way');
  const lock = lockDirectory(place);
  expect(() => lockDirectory(place)).toThrow('already running');
  lock.release();
  lock.release();
  lockDirectory(place).release();
});

it('is held although nobody keeps what it returned', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  lockDirectory(fresh.place);
  for (let turn = 0; turn < 5; turn += 1) {
    collectGarbage();
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  expect(() => lockDirectory(fresh.place)).toThrow('already running');
});

it('says what is wrong with the folder', () => {
  mkdirSync(join(fresh.place, 'lock.db'));
  expect(() => lockDirectory(fresh.place)).toThrow(/can't hold the data: .*lock\.db/);
});

it.runIf(existsSync('/proc'))('says at once that a folder of the system can hold no data', () => {
  expect(() => lockDirectory('/proc/none/deep')).toThrow(
    /^The folder \/proc\/none\/deep can't hold the data: .*ENOENT.*or set DATA_DIR\.$/,
  );
});

it('says that a folder can not be below a file', () => {
  const file = join(fresh.place, 'file');
  writeFileSync(file, '');
  expect(() => lockDirectory(join(file, 'data'))).toThrow(/can't hold the data: .*ENOTDIR/);
});
