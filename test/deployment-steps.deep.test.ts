import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freshDirectory } from './support/directories.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The first block of commands of a section of a document. */
function stepsOf(document: string, section: string): string {
  const page = readFileSync(join(root, 'docs', document), 'utf8');
  const [, block] = new RegExp(`\\n#+ ${section}\\n+\`\`\`sh\\n([^]*?)\`\`\``).exec(page)!;
  return block!;
}

/** Programs that would change this machine; each notes its arguments. `sudo` and `npm run` run what they are given. */
const STUBS = {
  sudo: 'exec env "$@"',
  useradd: '',
  systemctl: '',
  npm: 'if [ "$1" = run ]; then exec "$NPM" "$@"; fi',
  // There is no such group here.
  install: 'exec /usr/bin/install $(echo " $*" | sed "s/ -g tocsin//")',
};

/** Runs the steps with /etc, /opt and /var below a folder, beside a clone in `tocsin`. */
async function follow(steps: string) {
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  const programs = join(place, 'programs');
  for (const folder of ['programs', 'etc/systemd/system', 'opt', 'tocsin'])
    mkdirSync(join(place, folder), { recursive: true });
  for (const [name, does] of Object.entries(STUBS)) {
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >>${place}/log\n${does}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  // A copy of all packages would take a minute.
  for (const name of readdirSync(root))
    if (!name.startsWith('.')) symlinkSync(join(root, name), join(place, 'tocsin', name));
  const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  const path = `${programs}:${process.env['PATH']}`;
  const text = steps.replaceAll(/(?<=[ "])\/(?=etc|opt|var)/g, `${place}/`);
  const { status, stderr } = spawnSync('sh', ['-eu', '-c', text], {
    cwd: place,
    env: { PATH: path, NPM: npm, HOME: place },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  const log = readFileSync(join(place, 'log'), 'utf8');
  return { place, log };
}

test.each([
  ['install/systemd.md', 'Install', 'tocsin.service', ['']],
  [
    'deployment.md',
    'Servers with systemd',
    'tocsin-server@.service',
    ['api', 'scheduler', 'worker'],
  ],
])('the steps of %s, "%s", make all that %s needs', async (document, section, unit, instances) => {
  const { place, log } = await follow(stepsOf(document, section));
  expect(existsSync(join(place, 'etc/systemd/system', unit))).toBe(true);
  const text = readFileSync(join(root, 'deploy/systemd', unit), 'utf8');
  for (const instance of instances) {
    const needed = [...text.matchAll(/^(?:EnvironmentFile=-?|LoadCredential=\w+:)(\/.*)$/gm)];
    for (const [, file] of needed) {
      const there = join(place, file!.replaceAll('%i', instance));
      expect(existsSync(there), `${file} of ${instance}`).toBe(true);
    }
    if (instance !== '') expect(log).toContain(`${unit.replace('@.service', `@${instance}`)}`);
  }
  const [, user] = /^User=(\w+)$/m.exec(text)!;
  expect(log).toMatch(new RegExp(`^useradd .* ${user}$`, 'm'));
  expect(log).toMatch(/^systemctl enable --now /m);
});

test('make-secrets.sh works from any folder for any other, and says what failed without leaving a draft', async () => {
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  const make = (tocsin: string, folder: string) => {
    const args = [join(place, folder), 'hub.example.com', 'ash sin', 'sin'];
    return spawnSync(join(root, 'deploy/make-secrets.sh'), args, {
      cwd: root,
      env: { PATH: process.env['PATH'], TOCSIN: tocsin },
      encoding: 'utf8',
    });
  };
  for (const tocsin of ['npm run tocsin --', 'npm run --silent tocsin --']) {
    const folder = `a folder of ${tocsin.length}`;
    expect(make(tocsin, folder)).toMatchObject({ status: 0, stderr: '' });
    for (const region of ['ash', 'sin'])
      expect(readFileSync(join(place, folder, `probe_key_${region}`), 'utf8')).toMatch(
        new RegExp(`^${region}\\.[\\w-]{43}\\n$`),
      );
  }
  const failed = make('npm run no-such-script --', 'failed');
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain('The key of the region ash could not be printed.');
  expect(failed.stderr).toContain('Missing script');
  expect(readdirSync(join(place, 'failed')).filter((name) => name.includes('probe_key'))).toEqual(
    [],
  );
  // The next run goes on.
  expect(make('npm run tocsin --', 'failed')).toMatchObject({ status: 0 });
});
