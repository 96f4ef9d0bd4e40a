import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { freshDirectory } from '../../test/support/directories.ts';
import { silentLog } from '../lib/log.ts';
import { keyOf, buildPlaces, ensureBuild, type BuildPlaces } from './builds.ts';
import { openDashboard } from './dashboard.ts';
import { sizeReport } from './size-report.ts';

const NEVER = new AbortController().signal;
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const SOURCE = {
  'web/main.tsx': `import './style.css';
import { start } from './app/app.tsx';
start();`,
  'web/app/app.tsx': `import { trimmed } from './trimmed.ts';
import { quoted } from './quoted.ts';
import { shared } from '../shared.ts';
export const start = () => {
  document.getElementById('app')!.textContent = quoted(trimmed(shared('first')));
  void import('../late.ts').then(({ late }) => late());
  void import('../later.ts').then(({ later }) => later());
};`,
  'web/app/trimmed.ts': 'export const trimmed = (text: string) => text.trim();',
  'web/app/quoted.ts': 'export const quoted = (text: string) => JSON.stringify(text);',
  'web/entry.tsx': `import { shared } from './shared.ts';
document.title = shared('sign in');`,
  'web/packages.ts': '',
  'web/shared.ts': `export const shared = (text: string) => text + ${JSON.stringify('.'.repeat(2_000))};`,
  'web/late.ts': `import { trimmed } from './app/trimmed.ts';
import { shared } from './shared.ts';
export const late = () => console.log(trimmed(shared('late')));`,
  'web/later.ts': `import { quoted } from './app/quoted.ts';
export const later = () => console.log(quoted('later'));`,
  'web/style.css': `body { color: red; background: url('./picture.svg') }`,
  'web/picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'package-lock.json': '{}',
};

/** A source with a small dashboard, and an empty data folder. */
async function source(
  changed: Record<string, string> = {},
): Promise<BuildPlaces & { dataDir: string }> {
  const { place, remove } = await freshDirectory();
  cleanups.push(remove);
  const root = path.join(place, 'source');
  for (const [name, text] of Object.entries({ ...SOURCE, ...changed })) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  await mkdir(path.join(root, 'node_modules'));
  const dataDir = path.join(place, 'data');
  return { ...buildPlaces(dataDir, root), dataDir };
}

/** Opens the dashboard and collects what is logged. */
function open(places: BuildPlaces) {
  const errors: string[] = [];
  const log = {
    ...silentLog,
    error: (fields: { error?: unknown }, message: string) =>
      void errors.push(`${message} ${(fields.error as Error).message}`),
  };
  return { dashboard: openDashboard({ places, log: log as typeof silentLog }), errors };
}

test('a build has the entries, what they import, what is loaded later, and compressed forms', async () => {
  const { dashboard } = open(await source());
  const { documents, files } = (await dashboard.manifest())!;
  const { script, preloads, styles } = documents.en.dashboard;
  expect(script).toMatch(/^main-[A-Z0-9]{8}\.js$/);
  const chunk = expect.stringMatching(/^chunk-[A-Z0-9]{8}\.js$/);
  // What both documents share, and what this one begins with, whichever late parts use some of that.
  expect(preloads).toEqual([chunk, chunk]);
  expect(styles).toEqual([expect.stringMatching(/^main-[A-Z0-9]{8}\.css$/)]);
  expect(documents.en.entry).toEqual({
    script: expect.stringMatching(/^entry-[A-Z0-9]{8}\.js$/),
    preloads: [chunk],
    styles: [],
  });
  const [shared] = documents.en.entry.preloads;
  expect(preloads).toContain(shared);
  expect(files.map(({ name }) => name.replace(/-[A-Z0-9]{8}\./, '.')).toSorted()).toEqual([
    'chunk.js',
    'chunk.js',
    'entry.js',
    'late.js',
    'later.js',
    'main.css',
    'main.js',
    'packages.js',
    'picture.svg',
  ]);
  const file = (await dashboard.file(shared!))!;
  const plain = await file.read(null);
  expect(gunzipSync(await file.read('gzip'))).toEqual(plain);
  expect(brotliDecompressSync(await file.read('br'))).toEqual(plain);
  expect(file.encoded.gzip).toBeLessThan(file.bytes);
  expect((await dashboard.file(styles[0]!))!.type).toBe('text/css; charset=utf-8');
  expect(await dashboard.file('manifest.json')).toBeNull();
  expect(sizeReport((await dashboard.manifest())!)).toMatch(
    /^First view of dashboard \(en\): [\d,]+ B, of which scripts/,
  );
});

test('the second start takes the build of the first, and a changed source makes another', async () => {
  const places = await source();
  const first = await ensureBuild(places, NEVER);
  await writeFile(path.join(first.folder, 'mark'), 'kept');
  const again = await ensureBuild(places, NEVER);
  expect([again.folder, await readdir(again.folder)]).toEqual([
    first.folder,
    expect.arrayContaining(['mark']),
  ]);
  await writeFile(path.join(places.root, 'web/unit.test.ts'), 'changes nothing');
  expect(await keyOf(places.root)).toBe(first.key);
  for (const name of ['web/shared.ts', 'web/style.css', 'package-lock.json']) {
    const before = await keyOf(places.root);
    await writeFile(path.join(places.root, name), '/* changed */');
    expect([name, await keyOf(places.root)]).not.toEqual([name, before]);
  }
});

test('processes that build at once end with the same complete build, and leave nothing else', async () => {
  const places = await source();
  const builds = await Promise.all([1, 2, 3].map(() => ensureBuild(places, NEVER)));
  expect(new Set(builds.map(({ folder }) => folder)).size).toBe(1);
  expect(await readdir(places.places[0]!)).toEqual([builds[0]!.key]);
});

test('a build is stored in the data folder where the source is read-only', async () => {
  const places = await source();
  // Root may write into any folder, but not into one that is a file.
  await writeFile(path.join(places.root, 'node_modules/.cache'), '');
  const { folder } = await ensureBuild(places, NEVER);
  expect(path.dirname(folder)).toBe(path.join(places.dataDir, 'dashboard'));
  expect((await ensureBuild(places, NEVER)).folder).toBe(folder);
});

test('a build with a missing or cut file is made again', async () => {
  const places = await source();
  const { folder, manifest } = await ensureBuild(places, NEVER);
  const { script, styles } = manifest.documents.en.dashboard;
  await truncate(path.join(folder, script), 3);
  await ensureBuild(places, NEVER);
  expect((await readFile(path.join(folder, script))).length).toBeGreaterThan(3);
  await rm(path.join(folder, styles[0]!));
  const { dashboard } = open(places);
  expect((await (await dashboard.file(styles[0]!))!.read(null)).length).toBeGreaterThan(9);
});

test('three builds are kept, and files of earlier ones are served', async () => {
  const places = await source();
  const scripts: string[] = [];
  for (let version = 1; version <= 4; version += 1) {
    await writeFile(path.join(places.root, 'web/late.ts'), `export const late = () => ${version};`);
    const { folder, manifest } = await ensureBuild(places, NEVER);
    scripts.push(manifest.files.find(({ name }) => name.startsWith('late-'))!.name);
    const usedAt = new Date(Date.UTC(2020, 0, version));
    await utimes(folder, usedAt, usedAt);
  }
  const { dashboard, errors } = open(places);
  const found = await Promise.all(scripts.map((name) => dashboard.file(name)));
  expect(found.map((file) => file !== null)).toEqual([false, true, true, true]);
  expect((await found[1]!.read(null)).toString()).toContain('2');
  expect(await readdir(places.places[0]!)).toHaveLength(3);
  expect(errors).toEqual([]);
});

describe('a build that fails is logged once, with the reason', () => {
  test.each([
    ['a syntax error', { 'web/shared.ts': 'export const shared = (' }, 'web/shared.ts:1'],
    ['a missing package', { 'web/shared.ts': "import 'no-such-package';" }, 'no-such-package'],
    [
      'a style sheet that nothing would load',
      {
        'web/late.ts': "import './late.css'; export const late = () => {};",
        'web/late.css': 'p{}',
      },
      'web/late.ts imports a style sheet and is loaded lazily',
    ],
    [
      'a late part that would bring visitors the shell',
      { 'web/entry.tsx': "void import('./late.ts');" },
      'web/late.ts is loaded late for visitors',
    ],
  ])('%s', async (_what, changed: Record<string, string>, reason) => {
    const places = await source(changed);
    const { dashboard, errors } = open(places);
    expect([await dashboard.manifest(), await dashboard.file('main.js')]).toEqual([null, null]);
    expect(errors).toEqual([expect.stringContaining('The dashboard could not be built.')]);
    expect(errors[0]).toContain(reason);
    expect(await readdir(places.places[0]!)).toEqual([]);
  });
});

test('stopping ends a build that is under way, without an error', async () => {
  const places = await source();
  const { dashboard, errors } = open(places);
  await dashboard.stop();
  expect([await dashboard.manifest(), errors]).toEqual([null, []]);
});
