import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDirectory } from '../../test/support/directories.ts';
import { makeBuild, readBuild } from './builds.ts';
import { MANIFEST } from './manifest.ts';

const KEY = 'a'.repeat(32);

/** Writes a build of one file, once all of them are as far. */
function together(count: number): (folder: string) => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return async (folder) => {
    await writeFile(path.join(folder, 'main.js'), 'main');
    const files = [{ name: 'main.js', type: 'text/javascript', bytes: 4, encoded: {} }];
    await writeFile(path.join(folder, MANIFEST), JSON.stringify({ documents: {}, files }));
    waiting += 1;
    if (waiting === count) resolve();
    await promise;
  };
}

test('those that finish at once take one complete build, which none of them removes', async () => {
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  for (let round = 0; round < 300; round += 1) {
    const key = String(round).padStart(32, '0');
    const make = together(3);
    const builds = await Promise.all([1, 2, 3].map(() => makeBuild([place], key, make)));
    expect(new Set(builds.map(({ folder }) => folder))).toEqual(new Set([path.join(place, key)]));
  }
  expect(await readdir(place)).toHaveLength(300);
});

test('a broken build makes way', async () => {
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  await mkdir(path.join(place, KEY));
  await writeFile(path.join(place, KEY, 'main.js'), 'cut');
  await makeBuild([place], KEY, together(1));
  expect(await readBuild(place, KEY)).not.toBeNull();
  expect(await readdir(place)).toEqual([KEY]);
});

test('a place that can not be written to is passed over', async () => {
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  const file = path.join(place, 'file');
  await writeFile(file, '');
  // Below /proc the system answers that the folder is missing, however often one tries.
  const spoiled = ['/proc/none/dashboard', path.join(file, 'dashboard')];
  const good = path.join(place, 'dashboard');
  const { folder } = await makeBuild([...spoiled, good], KEY, together(1));
  expect(folder).toBe(path.join(good, KEY));
  await expect(makeBuild(spoiled, KEY, together(1))).rejects.toThrow(
    /^There is no place to write the build to\. .+\. ENOTDIR/,
  );
});
