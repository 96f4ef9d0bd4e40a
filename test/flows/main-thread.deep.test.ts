import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { openApi, type TestApi } from '../support/api.ts';
import { openInMemory } from '../support/memory-database.ts';
import { LEAST } from '../support/monitor-bodies.ts';
import { mainThreadMs } from '../support/main-thread.ts';

/** Longest time that requests keep the main thread from all else, in milliseconds of CPU. */
const LIMIT_MS = 50;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Answers, once all are read, how many came with 200; in a thread, since clients are not what is measured. */
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

async function listening(api: TestApi) {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as AddressInfo;
  const client = new Worker(CLIENT, { eval: true });
  cleanups.push(
    () => client.terminate(),
    () => api.app.close(),
  );
  const headers = { authorization: `Bearer ${api.alice.token}` };
  return async (paths: readonly string[]): Promise<number[]> => {
    const answered = once(client, 'message');
    client.postMessage(paths.map((path) => ({ url: `http://127.0.0.1:${port}${path}`, headers })));
    return (await answered)[0] as number[];
  };
}

/** A monitor with about 40 kB of settings. */
const large = (index: number) => ({
  ...LEAST.http,
  friendly_name: `Large ${index}`,
  http_method: 'POST',
  request_body: 'ä\n'.repeat(5_000),
  keyword_settings: {
    keywords: Array.from({ length: 10 }, () => ({ phrase: 'ä'.repeat(480), mode: 'must_contain' })),
  },
});

test('sixty lists of megabytes at once keep nobody waiting', async () => {
  const api = await openApi(await openInMemory());
  for (let page = 0; page < 10; page++) {
    const monitors = Array.from({ length: 20 }, (_, index) => large(20 * page + index));
    const created = await api.call(api.alice, 'POST', '/api/v1/monitors/bulk', { monitors });
    expect(created.body['created'], created.text.slice(0, 900)).toBe(20);
  }
  const size = (await api.call(api.alice, 'GET', '/api/v1/monitors?per_page=100')).text.length;
  expect(size).toBeGreaterThan(1_500_000);
  const ask = await listening(api);
  const paths = Array.from(
    { length: 60 },
    (_, index) => `/api/v1/monitors?per_page=100&page=${1 + (index % 2)}&x=${index}`,
  );
  const longest = await mainThreadMs(async () => {
    const statuses = await ask(paths);
    // Some are refused where so much is left unread.
    expect(statuses.filter((status) => ![200, 429, 0].includes(status))).toEqual([]);
  });
  expect(longest).toBeLessThan(LIMIT_MS);
});
