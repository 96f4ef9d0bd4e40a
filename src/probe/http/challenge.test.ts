import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  startServer,
  type FaultServer,
  type OnConnection,
} from '../../../test/support/fault-servers.ts';
import { createTestProbe, httpCheck, runProbe } from '../../../test/support/probing.ts';
import type { CheckResult } from '../../model/check.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

const servers = closedAfterEach<FaultServer>();

async function serve(answer: (request: Received) => string): Promise<FaultServer> {
  const onConnection: OnConnection = (socket, received) => {
    socket.once('data', () => socket.write(answer(read(received()))));
  };
  const server = await startServer(onConnection);
  servers.push(server);
  return server;
}

interface Received {
  method: string;
  uri: string;
  /** Parameters of an answer to a challenge; null without one. */
  digest: Map<string, string> | null;
  authorization: string | null;
}

function read(text: string): Received {
  const [, method = '', uri = ''] = /^(\S+) (\S+)/.exec(text) ?? [];
  const authorization = /\r\nAuthorization: (.*)\r\n/.exec(text)?.[1] ?? null;
  const pairs = authorization?.matchAll(/(\w+\*?)=(?:"([^"]*)"|([^,]*))/g) ?? [];
  const digest = new Map(
    Array.from(pairs, ([, name = '', quoted, word]) => [name, quoted ?? word ?? '']),
  );
  return {
    method,
    uri,
    authorization,
    digest: authorization?.startsWith('Digest ') ? digest : null,
  };
}

const USER = { username: 'watcher', password: 's3cret word' };
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Whether a server would accept an answer. */
function isRight({ method, uri, digest }: Received, nonce: string): boolean {
  const of = (name: string): string => digest?.get(name) ?? '';
  const secret = md5(`${USER.username}:home:${USER.password}`);
  const parts = [secret, nonce, of('nc'), of('cnonce'), of('qop'), md5(`${method}:${uri}`)];
  return of('uri') === uri && of('nonce') === nonce && of('response') === md5(parts.join(':'));
}

const status = (line: string, ...headers: string[]): string =>
  [`HTTP/1.1 ${line}`, 'Content-Length: 0', ...headers, '', ''].join('\r\n');
const challenge = (nonce: string, more = ''): string =>
  status(
    '401 Unauthorized',
    `WWW-Authenticate: Digest realm="home", qop="auth", nonce="${nonce}"${more}`,
  );
const guarded =
  (nonce = 'n1') =>
  (request: Received): string =>
    isRight(request, nonce) ? status('200 OK') : challenge(nonce);

const check = (
  server: FaultServer,
  more: Partial<HttpCheckRequest> = {},
  path = '/a?b=1',
): Promise<CheckResult> =>
  runProbe(
    createTestProbe(),
    httpCheck(`http://127.0.0.1:${server.port}${path}`, { digest: USER, ...more }),
  );

describe('digest authentication', () => {
  test('a challenge is answered on a new connection, and is part of the time', async () => {
    const server = await serve(guarded());
    const result = await check(server, { method: 'POST', body: 'x=1' });
    expect(result).toMatchObject({ vote: 'up', statusCode: 200 });
    expect(server.received).toHaveLength(2);
    expect(server.received[0]).not.toContain('Authorization');
    for (const received of server.received) expect(received).toMatch(/\r\n\r\nx=1$/);
    const { dnsMs, tcpMs, ttfbMs, totalMs } = result.timings;
    expect((dnsMs ?? 0) + (tcpMs ?? 0) + (ttfbMs ?? 0)).toBeLessThanOrEqual(totalMs ?? 0);
    await server.allClosed();
  });

  test('each answer has its own nonce', async () => {
    const server = await serve(guarded());
    await check(server);
    await check(server);
    const nonces = server.received.map((text) => read(text).digest?.get('cnonce'));
    expect(nonces[1]).toMatch(/^[\w-]{20,}$/);
    expect(nonces[3]).not.toBe(nonces[1]);
  });

  test('a wrong password is tried once', async () => {
    const server = await serve(guarded());
    const result = await check(server, { digest: { ...USER, password: 'wrong word' } });
    expect(result).toMatchObject({
      vote: 'down',
      failure: { code: 'http_status', text: 'HTTP 401 Unauthorized' },
    });
    expect(server.received).toHaveLength(2);
  });

  test('an expired nonce is answered again, once [16.14]', async () => {
    let count = 0;
    const server = await serve(() => challenge(`n${++count}`, ', stale=true'));
    expect(await check(server)).toMatchObject({ vote: 'down', statusCode: 401 });
    expect(count).toBe(3);
    const answered = await serve((request) =>
      request.digest === null
        ? challenge('n1')
        : isRight(request, 'n2')
          ? status('200 OK')
          : challenge('n2', ', stale=true'),
    );
    expect(await check(answered)).toMatchObject({ vote: 'up' });
  });

  test.each([
    ['Basic', 'Basic realm="home"'],
    ['an unknown algorithm', 'Digest realm="home", nonce="n", qop="auth", algorithm=SHA3'],
    ['no nonce', 'Digest realm="home"'],
  ])('an unsupported challenge: %s', async (_name, value) => {
    const server = await serve(() => status('401 Unauthorized', `WWW-Authenticate: ${value}`));
    expect(await check(server)).toMatchObject({ vote: 'down', statusCode: 401 });
    expect(server.received).toHaveLength(1);
  });

  test('without a challenge no credentials are sent', async () => {
    const server = await serve(() => status('200 OK'));
    expect(await check(server)).toMatchObject({ vote: 'up' });
    expect(server.received[0]).not.toContain('Authorization');
  });

  test("the user's own Authorization is not sent", async () => {
    const server = await serve(guarded());
    const headers = { AUTHORIZATION: 'Bearer mine-and-only-mine', 'X-Key': 'other' };
    expect(await check(server, { headers })).toMatchObject({ vote: 'up' });
    expect(server.received.join('')).not.toContain('mine-and-only-mine');
    expect(server.received[1]).toContain('X-Key: other');
  });
});

describe('digest authentication and redirects', () => {
  test('a page of the same origin may challenge again', async () => {
    const server = await serve((request) => {
      if (request.uri === '/a?b=1') {
        return isRight(request, 'n1') ? status('302 Found', 'Location: /next') : challenge('n1');
      }
      return guarded('n2')(request);
    });
    expect(await check(server)).toMatchObject({ vote: 'up', statusCode: 200 });
    expect(server.received.map((text) => read(text).digest?.get('nonce') ?? null)).toEqual([
      null,
      'n1',
      null,
      'n2',
    ]);
  });

  test('another origin gets no credentials, nor do later ones [16.17]', async () => {
    const home = await serve(({ uri }) =>
      uri === '/back'
        ? challenge('n1')
        : status('302 Found', `Location: http://127.0.0.1:${other.port}/`),
    );
    const other = await serve(({ uri }) =>
      uri === '/' ? status('302 Found', 'Location: /end') : challenge('n1'),
    );
    expect(await check(home)).toMatchObject({ vote: 'down', statusCode: 401 });
    const away = await serve(() =>
      status('302 Found', `Location: http://127.0.0.1:${home.port}/back`),
    );
    expect(await check(away)).toMatchObject({ vote: 'down', statusCode: 401 });
    const all = [home, other, away].flatMap((server) => server.received).join('');
    expect(all).not.toContain('Authorization');
  });
});

test('evidence contains neither the password nor its proof when the server sends them back [16.15]', async () => {
  let proof = '';
  const server = await serve(({ digest, authorization }) => {
    if (digest === null) return challenge('n1');
    proof = digest.get('response') ?? '';
    const body = `${authorization} ${proof} ${USER.password} ${USER.username}`;
    return `HTTP/1.1 500 ${proof}\r\nX-Echo: ${proof}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  const result = await check(server);
  expect(proof).toMatch(/^[\da-f]{32}$/);
  expect(result.evidence).toMatchObject({
    statusLine: 'HTTP/1.1 500 [removed]',
    headers: { 'x-echo': '[removed]' },
    body: '[removed] [removed] [removed] [removed]',
  });
});

test('a good response is captured where all is, without secrets [10.15]', async () => {
  const server = await serve(
    () => 'HTTP/1.1 200 OK\r\nX-Echo: s3cret-token\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n',
  );
  const headers = { 'X-Key': 's3cret-token' };
  const result = await check(server, { headers, capturesAll: true });
  expect(result.vote).toBe('up');
  expect(result.evidence?.headers).toEqual({ 'x-echo': '[removed]', 'content-length': '0' });
  expect((await check(server, { headers })).evidence).toBeNull();
});

test.each([
  ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: /s3cret-token\r\n\r\n', 'redirect_loop'],
  ['a status line', 'HTTP/1.1 s3cret-token\r\n\r\n', 'response_invalid'],
  ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: s3cret-token\r\n\r\n', 'response_invalid'],
])('the text about %s is without the secrets sent', async (_name, answer, code) => {
  const server = await serve(() => answer);
  const result = await check(server, { headers: { 'X-Key': 's3cret-token' } }, '/s3cret-token');
  expect(result.failure).toMatchObject({ code, text: expect.stringContaining('[removed]') });
  expect(JSON.stringify(result)).not.toContain('s3cret-token');
});
