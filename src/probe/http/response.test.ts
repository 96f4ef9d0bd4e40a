import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ResponseReader, type BodyLimits } from './response.ts';

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
const NEEDED = { readBytes: 5, needsAll: true };

describe('complete responses', () => {
  // What was sent, and then: state, status, body.
  test.each<[string, string, string, Parameters<typeof read>[1]?]>([
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
