import { afterEach, describe, expect, test } from 'vitest';
import { makeCertificate } from '../../../test/support/certificate-maker.ts';
import {
  answering,
  pem,
  startServer,
  startTlsServer,
  type FaultServer,
  type OnConnection,
} from '../../../test/support/fault-servers.ts';
import {
  SHORT_MS,
  createTestProbe,
  httpCheck,
  probeHttp,
  runProbe,
} from '../../../test/support/probing.ts';
import type { CheckResult } from '../../model/check.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';

const probe = createTestProbe({ authorities: [pem('authority')] });
const hello = answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');

let server: FaultServer;
afterEach(() => server.close());

async function check(
  host = 'localhost',
  more: Partial<HttpCheckRequest> = {},
): Promise<CheckResult> {
  const result = await runProbe(probe, httpCheck(`https://${host}:${server.port}/`, more));
  await server.allClosed();
  return result;
}

describe('certificates', () => {
  test.each(['localhost', 'localhost.', '127.0.0.1', 'LOCALHOST'])(
    'a good one for %s',
    async (host) => {
      server = await startTlsServer('good', hello);
      const result = await check(host);
      expect(result).toMatchObject({ vote: 'up', statusCode: 200, evidence: null });
      expect(result.timings.tlsMs).toBeGreaterThan(0);
    },
  );

  test('a valid one over IPv6', async () => {
    server = await startTlsServer('good', hello, '::1');
    expect(await check('[::1]')).toMatchObject({ vote: 'up', remoteAddress: '::1' });
  });

  test.each([
    ['expired', 'localhost', 'tls_expired', 'TLS certificate expired on 2025-06-01'],
    [
      'not-yet-valid',
      'localhost',
      'tls_not_yet_valid',
      'TLS certificate is not valid before 2053-01-01',
    ],
    [
      'wrong-host',
      'localhost',
      'tls_wrong_host',
      'TLS certificate is for other.example, not localhost',
    ],
    [
      'wrong-host',
      '127.0.0.1',
      'tls_wrong_host',
      'TLS certificate is for other.example, not 127.0.0.1',
    ],
    [
      'self-signed',
      'localhost',
      'tls_untrusted',
      'TLS certificate is not trusted: it is self-signed',
    ],
  ])('%s for %s [20.3]', async (certificate, host, code, text) => {
    server = await startTlsServer(certificate, hello);
    const result = await check(host);
    expect(result).toMatchObject({
      vote: 'down',
      failure: { code, text },
      statusCode: null,
      responseTimeMs: null,
      evidence: { tls: { protocol: 'TLSv1.3', validFrom: expect.any(String) } },
    });
    expect(server.received.join('')).toBe('');

    const unverified = await runProbe(
      probe,
      httpCheck(`https://${host}:${server.port}/`, { acceptsAnyCertificate: true }),
    );
    expect(unverified).toMatchObject({ vote: 'up', statusCode: 200 });
  });

  test('an unknown authority [16.18]', async () => {
    server = await startTlsServer('good', hello);
    const result = await runProbe(probeHttp, httpCheck(`https://localhost:${server.port}/`));
    expect(result.failure).toEqual({
      code: 'tls_untrusted',
      text: 'TLS certificate is not trusted: the server does not send its chain, or the authority is unknown',
    });
  });

  test('evidence of a failed page shows the certificate [20.9]', async () => {
    server = await startTlsServer(
      'good',
      answering('HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n'),
    );
    expect((await check()).evidence?.tls).toEqual({
      protocol: 'TLSv1.3',
      subject: 'localhost',
      issuer: 'Tocsin test authority',
      validFrom: '2025-01-01T00:00:00.000Z',
      validTo: '2054-12-31T00:00:00.000Z',
      cipher: 'TLS_AES_256_GCM_SHA384',
      chain: [],
    });
  });

  test('evidence of an invalid certificate shows up to ten certificates of its chain, with shortened names', async () => {
    const chain = [makeCertificate({ name: 'authority 0', isAuthority: true })];
    for (let index = 1; index < 15; index++) {
      const name = `authority ${index} ${'x'.repeat(500)}`;
      chain.unshift(makeCertificate({ name, isAuthority: true, issuer: chain[0]! }));
    }
    const leaf = makeCertificate({ issuer: chain[0]! });
    const cert = [leaf, ...chain].map((each) => each.pem).join('');
    server = await startTlsServer({ key: leaf.keyPem, cert }, hello);
    const { evidence, failure } = await check();
    expect(failure?.code).toBe('tls_untrusted');
    expect(evidence?.tls?.chain).toHaveLength(10);
    expect(evidence?.tls?.chain[0]).toEqual({
      subject: `authority 14 ${'x'.repeat(187)}`,
      issuer: `authority 13 ${'x'.repeat(187)}`,
      validTo: new Date(chain[0]!.validTo).toISOString(),
    });
  });
});

describe('a certificate that is inspected separately', () => {
  const inspected = { isCertificateInspected: true };

  test.each([
    ['expired', 'tls_expired'],
    ['not-yet-valid', 'tls_not_yet_valid'],
    ['wrong-host', 'tls_wrong_host'],
    ['self-signed', 'tls_untrusted'],
  ])('%s: reported, and the check continues', async (certificate, code) => {
    server = await startTlsServer(certificate, hello);
    const result = await check('localhost', inspected);
    expect(result).toMatchObject({ vote: 'up', failure: null, certificateFault: { code } });
    expect(result.timings.tlsMs).toBeGreaterThan(0);
  });

  test('a check that fails for another reason reports both', async () => {
    server = await startTlsServer('expired', answering('HTTP/1.1 500 Oops\r\n\r\n'));
    expect(await check('localhost', { ...inspected, timeoutMs: SHORT_MS })).toMatchObject({
      vote: 'down',
      failure: { code: 'no_response' },
      certificateFault: { code: 'tls_expired' },
    });
  });

  test('a valid one, and one that is not verified, are not reported', async () => {
    server = await startTlsServer('good', hello);
    expect(await check('localhost', inspected)).not.toHaveProperty('certificateFault');
    const unverified = { ...inspected, acceptsAnyCertificate: true };
    expect(await check('other.localhost', unverified)).not.toHaveProperty('certificateFault');
  });

  test('that of a redirect target on another server fails the check', async () => {
    const other = await startTlsServer('expired', hello);
    const location = `https://localhost:${other.port}/`;
    server = await startTlsServer(
      'good',
      answering(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\n\r\n`),
    );
    const result = await check('localhost', inspected);
    await other.close();
    expect(result).toMatchObject({ vote: 'down', failure: { code: 'tls_expired' } });
    expect(result).not.toHaveProperty('certificateFault');
  });

  test('a handshake that fails still fails the check', async () => {
    server = await startServer((socket) => void socket.end());
    expect((await check('localhost', inspected)).failure?.code).toBe('tls_handshake');
  });
});

describe('handshakes', () => {
  test.each<[string, OnConnection, string, Partial<HttpCheckRequest>?]>([
    [
      'a server that speaks plain HTTP',
      answering('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'the server does not speak TLS on port',
    ],
    ['garbage', answering('x'.repeat(500)), 'the server does not speak TLS on port'],
    ['a closed connection', (socket) => void socket.end(), 'the server closed the connection'],
    [
      'a reset connection',
      (socket) => void socket.once('data', () => socket.resetAndDestroy()),
      'the server closed the connection',
    ],
    ['an alert', answering(Buffer.from([0x15, 3, 3, 0, 2, 2, 40])), 'handshake failure'],
  ])('%s', async (_name, onConnection, text, more) => {
    server = await startServer(onConnection);
    const result = await check('localhost', more);
    expect(result).toMatchObject({
      vote: 'down',
      failure: { code: 'tls_handshake', text: expect.stringContaining(text) },
      remoteAddress: '127.0.0.1',
    });
    expect(result.timings).toMatchObject({ tcpMs: expect.any(Number), tlsMs: null, totalMs: null });
  });

  test('no reply', async () => {
    server = await startServer(() => undefined);
    expect(await check('localhost', { timeoutMs: SHORT_MS })).toMatchObject({
      vote: 'down',
      failure: { code: 'tls_handshake', text: 'TLS handshake not finished within 0.3 s' },
    });
  });
});

test.each<[string, OnConnection, string]>([
  ['silence after the handshake', () => undefined, 'no_response'],
  [
    'a reset after the request',
    (socket) => void socket.once('data', () => socket.destroy()),
    'response_cut_short',
  ],
  [
    'a page cut short',
    (socket) =>
      void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')),
    'response_cut_short',
  ],
])('%s', async (_name, onConnection, code) => {
  server = await startTlsServer('good', onConnection);
  expect(
    await check('localhost', { timeoutMs: code === 'no_response' ? SHORT_MS : 10_000 }),
  ).toMatchObject({
    vote: 'down',
    failure: { code },
  });
});
