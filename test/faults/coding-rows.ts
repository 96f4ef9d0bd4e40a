import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import {
  answering,
  answeringAndClosing,
  answeringForEver,
  page,
  startServer,
} from '../support/fault-servers.ts';
import type { OnConnection } from '../support/fault-servers.ts';
import { downAfterAnswer, http, invalid, STRICT, up } from './row.ts';
import type { Expected, Overrides, Row } from './row.ts';

const PAGE = '<h1>Internal Server Error</h1>';
const SEEN = downAfterAnswer('error_text', 'The page shows a server error: Internal Server Error');
const NOT_PACKED: Expected = {
  ...invalid('', 200),
  text: 'The response does not match its Content-Encoding',
  until: 'whole',
};

const packed = (coding: string, body: Buffer | string): OnConnection =>
  answering(page(body, `Content-Encoding: ${coding}`));

const zeros = (size: number): Buffer => Buffer.alloc(size);
const cut = (body: Buffer): Buffer => body.subarray(0, body.length - 8);
const longText = Array.from({ length: 2_000 }, (_, i) => `line ${i * 7919}`).join('\n');
/** A compressed text with some bytes changed. */
function spoiled(from: number, to: number): Buffer {
  const body = gzipSync(longText);
  body.subarray(from, to).fill(0xff);
  return body;
}

const row = (
  name: string,
  onConnection: OnConnection,
  expected: Expected,
  more: Overrides = {},
): Row => http(name, onConnection, expected, { ...STRICT, ...more });

/** Compressed in the target's thread only, since it takes a while. */
const bomb = (name: string, coding: string, pack: () => Buffer, expected: Expected): Row => ({
  ...row(name, () => undefined, expected),
  start: () => startServer(packed(coding, pack())),
});
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Content codings (RFC 9110, section 8.4), decoded because error texts are searched. */
export const CODING_ROWS: Row[] = [
  row('gzip', packed('gzip', gzipSync(PAGE)), SEEN),
  row('gzip by its old name', packed('x-gzip', gzipSync(PAGE)), SEEN),
  row(
    'gzip in chunks',
    (socket, received) => {
      const body = gzipSync(PAGE);
      const head =
        'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n';
      answering(head, `${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n')(socket, received);
    },
    SEEN,
  ),
  row(
    'gzip of two members',
    packed('gzip', Buffer.concat([gzipSync('one '), gzipSync('two')])),
    up(),
  ),
  row('gzip followed by garbage', packed('gzip', Buffer.concat([gzipSync(PAGE), zeros(20)])), SEEN),
  row('gzip that is invalid', packed('gzip', 'this is plain text'), NOT_PACKED),
  row('gzip that ends early', packed('gzip', cut(gzipSync(longText))), NOT_PACKED),
  row('gzip with a wrong checksum', packed('gzip', spoiled(-8, -4)), NOT_PACKED),
  row('gzip with a broken middle', packed('gzip', spoiled(100, 200)), NOT_PACKED),
  row('gzip that is brotli', packed('gzip', brotliCompressSync(PAGE)), NOT_PACKED),
  row('gzip of nothing at all', packed('gzip', ''), up()),
  row(
    'gzip whose Content-Length is too long',
    answeringAndClosing(
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n',
      gzipSync(PAGE),
    ),
    {
      ...invalid('', 200),
      code: 'response_cut_short',
      text: /^Response cut short after \d+ of 999 bytes of body$/,
    },
  ),
  bomb('a bomb', 'gzip', () => gzipSync(zeros(20_000_000)), up()),
  bomb(
    'a bomb after an error text',
    'gzip',
    () => gzipSync(Buffer.concat([Buffer.from(PAGE), zeros(9_000_000)])),
    SEEN,
  ),
  bomb('a bomb in a bomb', 'gzip, gzip', () => gzipSync(gzipSync(zeros(20_000_000))), up()),
  bomb('a bomb of brotli', 'br', () => brotliCompressSync(zeros(20_000_000), quickly), up()),
  bomb('a bomb of zstd', 'zstd', () => zstdCompressSync(zeros(20_000_000)), up()),
  row(
    'gzip without end',
    answeringForEver(
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n',
      gzipSync('x'.repeat(99_999)),
    ),
    up(),
  ),
  row('deflate', packed('deflate', deflateSync(PAGE)), SEEN),
  row('deflate without its header', packed('deflate', deflateRawSync(PAGE)), SEEN),
  row('deflate that is invalid', packed('deflate', 'this is plain text'), NOT_PACKED),
  row('deflate that ends early', packed('deflate', cut(deflateSync(longText))), NOT_PACKED),
  row('brotli', packed('br', brotliCompressSync(PAGE)), SEEN),
  row('brotli that is invalid', packed('br', 'this is plain text'), NOT_PACKED),
  row('brotli that ends early', packed('br', cut(brotliCompressSync(longText))), NOT_PACKED),
  row('zstd', packed('zstd', zstdCompressSync(PAGE)), SEEN),
  row('zstd that is invalid', packed('zstd', 'this is plain text'), NOT_PACKED),
  row('zstd that ends early', packed('zstd', cut(zstdCompressSync(longText))), NOT_PACKED),
  row('two codings', packed('gzip, br', brotliCompressSync(gzipSync(PAGE))), SEEN),
  row(
    'two codings in the wrong order',
    packed('br, gzip', brotliCompressSync(gzipSync(PAGE))),
    NOT_PACKED,
  ),
  row('four codings', packed('gzip, gzip, gzip, gzip', 'x'), NOT_PACKED),
  row('the identity coding', packed('identity', PAGE), SEEN),
  row('an unknown coding', packed('rot13', PAGE), SEEN),
  row('a coding that is not decoded', packed('gzip', 'this is plain text'), up(), {
    errorTextDetection: false,
  }),
  row(
    'a broken coding of an error',
    answering('HTTP/1.1 503 x\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain'),
    downAfterAnswer('http_status', 'HTTP 503 Service Unavailable', 503),
  ),
  row(
    'a broken coding of HEAD',
    answering('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\n'),
    up(),
    { method: 'HEAD' },
  ),
];
