import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createBodyMemory } from '../src/api/body-memory.ts';
import { createPingRoute } from '../src/api/ping-route.ts';
import { createIngest } from '../src/engine/heartbeat/ingest.ts';
import {
  createClientKeys,
  createUncountedRateLimits,
  type Limits,
} from '../src/identity/rate-limits.ts';
import { systemClock as clock } from '../src/lib/clock.ts';
import { silentLog } from '../src/lib/log.ts';
import { openDatabase } from '../src/store/database/database.ts';
import { inChild, serveParent } from './child.ts';

/**
 * A server for pings only, in a separate process: the service's route, ingest and store with another number of pings
 * per commit, or `bare`: the same response by node:http, which stores nothing.
 */
export type PingServerKind = { dataDir: string; maxBatch: number } | 'bare';

export async function startPingServer(kind: PingServerKind) {
  const { child, first } = inChild<number>(import.meta.url, ['ping-server', JSON.stringify(kind)], {
    execArgv: ['--max-semi-space-size=32'],
  });
  return {
    port: await first,
    pid: child.pid!,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function pingRoute({ dataDir, maxBatch }: Exclude<PingServerKind, 'bare'>) {
  const database = await openDatabase({ engine: 'sqlite', directory: dataDir });
  const pings = createIngest({ database, clock, limit: null, maxBatch });
  // The route asks for no other budget.
  const limits = { ping: 120 } as Limits;
  const rateLimits = createUncountedRateLimits({ limits, clock });
  const clientKeys = createClientKeys('a key for benchmarks');
  const deps = {
    pings,
    rateLimits,
    clientKeys,
    clock,
    trustProxy: false,
    log: silentLog,
    bodyMemory: createBodyMemory(clock),
  };
  const { handle } = createPingRoute({ ...deps, newRequestId: randomUUID });
  const listener: RequestListener = (request, response) => handle(request, response, null);
  return listener;
}

const bareRoute: RequestListener = (request, response) => {
  const answer = () => {
    const text = '{"success":true,"message":"The ping was recorded: the job went well."}';
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'x-request-id': randomUUID(),
      'x-ratelimit-limit': '120',
      'x-ratelimit-remaining': '120',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 60),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(text);
  };
  if (request.method === 'GET') answer();
  else request.on('data', () => {}).on('end', answer);
};

if (process.argv[2] === 'ping-server') {
  const kind = JSON.parse(process.argv[3]!) as PingServerKind;
  serveParent(createServer(kind === 'bare' ? bareRoute : await pingRoute(kind)));
}
