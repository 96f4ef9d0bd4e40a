import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_HEAD_BYTES, ResponseReader, type BodyLimits } from './response.ts';

/** Reads and keeps 1,024 bytes by default. */
const limitsOf =
  (limits: Partial<BodyLimits> = {}) =>
  (): BodyLimits => ({
    readBytes: 1_024,
    keepBytes: limits.readBytes ?? 1_024,
    needsAll: false,
    ...limits,
  });

interface Seen {
  state: string;
  status: number | undefined;
  body: string;
}

function feed(reader: ResponseReader, pieces: Buffer[]): Seen {
  for (const piece of pieces) {
    const state = reader.push(piece);
    if (state !== 'head' && state !== 'body') break;
  }
  return {
    state: reader.state,
    status: reader.head?.status,
    body: reader.takeBody().toString('latin1'),
  };
}

function read(
  text: string,
  {
    method = 'GET',
    closed = false,
    ...limits
  }: Partial<BodyLimits> & { method?: string; closed?: boolean } = {},
): Seen {
  const reader = new ResponseReader({ method, bodyLimits: limitsOf(limits) });
  const seen = feed(reader, [Buffer.from(text, 'latin1')]);
  return closed ? { ...seen, state: reader.end() } : seen;
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const BARE = 'HTTP/1.1 200 OK\r\n\r\n';
/** A head with that length, and a body. */
const sized = (length: number, body = '', status = '200 OK') =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${length}\r\n\r\n${body}`;
const FOLDED = 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nhi';
const EQUAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';
const BOTH = 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n';
const NEEDED = { readBytes: 5, needsAll: true };

describe('complete responses', () => {
  // What was sent, and then: state, status, body.
  test.each<[string, string, string, Parameters<typeof read>[1]?]>([
    ['by length', sized(5, 'hello'), 'done 200 hello'],
    ['more than its length', sized(2, 'hello'), 'done 200 he'],
    ['empty', sized(0, '', '500 Oh'), 'done 500 '],
    ['by closing', 'HTTP/1.0 200\r\n\r\nhello', 'done 200 hello', { closed: true }],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi', 'done 200 hi'],
    ['folded header', FOLDED, 'done 200 hi'],
    ['equal lengths', EQUAL, 'done 200 hi'],
    ['interim answers', `${HINTS}HTTP/1.1 204 No Content\r\n\r\n`, 'done 204 '],
    ['204 with a length', sized(5, '', '204 No Content'), 'done 204 '],
    ['304', sized(5, '', '304 Not Modified'), 'done 304 '],
    ['101', 'HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x01', 'done 101 '],
    ['HEAD', sized(5), 'done 200 ', { method: 'HEAD' }],
    ['chunked', `${CHUNKED}5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nTrailer: x\r\n\r\n`, 'done 200 hello!'],
    ['chunked wins over a length', `${BOTH}2\r\nhi\r\n0\r\n\r\n`, 'done 200 hi'],
    ['as much as was asked for', `${BARE}hello`, 'enough 200 hel', { readBytes: 3 }],
    ['more read than kept', sized(5, 'hello'), 'done 200 he', { keepBytes: 2 }],
    ['nothing asked for', `${BARE}hello`, 'enough 200 ', { readBytes: 0 }],
    ['all, as long as it may be', `${BARE}hello`, 'done 200 hello', { ...NEEDED, closed: true }],
    ['all, and it is longer', `${BARE}hello!`, 'too-large 200 hello', NEEDED],
    ['all, and it says that it is longer', sized(6), 'too-large 200 ', NEEDED],
    ['chunked and too long', `${CHUNKED}6\r\nhello!\r\n0\r\n\r\n`, 'too-large 200 hello', NEEDED],
    ['as much of chunks', `${CHUNKED}5\r\nhello\r\n`, 'enough 200 hel', { readBytes: 3 }],
  ])('%s', (_name, text, expected, options) => {
    const { state, status, body } = read(text, options);
    expect(`${state} ${status} ${body}`).toBe(expected);
  });
});

test.each([
  ['by length', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello'],
  ['chunked', `${CHUNKED}5\r\nhel`],
  ['chunked without its end', `${CHUNKED}5\r\nhello\r\n`],
])('cut short %s [16.9]', (_name, text) => {
  expect(read(text, { closed: true }).state).toBe('body');
});

const TLS_PORT = 'the server speaks TLS, not plain HTTP, on this port';
const CHUNK = 'a chunk of its body is malformed';
const LARGE = 'its headers are larger than 64 KiB';
const DIFFER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n';
const TRAILERS = `a: ${'x'.repeat(1_000)}\r\n`.repeat(20);
const headed = (header: string) => `HTTP/1.1 200 OK\r\n${header}\r\n\r\n`;

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'it is not HTTP'],
  ['one wrong byte', 'X', 'it is not HTTP'],
  [
    'the settings of HTTP/2',
    '\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80',
    'the server speaks HTTP/2 only, not HTTP/1.1',
  ],
  ['bytes like those of HTTP/2', '\0\0\x12\x04\0\0\0\0\x01', 'it is not HTTP'],
  ['a TLS alert', '\x15\x03\x01\x00\x02\x02\x46', TLS_PORT],
  ['HTTP/2', 'HTTP/2.0 200 OK\r\n\r\n', 'its status line is "HTTP/2.0 200 OK"'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'its status line is "HTTP/1.1 20 OK"'],
  ['status zero', 'HTTP/1.1 000 OK\r\n\r\n', 'its status line is "HTTP/1.1 000 OK"'],
  ['a header without a colon', headed('nonsense\x07'), 'one of its headers is "nonsense?"'],
  ['a header without a name', headed(': x'), 'one of its headers is ": x"'],
  ['a null byte', headed('a: \0'), 'one of its headers is "a: ?"'],
  ['lengths that differ', DIFFER, 'its Content-Length is "2, 3"'],
  ['a negative length', sized(-2), 'its Content-Length is "-2"'],
  ['a chunk without a size', `${CHUNKED}zz\r\n`, CHUNK],
  ['a chunk longer than it says', `${CHUNKED}2\r\nhello\r\n`, CHUNK],
  ['an endless chunk line', `${CHUNKED}1;${'x'.repeat(5_000)}`, CHUNK],
  ['endless trailers', `${CHUNKED}0\r\n${TRAILERS}`, CHUNK],
  ['a huge head', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(MAX_HEAD_BYTES)}`, LARGE],
  ['endless interim answers', 'HTTP/1.1 100 Continue\r\nA: b\r\n\r\n'.repeat(3_000), LARGE],
])('%s is not a response [16.8]', (_name, text, problem) => {
  const reader = new ResponseReader({ method: 'GET', bodyLimits: limitsOf() });
  feed(reader, [Buffer.from(text, 'latin1')]);
  expect([reader.state, reader.problem]).toEqual(['invalid', problem]);
});

const answers = fc.record({
  interim: fc.boolean(),
  lineEnd: fc.constantFrom('\r\n', '\n'),
  framing: fc.constantFrom('length', 'chunked', 'none'),
  chunks: fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 5 }),
});

test("chunk boundaries don't matter", () => {
  fc.assert(
    fc.property(answers, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (answer, sizes) => {
      const body = Buffer.concat(answer.chunks);
      const end = answer.lineEnd;
      const header = {
        length: `Content-Length: ${body.length}`,
        chunked: 'Transfer-Encoding: chunked',
        none: 'X: y',
      };
      const framed =
        answer.framing === 'chunked'
          ? Buffer.concat([
              ...answer.chunks.map((chunk) =>
                Buffer.concat([
                  Buffer.from(chunk.length.toString(16) + end),
                  chunk,
                  Buffer.from(end),
                ]),
              ),
              Buffer.from(`0${end}${end}`),
            ])
          : body;
      const interim = answer.interim ? `HTTP/1.1 103 Early Hints${end}${end}` : '';
      const bytes = Buffer.concat([
        Buffer.from(`${interim}HTTP/1.1 200 OK${end}${header[answer.framing]}${end}${end}`),
        framed,
      ]);
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length;) {
        const size = sizes.next().value;
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      const reader = new ResponseReader({ method: 'GET', bodyLimits: limitsOf() });
      const seen = feed(reader, pieces);
      expect(reader.end()).toBe('done');
      expect(seen.body).toBe(body.toString('latin1'));
    }),
  );
});

test('no bytes make it throw or keep more than the limits', () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string().map((text) => Buffer.from(text)),
  );
  const heads = fc.constantFrom(
    '',
    'HTTP/1.1 200 OK\r\n',
    CHUNKED,
    'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n',
  );
  fc.assert(
    fc.property(heads, fc.array(noise, { maxLength: 8 }), (head, pieces) => {
      const reader = new ResponseReader({
        method: 'GET',
        bodyLimits: limitsOf({ readBytes: 100 }),
      });
      const { body } = feed(reader, [
        Buffer.from(head),
        ...pieces.map((piece) => Buffer.from(piece)),
      ]);
      reader.end();
      expect(reader.bodyBytes).toBeLessThanOrEqual(100);
      expect(body).toHaveLength(reader.bodyBytes);
    }),
  );
});

test('a body in many chunks is kept complete and in order', () => {
  const limit = 100_000;
  const reader = new ResponseReader({
    method: 'GET',
    bodyLimits: limitsOf({ readBytes: limit }),
  });
  const text = Array.from({ length: 30_000 }, (_, index) => `${index} `).join('');
  const chunks = Array.from(text, (each) => `1\r\n${each}\r\n`).join('');
  const { body } = feed(reader, [Buffer.from(CHUNKED + chunks)]);
  expect(body).toBe(text.slice(0, limit));
});
