import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { keyOf, makeBuild, markUsed, readBuild, removeOldBuilds, type Build } from './builds.ts';

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
