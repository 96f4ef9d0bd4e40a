import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fetchPackages, findFolder } from './support/debian-packages.ts';
import { freshDirectory } from './support/directories.ts';
import { freePorts } from './support/free-ports.ts';
import { spawnTied } from './support/tied-process.ts';

const found = await findCaddy();
if ('missing' in found) {
  if (process.env['CI'] === 'true') throw new Error(`Caddy is missing: ${found.missing}`);
  console.warn(`SKIPPED: the proxy of a cluster, as ${found.missing}`);
}

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function findCaddy(): Promise<{ program: string } | { missing: string }> {
  const bin = findFolder(['caddy'], []);
  if (bin !== undefined) return { program: join(bin, 'caddy') };
  const unpacked = await fetchPackages('Caddy', 'packages=caddy');
  return 'missing' in unpacked ? unpacked : { program: join(unpacked.folder, 'usr/bin/caddy') };
}

/** A server that answers with its name and the path. */
async function startServer(name: string): Promise<Server> {
  const server = createServer((request, response) => response.end(`${name} ${request.url}`));
  cleanups.push(() => server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const placeOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Starts Caddy with deploy/caddy/cluster.Caddyfile before these servers. */
async function startProxy(one: Server, two: Server, nats: Server): Promise<string> {
  if ('missing' in found) throw new Error(found.missing);
  const { place, remove } = await freshDirectory();
  cleanups.push(remove);
  const [port, admin] = await freePorts(2);
  const file = readFileSync(new URL('../deploy/caddy/cluster.Caddyfile', import.meta.url), 'utf8');
  const moved = file
    .replace('api-1:3000', placeOf(one))
    .replace('api-2:3000', placeOf(two))
    .replace('nats:8080', placeOf(nats));
  const config = join(place, 'Caddyfile');
  writeFileSync(config, `{\n\tadmin 127.0.0.1:${admin}\n}\n${moved}`);
  const site = `http://127.0.0.1:${port}`;
  const env = { SITE: site, HOME: place, XDG_CONFIG_HOME: place, XDG_DATA_HOME: place };
  const caddy = spawnTied(found.program, ['run', '--adapter', 'caddyfile', '--config', config], {
    cwd: place,
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  cleanups.push(async () => {
    const ended = once(caddy, 'exit');
    caddy.kill('SIGKILL');
    await ended;
  });
  await expect.poll(() => get(`${site}/start`)).toMatch(/^200/);
  return site;
}

async function get(url: string): Promise<string> {
  const answer = await fetch(url).catch(() => null);
  return answer === null ? 'none' : `${answer.status} ${await answer.text()}`;
}

describe.skipIf('missing' in found)('the proxy of a cluster', () => {
  test('passes requests to any process with the API, and what is for NATS to NATS', async () => {
    const servers = [await startServer('api-1'), await startServer('api-2')] as const;
    const site = await startProxy(...servers, await startServer('nats'));
    const seen = new Set<string>();
    await expect
      .poll(async () => [...seen.add(await get(`${site}/api/v1/monitors`))].toSorted())
      .toEqual(['200 api-1 /api/v1/monitors', '200 api-2 /api/v1/monitors']);
    expect(await get(`${site}/bus`)).toBe('200 nats /bus');
    // The door of leaf nodes by WebSocket.
    expect(await get(`${site}/bus/leafnode`)).toMatch(/^200 api-\d \/bus\/leafnode$/);
    expect(await get(`${site}/metrics`)).toBe('403 ');
    expect(await get(`${site}/metrics/monitors`)).toBe('403 ');
  });

  test('loses no request when a process stops', async () => {
    const [one, two] = [await startServer('api-1'), await startServer('api-2')];
    const site = await startProxy(one, two, await startServer('nats'));
    one.close().closeAllConnections();
    for (let count = 0; count < 20; count++)
      expect(await get(`${site}/ping/${count}`)).toBe(`200 api-2 /ping/${count}`);
  });
});
