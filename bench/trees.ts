import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { git, ROOT } from './base.ts';
import { holdsPackages, type LockFile } from './packages.ts';

const run = promisify(execFile);

/** Folders of this tree that replace those of the other one, so that the same benchmarks run in both. */
export const BENCHMARKS = ['bench', 'test/support'];

/** A revision that is checked out in a folder of its own. */
export interface Tree {
  folder: string;
  remove(): Promise<void>;
}

interface CheckOutOptions {
  /** Folders of this tree that replace those of the other one. */
  replaced?: readonly string[];
  signal?: AbortSignal;
}

/**
 * Checks out a revision in a temporary folder, with the packages that it asks for. The folder is removed at the latest
 * when the process ends.
 */
export async function checkOut(
  revision: string,
  { replaced = [], signal }: CheckOutOptions = {},
): Promise<Tree> {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'tocsin-base-'));
  const folder = path.join(parent, 'tree');
  const removeNow = () => {
    try {
      execFileSync('git', ['worktree', 'remove', '--force', folder], {
        cwd: ROOT,
        stdio: 'ignore',
      });
    } catch {
      // It was never added.
    }
  };
  process.once('exit', removeNow);
  const remove = async () => {
    process.off('exit', removeNow);
    removeNow();
    await rm(parent, { recursive: true, force: true });
  };
  try {
    await git('worktree', 'add', '--detach', '--quiet', folder, revision);
    for (const name of replaced) {
      await rm(path.join(folder, name), { recursive: true, force: true });
      await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
    }
    await addPackages(folder, signal);
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, remove };
}

/** Those that are installed here, if they include all that the other tree asks for; otherwise downloads them. */
async function addPackages(folder: string, signal: AbortSignal | undefined): Promise<void> {
  const installed = path.join(ROOT, 'node_modules');
  const [here, wanted] = await Promise.all([
    readLock(path.join(installed, '.package-lock.json')),
    readLock(path.join(folder, 'package-lock.json')),
  ]);
  if (here !== null && wanted !== null && holdsPackages(here, wanted)) {
    await symlink(installed, path.join(folder, 'node_modules'));
    return;
  }
  const options = { cwd: folder, ...(signal ? { signal } : {}) };
  await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], options);
}

async function readLock(file: string): Promise<LockFile | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as LockFile);
}
