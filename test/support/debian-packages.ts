import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Asynchronous: this process answers vitest's workers meanwhile. */
const run = promisify(execFile);

/** Folder with unpacked packages, or the reason why there is none. */
type Unpacked = { folder: string } | { missing: string };

/**
 * Debian's packages, unpacked without being installed; cached in the temporary folder. Parallel calls, also of several
 * processes, are fine: the first one that is ready wins.
 *
 * @param name name of the cache, as people call the program.
 * @param choose shell statements that set `$packages`.
 */
export async function fetchPackages(name: string, choose: string): Promise<Unpacked> {
  const cache = join(tmpdir(), `tocsin-${name.toLowerCase()}-cache`);
  if (existsSync(cache)) return { folder: cache };
  const work = mkdtempSync(`${cache}.`);
  const script = `set -e
    ${choose}
    apt-get download -q $packages || { apt-get update -q; apt-get download -q $packages; }
    for package in *.deb; do dpkg -x "$package" .; rm "$package"; done
    chmod -R a+rX .`;
  try {
    await run('sh', ['-c', script], { cwd: work });
    renameSync(work, cache);
    return { folder: cache };
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    if (existsSync(cache)) return { folder: cache };
    const { stderr, message } = error as Error & { stderr?: string };
    return {
      missing: `no ${name} is installed, and fetching Debian's packages failed: ${stderr || message}`,
    };
  }
}

/** First folder of the PATH, and then of the others, which has all of these programs. */
export function findFolder(
  programs: readonly string[],
  others: readonly string[],
): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), ...others].find((folder) =>
    programs.every((program) => existsSync(join(folder, program))),
  );
}
