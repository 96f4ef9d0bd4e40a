import {
  answering,
  answeringAndClosing,
  answeringForEver,
  dripping,
  page,
} from '../support/fault-servers.ts';
import type { OnConnection } from '../support/fault-servers.ts';
import { down, downAfterAnswer, HANGS, http, invalid, STRICT, up } from './row.ts';
import type { Row } from './row.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const EMPTY = 'Content-Length: 0\r\n\r\n';

/** A complete response with this status line. */
const status = (line: string): OnConnection => answering(`${line}\r\n${EMPTY}`);
/** A complete response with these header lines. */
const headers = (lines: string): OnConnection => answering(`${OK}${lines}\r\n${EMPTY}`);
/** `hello` with these header lines, without closing the connection. */
const hello = (lines: string): OnConnection => answering(`${OK}${lines}\r\n\r\nhello`);
const chunked = (...pieces: string[]): OnConnection =>
  answering(`${OK}Transfer-Encoding: chunked\r\n\r\n`, ...pieces);

const NOT_HTTP = invalid('it is not HTTP');
const BAD_CHUNK = invalid('a chunk of its body is malformed', 200);
const TOO_LARGE = invalid('its headers are larger than 64 KiB');
const NOT_COMPLETE = down('no_response', 'Response not complete within 2 s', 'ttfb', 200);
const HEAD_LIMIT = 64 * 1024;

export const STATUS_ROWS: Row[] = [
  http('status: no reason', status('HTTP/1.1 200'), up()),
  http('status: an empty reason', status('HTTP/1.1 200 '), up()),
  http('status: a reason in another alphabet', status('HTTP/1.1 200 Хорошо'), up()),
  http('status: a reason of 10,000 characters', status(`HTTP/1.1 200 ${'x'.repeat(10_000)}`), up()),
  http(
    'status: a reason of 70,000 characters',
    status(`HTTP/1.1 200 ${'x'.repeat(70_000)}`),
    TOO_LARGE,
  ),
  http('status: 099', status('HTTP/1.1 099 Low'), invalid('its status line is "HTTP/1.1 099 Low"')),
  http('status: 600', status('HTTP/1.1 600 High'), downAfterAnswer('http_status', 'HTTP 600', 600)),
  http(
    'status: 999',
    status('HTTP/1.1 999 Request denied'),
    downAfterAnswer('http_status', 'HTTP 999', 999),
  ),
  http(
    'status: 1000',
    status('HTTP/1.1 1000 Higher'),
    invalid('its status line is "HTTP/1.1 1000 Higher"'),
  ),
  http('status: no number', status('HTTP/1.1 OK'), invalid('its status line is "HTTP/1.1 OK"')),
  http(
    'status: another reason than its number',
    status('HTTP/1.1 503 OK'),
    downAfterAnswer('http_status', 'HTTP 503 Service Unavailable', 503),
  ),
  http(
    'status: a teapot',
    status("HTTP/1.1 418 I'm a teapot"),
    downAfterAnswer('http_status', "HTTP 418 I'm a Teapot", 418),
  ),
  http('status: one that is accepted', status('HTTP/1.1 418 x'), up(418), {
    acceptedStatusCodes: ['4xx'],
  }),
  http(
    'status: a good one that is not accepted',
    status('HTTP/1.1 204 x'),
    downAfterAnswer('http_status', 'HTTP 204 No Content', 204),
    { acceptedStatusCodes: ['200'] },
  ),
  http('version: 0.9', answeringAndClosing('<h1>hello</h1>'), NOT_HTTP),
  http('version: 1.0 without a length', answeringAndClosing('HTTP/1.0 200 OK\r\n\r\nhello'), up()),
  http('version: 1.2', status('HTTP/1.2 200 OK'), invalid('its status line is "HTTP/1.2 200 OK"')),
  http('version: 2 in words', status('HTTP/2 200'), invalid('its status line is "HTTP/2 200"')),
  http(
    'version: 2 in frames',
    answering(Buffer.from('000006040000000000000300000064', 'hex')),
    invalid('the server speaks HTTP/2 only, not HTTP/1.1'),
  ),
  http('version: lower case', status('http/1.1 200 ok'), NOT_HTTP),
  http('version: a radio station', status('ICY 200 OK'), NOT_HTTP),
  http('version: a sentence that begins alike', status('HTTPS required'), NOT_HTTP),
  http('a blank line first', answering(`\r\n${OK}${EMPTY}`), NOT_HTTP),
  http('a byte order mark first', answering(`\u{feff}${OK}${EMPTY}`), NOT_HTTP),
  http('text of 16 bits', answering(Buffer.from(`${OK}${EMPTY}`, 'utf16le')), NOT_HTTP),
  http(
    'garbage',
    answering(Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 7) & 255))),
    NOT_HTTP,
  ),
  http(
    'speaks TLS on a plain port',
    answering(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x46])),
    invalid('the server speaks TLS, not plain HTTP, on this port'),
  ),
  http(
    'interim: 100, 102 and 103 first',
    answering(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n',
      page('x'),
    ),
    up(),
  ),
  http(
    'interim: 100 and silence',
    answering('HTTP/1.1 100 Continue\r\n\r\n'),
    down('no_response', 'Response not complete within 2 s', 'ttfb', null),
    HANGS,
  ),
  http(
    'interim: 100 and the end',
    answeringAndClosing('HTTP/1.1 100 Continue\r\n\r\n'),
    down('response_cut_short', 'Response cut short within its headers', 'ttfb', null),
  ),
  http(
    'interim: 100 without end',
    answeringForEver('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(500)),
    TOO_LARGE,
  ),
  http(
    'switches protocols',
    answering('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nx'),
    downAfterAnswer('http_status', 'HTTP 101 Switching Protocols', 101),
  ),
  http(
    '204 with a body',
    answering('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello'),
    up(204),
  ),
  http(
    '304 with a length',
    answering('HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n'),
    up(304),
  ),
  http('HEAD answered with a length', hello('Content-Length: 9'), up(), { method: 'HEAD' }),
  http('HEAD answered with a body', answering(page('hello')), up(), { method: 'HEAD' }),
  http('two answers', answering(page('one'), page('two')), up()),
  http('garbage after the answer', answering(page('one'), '\0\0garbage'), up()),
];

export const HEADER_ROWS: Row[] = [
  http(
    'headers only, then silence',
    answering(`${OK}Content-Length: 5\r\n\r\n`),
    NOT_COMPLETE,
    HANGS,
  ),
  http(
    'headers that stop',
    answering(`${OK}A: b\r\nC`),
    down('no_response', 'Response not complete within 2 s', 'ttfb', null),
    HANGS,
  ),
  http(
    'headers that end early',
    answeringAndClosing(`${OK}A: b\r\nC`),
    down('response_cut_short', 'Response cut short within its headers', 'ttfb', null),
  ),
  http(
    'headers that drip',
    dripping(OK, 'a: b\r\n'),
    down('no_response', 'Response not complete within 2 s', 'ttfb', null),
    HANGS,
  ),
  http('headers without end', answeringForEver(OK, 'a: b\r\n'.repeat(1_000)), TOO_LARGE),
  http('headers of exactly 64 KiB', headersOfSize(HEAD_LIMIT), up()),
  http('headers of one byte more', headersOfSize(HEAD_LIMIT + 1), TOO_LARGE),
  http('one header of 100,000 bytes', headers(`A: ${'x'.repeat(100_000)}`), TOO_LARGE),
  http('10,000 headers', headers('a:b\r\n'.repeat(10_000).trimEnd()), up()),
  http('no headers at all', answeringAndClosing(`${OK}\r\nhello`), up()),
  http('a header without colon', headers('nonsense'), invalid('one of its headers is "nonsense"')),
  http(
    'a header without name',
    headers(': nonsense'),
    invalid('one of its headers is ": nonsense"'),
  ),
  http(
    'a header that is long and bad',
    headers('x'.repeat(200)),
    invalid(`one of its headers is "${'x'.repeat(60)}…"`),
  ),
  http('a blank before a colon', headers('Server : x'), up()),
  http('a folded header', headers('Server: x\r\n y'), up()),
  http('a fold before any header', headers(' Server: x'), up()),
  http('NUL in a header', headers('Server: a\0b'), invalid('one of its headers is "Server: a?b"')),
  http('control characters in a header', headers('Server: \u001b[31m\u0007'), up()),
  http('bytes beyond ASCII in a header', headers('Server: Köln'), up()),
  http(
    'lines that end in LF alone',
    answering('HTTP/1.1 200 OK\nContent-Length: 5\n\nhello'),
    up(),
  ),
  http(
    'lines that end in CR alone',
    answeringAndClosing('HTTP/1.1 200 OK\rContent-Length: 0\r\r'),
    down('response_cut_short', 'Response cut short within its headers', 'ttfb', null),
  ),
  http(
    'the end of the headers in four pieces',
    (socket) => {
      socket.setNoDelay(true);
      socket.once('data', () => {
        const pieces = ['HTTP/1.1 200 OK', '\r', '\n', '\r', '\n'];
        const timer = setInterval(() => {
          const piece = pieces.shift();
          if (piece === undefined) socket.end();
          else socket.write(piece);
        }, 10);
        socket.on('close', () => clearInterval(timer));
      });
    },
    up(),
  ),
];

function headersOfSize(bytes: number): OnConnection {
  const rest = bytes - `${OK}A: \r\n${EMPTY}`.length;
  return headers(`A: ${'x'.repeat(rest)}`);
}

const badLength = (value: string): Row =>
  http(
    `length: "${value}"`,
    hello(`Content-Length: ${value}`),
    invalid(`its Content-Length is "${value}"`, 200),
  );

export const LENGTH_ROWS: Row[] = [
  http('length: shorter than the body', hello('Content-Length: 2'), up()),
  http(
    'length: longer, and the end',
    answeringAndClosing(`${OK}Content-Length: 9\r\n\r\nhello`),
    down('response_cut_short', 'Response cut short after 5 of 9 bytes of body', 'ttfb', 200),
  ),
  http('length: longer, and silence', hello('Content-Length: 9'), NOT_COMPLETE, HANGS),
  http('length: twice the same', hello('Content-Length: 5\r\nContent-Length: 5'), up()),
  http('length: twice the same in one line', hello('Content-Length: 5, 5'), up()),
  http(
    'length: two different ones',
    hello('Content-Length: 5\r\nContent-Length: 6'),
    invalid('its Content-Length is "5, 6"', 200),
  ),
  badLength('-1'),
  badLength('abc'),
  badLength('+5'),
  badLength('0x5'),
  badLength('5 5'),
  badLength('5.0'),
  badLength('99999999999999999999'),
  badLength(''),
  http(
    'length: almost without bounds',
    answeringAndClosing(`${OK}Content-Length: 999999999999999\r\n\r\nhello`),
    down(
      'response_cut_short',
      'Response cut short after 5 of 999999999999999 bytes of body',
      'ttfb',
      200,
    ),
  ),
  http(
    'length: beside chunks',
    answering(
      `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`,
      '5\r\nhello\r\n0\r\n\r\n',
    ),
    up(),
  ),
];

export const CHUNK_ROWS: Row[] = [
  http('chunks: whole', chunked('5\r\nhello\r\n', '0\r\n\r\n'), up()),
  http('chunks: none but the last', chunked('0\r\n\r\n'), up()),
  http('chunks: 10,000 of one byte', chunked('1\r\nx\r\n'.repeat(10_000), '0\r\n\r\n'), up()),
  http('chunks: with extensions', chunked('5;a=b;c="d;e"\r\nhello\r\n0;z\r\n\r\n'), up()),
  http('chunks: with trailers', chunked('5\r\nhello\r\n0\r\nDigest: x\r\nA: b\r\n\r\n'), up()),
  http('chunks: padded sizes', chunked('00000005  \r\nhello\r\n0\r\n\r\n'), up()),
  http('chunks: lines that end in LF alone', chunked('5\nhello\n0\n\n'), up()),
  http('chunks: an invalid size', chunked('zz\r\n'), BAD_CHUNK),
  http('chunks: an empty size', chunked('\r\nhello'), BAD_CHUNK),
  http('chunks: a negative size', chunked('-1\r\nhello'), BAD_CHUNK),
  http('chunks: a size beyond all bounds', chunked('ffffffffffffffff\r\nhello'), BAD_CHUNK),
  http('chunks: a size with 0x', chunked('0x5\r\nhello\r\n0\r\n\r\n'), BAD_CHUNK),
  http('chunks: longer than their size', chunked('3\r\nhello\r\n0\r\n\r\n'), BAD_CHUNK),
  http(
    'chunks: a huge extension',
    chunked(`5;${'x'.repeat(5_000)}\r\nhello\r\n0\r\n\r\n`),
    BAD_CHUNK,
  ),
  http(
    'chunks: a size line without end',
    answeringForEver(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '0'.repeat(4_096)),
    BAD_CHUNK,
  ),
  http(
    'chunks: trailers without end',
    answeringForEver(`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'a: b\r\n'.repeat(1_000)),
    BAD_CHUNK,
  ),
  http(
    'chunks: without the last, and the end',
    answeringAndClosing(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`),
    down('response_cut_short', 'Response cut short after 5 bytes of body', 'ttfb', 200),
  ),
  http('chunks: without the last, and silence', chunked('5\r\nhello\r\n'), NOT_COMPLETE, HANGS),
  http(
    'chunks: without the final blank line, and the end',
    answeringAndClosing(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n`),
    down('response_cut_short', 'Response cut short after 5 bytes of body', 'ttfb', 200),
  ),
  http(
    'chunks: announced and not sent',
    answeringAndClosing(`${OK}Transfer-Encoding: chunked\r\n\r\nhello\r\n`),
    BAD_CHUNK,
  ),
  http(
    'another transfer coding',
    answeringAndClosing(`${OK}Transfer-Encoding: identity\r\n\r\nhello`),
    up(),
  ),
];

const SHOWN = (words: string) =>
  downAfterAnswer('error_text', `The page shows a server error: ${words}`);

export const BODY_ROWS: Row[] = [
  http('an endless body', answeringForEver(`${OK}\r\n`, 'x'.repeat(65_536)), up()),
  http(
    'an endless body in chunks',
    answeringForEver(
      `${OK}Transfer-Encoding: chunked\r\n\r\n`,
      `10000\r\n${'x'.repeat(65_536)}\r\n`,
    ),
    up(),
  ),
  http(
    'an endless body in chunks of one byte',
    answeringForEver(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(10_000)),
    up(),
  ),
  http('an endless body, one byte at a time', dripping(`${OK}\r\n`, 'x'), NOT_COMPLETE, HANGS),
  http(
    'a body of 2 GiB announced',
    answeringForEver(`${OK}Content-Length: 2147483648\r\n\r\n`, 'x'.repeat(65_536)),
    up(),
  ),
  http(
    'an endless body of an error',
    answeringForEver('HTTP/1.1 500 Oops\r\n\r\n', 'x'.repeat(65_536)),
    downAfterAnswer('http_status', 'HTTP 500 Internal Server Error', 500),
  ),
  http('a body of NUL bytes', answering(page(Buffer.alloc(9_999))), up(), STRICT),
  http(
    'an unknown charset',
    answering(page('hello', 'Content-Type: text/html; charset=nonsense')),
    up(),
    STRICT,
  ),
  http(
    'a charset that is a lie',
    answering(page('Fatal error: Uncaught x', 'Content-Type: text/html; charset=utf-16le')),
    up(),
    STRICT,
  ),
  http(
    'broken UTF-8',
    answering(
      page(Buffer.from('c328a0a1e28228f0288cbc', 'hex'), 'Content-Type: text/html; charset=utf-8'),
    ),
    up(),
    STRICT,
  ),
  http(
    'an error text that is not searched for',
    answering(page('<title>502 Bad Gateway</title>')),
    up(),
  ),
  http(
    'an error text of a proxy',
    answering(page('<html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1></html>')),
    SHOWN('Bad Gateway'),
    STRICT,
  ),
  http(
    'an error text of a database',
    answering(page('SQLSTATE[HY000] [2002] Connection refused')),
    SHOWN('Database error'),
    STRICT,
  ),
  http(
    'an error text of a weblog',
    answering(page('<h1>Error establishing a database connection</h1>')),
    SHOWN('Error establishing a database connection'),
    STRICT,
  ),
  http(
    'an error text of PHP',
    answering(page('<br />\n<b>Fatal error</b>:  Uncaught Error in /a.php')),
    SHOWN('PHP fatal error'),
    STRICT,
  ),
  http(
    'an error text of Java',
    answering(page('java.lang.NullPointerException: x\n\tat com.example.Shop.main(Shop.java:3)')),
    SHOWN('Java stack trace'),
    STRICT,
  ),
  http(
    'an error text of Python',
    answering(page('Traceback (most recent call last):\n File')),
    SHOWN('Python traceback'),
    STRICT,
  ),
  http(
    'an error text in UTF-16',
    answering(
      page(
        Buffer.from('Internal Server Error', 'utf16le'),
        'Content-Type: text/plain; charset=utf-16le',
      ),
    ),
    SHOWN('Internal Server Error'),
    STRICT,
  ),
  http(
    'an error text beyond the searched length',
    answering(page(`${' '.repeat(300_000)}<title>Bad Gateway</title>`)),
    up(),
    STRICT,
  ),
  http(
    'an article about errors',
    answering(page('<title>What Bad Gateway means</title> Internal Server Error, explained')),
    up(),
    STRICT,
  ),
];
