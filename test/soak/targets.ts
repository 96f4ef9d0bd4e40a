import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../simulation/random.ts';
import { addRecord } from './judge/records.ts';

/** Targets of all monitors, each with a path of its own and spells of being down. */
export interface Targets {
  url(index: number): string;
  /** Number of requests so far for that path. */
  requests(index: number): number;
  /** Names the monitor that looks at a path; from then on its requests are recorded. */
  watch(index: number, monitor: { id: number; intervalMs: number }): void;
  /** Lets targets go down from now on. */
  begin(): void;
  /** Ends all spells: from now on every target is up. */
  settle(): void;
  close(): Promise<void>;
}

interface Target {
  monitor: { id: number; intervalMs: number } | null;
  requests: number;
  downSince: number | null;
  timer: NodeJS.Timeout | null;
}

/** One in this many targets is never down, so that what the service makes up would show. */
const ALWAYS_UP = 4;
/** Below this a spell is rarely noticed; the longest ones are by every rule. */
const SHORTEST_DOWN_MS = 3_000;
/** What a good round, and the next bad one, take at most, beyond the interval: two spells must not look like one. */
const APART_MS = 45_000;

export async function startTargets(
  folder: string,
  count: number,
  random: Random,
  host: string,
): Promise<Targets> {
  const targets: Target[] = Array.from({ length: count }, () => ({
    monitor: null,
    requests: 0,
    downSince: null,
    timer: null,
  }));

  const server = createServer((request, response) => {
    const target = targets[Number(request.url?.slice(1))];
    if (target === undefined) return void response.writeHead(404).end();
    const up = target.downSince === null;
    target.requests += 1;
    if (target.monitor !== null) {
      addRecord(folder, 'requests', { monitor: target.monitor.id, at: Date.now(), up });
    }
    response.writeHead(up ? 200 : 503).end(up ? 'It works.\n' : 'It is broken.\n');
  });
  server.keepAliveTimeout = 1_000;
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const later = (target: Target, inMs: number, call: () => void) => {
    target.timer = setTimeout(call, inMs);
  };
  const stayUp = (target: Target) => {
    const { intervalMs } = target.monitor!;
    later(target, intervalMs + APART_MS + random.integer(0, 60_000), () => goDown(target));
  };
  const goDown = (target: Target) => {
    target.downSince = Date.now();
    const longest = 2 * target.monitor!.intervalMs + 60_000;
    later(target, random.integer(SHORTEST_DOWN_MS, longest), () => {
      comeUp(target);
      stayUp(target);
    });
  };
  const comeUp = (target: Target) => {
    const { monitor, downSince } = target;
    if (downSince === null) return;
    addRecord(folder, 'outages', { monitor: monitor!.id, from: downSince, to: Date.now() });
    target.downSince = null;
  };

  return {
    url: (index) => `http://${host}:${port}/${index}`,
    requests: (index) => targets[index]!.requests,
    watch: (index, monitor) => void (targets[index]!.monitor = monitor),
    begin() {
      for (const [index, target] of targets.entries()) {
        if (index % ALWAYS_UP === 0) continue;
        later(target, random.integer(0, 60_000), () => goDown(target));
      }
    },
    settle() {
      for (const target of targets) {
        clearTimeout(target.timer ?? undefined);
        comeUp(target);
      }
    },
    async close() {
      for (const target of targets) clearTimeout(target.timer ?? undefined);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
