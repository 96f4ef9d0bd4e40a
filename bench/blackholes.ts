import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { inChild } from './child.ts';
import { numberOption } from './options.ts';
import { family, memoryMiB, sumOf, withFolder, withService, type Service } from './process.ts';
import { atMost, exactly, none, report } from './report.ts';

/**
 * A large outage in which most targets hang and a few refuse connections, beside healthy ones, with default settings:
 * the time until each is offline, and the cost for the probe. `--hung=2000 --closed=5 --healthy=100`
 */
const DEFAULTS = { hung: 2_000, closed: 5, healthy: 100 };

const INTERVAL_S = 30;
/** The time limit is at most 90 % of the interval. */
const CHECK_S = 27;
const RECHECK_S = 10;
/** Batching of rounds, polling of the list once per second, and noise of a shared machine. */
const SLACK_S = 6;
const BOUND_S = INTERVAL_S + RECHECK_S + 2 * CHECK_S + SLACK_S;

/** Maximum number of addresses per /24, so that few networks seem to be affected. */
const PER_NETWORK = 250;

type Group = keyof typeof DEFAULTS;
const NETWORKS: Record<Group, string> = { hung: '127.66', closed: '127.77', healthy: '127.88' };

export async function run(options: string[]): Promise<void> {
  const counts: Record<Group, number> = {
    hung: numberOption(options, '--hung', DEFAULTS.hung),
    closed: numberOption(options, '--closed', DEFAULTS.closed),
    healthy: numberOption(options, '--healthy', DEFAULTS.healthy),
  };
  const { child, first } = inChild<Ports>(import.meta.url, ['targets']);
  const targets = { process: child, ...(await first) };
  await withFolder((folder) =>
    withService(folder, (service) => measure(counts, targets, service)),
  ).finally(() => targets.process.kill());
}

async function measure(counts: Record<Group, number>, targets: Targets, service: Service) {
  const all = counts.hung + counts.closed + counts.healthy;
  const down = counts.hung + counts.closed;
  for (const group of Object.keys(counts) as Group[]) {
    const port = group === 'closed' ? targets.closedPort : targets.port;
    await createAll(
      service,
      Array.from({ length: counts[group] }, (_, n) => urlOf(group, n, port)),
    );
  }
  while ((await countOf(service, 'online')) < all) await pause(1_000);
  const unknownBefore = await unknownVotes(service);
  targets.process.send('outage');
  const brokeAt = Date.now();
  let offline = 0;
  let probeMiB = 0;
  const reached = new Map<number, number>();
  while (offline < down && Date.now() - brokeAt < 2 * BOUND_S * 1_000) {
    await pause(1_000);
    offline = await countOf(service, 'offline');
    for (const share of [0.5, 0.99, 1]) {
      if (offline >= share * down && !reached.has(share)) reached.set(share, secondsSince(brokeAt));
    }
    probeMiB = Math.max(probeMiB, ...(await probeMemory(service.pid)));
  }
  // Healthy monitors are watched for one more interval.
  await pause(INTERVAL_S * 1_000);
  const healthyLost = all - down - (await countOf(service, 'online'));
  const last = reached.get(1) ?? Infinity;
  const late = await service.metric('tocsin_checks_late_total');
  const due = await service.metric('tocsin_checks_due_total');
  const { status } = (await (await service.get('/readyz')).json()) as { status: string };
  report(`blackholes, ${counts.hung} hung, ${counts.closed} closed, ${counts.healthy} healthy`, [
    exactly('offline', offline, down),
    { name: 'half of them after', value: reached.get(0.5) ?? Infinity, unit: 's' },
    { name: '99 % after', value: reached.get(0.99) ?? Infinity, unit: 's' },
    {
      ...atMost('all after', last, BOUND_S, 's'),
      target: `≤ ${BOUND_S} (interval + 10 s + two checks of 27 s + ${SLACK_S} s)`,
    },
    none('healthy ones not online', healthyLost),
    { name: 'memory of the probe, most', value: probeMiB, unit: 'MiB' },
    { name: 'unknown votes', value: (await unknownVotes(service)) - unknownBefore },
    { name: 'checks due', value: due },
    { name: 'checks late', value: late },
    { name: '/readyz', value: status },
  ]);
}

function urlOf(group: Group, index: number, port: number): string {
  const network = Math.floor(index / PER_NETWORK);
  return `http://${NETWORKS[group]}.${network}.${1 + (index % PER_NETWORK)}:${port}/`;
}

async function createAll(service: Service, urls: string[]): Promise<void> {
  const left = [...urls];
  const createSome = async (): Promise<void> => {
    for (let url = left.pop(); url !== undefined; url = left.pop()) {
      const body = { monitor_type: 'http', url, check_interval: INTERVAL_S / 60 };
      await service.create('/api/v1/monitors', body);
    }
  };
  await Promise.all(Array.from({ length: 16 }, createSome));
}

async function countOf(service: Service, status: string): Promise<number> {
  const answer = await service.get(`/api/v1/monitors?status=${status}&per_page=1`);
  return ((await answer.json()) as { total: number }).total;
}

async function unknownVotes(service: Service): Promise<number> {
  return sumOf(await service.metricsText(), 'tocsin_checks_total', 'vote="unknown"');
}

async function probeMemory(pid: number): Promise<number[]> {
  const [, ...children] = await family(pid);
  return Promise.all(children.map((child) => memoryMiB(child).catch(() => 0)));
}

function secondsSince(at: number): number {
  return Math.round((Date.now() - at) / 100) / 10;
}

interface Ports {
  port: number;
  closedPort: number;
}

type Targets = Ports & { process: ChildProcess };

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';

/**
 * All loopback addresses at two ports. During the outage one port closes, and the hung addresses accept and never
 * respond.
 */
async function serveTargets(): Promise<void> {
  let isOutage = false;
  const listen = async (): Promise<Server> => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      const isHung = () => isOutage && socket.localAddress?.startsWith(NETWORKS.hung) === true;
      socket.on('data', () => isHung() || socket.end(ANSWER));
    });
    server.listen({ port: 0, host: '0.0.0.0', backlog: 4_096 });
    await once(server, 'listening');
    return server;
  };
  const [server, closing] = await Promise.all([listen(), listen()]);
  process.on('message', () => {
    isOutage = true;
    closing.close();
  });
  process.send!({ port: portOf(server), closedPort: portOf(closing) });
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

if (process.argv[2] === 'targets') await serveTargets();
