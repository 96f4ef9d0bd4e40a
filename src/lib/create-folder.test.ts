import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { freshDirectory } from '../../test/support/directories.ts';
import { createFolder } from './create-folder.js';

let place: string;

beforeEach(async () => {
  const fresh = await freshDirectory();
  place = fresh.place;
  onTestFinished(fresh.remove);
});

const modeOf = (folder: string) => (statSync(folder).mode & 0o777).toString(8);

test('missing folders above are created, too, for their owner alone', () => {
  const outer = path.join(place, 'a');
  const folder = path.join(outer, 'b/c');
  createFolder(folder);
  expect([outer, folder].map(modeOf)).toEqual(['700', '700']);
});

test('others may read it if the umask lets them and the caller wants it', () => {
  const folder = path.join(place, 'a/b');
  createFolder(folder, 0o755);
  expect(modeOf(folder)).toBe((0o755 & ~process.umask()).toString(8));
});

test('a folder that is there stays as it is, also behind a link', () => {
  const folder = path.join(place, 'a');
  mkdirSync(folder);
  const before = modeOf(folder);
  writeFileSync(path.join(folder, 'kept'), '');
  symlinkSync(folder, path.join(place, 'link'));
  for (const name of ['a', 'a/', 'link', 'link/.']) createFolder(path.join(place, name));
  expect([modeOf(folder), readdirSync(folder)]).toEqual([before, ['kept']]);
  createFolder(path.join(place, 'link/b'));
  expect(existsSync(path.join(folder, 'b'))).toBe(true);
});

test('a relative path counts from the working directory', () => {
  createFolder(path.relative('', path.join(place, 'a/b')));
  createFolder('.');
  expect(existsSync(path.join(place, 'a/b'))).toBe(true);
});

test.each([
  ['file', 'EEXIST'],
  ['file/a', 'ENOTDIR'],
  ['file/a/b', 'ENOTDIR'],
  ['dangling', 'EEXIST'],
  ['dangling/a/b', 'EEXIST'],
])('%s can not be created: %s', (name, code) => {
  writeFileSync(path.join(place, 'file'), '');
  symlinkSync(path.join(place, 'nowhere'), path.join(place, 'dangling'));
  expect(() => createFolder(path.join(place, name))).toThrow(expect.objectContaining({ code }));
  expect(readdirSync(place)).toEqual(['dangling', 'file']);
});

test.runIf(existsSync('/proc'))('below /proc it fails instead of trying for ever', () => {
  for (const folder of ['/proc/none', '/proc/none/a/b']) {
    expect(() => createFolder(folder)).toThrow("no such file or directory, mkdir '/proc/none'");
  }
});
