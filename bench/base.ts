import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';

const run = promisify(execFile);

export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
/** Holds the revision whose figures docs/performance.md shows. */
const BASELINE_FILE = new URL('./baseline', import.meta.url);
/** Where the main branch may be. */
const MAIN = ['origin/HEAD', 'origin/main', 'main'];

/** What a clone knows of its revisions. */
export interface Revisions {
  head: string;
  /** Whether the work tree differs from `head`. */
  isChanged: boolean;
  /** Last common revision with the main branch; null without a main branch. */
  mergeBase: string | null;
  /** Content of `bench/baseline`. */
  baseline: string;
  /** Whether this clone has the baseline. */
  hasBaseline: boolean;
}

export type Base = { revision: string } | { missing: string };

/**
 * Chooses the revision that the work tree is compared with: where its branch left the main branch, and on the main
 * branch itself the recorded baseline. So a branch is judged by what it changes, and many small losses on the main branch add up until
 * somebody records a new baseline.
 */
export function chooseBase({ head, isChanged, mergeBase, baseline, hasBaseline }: Revisions): Base {
  if (mergeBase !== null && mergeBase !== head) return { revision: mergeBase };
  if (!hasBaseline) {
    return { missing: `this clone does not have the baseline ${baseline.slice(0, 12)}` };
  }
  if (baseline === head && !isChanged) return { missing: 'this is the baseline itself' };
  return { revision: baseline };
}

/** Reads what `chooseBase` needs. @throws outside of a git clone, and without git. */
export async function readRevisions(): Promise<Revisions> {
  const head = await commitOf('HEAD');
  if (head === null) throw new Error('this is no git clone, or git is not installed');
  const baseline = (await readFile(BASELINE_FILE, 'utf8')).trim();
  return {
    head,
    isChanged: (await git('status', '--porcelain')) !== '',
    mergeBase: await findMergeBase(),
    baseline,
    hasBaseline: (await commitOf(baseline)) !== null,
  };
}

async function findMergeBase(): Promise<string | null> {
  for (const branch of MAIN) {
    const found = await git('merge-base', 'HEAD', branch).catch(() => '');
    if (found !== '') return found;
  }
  return null;
}

/** The full hash of a revision; null if this clone does not have it. */
export async function commitOf(revision: string): Promise<string | null> {
  return git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`).catch(() => null);
}

/** Output of a git command in this clone. @throws if it fails. */
export async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}
