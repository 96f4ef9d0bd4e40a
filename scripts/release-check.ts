/** Installs the package for npm into an empty folder, starts it, and uses what runs in programs and threads of their own. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const DEADLINE_MS = 60_000;

/**
 * Checks the package in `file`, in an empty folder.
 *
 * @throws an Error that says what did not work.
 */
export async function checkPackage(file: string, folder: string): Promise<void> {
  const home = path.join(folder, 'installed');
  mkdirSync(home);
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: home, encoding: 'utf8' });
  writeFileSync(path.join(home, 'package.json'), '{}');
  npm('install', '--omit=dev', '--no-audit', '--no-fund', file);
  console.log(
    `Installed: ${execFileSync('du', ['-sm', 'node_modules'], { cwd: home, encoding: 'utf8' }).split('\t')[0]} MB`,
  );
  const env = { ...process.env, DATA_DIR: path.join(home, 'data'), HOST: '127.0.0.1', PORT: '0' };
  // A group of processes: npx ends without ending what it started.
  const child = spawn('npx', ['--no-install', 'tocsin'], {
    cwd: home,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const url = await listening(child.stdout);
    const get = (where: string, init?: RequestInit) => answerOf(url, where, init);
    await get('/healthz');
    const script = /<script type="module" src="([^"]+)"/.exec(
      await get('/', { headers: { accept: 'text/html' } }),
    );
    await get(script![1]!);
    await get('/docs', { headers: { accept: 'text/html' } });
    const note = readFileSync(path.join(env.DATA_DIR, 'first-start.txt'), 'utf8');
    const headers = {
      authorization: `Bearer ${/tocsin_[A-Za-z0-9]+/.exec(note)![0]}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({
      url: `${url}/docs`,
      friendly_name: 'Tocsin',
      check_interval: 1,
      keyword_settings: { keywords: [{ phrase: 'Tocsin', mode: 'must_contain' }] },
    });
    const created = await get('/api/v1/monitors', { method: 'POST', headers, body });
    const { id } = JSON.parse(created) as { id: number };
    const until = Date.now() + DEADLINE_MS;
    let shown = '';
    while (!shown.includes('"status":"online"') && Date.now() < until) {
      await wait(500);
      shown = await get(`/api/v1/monitors/${id}`, { headers });
    }
    if (!shown.includes('"status":"online"')) throw new Error(`The monitor is not up: ${shown}`);
    const people = execFileSync('npx', ['--no-install', 'tocsin', 'user', 'list'], {
      cwd: home,
      env,
      encoding: 'utf8',
    });
    if (!people.includes('owner')) throw new Error(`tocsin user list printed: ${people}`);
    console.log('It starts, checks, shows its dashboard and takes commands.');
  } finally {
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
  }
}

async function listening(output: NodeJS.ReadableStream): Promise<string> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const lines = createInterface({ input: output, signal });
  for await (const line of lines) {
    const [, url] = /"url":"([^"]+)".*"Tocsin is listening\."/.exec(line) ?? [];
    if (url !== undefined) {
      output.resume();
      return url;
    }
  }
  throw new Error('Tocsin did not start: see its log above.');
}

/** The text of an answer. @throws an Error for any but 2xx. */
async function answerOf(url: string, where: string, init?: RequestInit): Promise<string> {
  const answer = await fetch(new URL(where, url), {
    ...init,
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${where} answered ${answer.status}: ${text.slice(0, 1_000)}`);
  return text;
}
