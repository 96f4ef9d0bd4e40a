import { afterEach, describe, expect, test } from 'vitest';
import { makeCertificate } from '../../../test/support/certificate-maker.ts';
import {
  answering,
  pem,
  startTlsServer,
  type FaultServer,
} from '../../../test/support/fault-servers.ts';
import { createTestProbe, httpCheck, runProbe } from '../../../test/support/probing.ts';
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
  test.each([
    ['expired', 'localhost', 'tls_expired', 'TLS certificate expired on 2025-06-01'],
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
});
