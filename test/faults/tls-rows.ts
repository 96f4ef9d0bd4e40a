import type { TlsOptions } from 'node:tls';
import type { FailureCode } from '../../src/model/failure.ts';
import { answering, answeringAndClosing, page, startServer } from '../support/fault-servers.ts';
import type { OnConnection } from '../support/fault-servers.ts';
import { httpCheck } from '../support/probing.ts';
import { addresses } from './name-server.ts';
import { down, downAfterAnswer, HANGS, up } from './row.ts';
import type { Expected, Overrides, Row, Start } from './row.ts';
import { behindRelay, COMMON, OWN, tlsServer } from './tls-targets.ts';

const hello = answering(page('hello'));
const UNCHECKED: Overrides = { acceptsAnyCertificate: true };

function https(
  name: string,
  start: Start,
  expected: Expected,
  more: Overrides & { host?: string } = {},
): Row {
  const { host = 'localhost', ...overrides } = more;
  return {
    name: `tls: ${name}`,
    start,
    request: httpCheck(`https://${host}:{port}/`, overrides),
    guard: 'open',
    expected,
  };
}

const serving = (options: TlsOptions, onConnection = hello): Start =>
  tlsServer(options, onConnection);
const plain =
  (onConnection: OnConnection): Start =>
  () =>
    startServer(onConnection);

const failed = (problem: string | RegExp): Expected =>
  down(
    'tls_handshake',
    typeof problem === 'string' ? `TLS handshake failed: ${problem}` : problem,
    'tcp',
    null,
  );
const NO_TLS = failed('the server does not speak TLS on port {port}');
const CLOSED = failed('the server closed the connection');
const untrusted = (why: string): Expected =>
  down('tls_untrusted', `TLS certificate is not trusted: ${why}`, 'tcp', null);
const wrongHost = (names: string, host = 'localhost'): Expected =>
  down('tls_wrong_host', `TLS certificate is for ${names}, not ${host}`, 'tcp', null);

/** A TLS alert record (RFC 8446, section 6). */
const alert = (description: number): Start =>
  plain(answering(Buffer.from([0x15, 3, 3, 0, 2, 2, description])));

const WEAK = 'its key or a signature of its chain is too weak, or its chain breaks a rule';
const GOOD = OWN('whole-chain');
const whole = (...codes: number[]) => Buffer.from(codes);

export const CERTIFICATE_ROWS: Row[] = [
  https('a good certificate', serving(GOOD), up()),
  https('a good certificate for an address', serving(GOOD), up(), { host: '127.0.0.1' }),
  https('a good certificate for a name with a final dot', serving(GOOD), up(), {
    host: 'localhost.',
  }),
  https('a wildcard', serving(OWN('wildcard')), up(), { host: 'shop.names.test' }),
  https(
    'a wildcard one level too deep',
    serving(OWN('wildcard')),
    wrongHost('*.names.test', 'a.b.names.test'),
    { host: 'a.b.names.test' },
  ),
  https(
    'expired',
    serving(COMMON('expired')),
    down('tls_expired', 'TLS certificate expired on 2025-06-01', 'tcp', null),
  ),
  https(
    'not yet valid',
    serving(COMMON('not-yet-valid')),
    down('tls_not_yet_valid', 'TLS certificate is not valid before 2053-01-01', 'tcp', null),
  ),
  https('for another host', serving(COMMON('wrong-host')), wrongHost('other.example')),
  https(
    'for many other hosts',
    serving(OWN('many-names')),
    wrongHost('a.example, b.example, c.example and 2 more'),
  ),
  https(
    'for a name only and asked for an address',
    serving(OWN('wildcard')),
    wrongHost('*.names.test', '127.0.0.1'),
    { host: '127.0.0.1' },
  ),
  https('self-signed', serving(COMMON('self-signed')), untrusted('it is self-signed')),
  https(
    'without its intermediate',
    serving(OWN('missing-intermediate')),
    untrusted('the server does not send its chain, or the authority is unknown'),
  ),
  https(
    'an intermediate that expired',
    serving(OWN('expired-intermediate')),
    down(
      'tls_expired',
      "The authority's TLS certificate Tocsin old intermediate expired on 2025-06-01",
      'tcp',
      null,
    ),
  ),
  https(
    'signed by no authority',
    serving(OWN('signed-by-no-authority')),
    untrusted('it is not made for servers, or what signed it is no authority'),
  ),
  https(
    'made for clients',
    serving(OWN('for-clients')),
    untrusted('it is not made for servers, or what signed it is no authority'),
  ),
  https(
    'a common name only',
    serving(OWN('without-names')),
    down(
      'tls_wrong_host',
      'TLS certificate names no host: browsers ignore its subject localhost',
      'tcp',
      null,
    ),
  ),
  https(
    'a key that is too short',
    serving({ ...OWN('weak-key', 'weak-server-key'), ciphers: 'DEFAULT@SECLEVEL=0' }),
    untrusted(WEAK),
  ),
  https(
    'signed with SHA-1',
    serving({ ...OWN('sha1'), ciphers: 'DEFAULT@SECLEVEL=0' }),
    untrusted(WEAK),
  ),
  https('expired and not verified', serving(COMMON('expired')), up(), UNCHECKED),
  https('for another host and not verified', serving(COMMON('wrong-host')), up(), UNCHECKED),
  https('self-signed and not verified', serving(COMMON('self-signed')), up(), UNCHECKED),
  https(
    'a short key and not verified',
    serving({ ...OWN('weak-key', 'weak-server-key'), ciphers: 'DEFAULT@SECLEVEL=0' }),
    up(),
    UNCHECKED,
  ),
].map((row) => ({
  ...row,
  names: { 'shop.names.test': addresses('127.0.0.1'), 'a.b.names.test': addresses('127.0.0.1') },
}));

export const HANDSHAKE_ROWS: Row[] = [
  https('plain HTTP', plain(answering('HTTP/1.1 400 Bad Request\r\n\r\n')), NO_TLS),
  https(
    'plain HTTP that speaks first',
    plain((socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
    NO_TLS,
  ),
  https('garbage', plain(answering('x'.repeat(500))), NO_TLS),
  https(
    'mail',
    plain((socket) => void socket.write('220 mail.example ESMTP\r\n')),
    NO_TLS,
  ),
  https(
    'closes at once',
    plain((socket) => void socket.end()),
    CLOSED,
  ),
  https(
    'closes after the greeting',
    plain((socket) => void socket.once('data', () => socket.end())),
    CLOSED,
  ),
  https(
    'resets after the greeting',
    plain((socket) => void socket.once('data', () => socket.resetAndDestroy())),
    CLOSED,
  ),
  https('closes within a record', plain(answeringAndClosing(whole(0x16, 3, 3, 0, 80, 2))), CLOSED),
  https(
    'silent',
    plain(() => undefined),
    down('tls_handshake', 'TLS handshake not finished within 2 s', 'tcp', null),
    HANGS,
  ),
  https(
    'silent within a record',
    plain(answering(whole(0x16, 3, 3, 0, 80, 2))),
    down('tls_handshake', 'TLS handshake not finished within 2 s', 'tcp', null),
    HANGS,
  ),
  https(
    'a greeting of 2^14 bytes that means nothing',
    plain(answering(whole(0x16, 3, 3, 0x40, 0), Buffer.alloc(0x4000, 0xff))),
    failed(/^TLS handshake failed: [a-z ]+$/),
  ),
  https(
    'a record that is too long',
    plain(answering(whole(0x16, 3, 3, 0xff, 0xff), Buffer.alloc(70_000))),
    failed('data length too long'),
  ),
  https(
    "the client's own greeting back",
    plain((socket) => void socket.pipe(socket)),
    failed(/^TLS handshake failed: [a-z ]+$/),
  ),
  https('handshake failure', alert(40), failed('the server refused it (handshake failure)')),
  https('internal error', alert(80), failed('the server refused it (internal error)')),
  https('an unknown name', alert(112), failed('the server refused it (unrecognized name)')),
  https(
    'an unknown alert',
    alert(200),
    down('tls_handshake', 'TLS handshake not finished within 2 s', 'tcp', null),
    HANGS,
  ),
  https(
    'a name that is refused',
    serving({ ...GOOD, SNICallback: (_name, done) => done(new Error('no such name')) }),
    CLOSED,
  ),
  https(
    'HTTP/2 only',
    serving({ ...GOOD, ALPNProtocols: ['h2'] }),
    failed('the server speaks HTTP/2 only, not HTTP/1.1'),
  ),
  https('version 1.2', serving({ ...GOOD, maxVersion: 'TLSv1.2' }), up()),
  https(
    'version 1.0',
    serving({ ...GOOD, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    failed(/(?:protocol version\)|unsupported protocol)$/),
  ),
  https(
    'version 1.0, and the certificate not verified',
    serving({ ...GOOD, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    up(),
    UNCHECKED,
  ),
  https(
    'ciphers of another time',
    serving({ ...GOOD, maxVersion: 'TLSv1.2', ciphers: 'NULL:eNULL:@SECLEVEL=0' }),
    failed('the server refused it (handshake failure)'),
  ),
  https(
    'a client certificate demanded',
    serving({ ...GOOD, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }),
    failed('the server refused it (handshake failure)'),
  ),
  https(
    'a client certificate demanded in version 1.3',
    serving({ ...GOOD, requestCert: true, rejectUnauthorized: true }),
    down(
      'tls_handshake',
      'TLS handshake failed: the server refused it (certificate required)',
      'tls',
      null,
    ),
  ),
  https(
    'a client certificate wished for',
    serving({ ...GOOD, requestCert: true, rejectUnauthorized: false }),
    up(),
  ),
];

const INSPECTED: Overrides = { isCertificateInspected: true };
const reported = (expected: Expected, certificateFault?: FailureCode): Expected => ({
  ...expected,
  ...(certificateFault === undefined ? {} : { certificateFault }),
});

/** Certificates that are inspected separately: their faults are reported and fail nothing. */
export const INSPECTED_ROWS: Row[] = [
  https('inspected: a good certificate', serving(GOOD), reported(up()), INSPECTED),
  https('inspected: expired', serving(COMMON('expired')), reported(up(), 'tls_expired'), INSPECTED),
  https(
    'inspected: not yet valid',
    serving(COMMON('not-yet-valid')),
    reported(up(), 'tls_not_yet_valid'),
    INSPECTED,
  ),
  https(
    'inspected: for another host',
    serving(COMMON('wrong-host')),
    reported(up(), 'tls_wrong_host'),
    INSPECTED,
  ),
  https(
    'inspected: self-signed',
    serving(COMMON('self-signed')),
    reported(up(), 'tls_untrusted'),
    INSPECTED,
  ),
  https(
    'inspected: without its intermediate',
    serving(OWN('missing-intermediate')),
    reported(up(), 'tls_untrusted'),
    INSPECTED,
  ),
  https('inspected: expired and not verified', serving(COMMON('expired')), reported(up()), {
    ...INSPECTED,
    ...UNCHECKED,
  }),
  https(
    'inspected: expired, and an error page',
    serving(COMMON('expired'), answering('HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n')),
    reported(downAfterAnswer('http_status', 'HTTP 500 Internal Server Error', 500), 'tls_expired'),
    INSPECTED,
  ),
  https(
    'inspected: expired, and a token that is not sent',
    serving(COMMON('expired'), answering('HTTP/1.1 401 x\r\nContent-Length: 0\r\n\r\n')),
    reported(up(401), 'tls_expired'),
    { ...INSPECTED, headers: { Authorization: 'Bearer sesame' } },
  ),
  https(
    'inspected: expired, and silence',
    serving(COMMON('expired'), () => undefined),
    reported(down('no_response', 'No response within 2 s', 'tls', null), 'tls_expired'),
    { ...INSPECTED, ...HANGS },
  ),
  https(
    'inspected: plain HTTP',
    plain(answering('HTTP/1.1 400 Bad Request\r\n\r\n')),
    reported(NO_TLS),
    INSPECTED,
  ),
];

export const AFTER_HANDSHAKE_ROWS: Row[] = [
  https(
    'silent after the handshake',
    serving(GOOD, () => undefined),
    down('no_response', 'No response within 2 s', 'tls', null),
    HANGS,
  ),
  https(
    'closes after the handshake',
    serving(GOOD, (socket) => void socket.end()),
    down(
      'response_cut_short',
      'Connection closed by 127.0.0.1 port {port} without a response',
      'tls',
      null,
    ),
  ),
  https(
    'resets after the request',
    behindRelay(GOOD, (_secure, client) => void client.resetAndDestroy()),
    down('connection_reset', 'Connection reset by 127.0.0.1 port {port}', 'tls', null),
  ),
  https(
    'ends without goodbye after the request',
    behindRelay(GOOD, (_secure, client) => void client.end()),
    down(
      'response_cut_short',
      'Connection closed by 127.0.0.1 port {port} without a response',
      'tls',
      null,
    ),
  ),
  https(
    'ends without goodbye within the body',
    behindRelay(GOOD, (secure, client) => {
      secure.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello', () =>
        setTimeout(() => client.end(), 50),
      );
    }),
    down('response_cut_short', 'Response cut short after 5 of 9 bytes of body', 'ttfb', 200),
  ),
  https(
    'ends without goodbye a body that ends by closing',
    behindRelay(GOOD, (secure, client) => {
      secure.write('HTTP/1.1 200 OK\r\n\r\nhello', () => setTimeout(() => client.end(), 50));
    }),
    up(),
  ),
  https(
    'garbage after the request',
    behindRelay(GOOD, (_secure, client) => void client.write('HTTP/1.1 400 x\r\n\r\n')),
    { ...failed(/^TLS handshake failed: [a-z ]+$/), until: 'tls' },
  ),
  https(
    'garbage within the body',
    behindRelay(GOOD, (secure, client) => {
      secure.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello', () =>
        setTimeout(() => client.write('x'.repeat(100)), 50),
      );
    }),
    down(
      'response_cut_short',
      /^Response cut short after 5 of 9 bytes of body: [a-z ]+$/,
      'ttfb',
      200,
    ),
  ),
  https(
    'negotiates again',
    serving({ ...GOOD, maxVersion: 'TLSv1.2' }, (socket) => {
      socket.once('data', () => {
        (socket as unknown as { renegotiate(options: object, done: () => void): void }).renegotiate(
          {},
          () => undefined,
        );
        socket.end(page('hello'));
      });
    }),
    up(),
  ),
  https(
    'an error page',
    serving(GOOD, answering('HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n')),
    downAfterAnswer('http_status', 'HTTP 500 Internal Server Error', 500),
  ),
];
