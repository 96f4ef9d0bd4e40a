import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { SECTIONS } from '../../src/configuration/document.ts';
import { readConfiguration } from '../../src/configuration/files.ts';
import { openApi } from '../support/api.ts';
import { freshDirectory } from '../support/directories.ts';
import { openInMemory } from '../support/memory-database.ts';
import { example } from '../support/snippets.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOCSIN = `${process.execPath} ${path.join(ROOT, 'src/tocsin.js')}`;
const FOLDER = path.join(ROOT, 'examples/configuration');
const EMPTY_PLAN = { changes: [], drift: [], kept: [], left_alone: {}, warnings: [] };
const CHANGE = { action: 'create', section: 'monitors', key: 'a', name: 'A', fields: [] };

async function workingFolder() {
  const fresh = await freshDirectory();
  onTestFinished(fresh.remove);
  await mkdir(path.join(fresh.place, 'tocsin'));
  await writeFile(path.join(fresh.place, 'tocsin/a.yaml'), 'name: x\nmonitors: [{key: a}]\n');
  return fresh.place;
}

/** A server that answers each request with this plan, and what it was asked. */
async function startServer(changes: object[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...EMPTY_PLAN, fingerprint: 'f', changes }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function shell(script: string, cwd: string, environment: Record<string, string>) {
  const env = { PATH: `${cwd}/bin:${process.env['PATH']}`, TOCSIN_TOKEN: 'secret', ...environment };
  const child = spawn('sh', ['-e', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, out, error };
}

test('the example has each section, and can be applied', async () => {
  const folder = await workingFolder();
  const file = path.join(folder, 'tocsin.yaml');
  await copyFile(path.join(FOLDER, 'tocsin.yaml'), file);
  await mkdir(path.join(folder, 'secrets'));
  await writeFile(path.join(folder, 'secrets/ntfy-topic'), 'shop-x7Qm2Lr9\n');
  const environment = {
    PAYMENT_API_TOKEN: 'secret-token',
    CHAT_OPS_URL: 'https://hooks.example.com/tocsin/7Hq2',
  };
  const loaded = await readConfiguration([file], { environment });
  if ('errors' in loaded) throw new Error(JSON.stringify(loaded.errors));
  expect(Object.keys(loaded.document)).toEqual(['name', ...SECTIONS]);
  const api = await openApi(await openInMemory());
  const body = { document: loaded.document };
  const applied = await api.configuration.apply('ours', body, null);
  expect(applied).toMatchObject({ is_empty: false });
  expect(await api.configuration.plan('ours', body)).toMatchObject({ changes: [], drift: [] });
});

describe.each([
  ['a plan with a change', [CHANGE], '+ monitors a'],
  ['an empty plan', [], 'Nothing to do.'],
])('the pipelines pass with %s', (_title, changes, line) => {
  test('GitHub Actions', async () => {
    const { jobs } = parse(example('configuration/github-actions.yaml')) as {
      jobs: Record<string, { steps: { name?: string; run: string }[] }>;
    };
    const runOf = (job: string, name: string) =>
      jobs[job]!.steps.find((step) => step.name === name)!.run;
    const folder = await workingFolder();
    const { url, asked } = await startServer(changes);
    const given = { TOCSIN, TOCSIN_URL: url, NUMBER: '7', GITHUB_REPOSITORY: 'a/b' };
    await mkdir(path.join(folder, 'bin'));
    await writeFile(path.join(folder, 'bin/gh'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    expect(await shell(runOf('plan', 'Plan'), folder, given)).toMatchObject({ code: 0 });
    const { out } = await shell(runOf('plan', 'Comment'), folder, given);
    expect(out).toMatch(/^pr comment 7 --repo a\/b .*--body-file comment.md\n$/);
    const comment = await readFile(path.join(folder, 'comment.md'), 'utf8');
    expect(comment).toContain(`~~~~~~diff\n${line}`);
    expect(comment).toMatch(/\n~~~~~~\n$/);
    expect(await shell(runOf('apply', 'Apply'), folder, given)).toMatchObject({ code: 0 });
    const api = '/api/v1/configuration';
    const applied = changes.length > 0 ? [`${api}/apply Bearer secret`] : [];
    expect(asked.slice(2)).toEqual(applied);
    expect(asked[0]).toBe(`${api}/plan Bearer secret`);
  });

  test('GitLab CI', async () => {
    const jobs = parse(example('configuration/gitlab-ci.yaml')) as Record<
      string,
      { script: string[] }
    >;
    const folder = await workingFolder();
    await mkdir(path.join(folder, 'bin'));
    const command = `#!/bin/sh\nexec ${TOCSIN} "$@"\n`;
    await writeFile(path.join(folder, 'bin/tocsin'), command, { mode: 0o755 });
    const { url } = await startServer(changes);
    const scriptOf = (job: string) => jobs[job]!.script.join('\n');
    const planned = await shell(scriptOf('plan'), folder, { TOCSIN_URL: url });
    expect(planned).toMatchObject({ code: 0, out: expect.stringContaining(line) as string });
    expect(await shell(scriptOf('apply'), folder, { TOCSIN_URL: url })).toMatchObject({ code: 0 });
  });
});

test('a pipeline fails where the plan is refused', async () => {
  const jobs = parse(example('configuration/gitlab-ci.yaml')) as Record<
    string,
    { script: string[] }
  >;
  const folder = await workingFolder();
  await mkdir(path.join(folder, 'bin'));
  await writeFile(path.join(folder, 'bin/tocsin'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  expect((await shell(jobs['plan']!.script.join('\n'), folder, {})).code).toBe(1);
});

test.skipIf(spawnSync('git', ['--version']).status !== 0)(
  'the hook refuses what is staged and can not be read',
  async () => {
    const folder = await workingFolder();
    const hook = path.join(FOLDER, 'pre-commit');
    const git = (line: string) => shell(`git ${line}`, folder, {});
    await git('init -q');
    const run = () => shell(hook, folder, { TOCSIN });
    // Nothing is staged.
    expect(await run()).toMatchObject({ code: 0, out: '' });
    await git('add tocsin');
    expect(await run()).toMatchObject({ code: 0, out: 'The set x can be read: monitors (1).\n' });
    await writeFile(path.join(folder, 'tocsin/a.yaml'), 'name: x\nmonitors: [{}]\n');
    // What is not staged is not committed.
    expect(await run()).toMatchObject({ code: 0 });
    await git('add tocsin');
    expect(await run()).toMatchObject({
      code: 1,
      error:
        'tocsin/a.yaml:2:12: The item has no key. Write "key:" with a name that stays, such as "key: website".\n',
    });
  },
);

test('the hook may be executed', () => {
  expect(readFileSync(path.join(FOLDER, 'pre-commit'), 'utf8')).toMatch(/^#!\/bin\/sh\n/);
  expect(spawnSync('test', ['-x', path.join(FOLDER, 'pre-commit')]).status).toBe(0);
});
