import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { numberOption } from './options.ts';
import { REGIONS } from './preload.ts';
import type { Service } from './process.ts';
import { ms, percentile, report, type Figure } from './report.ts';
import { startMembers, stopMembers } from './scale-fleet.ts';
import type { Layout } from './scale-layouts.ts';
import { withServers } from './scale-servers.ts';

const LAYOUT: Layout = {
  about: 'two of the API, and one of each other role, over NATS',
  processes: [
    { kind: 'api', count: 2 },
    { kind: 'scheduler', count: 1 },
    { kind: 'worker', count: 1 },
    { kind: 'probe', count: 1, regions: REGIONS },
  ],
};
/** A changed token or session may stay effective for 3 s; a look takes a little. */
const REVOKED_WITHIN_MS = 3_100;
const GIVE_UP_MS = 30_000;
/** Time for a monitor to settle before it is edited. */
const SETTLED_MS = 1_500;
const LOOK_EVERY_MS = 10;

/** How long after its answer a process has done something, another process notices it; each measured `--times=N` (40). */
export async function run(options: string[]): Promise<void> {
  const times = numberOption(options, '--times', 40);
  await withServers({}, async ({ place }) => {
    const members = await startMembers(LAYOUT, place);
    const target = await startTarget();
    try {
      const [here, there] = members.flatMap(({ kind, service }) =>
        kind === 'api' ? [service] : [],
      ) as [Service, Service];
      report(`notice, ${times} times`, await measure({ here, there, target, times }));
    } finally {
      target.stop();
      await stopMembers(members);
    }
  });
}

interface Measured {
  /** Two processes of the API. */
  here: Service;
  there: Service;
  target: NoticeTarget;
  times: number;
}

async function measure({ here, there, target, times }: Measured): Promise<Figure[]> {
  const stream = await openStream(there);
  const [created, edited, inStream, revoked]: number[][] = [[], [], [], []];
  for (let index = 0; index < times; index += 1) {
    const monitor = await createMonitor(here, target.url(`/new-${index}`));
    const { answeredAt } = monitor;
    inStream!.push((await stream.seen(monitor.id)) - answeredAt);
    created!.push((await target.seen(`/new-${index}`)) - answeredAt);
    await pause(SETTLED_MS);
    const change = { url: target.url(`/edited-${index}`) };
    const editedAt = await answered(here, 'PUT', `/api/v1/monitors/${monitor.id}`, change);
    edited!.push((await target.seen(`/edited-${index}`)) - editedAt);
    revoked!.push(await untilRevoked(here, there));
  }
  stream.close();
  return [
    ...figures('a monitor is created: its event elsewhere', inStream!),
    ...figures('a monitor is created: its first check', created!),
    ...figures('the url of a monitor is changed: its next check', edited!),
    ...figures('a token is revoked: refused elsewhere', revoked!, REVOKED_WITHIN_MS),
  ];
}

function figures(name: string, milliseconds: readonly number[], most?: number): Figure[] {
  return [
    ms(`${name}, median`, percentile(milliseconds, 0.5)),
    ms('  longest', percentile(milliseconds, 1), most),
  ];
}

async function createMonitor(service: Service, url: string) {
  const body = { monitor_type: 'http', url, friendly_name: url, check_interval: 5 };
  const { id } = await service.create('/api/v1/monitors', body);
  return { id, answeredAt: performance.now() };
}

/** Sends a request, and says when its answer came. */
async function answered(
  service: Service,
  method: 'PUT' | 'DELETE',
  route: string,
  body: object | null = null,
): Promise<number> {
  const response = await service.send(method, route, body);
  if (!response.ok) throw new Error(`${method} ${route}: ${await response.text()}`);
  return performance.now();
}

/** Milliseconds for which a token that one process revoked is still accepted by another one, which has just used it. */
async function untilRevoked(here: Service, there: Service): Promise<number> {
  const response = await here.post('/api/v1/tokens', { name: 'notice', permissions: ['read'] });
  const { id, token } = (await response.json()) as { id: number; token: string };
  const headers = { authorization: `Bearer ${token}` };
  const isAccepted = async () => (await fetch(`${there.url}/api/v1/monitors`, { headers })).ok;
  if (!(await isAccepted())) throw new Error('A new token is refused.');
  const revokedAt = await answered(here, 'DELETE', `/api/v1/tokens/${id}`);
  while (await isAccepted()) {
    if (performance.now() - revokedAt > GIVE_UP_MS) throw new Error('The token stays accepted.');
    await pause(LOOK_EVERY_MS);
  }
  return performance.now() - revokedAt;
}

/** Keeps when each key was seen first. */
function createSightings<Key>() {
  const at = new Map<Key, number>();
  return {
    add(key: Key): void {
      if (!at.has(key)) at.set(key, performance.now());
    },
    async of(key: Key): Promise<number> {
      const begun = performance.now();
      for (;;) {
        const found = at.get(key);
        if (found !== undefined) return found;
        if (performance.now() - begun > GIVE_UP_MS) throw new Error(`${String(key)} is not seen.`);
        await pause(1);
      }
    },
  };
}

interface NoticeTarget {
  url(path: string): string;
  /** When the first request of that path came. */
  seen(path: string): Promise<number>;
  stop(): void;
}

async function startTarget(): Promise<NoticeTarget> {
  const sightings = createSightings<string>();
  const server = createServer((request, response) => {
    sightings.add(request.url ?? '');
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    seen: sightings.of,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The live events of a process. */
async function openStream(
  service: Service,
): Promise<{ seen(monitorId: number): Promise<number>; close(): void }> {
  const sightings = createSightings<number>();
  const closing = new AbortController();
  const response = await service.get('/api/v1/events', closing.signal);
  void (async () => {
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + part).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const data = /^event: monitor\ndata: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) sightings.add((JSON.parse(data) as { id: number }).id);
      }
    }
  })().catch(() => {});
  return { seen: sightings.of, close: () => closing.abort() };
}
