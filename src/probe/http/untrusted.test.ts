import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import {
  answering,
  answeringForEver,
  listen,
  page,
  pem,
  startTlsServer,
  type FaultServer,
  type OnConnection,
} from '../../../test/support/fault-servers.ts';
import { SHORT_MS, createTestProbe, httpCheck, runProbe } from '../../../test/support/probing.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';
import type { ContentCheck } from '../../model/content.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

/** Values that must not reach a server with an invalid certificate. */
const SECRET = 's3cret-of-the-house';
const FAULTS = [
  ['wrong-host', 'tls_wrong_host'],
  ['self-signed', 'tls_untrusted'],
  ['expired', 'tls_expired'],
  ['not-yet-valid', 'tls_not_yet_valid'],
] as const;
const CONTENT: ContentCheck = {
  kind: 'keyword',
  target: 'html',
  keywords: [{ phrase: 'Welcome', mode: 'must_contain', caseSensitive: false }],
};
const CHALLENGE = 'WWW-Authenticate: Digest realm="house", nonce="n1", qop="auth"';
const HELLO = page('hello');
const BEARER: Overrides = { headers: { authorization: `Bearer ${SECRET}` } };

type Overrides = Partial<HttpCheckRequest>;

const probe = createTestProbe({
  authorities: [pem('authority')],
  newClientNonce: () => 'client-nonce',
});
const servers = closedAfterEach<FaultServer>();

async function serve(certificate: string, onConnection: OnConnection): Promise<FaultServer> {
  const server = await startTlsServer(certificate, onConnection);
  servers.push(server);
  return server;
}

/** Result of a check with `ssl` enabled, and what the server received. */
async function check(certificate: string, onConnection: OnConnection, more: Overrides = {}) {
  const server = await serve(certificate, onConnection);
  const request = httpCheck(`https://localhost:${server.port}/in?a=1`, {
    isCertificateInspected: true,
    ...more,
  });
  const result = await runProbe(probe, request);
  await server.allClosed();
  return { ...result, received: server.received };
}

const answer = (status: string, ...headers: string[]): OnConnection =>
  answering([`HTTP/1.1 ${status}`, ...headers, 'Content-Length: 0', '', ''].join('\r\n'));
/** Responds to each connection with the next response. */
function inTurn(...handlers: OnConnection[]): OnConnection {
  let turn = 0;
  return (socket, received) => handlers[turn++]?.(socket, received);
}

const SECRETS: [string, Overrides][] = [
  ['a bearer token', BEARER],
  ['a header of its own', { headers: { 'X-Api-Key': SECRET } }],
  ['a cookie', { headers: { Cookie: `sid=${SECRET}` } }],
  ['a body', { method: 'POST', body: `pin=${SECRET}` }],
  ['digest authentication', { digest: { username: 'watcher', password: SECRET } }],
];

describe.each(FAULTS)('a server whose certificate is %s', (certificate, code) => {
  test.each(SECRETS)(
    'is not sent %s, and whatever it answers, it is there [16.23, 16.24]',
    async (_what, more) => {
      const refusal = answer('401 Unauthorized', CHALLENGE);
      const result = await check(certificate, refusal, { ...more, content: CONTENT });
      expect(result).toMatchObject({
        vote: 'up',
        failure: null,
        statusCode: 401,
        certificateFault: { code },
        evidence: null,
      });
      expect(result).not.toHaveProperty('content');
      expect(result.received).toHaveLength(1);
      expect(result.received[0]).toMatch(/^GET \/in\?a=1 HTTP\/1\.1\r\n/);
      expect(result.received[0]).not.toMatch(
        /s3cret|authorization|cookie|x-api-key|content-|watcher/i,
      );
    },
  );

  test('is classified normally if nothing had to be withheld', async () => {
    const headers = { 'User-Agent': 'Watch/1.0', Accept: 'text/html', Host: 'shop.example' };
    const result = await check(certificate, answer('503 Oops'), { headers });
    expect(result).toMatchObject({
      vote: 'down',
      failure: { code: 'http_status' },
      certificateFault: { code },
    });
    expect(result.received[0]).toContain('Host: shop.example\r\n');
    const searched = await check(certificate, answering(HELLO), { headers, content: CONTENT });
    expect(searched).toMatchObject({
      failure: { code: 'keyword_missing' },
      content: { passed: false },
    });
  });
});

test('a server with a bad certificate is not sent its own cookies, and may redirect in circles for them [16.23, 16.24]', async () => {
  const redirect = answer('302 Found', 'Set-Cookie: seen=1', 'Location: /in?a=1');
  const result = await check('expired', redirect, {});
  expect(result).toMatchObject({ vote: 'up', certificateFault: { code: 'tls_expired' } });
  expect(result.received).toHaveLength(2);
  expect(result.received.join('')).not.toMatch(/cookie/i);
});

test.each<[string, string, Overrides]>([
  ['good', 'good', {}],
  ['expired and not verified', 'expired', { acceptsAnyCertificate: true }],
])('a server whose certificate is %s is sent everything', async (_what, certificate, more) => {
  const result = await check(certificate, answer('401 Unauthorized'), {
    ...more,
    ...BEARER,
    method: 'POST',
    body: 'pin=1',
  });
  expect(result).toMatchObject({ vote: 'down', failure: { code: 'http_status' } });
  expect(result.received[0]).toContain(SECRET);
  expect(result.received[0]).toMatch(/\r\n\r\npin=1$/);
});

describe('when something was withheld', () => {
  const endless = answeringForEver('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536));

  test.each<[string, OnConnection, Overrides]>([
    [
      'an error text',
      answering(page('<h1>Internal Server Error</h1>')),
      { errorTextDetection: true },
    ],
    ['broken packing', answering(page('x', 'Content-Encoding: gzip')), { content: CONTENT }],
    ['the size of a page', endless, { content: CONTENT }],
    ['a status that is not accepted', answering(HELLO), { acceptedStatusCodes: ['204'] }],
  ])('%s is ignored', async (_what, onConnection, more) => {
    const result = await check('expired', onConnection, { ...BEARER, ...more });
    expect(result).toMatchObject({ vote: 'up', failure: null });
    expect(result.responseTimeMs).toBeGreaterThan(0);
  });

  test.each<[string, OnConnection, string, Overrides]>([
    [
      'cut short',
      (socket) =>
        void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')),
      'response_cut_short',
      {},
    ],
    ['no HTTP', answering('hello there'), 'response_invalid', {}],
    ['silence', () => undefined, 'no_response', { timeoutMs: SHORT_MS }],
  ])('a response must still be complete: %s', async (_what, onConnection, code, more) => {
    const result = await check('expired', onConnection, { ...BEARER, ...more });
    expect(result).toMatchObject({ vote: 'down', failure: { code } });
  });

  test.each(['GET', 'HEAD', 'DELETE'] as const)('%s stays what it is', async (method) => {
    const result = await check('expired', answer('500 Oops'), { ...BEARER, method, body: 'pin=1' });
    expect(result.vote).toBe('up');
    expect(result.received[0]).toMatch(new RegExp(`^${method} /in`));
    expect(result.received[0]).toMatch(/\r\n\r\n$/);
  });

  test('redirects are followed without secrets, and nothing is expected of their target either', async () => {
    const pages = inTurn(answer('302 Found', 'Location: /login'), answer('403 Forbidden'));
    const result = await check('expired', pages, { ...BEARER, method: 'PUT', body: SECRET });
    expect(result).toMatchObject({ vote: 'up', statusCode: 403 });
    expect(result.received).toHaveLength(2);
    expect(result.received[1]).toMatch(/^GET \/login HTTP\/1\.1\r\n/);
    expect(result.received.join('')).not.toContain(SECRET);
  });

  test('a server that redirects in circles is up', async () => {
    const result = await check('expired', answer('303 See Other', 'Location: /in?a=1'), {
      method: 'POST',
      body: SECRET,
    });
    expect(result).toMatchObject({ vote: 'up', failure: null, statusCode: 303 });
  });

  test('a redirect target must respond', async () => {
    const gone = await serve('good', () => undefined);
    await gone.close();
    const leading = answer('302 Found', `Location: https://localhost:${gone.port}/`);
    const result = await check('expired', leading, BEARER);
    expect(result).toMatchObject({ vote: 'down', failure: { code: 'connection_refused' } });
  });
});

test("the password's proof is withheld if the certificate becomes invalid after the challenge", async () => {
  const tls = createTlsServer({ key: pem('server-key'), cert: pem('good') });
  const server = await listen(
    tls,
    'secureConnection',
    (socket, received) => {
      tls.setSecureContext({ key: pem('server-key'), cert: pem('expired') });
      answer('401 Unauthorized', CHALLENGE)(socket, received);
    },
    '127.0.0.1',
  );
  servers.push(server);
  const request = httpCheck(`https://localhost:${server.port}/`, {
    isCertificateInspected: true,
    digest: { username: 'watcher', password: SECRET },
  });
  const result = await runProbe(probe, request);
  expect(result).toMatchObject({ vote: 'up', certificateFault: { code: 'tls_expired' } });
  expect(server.received).toHaveLength(2);
  expect(server.received[1]).not.toMatch(/authorization/i);
});

test('an invalid certificate of a redirect target on another server fails the check', async () => {
  const bad = await serve('expired', answering(HELLO));
  const leading = answer('302 Found', `Location: https://localhost:${bad.port}/`);
  const result = await check('expired', leading, BEARER);
  expect(result).toMatchObject({ vote: 'down', failure: { code: 'tls_expired' } });
  expect(bad.received.join('')).toBe('');
});
