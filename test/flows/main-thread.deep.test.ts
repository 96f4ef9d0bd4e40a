import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { openApi, type TestApi } from '../support/api.ts';
import { openInMemory } from '../support/memory-database.ts';
import { LEAST } from '../support/monitor-bodies.ts';
import { mainThreadMs } from '../support/main-thread.ts';
import { INPUT_PARSERS, type InputParser } from '../support/parsers.ts';

/** Longest time that requests keep the main thread from all else, in milliseconds of CPU. */
const LIMIT_MS = 50;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/**
 * Asks for all addresses at once, and for `/healthz` one time after the other until all are read; in threads, since clients are
 * not what is measured.
 */
const CLIENT = `
  const { parentPort } = require('node:worker_threads');
  const http = require('node:http');
  const agent = new http.Agent({ maxSockets: 64 });
  const get = ({ url, headers }) => new Promise((resolve, reject) => {
    http.get(url, { headers, agent }, (answer) => {
      answer.on('data', () => {}).on('end', () => resolve(answer.statusCode)).on('error', reject);
    }).on('error', reject);
  });
  parentPort.on('message', async (requests) => {
    const answers = await Promise.allSettled(requests.map(get));
    parentPort.postMessage(answers.map(({ value }) => value ?? 0));
  });
`;

function startClient() {
  const worker = new Worker(CLIENT, { eval: true });
  cleanups.push(() => worker.terminate());
  return async (requests: readonly object[]): Promise<number[]> => {
    const answered = once(worker, 'message');
    worker.postMessage(requests);
    return (await answered)[0] as number[];
  };
}

async function listening(api: TestApi) {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  cleanups.push(() => api.app.close());
  const { port } = api.app.server.address() as AddressInfo;
  const ask = startClient();
  const askHealth = startClient();
  const headers = { authorization: `Bearer ${api.alice.token}` };
  const base = `http://127.0.0.1:${port}`;
  return async (paths: readonly string[]) => {
    const state = { isOver: false };
    const all = ask(paths.map((path) => ({ url: base + path, headers })));
    const statuses = all.finally(() => (state.isOver = true));
    const health: number[] = [];
    while (!state.isOver) health.push(...(await askHealth([{ url: `${base}/healthz` }])));
    return { statuses: await statuses, health };
  };
}

/** A monitor with about 40 kB of settings. */
const large = (index: number) => ({
  ...LEAST.http,
  friendly_name: `Large ${index}`,
  http_method: 'POST',
  // A monitor with a secret is never cached.
  auth_type: 'basic',
  auth_username: 'tocsin',
  auth_password: 'secret',
  request_body: 'ä\n'.repeat(5_000),
  keyword_settings: {
    keywords: Array.from({ length: 10 }, () => ({ phrase: 'ä'.repeat(480), mode: 'must_contain' })),
  },
});

test.each(['/api/v1/monitors?per_page=100', '/api/v1/audit-log?per_page=100'])(
  'sixty lists at once keep nobody waiting: %s',
  async (path) => {
    const api = await openApi(await openInMemory());
    for (let page = 0; page < 10; page++) {
      const monitors = Array.from({ length: 20 }, (_, index) => large(20 * page + index));
      const { body } = await api.call(api.alice, 'POST', '/api/v1/monitors/bulk', { monitors });
      expect(body['created']).toBe(20);
    }
    const ask = await listening(api);
    const paths = Array.from({ length: 60 }, (_, index) => `${path}&x=${index}`);
    const longest = await mainThreadMs(async () => {
      const { statuses, health } = await ask(paths);
      expect(new Set([...statuses, ...health])).toEqual(new Set([200]));
    });
    expect(longest).toBeLessThan(LIMIT_MS);
  },
);

function* inputsOf({ pieces = [], length = 0, inputs = [] }: InputParser): Generator<string> {
  yield* inputs;
  for (const piece of pieces) {
    yield piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    // What opens again and again often costs most when it is never closed, or closed at the end.
    yield piece.repeat(Math.ceil(length / 2 / piece.length)) + ')]}"'.repeat(length / 8);
  }
}

test.each(INPUT_PARSERS.filter(({ feed }) => feed !== undefined))(
  'no input keeps the main thread: $input',
  async (parser) => {
    const slow: [string, number][] = [];
    for (const input of inputsOf(parser)) {
      const ms = await mainThreadMs(() => parser.feed!(input));
      if (ms > LIMIT_MS) slow.push([input.slice(0, 40), Math.round(ms)]);
    }
    expect(slow).toEqual([]);
  },
);

/** Bodies at the limits of JSON, as text. */
const BODIES: [string, string][] = [
  ['many values', `{"monitors":[${'1,'.repeat(99_000)}1]}`],
  ['many objects', `{"monitors":[${'{"url":1},'.repeat(33_000)}{}]}`],
  ['many names', `{${Array.from({ length: 49_000 }, (_, index) => `"n${index}":0`).join()}}`],
  ['many lists', `{"monitors":[${'[],'.repeat(49_000)}[]]}`],
  ['a long text', `{"url":"${'\\u0041'.repeat(170_000)}"}`],
  ['long names', `{"${'a'.repeat(500_000)}":1,"${'b'.repeat(500_000)}":2}`],
  ['deep lists', `{"monitors":${'[[[[[['.repeat(5)}${']]]]]]'.repeat(5)}}`],
  [
    'long settings',
    JSON.stringify({
      json_assertion_settings: {
        assertions: Array.from({ length: 9_000 }, () => ({
          path: 'a',
          operator: 'regex',
          value: '(?i)\\pL',
        })),
      },
    }),
  ],
];

test.each(BODIES)('no body keeps the main thread: %s', async (_what, body) => {
  const api = await openApi(await openInMemory());
  for (const path of [
    'monitors',
    'monitors/validate',
    'monitors/bulk',
    'status-pages',
    'maintenance-windows',
    'reports',
  ]) {
    const headers = {
      authorization: `Bearer ${api.alice.token}`,
      'content-type': 'application/json',
    };
    const send = () => api.app.inject({ method: 'POST', url: `/api/v1/${path}`, headers, body });
    expect([path, (await mainThreadMs(send)) < LIMIT_MS]).toEqual([path, true]);
  }
});
