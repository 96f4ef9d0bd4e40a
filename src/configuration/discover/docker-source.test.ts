import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeAuthority, makeCertificate } from '../../../test/support/certificate-maker.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';
import { freshDirectory } from '../../../test/support/directories.ts';
import { waitUntil } from '../../../test/support/event-loop.ts';
import {
  Answer,
  startStreamingApi,
  type StreamingApi,
} from '../../../test/support/streaming-api.ts';
import { dockerEndpoint, dockerSource } from './docker-source.ts';

const open = closedAfterEach<() => unknown>();

async function directory(): Promise<string> {
  const { place, remove } = await freshDirectory();
  open.push(remove);
  return place;
}

const named = (name: string) => ({
  Id: name.padEnd(64, '0'),
  Names: [`/${name}`],
  Created: 1,
  Labels: { 'tocsin.monitor.url': `https://${name}.example.com` },
});

/** An engine on a unix socket, and what it has. */
async function startDocker(
  answers: Record<string, (url: URL) => unknown> = {},
  name = 'docker.sock',
): Promise<{ api: StreamingApi; containers: object[]; host: string }> {
  const socket = path.join(await directory(), name);
  const containers: object[] = [named('web')];
  const api = await startStreamingApi(
    (url, response) => {
      const own = answers[url.pathname];
      if (own !== undefined) return own(url);
      if (url.pathname === '/_ping') {
        response.setHeader('api-version', '1.54');
        return new Answer(200, 'OK');
      }
      if (url.pathname.endsWith('/containers/json')) return containers;
      return url.pathname.endsWith('/events')
        ? 'stream'
        : new Answer(404, { message: 'page not found' });
    },
    { socket },
  );
  open.push(() => api.close());
  return { api, containers, host: `unix://${socket}` };
}

const sourceOf = (host: string, certPath: string | null = null) =>
  dockerSource(dockerEndpoint({ host, certPath }), { check_interval: 1 });

async function connect(host: string) {
  const abort = new AbortController();
  open.push(() => abort.abort());
  let events = 0;
  const connection = await sourceOf(host).connect(() => (events += 1), abort.signal);
  const ended = connection.ended.then(
    () => 'ended',
    (error: Error) => error.message,
  );
  return { ...connection, ended, abort, events: () => events };
}

const keysOf = ({ monitors }: { monitors: { key: string }[] }) => monitors.map(({ key }) => key);
const never = () => new AbortController().signal;
const EVENT = {
  Type: 'container',
  Action: 'create',
  Actor: { ID: 'ede54ee1afda', Attributes: { image: 'nginx:1.29', name: 'api' } },
  scope: 'local',
  time: 1_629_574_695,
  timeNano: 1_629_574_695_515_050_000,
};

describe('Docker', () => {
  test('is listed in the version that it offers, with stopped containers', async () => {
    const { api, host } = await startDocker();
    expect(keysOf(await sourceOf(host).list(never()))).toEqual(['web']);
    expect(api.requests.map((request) => request.path)).toEqual([
      '/_ping',
      '/v1.54/containers/json?all=true',
    ]);
  });

  test('is reached at a path with spaces and letters beyond ASCII', async () => {
    const { host } = await startDocker({}, 'Jürgen Müller 100% #1.sock');
    expect(keysOf(await sourceOf(host).list(never()))).toEqual(['web']);
  });

  test('is listed without a version behind a proxy that does not answer pings', async () => {
    const { host, api } = await startDocker({ '/_ping': () => new Answer(403, 'Forbidden') });
    expect(keysOf(await sourceOf(host).list(never()))).toEqual(['web']);
    expect(api.requests.at(-1)!.path).toBe('/containers/json?all=true');
  });

  test('is followed: after an event it is listed again', async () => {
    const { api, containers, host } = await startDocker();
    const connection = await connect(host);
    expect(keysOf(connection.discovered)).toEqual(['web']);
    const { pathname, searchParams } = new URL(api.requests[1]!.path, 'http://api');
    expect(pathname).toBe('/v1.54/events');
    expect(JSON.parse(searchParams.get('filters')!)).toMatchObject({ type: ['container'] });
    containers.push(named('api'));
    // A long event comes in parts, and others together.
    const long = JSON.stringify({ ...EVENT, Actor: { ID: 'x'.repeat(300_000) } });
    const short = JSON.stringify(EVENT);
    api.streams[0]!.write(`${long}\n${short}\n\r\n${short}\r\n`);
    await waitUntil(() => connection.events() === 3);
    expect(keysOf(await connection.current())).toEqual(['api', 'web']);
  });

  test.each([
    ['is cut off', (api: StreamingApi) => api.streams[0]!.destroy(), /can't be reached: aborted/],
    ['ends amid an event', (api: StreamingApi) => api.streams[0]!.end('{"Type": "cont'), /^ended$/],
    [
      'sends garbage',
      (api: StreamingApi) => api.streams[0]!.write('<html>\n'),
      /event that is no JSON/,
    ],
    [
      'sends a number',
      (api: StreamingApi) => api.streams[0]!.write('5\n'),
      /event that is no JSON/,
    ],
    [
      'sends a line without an end',
      (api: StreamingApi) => {
        for (let mib = 0; mib < 5; mib += 1) api.streams[0]!.write('x'.repeat(1024 * 1024));
      },
      /a line of more than 4 MiB/,
    ],
  ])('ends the connection when it %s', async (_what, happens, message) => {
    const { api, host } = await startDocker();
    const { ended } = await connect(host);
    happens(api);
    expect(await ended).toMatch(message);
  });

  test('is left at once when the signal says so', async () => {
    const { api, host } = await startDocker();
    const { ended, abort } = await connect(host);
    abort.abort();
    await ended;
    await waitUntil(() => api.streams.length === 0);
  });

  const LIST = '/v1.54/containers/json';
  test.each<[string, unknown, string]>([
    ['an error', new Answer(500, { message: 'server error' }), 'with 500 (server error).'],
    [
      'a refusal',
      new Answer(403, '<h1>Forbidden</h1>'),
      'with 403: a permission is missing, see docs/discovery.md.',
    ],
    [
      'a redirect',
      new Answer(302, ''),
      'with 302: redirects are not followed, give the address itself.',
    ],
    [
      'a page',
      new Answer(200, '<html>'),
      'answered /v1.54/containers/json?all=true with something other than JSON.',
    ],
    ['an object', { a: 1 }, 'Docker answered something other than a list of containers.'],
    ['33 MiB', new Answer(200, ' '.repeat(33 * 1024 * 1024)), 'answered more than 32 MiB.'],
  ])('says what is wrong with %s', async (_what, answer, message) => {
    const { host } = await startDocker({ [LIST]: () => answer });
    await expect(sourceOf(host).list(never())).rejects.toThrow(message);
  });

  test('says that nothing listens', async () => {
    const file = path.join(await directory(), 'docker.sock');
    await expect(sourceOf(`unix://${file}`).list(never())).rejects.toThrow(
      `Docker at ${file} can't be reached: the file is not there (ENOENT).`,
    );
  });

  test('is reached over TLS with the certificates of a folder', async () => {
    const folder = await directory();
    const authority = makeAuthority('CA');
    const server = makeCertificate({ names: ['127.0.0.1'], issuer: authority });
    // Those of other certificates are for servers only.
    const client = makeCertificate({ name: 'client', isAuthority: true, issuer: authority });
    const api = await startStreamingApi(() => [named('web')], {
      tls: {
        ca: authority.pem,
        cert: server.pem,
        key: server.keyPem,
        requestCert: true,
        rejectUnauthorized: true,
      },
    });
    open.push(() => api.close());
    const source = sourceOf(`tcp://127.0.0.1:${api.port}`, folder);
    await expect(source.list(never())).rejects.toThrow(
      `${path.join(folder, 'ca.pem')} of DOCKER_CERT_PATH can't be read (ENOENT).`,
    );
    writeFileSync(path.join(folder, 'ca.pem'), authority.pem);
    writeFileSync(path.join(folder, 'cert.pem'), client.pem);
    writeFileSync(path.join(folder, 'key.pem'), client.keyPem);
    expect(keysOf(await source.list(never()))).toEqual(['web']);
  });
});

test.each([
  '',
  'docker.sock',
  'ssh://host',
  'npipe:////./pipe/docker',
  'unix://',
  'unix://var/x',
  'tcp://',
  'tcp://host/x',
])('an address that can not be used is refused: %s', (host) => {
  expect(() => dockerEndpoint({ host, certPath: null })).toThrow(/^DOCKER_HOST is ".*needs unix:/);
});

test.each([
  ['tcp://10.0.0.7', null, 'Docker at 10.0.0.7:2375'],
  ['tcp://10.0.0.7', '/certs', 'Docker at 10.0.0.7:2376'],
  ['https://[2001:db8::7]:443', null, 'Docker at [2001:db8::7]:443'],
  ['unix:/run/docker.sock', null, 'Docker at /run/docker.sock'],
  ['unix:///run/user/1000/podman/podman.sock', null, 'Docker at /run/user/1000/podman/podman.sock'],
])('the address %s is %s', (host, certPath, name) => {
  expect(dockerEndpoint({ host, certPath }).name).toBe(name);
});
