import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { glob, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createFolder } from '../lib/create-folder.js';
import { EXTENSIONS, MANIFEST, type FileEncoding, type Manifest } from './manifest.ts';

/** A finished build in its folder. */
export interface Build {
  /** Hash of everything that it was made of. */
  key: string;
  folder: string;
  manifest: Manifest;
}

/** Builds that are kept, the current one among them: pages that are open load parts of earlier ones. */
const KEPT_BUILDS = 3;
/** Age from which the folder of an unfinished build belongs to a process that no longer exists. */
const ABANDONED_MS = 60 * 60_000;
/** Begins the names of folders in which a build is being made. */
const UNFINISHED = 'unfinished-';
const KEY = /^[0-9a-f]{32}$/;
/** Error codes of a place that can't be written to; ENOENT is that of file systems such as `/proc`. */
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'ENOSPC', 'EDQUOT']);

/** Files beside `web` that decide what a build contains. */
const BUILDER = [
  new URL('./bundle.ts', import.meta.url),
  new URL('./manifest.ts', import.meta.url),
  new URL('./words.ts', import.meta.url),
].map((url) => fileURLToPath(url));
const LOCK_FILE = 'package-lock.json';
/** Folder of the build in a package for npm, which has no sources of the dashboard. */
export const RELEASED = 'dashboard';

/**
 * Hashes everything that a build is made of: the packages, the builder, and the files in `web`.
 *
 * @param root folder with `web` and the lock file.
 * @returns 32 hexadecimal digits.
 */
export async function keyOf(root: string): Promise<string> {
  const sources: string[] = [];
  for await (const entry of glob('web/**/*', { cwd: root, withFileTypes: true })) {
    const isSource = entry.isFile() && !/\.test\.tsx?$/.test(entry.name);
    if (isSource) sources.push(path.join(entry.parentPath, entry.name));
  }
  const hash = createHash('sha256');
  for (const file of [path.join(root, LOCK_FILE), ...BUILDER, ...sources.toSorted()]) {
    const bytes = await readFile(file);
    hash.update(`${path.relative(root, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}

/**
 * Finds the finished builds in these places, the newest first. Builds with missing or cut files, as after a power failure,
 * are not finished.
 */
export async function findBuilds(places: readonly string[]): Promise<Build[]> {
  const found = await Promise.all(places.map(buildsIn));
  return found
    .flat()
    .toSorted((one, other) => other.usedAt - one.usedAt)
    .map(({ build }) => build);
}

/** Reads the build with this key; null if there is no finished one. */
export async function readBuild(place: string, key: string): Promise<Build | null> {
  const folder = path.join(place, key);
  try {
    const manifest = JSON.parse(await readFile(path.join(folder, MANIFEST), 'utf8')) as Manifest;
    const sizes = manifest.files.flatMap(({ name, bytes, encoded }) => [
      { name, bytes },
      ...Object.entries(encoded).map(([encoding, length]) => ({
        name: name + EXTENSIONS[encoding as FileEncoding],
        bytes: length,
      })),
    ]);
    for (const { name, bytes } of sizes) {
      if ((await stat(path.join(folder, name))).size !== bytes) return null;
    }
    return { key, folder, manifest };
  } catch {
    return null;
  }
}

/**
 * Makes a build in the first of these places that can be written to. It appears there at once, when it is complete; of two
 * processes that make the same one, the second takes that of the first.
 *
 * @param make writes the build into an empty folder.
 * @throws what `make` throws, or an Error when no place can be written to.
 */
export async function makeBuild(
  places: readonly string[],
  key: string,
  make: (folder: string) => Promise<void>,
): Promise<Build> {
  const { place, folder } = await openFolder(places);
  try {
    await make(folder);
    const target = path.join(place, key);
    const known = await readBuild(place, key);
    if (known !== null) return known;
    await moveTo(place, key, folder);
    const build = await readBuild(place, key);
    if (build === null) throw new Error(`The build in ${target} is not complete.`);
    return build;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Marks a build as used now, so that it is among those that are kept. Does nothing in a place that is read-only. */
async function markUsed({ folder }: Build): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => {});
}

/**
 * Removes the builds that were used the longest ago but never the current one, and the remains of unfinished ones. Failures
 * are ignored.
 */
async function removeOldBuilds(places: readonly string[], current: Build): Promise<void> {
  const now = Date.now();
  for (const place of places) {
    const names = await readdir(place).catch(() => []);
    const abandoned = names.filter((name) => name.startsWith(UNFINISHED));
    for (const name of abandoned) {
      const folder = path.join(place, name);
      const changed = await stat(folder).catch(() => null);
      if (changed !== null && now - changed.mtimeMs > ABANDONED_MS) await remove(folder);
    }
  }
  const builds = await findBuilds(places);
  const others = builds.filter(({ folder }) => folder !== current.folder);
  for (const { folder } of others.slice(KEPT_BUILDS - 1)) await remove(folder);
}

async function buildsIn(place: string): Promise<{ build: Build; usedAt: number }[]> {
  const names = await readdir(place).catch(() => []);
  const read = names
    .filter((name) => KEY.test(name))
    .map(async (name) => {
      const build = await readBuild(place, name);
      const folder = build === null ? null : await stat(build.folder).catch(() => null);
      return build === null || folder === null ? [] : [{ build, usedAt: folder.mtimeMs }];
    });
  return (await Promise.all(read)).flat();
}

/** Creates a folder for a build in the first place that can be written to. */
async function openFolder(places: readonly string[]): Promise<{ place: string; folder: string }> {
  const reasons: string[] = [];
  for (const place of places) {
    try {
      // Not mkdtemp, whose folders nobody else can read: an image is built by another user than the one who runs it.
      const folder = path.join(place, UNFINISHED + randomUUID());
      createFolder(folder, 0o777);
      return { place, folder };
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (!NOT_WRITABLE.has(code)) throw error;
      reasons.push(message);
    }
  }
  throw new Error(`There is no place to write the build to. ${reasons.join('. ')}`);
}

/** Moves a build to its place, unless another process completed the same one a moment ago. A broken one there makes way. */
async function moveTo(place: string, key: string, folder: string): Promise<void> {
  const target = path.join(place, key);
  if (await isMoved(folder, target)) return;
  // It may be what another process returns now: only a broken one is removed.
  if ((await readBuild(place, key)) !== null) return;
  const broken = path.join(place, UNFINISHED + randomUUID());
  await rename(target, broken).catch(() => {});
  await remove(broken);
  await isMoved(folder, target);
}

/** Renames a folder. @returns false when there is a folder with that name. */
async function isMoved(folder: string, target: string): Promise<boolean> {
  try {
    await rename(folder, target);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    return false;
  }
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true }).catch(() => {});
}

/** Where the source is, and where builds may be stored. */
export interface BuildPlaces {
  /** Folder with `web`, `node_modules` and the lock file. */
  root: string;
  /** Folders for builds, the preferred one first. */
  places: readonly string[];
}

const SOURCE = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('./program.ts', import.meta.url));
/** A build takes less than a second; a slow machine gets a minute. */
const DEADLINE_MS = 60_000;
/** Characters kept of the errors of a build. */
const MAX_REASON = 4_000;

/**
 * Places of this installation: builds lie beside the packages, or in the data folder where the source is read-only.
 *
 * @param dataDir DATA_DIR; null for the folder of the packages alone.
 * @param root by default the folder of this source.
 */
export function buildPlaces(dataDir: string | null, root = SOURCE): BuildPlaces {
  const beside = path.join(root, 'node_modules', '.cache', 'tocsin-dashboard');
  return {
    root,
    places: dataDir === null ? [beside] : [beside, path.resolve(dataDir, 'dashboard')],
  };
}

/**
 * Returns the build of this source: the one that is stored, or else a new one, which a child process makes. Removes old
 * ones.
 *
 * @throws an Error with the reason when it can't be built, or when `signal` is aborted.
 */
export async function ensureBuild(
  { root, places }: BuildPlaces,
  signal: AbortSignal,
): Promise<Build> {
  const [released] = await findBuilds([path.join(root, RELEASED)]);
  if (released !== undefined) return released;
  const key = await keyOf(root);
  for (const place of places) {
    const build = await readBuild(place, key);
    if (build === null) continue;
    await markUsed(build);
    return build;
  }
  const build = await makeBuild(places, key, (folder) => runBuilder(root, folder, signal));
  await removeOldBuilds(places, build);
  return build;
}

/** The builder runs in a process of its own: it takes a core and memory, and both are back when it ends. */
async function runBuilder(root: string, folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, root, folder], {
    // Nothing of the environment, which holds secrets.
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
    killSignal: 'SIGKILL',
  });
  const [errors, [code, ended]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code === 0) return;
  const reason = errors.trim().slice(0, MAX_REASON);
  throw new Error(reason === '' ? `The builder ended with ${code ?? ended}.` : reason);
}
