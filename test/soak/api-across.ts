import { sleep, systemClock } from '../../src/lib/clock.ts';

const READ = [
  'monitors',
  'monitors/overview',
  'incidents',
  'attention',
  'uptime-summary?range=24h',
  'regions',
  'webhook-endpoints',
  'groups',
];
/** A process may answer from memory for this time what another one has changed. */
const SEEN_WITHIN_MS = 5_000;
const AGAIN_MS = 100;

interface Api {
  urls: readonly string[];
  token: string;
}

/**
 * Asks every process of the API for what people look at, and sees at each what was changed at each of them.
 *
 * @throws for an answer that is none, or an edit that another process does not see.
 */
export async function requireAnswers(api: Api, monitor: number): Promise<void> {
  for (const url of api.urls) {
    const paths = [...READ, `monitors/${monitor}`, `monitors/${monitor}/uptime`];
    for (const path of paths) await ask(api, url, path);
  }
  for (const url of api.urls) {
    const name = `Renamed at ${new Date().toISOString()} on ${url}`;
    await ask(api, url, `monitors/${monitor}`, { friendly_name: name });
    for (const other of api.urls) await untilSeen(api, other, monitor, name);
  }
}

async function untilSeen(api: Api, url: string, monitor: number, name: string): Promise<void> {
  const deadline = performance.now() + SEEN_WITHIN_MS;
  for (;;) {
    const { friendly_name } = (await ask(api, url, `monitors/${monitor}`)) as Monitor;
    if (friendly_name === name) return;
    if (performance.now() > deadline) throw new Error(`${url} does not see "${name}".`);
    await sleep(systemClock, AGAIN_MS);
  }
}

interface Monitor {
  friendly_name: string;
}

async function ask({ token }: Api, url: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
