import { readdirSync, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { ADMIN_TOKEN, useServices } from '../support/service.ts';
import { openShell } from '../support/shell.ts';
import { run } from '../support/snippets.ts';
import { patternOf, readTranscript } from '../support/transcript.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = path.join(ROOT, 'docs/assistants');
const page = (name: string) => readFileSync(path.join(PAGES, name), 'utf8');

const services = useServices(afterAll);

/** A server of its own, and the commands of a page for it. */
async function startedService() {
  const server = await services.start({ DATA_DIR: await services.folder() });
  const here = (text: string) =>
    text
      .replaceAll('http://localhost:3000', server.url)
      .replaceAll(/^\$ TOKEN=.*$/gm, `$ TOKEN=${ADMIN_TOKEN}`);
  return { server, here };
}

test('the curl session of docs/assistants/plain-clients.md runs to the letter', async () => {
  const { here } = await startedService();
  const shell = openShell({ cwd: await services.folder(), env: { PATH: process.env['PATH'] } });
  onTestFinished(() => shell.close());
  const steps = readTranscript(here(page('plain-clients.md')));
  expect(steps.length).toBeGreaterThan(9);
  for (const { command, output } of steps) {
    const printed = await shell.run(command);
    if (output === '') expect(printed).toBe('');
    else expect(printed).toMatch(patternOf(output));
  }
});

test('the TypeScript program of docs/assistants/plain-clients.md runs as it is', async () => {
  const { server } = await startedService();
  const folder = await services.folder();
  const [, program] = /^```ts\n([^]*?)^```$/m.exec(page('plain-clients.md'))!;
  const file = path.join(folder, 'open-incidents.mts');
  await writeFile(file, program!);
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const env = { TOCSIN_URL: server.url, TOCSIN_TOKEN: ADMIN_TOKEN };
  const { code, stdout, stderr } = await run(process.execPath, [file], { env });
  expect(stderr).toBe('');
  expect(stdout).toMatch(
    /^\d+ tools, such as \w+\.\n\{"total":0,"monitors":\[\],"next_cursor":null\}\n$/,
  );
  expect(code).toBe(0);
  const refused = await run(process.execPath, [file], { env: { ...env, TOCSIN_TOKEN: 'wrong' } });
  expect(refused.code).toBe(1);
});

describe.each(readdirSync(PAGES))('docs/assistants/%s', (name) => {
  test('has configuration that is valid JSON', () => {
    for (const [, block] of page(name).matchAll(/^```json\n([^]*?)^```$/gm)) {
      expect(() => JSON.parse(block!) as unknown, block).not.toThrow();
    }
  });

  test('links to pages and headings that exist', () => {
    for (const [, target] of page(name).matchAll(/\]\(((?!https?:)[^)]+)\)/g)) {
      const [file, heading] = target!.split('#');
      const text = readFileSync(path.join(PAGES, file === '' ? name : file!), 'utf8');
      if (heading !== undefined) expect(headingsOf(text), target).toContain(heading);
    }
  });
});

/** Names of the headings of a page in links. */
function headingsOf(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
