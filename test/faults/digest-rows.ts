import { createHash, randomUUID } from 'node:crypto';
import type { OnConnection } from '../support/fault-servers.ts';
import { answeringForEver } from '../support/fault-servers.ts';
import { down, downAfterAnswer, HANGS, http, up } from './row.ts';
import type { Expected, Overrides, Row } from './row.ts';

const USER = { username: 'watch', password: 'sesame' };
const DIGEST: Overrides = { digest: USER };
const REALM = 'house';
const HASHES: Record<string, string> = { MD5: 'md5', 'SHA-256': 'sha256' };

const unauthorized = (...challenges: string[]): string =>
  [
    'HTTP/1.1 401 x',
    ...challenges.map((each) => `WWW-Authenticate: ${each}`),
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const challenge = (more = 'qop="auth"', nonce = 'n1'): string =>
  `Digest realm="${REALM}", nonce="${nonce}"${more === '' ? '' : `, ${more}`}`;

/**
 * Answers each request by its credentials, null if it has none; `{port}` in the answer is the target's own. Requests of
 * these rows have no body, and may arrive in pieces.
 */
function site(answer: (authorization: string | null, request: string) => string): OnConnection {
  return (socket) => {
    let request = '';
    socket.on('data', (data) => {
      request += data.toString('latin1');
      if (!request.endsWith('\r\n\r\n')) return;
      const said = answer(authorizationIn(request), request);
      socket.end(said.replaceAll('{port}', String(socket.localPort)));
    });
  };
}

function authorizationIn(request: string): string | null {
  return /\r\nAuthorization: (.*)\r\n/i.exec(request)?.[1] ?? null;
}

/** Whether the client knows the password (RFC 7616, section 3.4.1; RFC 2069 without `qop`). */
function isRight(authorization: string | null, method = 'GET'): boolean {
  if (authorization === null) return false;
  const read = (name: string): string =>
    new RegExp(`[ ,]${name}="?([^",]*)`).exec(authorization)?.[1] ?? '';
  const algorithm = HASHES[read('algorithm') || 'MD5'] ?? 'md5';
  const hash = (...parts: string[]): string =>
    createHash(algorithm).update(parts.join(':')).digest('hex');
  const secret = hash(USER.username, REALM, USER.password);
  const request = hash(method, read('uri'));
  const middle = read('qop') === '' ? [] : [read('nc'), read('cnonce'), read('qop')];
  return read('response') === hash(secret, read('nonce'), ...middle, request);
}

/** A page protected by these challenges. */
const behind = (...challenges: string[]): OnConnection =>
  site((authorization) => (isRight(authorization) ? OK : unauthorized(...challenges)));

const row = (
  name: string,
  onConnection: OnConnection,
  expected: Expected,
  more: Overrides = {},
): Row => http(`digest: ${name}`, onConnection, expected, { ...DIGEST, ...more });
const REFUSED = downAfterAnswer('http_status', 'HTTP 401 Unauthorized', 401);

export const DIGEST_ROWS: Row[] = [
  row('MD5', behind(challenge()), up()),
  row('MD5 without quality of protection', behind(challenge('')), up()),
  row('SHA-256', behind(challenge('qop="auth", algorithm=SHA-256')), up()),
  row(
    'the stronger of two in two headers',
    behind(challenge(), challenge('qop="auth", algorithm=SHA-256')),
    up(),
  ),
  row('two in one header', behind(`Basic realm="x", ${challenge()}`), up()),
  row(
    'a comma and a quote in a value',
    behind(`Digest realm="${REALM}", opaque="a, \\"b", nonce="n1", qop="auth,auth-int"`),
    up(),
  ),
  row(
    'no challenge needed',
    site(() => OK),
    up(),
  ),
  row('a wrong password', behind(challenge()), REFUSED, { digest: { ...USER, password: 'wrong' } }),
  row(
    'a password beyond ASCII that is wrong',
    behind(challenge('qop="auth", charset=UTF-8')),
    REFUSED,
    { digest: { username: 'größe', password: '日本' } },
  ),
  row(
    'a nonce too old once',
    site((authorization) => {
      const isOld = authorization?.includes('nonce="old"') === true;
      if (isRight(authorization) && !isOld) return OK;
      return unauthorized(challenge(`qop="auth", stale=${isOld}`, isOld ? 'new' : 'old'));
    }),
    up(),
  ),
  row(
    'a nonce too old for ever',
    site(() => unauthorized(challenge('qop="auth", stale=true', randomUUID()))),
    REFUSED,
  ),
  row(
    'a new challenge for ever',
    site(() => unauthorized(challenge('qop="auth"', randomUUID()))),
    REFUSED,
  ),
  row('an unknown algorithm', behind(challenge('qop="auth", algorithm=ROT-13')), REFUSED),
  row(
    'an unknown algorithm beside a known one',
    behind(challenge('qop="auth", algorithm=ROT-13'), challenge()),
    up(),
  ),
  row('the whole message to be signed', behind(challenge('qop="auth-int"')), REFUSED),
  row('no nonce', behind(`Digest realm="${REALM}", qop="auth"`), REFUSED),
  row('no realm', behind('Digest nonce="n1", qop="auth"'), REFUSED),
  row('no parameters', behind('Digest'), REFUSED),
  row('a quote that never ends', behind(`Digest realm="${REALM}, nonce=n1`), REFUSED),
  row('another scheme', behind('Basic realm="house"'), REFUSED),
  row('no challenge at all', behind(), REFUSED),
  row(
    'a challenge of 60,000 bytes',
    behind(challenge(`qop="auth", opaque="${'x'.repeat(60_000)}"`)),
    up(),
  ),
  row(
    'a challenge with an endless body',
    (socket, received) => {
      socket.once('data', (data) => {
        if (isRight(authorizationIn(data.toString('latin1')))) socket.end(OK);
      });
      answeringForEver(
        `HTTP/1.1 401 x\r\nWWW-Authenticate: ${challenge()}\r\n\r\n`,
        'x'.repeat(65_536),
      )(socket, received);
    },
    up(),
  ),
  row(
    'closes when it is answered',
    site((authorization) => (authorization === null ? unauthorized(challenge()) : '')),
    down(
      'response_cut_short',
      'Connection closed by 127.0.0.1 port {port} without a response',
      'ttfb',
    ),
  ),
  row(
    'silent when it is answered',
    (socket) => {
      socket.once('data', (data) => {
        if (!data.toString('latin1').includes('Authorization'))
          socket.end(unauthorized(challenge()));
      });
    },
    down('no_response', 'No response within 2 s', 'ttfb'),
    HANGS,
  ),
  row(
    'fails when it is answered',
    site((authorization) =>
      authorization === null
        ? unauthorized(challenge())
        : 'HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n',
    ),
    downAfterAnswer('http_status', 'HTTP 500 Internal Server Error', 500),
  ),
  row(
    'a challenge behind a redirect',
    site((authorization, request) =>
      request.startsWith('GET /next ')
        ? isRight(authorization)
          ? OK
          : unauthorized(challenge())
        : 'HTTP/1.1 302 x\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n',
    ),
    up(),
  ),
  row(
    'a challenge from another origin',
    site((authorization, request) =>
      request.includes('Host: localhost')
        ? authorization === null
          ? unauthorized(challenge())
          : OK
        : 'HTTP/1.1 302 x\r\nLocation: http://localhost:{port}/\r\nContent-Length: 0\r\n\r\n',
    ),
    REFUSED,
  ),
  http('digest: a challenge without credentials', behind(challenge()), REFUSED),
];
