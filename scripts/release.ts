/**
 * `npm run release -- --out DIR` makes what a release consists of from a clean tree: the package for npm, the context of the image,
 * and the chart for Helm. `npm run release -- --check` makes the package from the tree as it is, installs it into an empty folder, and
 * uses it; with both, it uses the one that it made in DIR.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildPlaces, ensureBuild, RELEASED } from '../src/dashboard/builds.ts';
import { checkPackage } from './release-check.ts';
import { releasePackage } from './release-package.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** npm keeps the versions of a lock file of this name also where the package is somebody's dependency. */
const LOCK = 'npm-shrinkwrap.json';

const { values } = parseArgs({
  options: { out: { type: 'string' }, check: { type: 'boolean' } },
});
if (values.out === undefined && values.check !== true)
  fail('Name a folder: npm run release -- --out DIR');
const released = values.out === undefined ? null : await makeRelease(path.resolve(values.out));
if (values.check === true)
  await inTemporaryFolder(async (folder) =>
    checkPackage(released ?? (await makePackage(folder)), folder),
  );

/** @returns the file of the package for npm in `out`. */
async function makeRelease(out: string): Promise<string> {
  const changes = run('git', ['status', '--porcelain'], ROOT);
  if (changes !== '') fail(`Commit these first, a release is made from a clean tree:\n${changes}`);
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).length > 0) fail(`${out} is not empty.`);
  const file = await makePackage(out);
  const { version } = releasePackage(ROOT).manifest;
  const image = ['deploy/Dockerfile', '.dockerignore', ...copiedIntoImage()];
  run(
    'git',
    ['archive', '-o', path.join(out, `tocsin-image-${version}.tar.gz`), 'HEAD', ...image],
    ROOT,
  );
  run(
    'git',
    [
      'archive',
      '-o',
      path.join(out, `tocsin-chart-${version}.tgz`),
      '--prefix=tocsin/',
      'HEAD:deploy/helm/tocsin',
    ],
    ROOT,
  );
  const sums = readdirSync(out).map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(path.join(out, name)))
        .digest('hex')}  ${name}\n`,
  );
  writeFileSync(path.join(out, 'SHA256SUMS'), sums.join(''));
  console.log(sums.join('').trimEnd());
  return file;
}

/** Makes the package for npm. @returns its file in `out`. */
async function makePackage(out: string): Promise<string> {
  const { manifest, texts } = releasePackage(ROOT);
  const build = await ensureBuild(buildPlaces(null), AbortSignal.timeout(120_000));
  return inTemporaryFolder(async (folder) => {
    for (const [name, text] of texts) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }
    cpSync(build.folder, path.join(folder, RELEASED, build.key), { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    // npm takes from the lock file what the manifest still needs.
    cpSync(path.join(ROOT, '.npmrc'), path.join(folder, '.npmrc'));
    cpSync(path.join(ROOT, 'package-lock.json'), path.join(folder, LOCK));
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
    run('npm', ['install', '--package-lock-only', ...quiet], folder);
    const [packed] = JSON.parse(
      run('npm', ['pack', '--json', '--pack-destination', out], folder),
    ) as [{ filename: string }];
    return path.join(out, packed.filename);
  });
}

/** What the Dockerfile copies from the tree. */
function copiedIntoImage(): string[] {
  const dockerfile = readFileSync(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');
  return [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names]) =>
    names!.split(' '),
  );
}

async function inTemporaryFolder<Result>(use: (folder: string) => Promise<Result>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tocsin-release-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(command: string, args: string[], cwd: string): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}
