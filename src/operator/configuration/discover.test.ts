import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedAfterEach } from '../../../test/support/closing.ts';
import { freshDirectory } from '../../../test/support/directories.ts';
import { waitUntil } from '../../../test/support/event-loop.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { Answer, startStreamingApi } from '../../../test/support/streaming-api.ts';
import type { LocalContext } from '../command.ts';
import { runCommandLine } from '../run.ts';

const open = closedAfterEach<() => unknown>();

/** Docker with one container, and a server that takes every set. */
async function start() {
  const { place: folder, remove } = await freshDirectory();
  open.push(remove);
  const socket = path.join(folder, 'docker.sock');
  const labels: Record<string, string> = { 'tocsin.monitor.url': 'https://web.example.com' };
  const docker = await startStreamingApi(
    ({ pathname }) => {
      if (pathname === '/events') return 'stream';
      if (pathname !== '/containers/json') return new Answer(404, { message: 'page not found' });
      return [{ Id: 'abc', Names: ['/web'], Created: 1, Labels: labels }];
    },
    { socket },
  );
  const asked: { path: string; body: unknown; headers: object }[] = [];
  /** Errors of the next plan. */
  const refusals: Record<string, string[]>[] = [];
  const server = await startStreamingApi((url, response, request) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { pathname } = url;
      const { authorization, 'if-match': ifMatch } = request.headers;
      const body: unknown = text === '' ? null : JSON.parse(text);
      asked.push({ path: pathname, body, headers: { authorization, ifMatch } });
      const answer = pathname.endsWith('/items')
        ? { total: 0, data: [] }
        : { is_empty: false, fingerprint: 'f1', changes: [{}] };
      const errors = pathname.endsWith('/plan') ? refusals.shift() : undefined;
      response
        .writeHead(errors === undefined ? 200 : 422, { 'content-type': 'application/json' })
        .end(JSON.stringify(errors === undefined ? answer : { errors }));
    })();
    return null;
  });
  open.push(
    () => docker.close(),
    () => server.close(),
  );
  const clock = createFakeClock();
  const ran = { out: '', err: '', code: null as number | null };
  const interruption = Promise.withResolvers<void>();
  async function run(line: string, environment: Record<string, string> = {}) {
    ran.code = await runCommandLine(line.replaceAll('@', folder).split(' '), {
      version: '1.2.3',
      settings: async () => ({ dataDir: folder, databaseUrl: null }) as LocalContext,
      sources: async () => ({
        dockerHost: `unix://${socket}`,
        dockerCertPath: null,
        kubeconfig: path.join(folder, 'kubeconfig'),
        kubernetesServiceHost: null,
        kubernetesServicePort: 443,
        defaultCheckInterval: 5,
      }),
      openDatabase: () => Promise.reject(new Error('No command opens it.')),
      write: async (text) => void (ran.out += text.replaceAll(folder, '@')),
      writeError: async (text) => void (ran.err += `${text.replaceAll(folder, '@')}\n`),
      readInput: async () => '',
      environment,
      now: clock.now,
      clock,
      isInteractive: false,
      hasColors: false,
      ask: async () => '',
      interrupted: () => interruption.promise,
    });
    return ran;
  }
  return { run, ran, asked, refusals, labels, folder, server, interrupt: interruption.resolve };
}

const SET = `name: docker

groups: []

monitors:
  - key: web
    friendly_name: web
    check_interval: 5
    monitor_type: http
    url: https://web.example.com
`;

describe('discover --once', () => {
  test('prints the set, and warnings beside it', async () => {
    const { run, labels } = await start();
    labels['tocsin.monitor.bad.url'] = 'nowhere';
    const { out, err, code } = await run('discover docker --once');
    expect(code).toBe(0);
    expect(out).toBe(SET);
    expect(err).toBe(
      'Warning: Container web: tocsin.monitor.bad.url must be an absolute http or https URL, such as https://example.com.\n',
    );
  });

  test('writes the set to a file, which it does not replace', async () => {
    const { run, folder, ran } = await start();
    await run('discover docker --once --name web-1 --out @/set.yaml');
    expect(ran.out).toBe('Wrote 1 monitor to @/set.yaml.\n');
    expect(readFileSync(path.join(folder, 'set.yaml'), 'utf8')).toBe(
      SET.replace('name: docker', 'name: web-1'),
    );
    expect((await run('discover docker --once --out @/set.yaml')).err).toBe(
      '@/set.yaml exists already: choose another name, or add --force.\n',
    );
    expect((await run('discover docker --once --out @/set.yaml --force')).code).toBe(0);
  });

  test.each([
    ['discover podman', 'Give one of docker, kubernetes.'],
    ['discover docker --name Web', '--name must be lower-case letters, digits and hyphens.'],
    ['discover docker --out @/x', '--out needs --once: what is followed is applied, not written.'],
    ['discover docker --keep-hours soon', '--keep-hours must be a whole number from 0 to 99999.'],
    ['discover kubernetes --once', "@/kubeconfig of KUBECONFIG can't be read (ENOENT)."],
  ])('%s is refused', async (line, message) => {
    const { run, folder } = await start();
    const { err, code } = await run(line);
    expect(code).toBe(1);
    expect(err.startsWith(message)).toBe(true);
    expect(existsSync(path.join(folder, 'x'))).toBe(false);
  });
});

test('discover waits for a server that does not run yet, until it is ended', async () => {
  const { run, ran, interrupt } = await start();
  const running = run('discover docker');
  await waitUntil(() => ran.err.includes('could not be applied. No server runs'));
  interrupt();
  expect((await running).code).toBe(0);
});

test('discover follows, and applies the plan of the set at a server', async () => {
  const { run, ran, asked, server, interrupt } = await start();
  const url = `http://127.0.0.1:${server.port}`;
  const running = run(`discover docker --url ${url} --max-deletions 3 --delete-history`, {
    TOCSIN_TOKEN: 'abc',
  });
  await waitUntil(() => ran.err.includes('was applied'));
  interrupt();
  await running;
  expect(ran.code).toBe(0);
  expect(asked.map((one) => one.path)).toEqual([
    '/api/v1/configuration/items',
    '/api/v1/configuration/items',
    '/api/v1/configuration/plan',
    '/api/v1/configuration/apply',
  ]);
  const [, , plan, applied] = asked;
  expect(applied).toMatchObject({
    body: {
      document: { name: 'docker', monitors: [{ key: 'web', check_interval: 5 }] },
      prune: true,
      max_deletions: 3,
      delete_history: true,
    },
    headers: { authorization: 'Bearer abc', ifMatch: '"f1"' },
  });
  expect(plan!.body).toEqual(applied!.body);
});

test('discover names what a server refuses by its key', async () => {
  const { run, ran, refusals, server, interrupt } = await start();
  refusals.push({ 'monitors.0.url': ['monitors.0.url must be public.'] });
  const url = `http://127.0.0.1:${server.port}`;
  const running = run(`discover docker --url ${url}`, { TOCSIN_TOKEN: 'abc' });
  await waitUntil(() => ran.err.includes('was applied'));
  interrupt();
  await running;
  expect(ran.err).toContain('A discovered item is refused. web monitors.0.url must be public.\n');
});
