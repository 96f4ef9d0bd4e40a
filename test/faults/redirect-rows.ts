import { answering, answeringForEver, page, startServer } from '../support/fault-servers.ts';
import type { OnConnection } from '../support/fault-servers.ts';
import { httpCheck } from '../support/probing.ts';
import { down, downAfterAnswer, HERE, http, up } from './row.ts';
import type { Expected, Overrides, Row } from './row.ts';

/** Responds by the request line, such as `GET /`; `{port}` in it is the server's own. */
function site(answers: Record<string, string>): OnConnection {
  return (socket) => {
    socket.once('data', (data) => {
      const asked = data.toString('latin1').split(' ').slice(0, 2).join(' ');
      const said = answers[asked] ?? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';
      socket.end(said.replaceAll('{port}', String(socket.localPort)));
    });
  };
}

const found = (location: string, status = 302): string =>
  `HTTP/1.1 ${status} x\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
const OK = page('there').toString();

/** `/` redirects to the location, where `next` responds with a page. */
const leading = (location: string, next = 'GET /next', status = 302): OnConnection =>
  site({ 'GET /': found(location, status), 'POST /': found(location, status), [next]: OK });

/** Never up: the target of a 302 has not responded. */
const nowhere = (location: string, expected: Expected): Row =>
  http(`redirect to ${location}`, leading(location), expected);

const chain = (length: number): OnConnection =>
  site(
    Object.fromEntries(
      Array.from({ length: length + 1 }, (_, at) => [
        `GET /${at === 0 ? '' : at}`,
        at === length ? OK : found(`/${at + 1}`),
      ]),
    ),
  );

const badScheme = (scheme: string): Expected =>
  downAfterAnswer(
    'redirect_invalid',
    `The redirect leads to ${scheme} and not to http or https`,
    302,
  );
const BAD_ADDRESS = downAfterAnswer(
  'redirect_invalid',
  'The redirect leads to an address that is not valid',
  302,
);
const LOOP = (path = '/') =>
  downAfterAnswer(
    'redirect_loop',
    `Redirect loop: http://127.0.0.1:{port}${path} leads back to itself`,
    302,
  );
const POST: Overrides = { method: 'POST', body: 'a=1' };

export const REDIRECT_ROWS: Row[] = [
  http('redirect: relative', leading('next'), up()),
  http('redirect: absolute', leading('http://127.0.0.1:{port}/next'), up()),
  http('redirect: relative to the scheme', leading('//localhost:{port}/next'), up()),
  http('redirect: with dots', leading('a/../b/./../next'), up()),
  http('redirect: with a query', leading('?q=1', 'GET /?q=1'), up()),
  http('redirect: with a fragment', leading('/next#part'), up()),
  http('redirect: with blanks around it', leading('   /next  '), up()),
  http('redirect: with a blank in it', leading('/a next', 'GET /a%20next'), up()),
  http('redirect: beyond ASCII', leading('/größe', 'GET /gr%C3%B6%C3%9Fe'), up()),
  http(
    'redirect: with a user and a password',
    leading('http://user:secret@127.0.0.1:{port}/next'),
    up(),
  ),
  http('redirect: two of them', leading('/next\r\nLocation: /other'), up()),
  http(
    'redirect: with an endless body',
    (socket) => {
      socket.once('data', (data) => {
        if (data.toString('latin1').startsWith('GET /next')) socket.end(OK);
      });
      answeringForEver('HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n', 'x'.repeat(65_536))(
        socket,
        () => '',
      );
    },
    up(),
  ),
  http(
    'redirect: without Location',
    answering('HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'),
    up(302),
  ),
  http('redirect: not followed', leading('/next'), up(302), { followRedirects: false }),
  http('redirect: a choice of several', leading('/next', 'GET /next', 300), up(300)),
  http('redirect: 304 with a Location', leading('/next', 'GET /next', 304), up(304)),
  http('redirect: 201 with a Location', leading('/next', 'GET /next', 201), up(201)),
  http('redirect: 301 of a POST', leading('/next', 'GET /next', 301), up(), POST),
  http('redirect: 303 of a POST', leading('/next', 'GET /next', 303), up(), POST),
  http('redirect: 307 of a POST', leading('/next', 'POST /next', 307), up(), POST),
  http('redirect: 308 of a POST', leading('/next', 'POST /next', 308), up(), POST),
  http('redirect: five in a row', chain(5), up()),
  http(
    'redirect: six in a row',
    chain(6),
    downAfterAnswer('redirect_loop', 'Redirect loop: more than 5 redirects', 302),
  ),
  http(
    'redirect: in a circle',
    site({ 'GET /': found('/a'), 'GET /a': found('/b'), 'GET /b': found('/a') }),
    LOOP('/a'),
  ),
  http('redirect: to itself', leading('/'), LOOP()),
  http('redirect: to itself by an empty Location', leading(''), LOOP()),
  http('redirect: to itself by a fragment', leading('#top'), LOOP()),
  http('redirect: to itself in capitals', leading('HTTP://127.0.0.1:{port}'), LOOP()),
  http('redirect: to itself by another spelling', leading('http://0x7f.1:{port}/'), LOOP()),
  http(
    'redirect: to a page that is missing',
    leading('/missing'),
    downAfterAnswer('http_status', 'HTTP 404 Not Found', 404),
  ),
  nowhere('http://', BAD_ADDRESS),
  nowhere('http://[::1', BAD_ADDRESS),
  nowhere('http://a b/', BAD_ADDRESS),
  nowhere('http://127.0.0.1:99999/', BAD_ADDRESS),
  nowhere('ftp://127.0.0.1/file', badScheme('ftp:')),
  nowhere('data:text/plain,hello', badScheme('data:')),
  nowhere('javascript:alert(1)', badScheme('javascript:')),
  nowhere('mailto:me@mail.example', badScheme('mailto:')),
  nowhere('file:///etc/passwd', badScheme('file:')),
  nowhere(
    'http://127.0.0.1:1/',
    down('connection_refused', 'Connection refused by 127.0.0.1 port 1', 'ttfb'),
  ),
  nowhere(
    'http://127.0.0.1:0/',
    down('connection_refused', 'Connection refused by 127.0.0.1 port 0', 'ttfb'),
  ),
  nowhere('http://missing.test/', down('dns_not_found', 'DNS name missing.test not found', 'ttfb')),
  nowhere(
    `http://${'x'.repeat(64)}.test/`,
    down('dns_not_found', `"${'x'.repeat(64)}.test" is not a valid host name`, 'ttfb'),
  ),
  nowhere(
    'https://127.0.0.1:{port}/',
    down(
      'tls_handshake',
      'TLS handshake failed: the server does not speak TLS on port {port}',
      'ttfb',
    ),
  ),
  nowhere(
    'http://169.254.169.254/latest/meta-data',
    down(
      'target_not_allowed',
      'Target 169.254.169.254 is not allowed (ALLOW_PRIVATE_TARGETS)',
      'ttfb',
    ),
  ),
  nowhere(
    'http://[::]/',
    down('target_not_allowed', 'Target :: is not allowed (ALLOW_PRIVATE_TARGETS)', 'ttfb'),
  ),
  {
    name: 'redirect: from an allowed address to another one',
    start: () => startServer(leading('http://127.0.0.2:{port}/')),
    request: httpCheck(HERE),
    guard: 'one address',
    expected: down(
      'target_not_allowed',
      'Target 127.0.0.2 is not allowed (ALLOW_PRIVATE_TARGETS)',
      'ttfb',
    ),
  },
  {
    name: 'redirect: from an allowed address to a name of another one',
    start: () => startServer(leading('http://localhost:{port}/next')),
    request: httpCheck(HERE),
    guard: 'one address',
    expected: down(
      'target_not_allowed',
      'Target localhost is not allowed (ALLOW_PRIVATE_TARGETS)',
      'ttfb',
    ),
  },
];
