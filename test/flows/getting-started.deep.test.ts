import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freshDirectory } from '../support/directories.ts';
import { freePorts } from '../support/free-ports.ts';
import { openShell, openTerminal, type Terminal } from '../support/shell.ts';
import { patternOf, readTranscript } from '../support/transcript.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = readFileSync(path.join(ROOT, 'docs/getting-started.md'), 'utf8');
const MINUTE = 60_000;
/** Installing is most of it, and takes what the disk and the registry take. */
const START_PATIENCE_MS = 15 * MINUTE;

test(
  'docs/getting-started.md runs to the letter, in a copy of the source on an empty machine',
  async () => {
    const { place, remove } = await freshDirectory();
    onTestFinished(remove, 5 * MINUTE);
    const [port, web, service] = await freePorts(3);
    const here = (text: string) =>
      text
        .replaceAll('3000', String(port))
        .replaceAll('8081', String(web))
        .replaceAll('8082', String(service));
    const { cwd, env } = emptyMachine(place, port!);
    const shell = openShell({ cwd, env });
    onTestFinished(() => shell.close());
    let terminal: Terminal | null = null;
    onTestFinished(() => terminal?.close());

    const steps = readTranscript(here(PAGE));
    expect(steps.length).toBeGreaterThan(20);
    for (const { command, output } of steps) {
      const pattern = patternOf(output);
      if (command.includes('npm start')) {
        await terminal?.close();
        terminal = openTerminal(command, { cwd, env });
      } else if (command === '^C') {
        terminal!.type('\x03');
      }
      if (command.includes('npm start') || command === '^C') {
        await terminal!.shows(pattern, START_PATIENCE_MS);
        // npm may leave the terminal before the service has stopped.
        if (command === '^C')
          await expect.poll(() => isServed(port!), { timeout: 5 * MINUTE }).toBe(false);
      } else if (output === '') {
        await shell.run(command);
        // A list in a variable is split by some shells and not by others.
        const [, variable] = /^([A-Z_]+)=/.exec(command) ?? [];
        if (variable !== undefined)
          expect([command, await shell.run(`echo "$${variable}" | wc -lw`)]).toEqual([
            command,
            expect.stringMatching(/^\s*1\s+1\s*$/),
          ]);
      } else if (command.startsWith('api "')) {
        // A reader asks again until it is so.
        const options = { timeout: 5 * MINUTE, interval: 500 };
        await expect.poll(() => shell.run(command), options).toMatch(pattern);
      } else {
        expect(await shell.run(command)).toMatch(pattern);
      }
    }
  },
  2 * START_PATIENCE_MS,
);

async function isServed(port: number): Promise<boolean> {
  return await fetch(`http://localhost:${port}/healthz`).then(
    () => true,
    () => false,
  );
}

/** Copies the source, without what was installed, beside an empty home folder. */
function emptyMachine(place: string, port: number) {
  const cwd = path.join(place, 'tocsin');
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  for (const file of files.split('\0').filter((name) => name !== ''))
    cpSync(path.join(ROOT, file), path.join(cwd, file), { recursive: true });
  const home = path.join(place, 'home');
  mkdirSync(home);
  // Packages come from where those of this project came from, and not again if they were installed here before.
  const npm = {
    npm_config_cache: npmSetting('cache'),
    npm_config_registry: npmSetting('registry'),
    npm_config_prefer_offline: 'true',
    // A registry that doesn't audit may leave the request unanswered for minutes.
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  return {
    cwd,
    env: { PATH: pathOf(process.env['PATH']!), HOME: home, PORT: String(port), ...npm },
  };
}

function npmSetting(name: string): string {
  return execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
}

/** Without the programs of this project's packages: a new user has the system's Node. */
function pathOf(given: string): string {
  return given
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(path.delimiter);
}
