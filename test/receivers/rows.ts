import { gzipSync } from 'node:zlib';
import {
  answering,
  answeringAndClosing,
  answeringForEver,
  dripping,
  page,
  startServer,
  startTlsServer,
} from '../support/fault-servers.ts';
import type { OnConnection } from '../support/fault-servers.ts';
import {
  again,
  address,
  delivered,
  forbidden,
  hangs,
  receiver,
  refused,
  unreached,
} from './row.ts';
import type { Row } from './row.ts';
import { HOUR, SECOND, START } from '../support/delivery-worker.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const BAD = 'HTTP/1.1 500 Internal Server Error\r\n';
const NO_ANSWER = 'The connection was closed without a response';
const SILENCE = 'No response within 10 s';

/** A response with that status. */
const status = (code: number | string, ...headers: string[]): OnConnection =>
  answering([`HTTP/1.1 ${code} X`, ...headers, 'Content-Length: 0', '', ''].join('\r\n'));

const onRequest =
  (act: (socket: Parameters<OnConnection>[0]) => void): OnConnection =>
  (socket) =>
    void socket.once('data', () => act(socket));

/** Accepts the connection and reads nothing from it until it is asked whether all clients have disconnected. */
async function deaf() {
  const awaken: (() => void)[] = [];
  const server = await startServer((socket) => {
    socket.pause();
    awaken.push(() => socket.resume());
  });
  return {
    ...server,
    async allClosed() {
      for (const one of awaken) one();
      await server.allClosed();
    },
  };
}

const SILENT: Row[] = [
  { ...receiver('accepts and never reads', () => {}, hangs(unreached(SILENCE))), start: deaf },
  receiver('reads and never answers', () => {}, hangs(unreached(SILENCE))),
  receiver('drips its status line', dripping('HTTP/1.1 200 ', 'x'), hangs(unreached(SILENCE))),
  receiver('drips its head', dripping(OK, 'x'), hangs(unreached(SILENCE))),
  receiver(
    'drips the body of a success',
    dripping(`${OK}Content-Length: 99999999\r\n\r\n`, 'x'),
    hangs(delivered()),
  ),
  receiver('promises a body', answering(`${OK}Content-Length: 9\r\n\r\n`), hangs(delivered())),
  receiver(
    'drips the body of an error',
    dripping(`${BAD}Content-Length: 99999999\r\n\r\n`, 'x'),
    hangs(again(500)),
  ),
  receiver(
    'promises a body with its redirect',
    answering('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 9\r\n\r\n'),
    hangs(refused(302, 'answered HTTP 302: redirects are not followed.')),
  ),
];

const invalid = (code: string) => unreached(`The answer is not valid HTTP (HPE_${code})`);

const ENDLESS: Row[] = [
  receiver(
    'never ends its status line',
    answeringForEver('HTTP/1.1 200 ', 'x'.repeat(9_999)),
    invalid('HEADER_OVERFLOW'),
  ),
  receiver(
    'never ends its head',
    answeringForEver(OK, `X-More: ${'x'.repeat(999)}\r\n`),
    unreached(/not valid HTTP \(HPE_HEADER_OVERFLOW\)\.$/),
  ),
  receiver(
    'never ends the body of a success',
    answeringForEver(`${OK}\r\n`, 'x'.repeat(9_999)),
    delivered(),
  ),
  receiver(
    'never ends the body of an error',
    answeringForEver(`${BAD}\r\n`, 'x'.repeat(9_999)),
    again(500),
  ),
  receiver(
    'never ends its chunks',
    answeringForEver(`${OK}Transfer-Encoding: chunked\r\n\r\n`, `3e7\r\n${'x'.repeat(999)}\r\n`),
    delivered(),
  ),
  receiver(
    'never ends a chunk extension',
    answeringForEver(`${OK}Transfer-Encoding: chunked\r\n\r\n1;a=`, 'x'.repeat(9_999)),
    delivered(),
  ),
  receiver(
    'never ends its trailers',
    answeringForEver(`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, `X: ${'x'.repeat(999)}\r\n`),
    delivered(),
  ),
  receiver(
    'sends 1xx without end',
    answeringForEver('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(99)),
    unreached('The answer is not valid HTTP (more than 20 interim responses)'),
  ),
  receiver(
    'drips 1xx',
    dripping('', 'HTTP/1.1 102 Processing\r\n\r\n'),
    unreached('The answer is not valid HTTP (more than 20 interim responses)'),
  ),
  receiver(
    'sends a gzip bomb',
    answering(page(gzipSync(Buffer.alloc(50_000_000)), 'Content-Encoding: gzip')),
    delivered(),
  ),
];

const BREAKING: Row[] = [
  receiver(
    'closes at once',
    (socket) => void socket.end(),
    unreached(/: (Connection reset by|The connection was closed without)/),
  ),
  receiver(
    'resets at once',
    (socket) => void socket.resetAndDestroy(),
    unreached(/: (Connection reset by|The connection was closed without)/),
  ),
  receiver(
    'closes after the request',
    onRequest((socket) => socket.end()),
    unreached(NO_ANSWER),
  ),
  receiver(
    'resets after the request',
    onRequest((socket) => socket.resetAndDestroy()),
    unreached(NO_ANSWER),
  ),
  receiver('closes within its head', answeringAndClosing(OK), unreached(NO_ANSWER)),
  receiver(
    'closes within the body of a success',
    answeringAndClosing(`${OK}Content-Length: 9\r\n\r\nx`),
    delivered(),
  ),
  receiver(
    'resets within the body of an error',
    onRequest((socket) =>
      socket.write(`${BAD}Content-Length: 9\r\n\r\nx`, () =>
        setImmediate(() => socket.resetAndDestroy()),
      ),
    ),
    again(500),
  ),
  receiver(
    'changes the protocol',
    answering('HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    unreached(NO_ANSWER),
  ),
];

const GARBAGE: Row[] = [
  receiver('is an SSH server', answering('SSH-2.0-OpenSSH_9.6\r\n'), invalid('INVALID_CONSTANT')),
  receiver('is a mail server', answering('220 mail ready\r\n'), invalid('INVALID_CONSTANT')),
  receiver(
    'answers as HTTP/0.9 did',
    answeringAndClosing('<html>ok</html>'),
    invalid('INVALID_CONSTANT'),
  ),
  receiver('answers zeros', answering(Buffer.alloc(999)), invalid('INVALID_CONSTANT')),
  receiver(
    'answers with HTTP/2',
    answering(Buffer.from('000012040000000000', 'hex')),
    invalid('INVALID_CONSTANT'),
  ),
  receiver(
    'has no such version',
    answering('HTTP/9.9 200 OK\r\n\r\n'),
    unreached(/not valid HTTP \(HPE_/),
  ),
  receiver(
    'has a status of letters',
    answering('HTTP/1.1 abc OK\r\n\r\n'),
    invalid('INVALID_STATUS'),
  ),
  receiver(
    'has a length of letters',
    answering(`${OK}Content-Length: x\r\n\r\n`),
    invalid('INVALID_CONTENT_LENGTH'),
  ),
  receiver(
    'has a negative length',
    answering(`${OK}Content-Length: -1\r\n\r\n`),
    invalid('INVALID_CONTENT_LENGTH'),
  ),
  receiver(
    'has two lengths',
    answering(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`),
    invalid('UNEXPECTED_CONTENT_LENGTH'),
  ),
  receiver(
    'sends more than its length',
    answering(`${OK}Content-Length: 1\r\n\r\nxxxxxxx`),
    delivered(),
  ),
  receiver(
    'sends garbage for a chunk',
    answering(`${OK}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`),
    delivered(),
  ),
  receiver(
    'sends garbage for a chunk of an error',
    answering(`${BAD}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`),
    again(500),
  ),
  receiver(
    'sends bytes that are no text',
    answering(page(Buffer.from([0, 255, 254, 0, 195]))),
    delivered(),
  ),
  receiver(
    'says 204 with a body',
    answering('HTTP/1.1 204 X\r\nContent-Length: 2\r\n\r\nhi'),
    delivered(204),
  ),
];

const redirect = (code: number, to: string) =>
  receiver(
    `redirects by ${code} to ${to}`,
    status(code, `Location: ${to}`),
    refused(code, `answered HTTP ${code}: redirects are not followed.`),
  );

const ANSWERS: Row[] = [
  ...[200, 201, 202, 204, 299].map((code) => receiver(`${code}`, status(code), delivered(code))),
  receiver(
    '100 and 103 before 200',
    answering(`HTTP/1.1 100 X\r\n\r\nHTTP/1.1 103 X\r\n\r\n${OK}Content-Length: 0\r\n\r\n`),
    delivered(),
  ),
  redirect(301, 'http://127.0.0.1:1/'),
  redirect(302, '/'),
  redirect(303, 'file:///etc/passwd'),
  redirect(307, 'http://169.254.169.254/latest/meta-data/'),
  redirect(308, 'http://10.0.0.1/'),
  ...[400, 401, 403, 404, 405, 409, 413, 415, 422, 425, 451].map((code) =>
    receiver(`${code}`, status(code), refused(code)),
  ),
  receiver('410', status(410), {
    ...refused(410, 'answered HTTP 410. It is gone for good.'),
    isSwitchedOff: true,
  }),
  ...[408, 429, 500, 502, 503, 504, 599, 999].map((code) =>
    receiver(`${code}`, status(code), again(code)),
  ),
];

/** Its Retry-After header, and the actual delay. */
const ASKED: [retryAfter: string, againMs: number][] = [
  ['7', 7 * SECOND],
  ['0', 5 * SECOND],
  ['2.5', 5 * SECOND],
  ['-9', 5 * SECOND],
  ['soon', 5 * SECOND],
  ['', 5 * SECOND],
  ['1e9', 5 * SECOND],
  ['31536000', HOUR],
  ['99999999999999999999', 5 * SECOND],
  [new Date(START + 90 * SECOND).toUTCString(), 90 * SECOND],
  [new Date(START - 90 * SECOND).toUTCString(), 5 * SECOND],
  [new Date(START + 9_000 * HOUR).toUTCString(), HOUR],
];

const BUSY: Row[] = ASKED.flatMap(([asked, againMs], index) => {
  const code = index % 2 === 0 ? 429 : 503;
  const name = `${code} with Retry-After: ${asked}`;
  return receiver(name, status(code, `Retry-After: ${asked}`), again(code, againMs));
});

const secure = (name: string, certificate: string, expected: Row['expected']): Row => ({
  name,
  start: () => startTlsServer(certificate, answering(page('ok'))),
  origin: 'https://localhost:{port}',
  expected,
});

const TLS: Row[] = [
  secure('a good certificate', 'good', delivered()),
  secure('an expired certificate', 'expired', unreached('TLS certificate has expired')),
  secure(
    'a certificate of tomorrow',
    'not-yet-valid',
    unreached('TLS certificate is not valid yet'),
  ),
  secure(
    'a certificate of another host',
    'wrong-host',
    unreached('TLS certificate is for another name'),
  ),
  secure('a self-signed certificate', 'self-signed', unreached(/TLS certificate is not trusted/)),
  {
    ...receiver('no TLS where there should be', answering(BAD), unreached(/TLS handshake failed/)),
    origin: 'https://localhost:{port}',
  },
  {
    ...receiver(
      'a handshake that hangs',
      () => {},
      hangs(unreached('TLS handshake not finished within 10 s')),
    ),
    origin: 'https://localhost:{port}',
  },
];

const ADDRESSES: Row[] = [
  address(
    'nobody listens',
    'http://127.0.0.1:1',
    unreached('Connection refused by 127.0.0.1 port 1'),
  ),
  address('no such name', 'http://unknown.test', unreached('DNS name unknown.test not found')),
  address(
    'a name server that fails',
    'http://failing.test',
    unreached('DNS look-up of failing.test failed'),
  ),
  address(
    'a name server that is silent',
    'http://silent.test',
    hangs(unreached('DNS timeout looking up silent.test')),
  ),
  address(
    'a name server that talks nonsense',
    'http://nonsense.test',
    unreached('DNS look-up of nonsense.test failed'),
  ),
  address('a name of a private address', 'http://private.test', forbidden('private.test')),
  address('a name of a good and a private address', 'http://mixed.test', forbidden('mixed.test')),
  address('a name of the metadata service', 'http://metadata.test', forbidden('metadata.test')),
  address('a loopback address', 'http://127.0.0.2:1', forbidden('127.0.0.2')),
  address('a loopback address as a number', 'http://2130706434:1', forbidden('127.0.0.2')),
  address('a mapped IPv6 address', 'http://[::ffff:127.0.0.2]:1', forbidden('::ffff:7f00:2')),
  address('the unspecified address', 'http://0.0.0.0:1', forbidden('0.0.0.0')),
  address('the unspecified IPv6 address', 'http://[::]:1', forbidden('::')),
  address(
    'the link-local metadata address',
    'http://169.254.169.254',
    forbidden('169.254.169.254'),
  ),
  address('a private IPv6 address', 'http://[fd00:ec2::254]', forbidden('fd00:ec2::254')),
];

export const ROWS: Record<string, Row[]> = {
  'those that keep us waiting': SILENT,
  'those that never end': ENDLESS,
  'those that break off': BREAKING,
  'those that speak garbage': GARBAGE,
  'those that answer': ANSWERS,
  'those that ask us to wait': BUSY,
  'those behind TLS': TLS,
  'those at no good address': ADDRESSES,
};

/** Replies of the name server. */
export const NAMES = {
  'failing.test': 'server-failure',
  'silent.test': 'silent',
  'nonsense.test': 'garbage',
  'private.test': { addresses: ['10.0.0.1'] },
  'mixed.test': { addresses: ['127.0.0.1', '10.0.0.1'] },
  'metadata.test': { addresses: ['169.254.169.254'] },
} as const;
