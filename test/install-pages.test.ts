import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect, describe, test } from 'vitest';
import { describeSettings } from '../src/config/config.ts';
import { DATABASE_COMMANDS, LOCAL_COMMANDS } from '../src/operator/commands.ts';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const pages = readdirSync(new URL('../docs/install', import.meta.url));
const known = new Set(['ROLES', ...describeSettings().map(({ name }) => name)]);

test('there is a page for each way to install', () => {
  expect(pages.toSorted()).toEqual([
    'compose.md',
    'docker.md',
    'kubernetes.md',
    'npm.md',
    'systemd.md',
  ]);
});

describe.each(pages)('%s', (page) => {
  const text = read(`docs/install/${page}`);
  const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!);

  test('is short, and says how to install, upgrade, back up and remove', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    const headings = [...text.matchAll(/^## (\w+)/gm)].map(([, word]) => word);
    expect(headings).toEqual(['Install', 'Upgrade', 'Back', 'Remove']);
  });

  test('has commands that a shell can read', () => {
    expect(blocks.length).toBeGreaterThan(3);
    for (const block of blocks) {
      const { status, stderr } = spawnSync('sh', ['-n'], { input: block, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    }
  });

  test('names files, commands and settings that there are', () => {
    const all = blocks.join('');
    for (const [file] of all.matchAll(/(?<![\w/.-])deploy\/[\w./-]+/g))
      expect(existsSync(new URL(`../${file}`, import.meta.url)), file).toBe(true);
    const names = [...DATABASE_COMMANDS, ...LOCAL_COMMANDS].map(({ name }) => name);
    const used = [
      ...all.matchAll(/\btocsin (backup|restore|help|start|user list|migrate|secrets \w+)/g),
    ];
    expect(used.length).toBeGreaterThan(2);
    for (const [, command] of used)
      if (!/^(help|start)$/.test(command!)) expect(names).toContain(command);
    for (const [, name] of all.matchAll(
      /(?:-e |settings\.|--from-literal=|\bnpx |^)([A-Z][A-Z_]+)=/gm,
    ))
      expect(known).toContain(name);
  });
});
