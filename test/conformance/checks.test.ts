import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalBus, type LocalBus } from '../../src/engine/bus/local.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { REGIONS } from '../support/rounds.ts';
import {
  client,
  expectStatus,
  freshApi,
  type Answer,
  type Client,
  type Json,
} from '../support/client.ts';

// What a manual check answers of a real target, looked at by a real probe.

interface Arrival {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

let bus: LocalBus;
let calls: Client;
let target: string;
let secureTarget: string;
const servers: Server[] = [];
const arrivals: Arrival[] = [];
/** Bytes of `/endless` that went out, or wait to. */
let poured = 0;

const certificate = (name: string) =>
  readFileSync(new URL(`../support/certificates/${name}.pem`, import.meta.url));

/** Writes until nobody reads any more. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, 'x');
  const more = () => {
    while (!response.destroyed && response.write(chunk)) poured += chunk.length;
  };
  response.on('drain', more);
  more();
}

/** `/status/503`, `/hops/3` (so many redirects before 200), `/hang`, `/endless`, `/cut`, `/error-page`, `/shop` and so on; else 200. */
const answer: RequestListener = async (request, response) => {
  const body = await text(request);
  arrivals.push({ method: request.method, url: request.url, headers: request.headers, body });
  const [, what, number] = request.url!.split('/');
  if (what === 'hang') return;
  if (what === 'endless') return pour(response);
  if (what === 'cut') {
    response.writeHead(200, { 'content-length': '100' }).write('short');
    setImmediate(() => response.destroy());
  } else if (what === 'error-page') {
    response.end('<h1>Error establishing a database connection</h1>');
  } else if (what === 'metadata') {
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
  } else if (what === 'shop') {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<h1>Welcome</h1><script>fatal()</script>');
  } else if (what === 'health') {
    response.end('{"status":"ok","queue":{"length":7}}');
  } else if (what === 'hops' && number !== '0') {
    response.writeHead(302, { location: `/hops/${Number(number) - 1}` }).end();
  } else if (what === 'status') {
    response.writeHead(Number(number)).end();
  } else response.end('It works.');
};

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  target = `http://127.0.0.1:${await listen(createServer(answer))}`;
  const tls = { cert: certificate('self-signed'), key: certificate('server-key') };
  secureTarget = `https://127.0.0.1:${await listen(createTlsServer(tls, answer) as Server)}`;
  bus = await createLocalBus({
    regions: REGIONS,
    vantage: 'office',
    version: '1.0.0',
    workers: 1,
    settings: { allowPrivateTargets: 'true', dnsServers: null, rdapBootstrapFile: null },
    environment: process.env,
    clock: systemClock,
    log: silentLog,
  });
  const opened = freshApi({ bus, clock: systemClock });
  calls = client(() => opened);
});
afterAll(async () => {
  await bus.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

type Type = 'http' | 'ping' | 'port';

/** What a manual check of a monitor with these fields answers. */
async function lookAtAll(path: string, fields: object = {}, type: Type = 'http'): Promise<Json> {
  const url = path.startsWith('/') ? target + path : path;
  const { id } = await calls.monitor(type, { url, ...fields });
  let checked: Answer | null = null;
  const check = async (): Promise<Answer> => {
    arrivals.length = 0;
    return (checked = await calls.post(`/monitors/${id}/check`));
  };
  // The probe of a busy machine may be unable to tell, and says so.
  await expect.poll(async () => (await check()).status).not.toBe(503);
  expectStatus(checked!, 200);
  return checked!.body;
}

/** Its part that tells of the request. */
async function look(path: string, fields: object = {}, type: Type = 'http') {
  return (await lookAtAll(path, fields, type))['uptime'] as {
    is_up: boolean;
    error: string | null;
    status_code: number | null;
    response_time: number;
    timings: Record<string, number | null>;
  };
}

const isUp = async (path: string, fields: object = {}) => (await look(path, fields)).is_up;

describe('what checks request and accept', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
    'http_method %s is what the target is asked with [16.1]',
    async (method) => {
      expect(await isUp('/', { http_method: method })).toBe(true);
      expect(arrivals.map((each) => each.method)).toEqual([method]);
    },
  );

  it.each(['POST', 'PUT', 'PATCH'])('request_body is sent with %s [16.11]', async (method) => {
    await look('/', { http_method: method, request_body: 'ä=1' });
    expect(arrivals[0]).toMatchObject({ method, body: 'ä=1' });
  });

  it('a bad certificate fails the check; with verify_ssl false it does not [16.2]', async () => {
    const strict = await look(secureTarget);
    expect(strict.is_up).toBe(false);
    expect(strict.error).toMatch(/certificate/i);
    expect(await isUp(secureTarget, { verify_ssl: false })).toBe(true);
  });

  it('with error_text_detection a server error text on an accepted page fails it [16.19]', async () => {
    expect(await isUp('/error-page')).toBe(true);
    expect(await isUp('/error-page', { error_text_detection: true })).toBe(false);
    expect(await isUp('/', { error_text_detection: true })).toBe(true);
  });

  it('the response time is in milliseconds, its phases within it [15.2]', async () => {
    const { response_time, timings } = await look('/');
    expect(response_time).toBeGreaterThan(0);
    expect(timings['tls_ms']).toBeNull();
    for (const phase of ['tcp_ms', 'ttfb_ms'])
      expect(timings[phase]!).toBeLessThanOrEqual(timings['total_ms']!);
  });
});

describe('what check types see', () => {
  it('dns of a name that the machine knows is its addresses [9.24]', async () => {
    const { dns } = await lookAtAll(`http://localhost:${new URL(target).port}/`, {
      check_types: ['dns'],
    });
    expect(dns).toMatchObject({ ok: true, source: 'resolver', error: null });
    const { A } = (dns as { records: Record<string, string[]> }).records;
    expect(A).toContain('127.0.0.1');
  });
});

describe('the check of a URL against real targets', () => {
  it('without a content check at most 1 MiB is read, and the rest is not asked for [16.6]', async () => {
    expect(await look('/endless')).toMatchObject({ is_up: true, status_code: 200 });
    // What the kernel holds for both sides comes on top.
    expect(poured).toBeLessThan(20 * 2 ** 20);
  });

  it.each([
    ['a refused connection', 'http://127.0.0.1:1/', /^connection refused/i],
    ['an unaccepted status', '/status/503', /^HTTP 503 Service Unavailable$/],
    ['redirects without end', '/hops/99', /redirect/i],
    ['an answer that is cut short', '/cut', /cut short|closed/i],
  ])(
    'the root cause is a short sentence with the detail that matters: %s [20.1]',
    async (_what, path, said) => {
      // What is cut short shows only when the page is read to its end.
      const seen = await look(path, { error_text_detection: true });
      expect(seen.is_up).toBe(false);
      expect(seen.error).toMatch(said);
      expect(seen.error!.length).toBeLessThan(160);
    },
  );
});
