import { createSecureContext, createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { makeAuthority, makeCertificate } from '../../../test/support/certificate-maker.ts';
import type {
  Certificate,
  CertificateOptions,
  KeyKind,
} from '../../../test/support/certificate-maker.ts';
import { answering, listen, startServer } from '../../../test/support/fault-servers.ts';
import type { FaultServer, OnConnection } from '../../../test/support/fault-servers.ts';
import { makeStaple } from '../../../test/support/ocsp-staple.ts';
import {
  SHORT_MS,
  createTestProbe,
  httpCheck,
  runInspection,
  runProbe,
} from '../../../test/support/probing.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Failure } from '../../model/failure.ts';
import type { InspectionResult, SslFacts } from '../../model/inspection.ts';
import { createAddressGuard } from '../../net/address-guard.ts';
import type { Resolver } from '../../net/resolver.ts';
import type { ProbeContext } from '../contract.ts';
import { createSslInspector } from './ssl.ts';

const DAY_MS = 86_400_000;
const root = makeAuthority('Inspection root');
const middle = makeAuthority('Inspection middle', { issuer: root });
const good = leaf();
const hello = answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
const inspector = createSslInspector({ authorities: [root.pem] });
const probe = createTestProbe({ authorities: [root.pem] });

let server: FaultServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

function leaf(options: CertificateOptions = {}): Certificate {
  return makeCertificate({
    names: ['localhost', '127.0.0.1', '::1'],
    issuer: middle,
    ...options,
  });
}

/** A server's certificate and those it sends after it. */
function showing(own: Certificate, ...others: Certificate[]): TlsOptions {
  return { key: own.keyPem, cert: [own, ...others].map(({ pem }) => pem).join('') };
}

async function serve(options: TlsOptions, staple?: Buffer, host?: string): Promise<void> {
  const tls = createTlsServer(options);
  tls.on('tlsClientError', () => undefined);
  if (staple !== undefined) {
    tls.on('OCSPRequest', (_certificate, _issuer, answer: (error: null, der: Buffer) => void) =>
      answer(null, staple),
    );
  }
  server = await listen(tls, 'secureConnection', hello, host ?? '127.0.0.1');
}

async function inspect(
  host = 'localhost',
  context: Partial<ProbeContext> = {},
  timeoutMs = 10_000,
): Promise<InspectionResult<'ssl'>> {
  const request = { kind: 'ssl', host, port: server?.port ?? 1, timeoutMs } as const;
  const result = await runInspection(inspector, request, context);
  await server?.allClosed();
  return result;
}

async function factsOf(host?: string): Promise<SslFacts> {
  const result = await inspect(host);
  if (result.state !== 'known') throw new Error(JSON.stringify(result));
  // Facts must survive the transfer to another process.
  expect(JSON.parse(JSON.stringify(result.facts))).toEqual(result.facts);
  return result.facts;
}

/** Failure of an HTTPS check of the same server. */
async function faultOfCheck(host: string): Promise<Failure | null> {
  const { failure } = await runProbe(probe, httpCheck(`https://${host}:${server!.port}/`));
  await server!.allClosed();
  return failure;
}

test('all facts of a valid certificate', async () => {
  await serve(showing(good, middle));
  expect(await factsOf()).toEqual({
    address: '127.0.0.1',
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_256_GCM_SHA384',
    certificate: {
      fingerprint: good.fingerprint,
      serialNumber: good.serialNumber,
      subject: 'localhost',
      issuer: 'Inspection middle',
      names: ['localhost', '127.0.0.1', '::1'],
      validFrom: good.validFrom,
      validTo: good.validTo,
      keyType: 'ec',
      keyBits: 256,
    },
    chain: [{ subject: 'Inspection middle', issuer: 'Inspection root', validTo: middle.validTo }],
    fault: null,
    ocsp: null,
  });
  expect(server?.received).toEqual(['']);
});

const dates = (from: number, to: number) => ({
  validFrom: Date.UTC(from, 0, 1),
  validTo: Date.UTC(to, 5, 1),
});
const named = (name: string) => ({ names: [name] });
const isFor = (names: string, host: string) =>
  `tls_wrong_host: TLS certificate is for ${names}, not ${host}`;

describe('a fault has the same text as in an HTTPS check', () => {
  const now = Date.now();
  const old = makeAuthority('Old middle', { issuer: root, validTo: now - DAY_MS });
  const FROM_OLD = `The authority's TLS certificate Old middle expired on ${day(now - DAY_MS)}`;
  const stranger = { issuer: makeAuthority('Somebody') };
  const HALF = 'w*.localhost (a wildcard that browsers ignore)';
  const AS_A_NAME = '127.0.0.1 (as a host name, not as an address)';
  const ALONE = 'TLS certificate names no host: browsers ignore its subject localhost';
  const WILD = 'a.b.shop.localhost';
  const AHEAD = 'tls_not_yet_valid: TLS certificate is not valid before 2090-01-01';
  const UNTRUSTED = 'tls_untrusted: TLS certificate is not trusted:';
  test.each<[string, CertificateOptions, string, string?]>([
    ['expired', dates(2024, 2024), 'tls_expired: TLS certificate expired on 2024-06-01'],
    ['not yet valid', dates(2090, 2091), AHEAD],
    ['for another host', named('other.example'), isFor('other.example', 'localhost')],
    ['not for its address', named('localhost'), isFor('localhost', '127.0.0.1'), '127.0.0.1'],
    ['below a wildcard', named('*.shop.localhost'), isFor('*.shop.localhost', WILD), WILD],
    ['below half a wildcard', named('w*.localhost'), isFor(HALF, 'www.localhost'), 'www.localhost'],
    [
      'with its address as a name',
      named('dns:127.0.0.1'),
      isFor(AS_A_NAME, '127.0.0.1'),
      '127.0.0.1',
    ],
    ['with a common name alone', { names: null }, `tls_wrong_host: ${ALONE}`],
    ['by an authority that has ended', { issuer: old }, `tls_expired: ${FROM_OLD}`],
    ['by a stranger', stranger, `${UNTRUSTED} its chain ends in an unknown authority`],
  ])('%s [16.26]', async (_name, options, fault, host = 'localhost') => {
    const own = leaf(options);
    await serve(showing(own, options.issuer ?? middle));
    const facts = await factsOf(host);
    expect(`${facts.fault!.code}: ${facts.fault!.text}`).toBe(fault);
    expect(await faultOfCheck(host)).toEqual(facts.fault);
    expect(facts.certificate).toMatchObject({
      fingerprint: own.fingerprint,
      validFrom: own.validFrom,
      validTo: own.validTo,
    });
  });

  test('self-signed', async () => {
    await serve(showing(makeCertificate()));
    expect(await factsOf()).toMatchObject({
      fault: {
        code: 'tls_untrusted',
        text: 'TLS certificate is not trusted: it is self-signed',
      },
      chain: [],
    });
  });

  test('sent without the certificate of its authority', async () => {
    await serve(showing(good));
    expect(await factsOf()).toMatchObject({
      fault: {
        code: 'tls_untrusted',
        text: 'TLS certificate is not trusted: the server does not send its chain, or the authority is unknown',
      },
      chain: [],
    });
  });

  test('by the default store without custom authorities', async () => {
    await serve(showing(good, middle));
    const request = {
      kind: 'ssl',
      host: 'localhost',
      port: server!.port,
      timeoutMs: 10_000,
    } as const;
    expect(await runInspection(createSslInspector(), request)).toMatchObject({
      state: 'known',
      facts: {
        fault: {
          code: 'tls_untrusted',
          text: 'TLS certificate is not trusted: its authority is unknown',
        },
        chain: [{ subject: 'Inspection middle' }],
      },
    });
  });
});

describe('a valid certificate', () => {
  test.each(['localhost', 'localhost.', 'LOCALHOST', '127.0.0.1'])('for %s', async (host) => {
    await serve(showing(good, middle));
    expect((await factsOf(host)).fault).toBeNull();
  });

  test('over IPv6', async () => {
    await serve(showing(good, middle), undefined, '::1');
    expect(await factsOf('::1')).toMatchObject({ address: '::1', fault: null });
  });

  test.each(['a.shop.localhost', 'my_host.shop.localhost'])(
    'for %s below a wildcard [16.26]',
    async (host) => {
      await serve(showing(leaf({ names: ['*.shop.localhost'] }), middle));
      expect((await factsOf(host)).fault).toBeNull();
      expect(await faultOfCheck(host)).toBeNull();
    },
  );

  test('for the requested name', async () => {
    const shop = leaf({ name: 'shop', names: ['shop.localhost'] });
    await serve({
      ...showing(good, middle),
      SNICallback: (name, answer) =>
        answer(
          null,
          name === 'shop.localhost' ? createSecureContext(showing(shop, middle)) : undefined,
        ),
    });
    expect(await factsOf('shop.localhost')).toMatchObject({
      certificate: { fingerprint: shop.fingerprint },
      fault: null,
    });
    expect(await factsOf()).toMatchObject({ certificate: { fingerprint: good.fingerprint } });
  });

  test.each<[KeyKind, string, number | null]>([
    ['ec', 'ec', 256],
    ['ec384', 'ec', 384],
    ['rsa', 'rsa', 2_048],
    ['ed25519', 'ed25519', null],
  ])('with a key of kind %s', async (key, keyType, keyBits) => {
    await serve(showing(leaf({ key }), middle));
    expect(await factsOf()).toMatchObject({ certificate: { keyType, keyBits }, fault: null });
  });

  test('with a serial number whose first bit is set', async () => {
    await serve(showing(leaf({ serialNumber: 'f00d' }), middle));
    expect((await factsOf()).certificate.serialNumber).toBe('F00D');
  });

  test('valid until the end of time', async () => {
    const validTo = Date.UTC(9999, 11, 31, 23, 59, 59);
    await serve(showing(leaf({ validTo }), middle));
    expect((await factsOf()).certificate.validTo).toBe(validTo);
  });

  test('of a server that requests a client certificate', async () => {
    await serve({ ...showing(good, middle), requestCert: true, rejectUnauthorized: true });
    expect((await factsOf()).fault).toBeNull();
  });
});

describe('unusual certificates', () => {
  test('without any name', async () => {
    await serve(showing(leaf({ name: null, names: null }), middle));
    expect(await factsOf()).toMatchObject({
      certificate: { subject: null, names: [] },
      fault: {
        code: 'tls_wrong_host',
        text: 'TLS certificate is for no name at all, not localhost',
      },
    });
  });

  test('with a thousand names', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `host-${index}.localhost`);
    await serve(showing(leaf({ names }), middle));
    const facts = await factsOf('host-999.localhost');
    expect(facts.fault).toBeNull();
    expect(facts.certificate.names).toEqual(names.slice(0, 100));
  });

  test('with misleading names', async () => {
    const names = ['a.example, DNS:b.example', 'c"d\\', 'localhost', 'e\n\u{1}f'];
    await serve(showing(leaf({ names }), middle));
    const facts = await factsOf();
    expect(facts.certificate.names).toHaveLength(4);
    expect(facts.certificate.names).not.toContain('b.example');
  });

  test('with a name of many thousand characters and line breaks', async () => {
    const name = `Dön\\'t, "x" <y>\nCN=other\u{7}${'x'.repeat(5_000)}`;
    await serve(showing(leaf({ name }), middle));
    const { subject } = (await factsOf()).certificate;
    expect(subject).toHaveLength(253);
    expect(subject).toMatch(/^Dön\\'t, "x" <y> CN=other x{10}/);
  });

  test('too large to be read', async () => {
    const names = Array.from({ length: 8_000 }, (_, index) => `host-${index}.localhost`);
    await serve(showing(leaf({ names }), middle));
    expect(await inspect()).toEqual({
      state: 'unknown',
      reason: 'TLS handshake failed: excessive message size',
    });
  });
});

describe('the chain', () => {
  test('of twenty certificates is truncated', async () => {
    const links: Certificate[] = [];
    for (let depth = 0; depth < 19; depth++) {
      links.unshift(makeAuthority(`Link ${depth}`, { issuer: links[0] ?? root }));
    }
    await serve(showing(leaf({ issuer: links[0]! }), ...links));
    const { chain, fault } = await factsOf();
    expect(fault).toBeNull();
    expect(chain.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Link ${18 - index}`),
    );
  });

  test('marks a root in the trust store, and its old cross-signature [23.7]', async () => {
    const former = makeAuthority('Former root');
    const crossSigned = makeAuthority('Inspection root', {
      issuer: former,
      sameKeyAs: root,
      validTo: Date.now() - DAY_MS,
    });
    await serve(showing(good, middle, root, crossSigned));
    const { chain, fault } = await factsOf();
    expect(fault).toBeNull();
    expect(chain).toMatchObject([
      { subject: 'Inspection middle' },
      { subject: 'Inspection root', isSpare: true },
      { subject: 'Inspection root', issuer: 'Former root', isSpare: true },
    ]);
    expect(chain[0]).not.toHaveProperty('isSpare');
  });

  test('marks unrelated certificates, and of two paths the one that expires earlier', async () => {
    const sooner = makeAuthority('Inspection middle', {
      issuer: root,
      sameKeyAs: middle,
      validTo: Date.now() + DAY_MS,
    });
    await serve(showing(good, sooner, makeAuthority('Stranger'), middle));
    const { chain, fault } = await factsOf();
    expect(fault).toBeNull();
    expect(chain.map(({ isSpare }) => isSpare ?? false)).toEqual([true, true, false]);
  });

  test('marks an expired one if the certificate is trusted all the same', async () => {
    await serve(showing(good, middle));
    const later = { ...systemClock, now: () => middle.validTo };
    expect(await inspect('localhost', { clock: later })).toMatchObject({
      facts: { fault: null, chain: [{ subject: 'Inspection middle', isSpare: true }] },
    });
  });

  test('needs the root of a private authority', async () => {
    const own = makeAuthority('House root');
    await serve(showing(leaf({ issuer: own }), own));
    expect((await factsOf()).chain).toEqual([
      { subject: 'House root', issuer: 'House root', validTo: own.validTo },
    ]);
  });
});

describe('servers of all ages', () => {
  test('TLS 1.2 alone', async () => {
    await serve({ ...showing(good, middle), maxVersion: 'TLSv1.2' });
    expect(await factsOf()).toMatchObject({
      protocol: 'TLSv1.2',
      cipher: expect.stringMatching(/^TLS_ECDHE_ECDSA_WITH_AES/),
      fault: null,
    });
  });

  const OLD = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

  test('TLS 1.0 alone is inspected, too [23.2]', async () => {
    await serve({ ...showing(good, middle), ...OLD });
    expect(await factsOf()).toMatchObject({
      protocol: 'TLSv1',
      certificate: { fingerprint: good.fingerprint },
      fault: null,
    });
  });

  test("TLS 1.0 alone doesn't make a certificate trusted", async () => {
    await serve({ ...showing(leaf({ issuer: makeAuthority('Somebody') })), ...OLD });
    expect(await factsOf()).toMatchObject({ protocol: 'TLSv1', fault: { code: 'tls_untrusted' } });
  });

  test('a weak key is a fault', async () => {
    await serve({
      ...showing(leaf({ key: 'rsa1024' }), middle),
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    expect(await factsOf()).toMatchObject({
      certificate: { keyType: 'rsa', keyBits: 1_024 },
      fault: { code: 'tls_untrusted', text: expect.stringContaining('too weak') },
    });
  });

  test('a server without a certificate', async () => {
    await serve({
      ciphers: 'PSK',
      maxVersion: 'TLSv1.2',
      pskCallback: () => Buffer.alloc(16),
    });
    expect(await inspect()).toEqual({
      state: 'unknown',
      reason: expect.stringMatching(/^TLS handshake failed: /),
    });
  });
});

describe('staples', () => {
  const producedAt = Math.floor(Date.now() / 1_000) * 1_000;
  const about = (serialNumber: string, status: 'good' | 'revoked'): Buffer =>
    makeStaple(middle, { status, serialNumbers: [serialNumber], producedAt });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('are read over %s [23.4]', async (maxVersion) => {
    await serve({ ...showing(good, middle), maxVersion }, about(good.serialNumber, 'good'));
    expect((await factsOf()).ocsp).toEqual({ status: 'good', producedAt, nextUpdate: null });
  });

  test.each([
    ['revoked', about(good.serialNumber, 'revoked'), 'revoked'],
    ['about another certificate', about('01', 'revoked'), 'unreadable'],
    ['garbage', Buffer.from('garbage'), 'unreadable'],
  ])('%s', async (_name, staple, status) => {
    await serve(showing(good, middle), staple);
    expect(await factsOf()).toMatchObject({ ocsp: { status }, fault: null });
  });
});

describe('unknown results', () => {
  test.each<[string, OnConnection, string]>([
    [
      'of a server that speaks plain HTTP',
      answering('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'TLS handshake failed: the server does not speak TLS on port',
    ],
    ['of garbage', answering('x'.repeat(500)), 'the server does not speak TLS on port'],
    ['of one that closes', (socket) => void socket.end(), 'the server closed the connection'],
    [
      'of one that breaks off',
      (socket) => void socket.once('data', () => socket.resetAndDestroy()),
      'the server closed the connection',
    ],
    ['of an alert', answering(Buffer.from([0x15, 3, 3, 0, 2, 2, 40])), 'handshake failure'],
  ])('%s', async (_name, onConnection, text) => {
    server = await startServer(onConnection);
    expect(await inspect()).toEqual({ state: 'unknown', reason: expect.stringContaining(text) });
  });

  test('within the deadline [22.14]', async () => {
    server = await startServer(() => undefined);
    expect(await inspect('localhost', {}, SHORT_MS)).toEqual({
      state: 'unknown',
      reason: 'TLS handshake not finished within 0.3 s',
    });
  });

  test('a second attempt within the deadline', async () => {
    let connections = 0;
    server = await startServer((socket) => {
      if (++connections === 1) socket.destroy();
    });
    expect(await inspect('localhost', {}, SHORT_MS)).toEqual({
      state: 'unknown',
      reason: 'TLS handshake failed: the server closed the connection',
    });
    expect(connections).toBe(2);
  });

  test('of a closed port', async () => {
    server = await startServer(() => undefined);
    const { port } = server;
    await server.close();
    expect(await inspect('127.0.0.1')).toEqual({
      state: 'unknown',
      reason: `Connection refused by 127.0.0.1 port ${port}`,
    });
  });

  test('of an address that is not allowed', async () => {
    server = await startServer(() => undefined);
    const result = await inspect('localhost', { guard: createAddressGuard(false) });
    expect(result).toMatchObject({
      state: 'unknown',
      reason: expect.stringMatching(/^Target localhost is not allowed/),
    });
    expect(server.received).toEqual([]);
  });

  test.each([
    ['a b', '"a b" is not a valid host name'],
    ['none.invalid', expect.stringContaining('none.invalid')],
  ])('of the host %s', async (host, reason) => {
    expect(await inspect(host)).toEqual({ state: 'unknown', reason });
  });

  test('when the probe stops', async () => {
    server = await startServer(() => undefined);
    const stopping = new AbortController();
    const running = inspect('localhost', { signal: stopping.signal });
    stopping.abort('shutdown');
    expect(await running).toEqual({
      state: 'unknown',
      reason: 'The probe stopped before the check ended',
    });
  });

  test('when the probe stops during the handshake', async () => {
    const stopping = new AbortController();
    server = await startServer((socket) => socket.on('data', () => stopping.abort('shutdown')));
    expect(await inspect('localhost', { signal: stopping.signal })).toEqual({
      state: 'unknown',
      reason: 'The probe stopped before the check ended',
    });
  });

  test('when the probe fails', async () => {
    const resolver: Resolver = {
      resolve: () => Promise.reject(new Error('boom')),
      hasNetwork: () => true,
    };
    expect(await inspect('name.example', { resolver })).toEqual({
      state: 'unknown',
      reason: 'The probe failed: boom',
    });
  });
});

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
