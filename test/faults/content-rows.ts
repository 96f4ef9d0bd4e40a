import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { JsonAssertion, Keyword, KeywordCheck } from '../../src/model/content.ts';
import {
  answering,
  answeringAndClosing,
  answeringForEver,
  page,
  startServer,
} from '../support/fault-servers.ts';
import type { OnConnection } from '../support/fault-servers.ts';
import { down, downAfterAnswer, HANGS, http, up } from './row.ts';
import type { Expected, Overrides, Row } from './row.ts';

/** Large pages wait for each other. */
const PATIENT: Overrides = { timeoutMs: 30_000 };
const MIB = 1024 * 1024;
const OK = 'HTTP/1.1 200 OK\r\n';
const MISSING = (phrase: string): Expected =>
  downAfterAnswer('keyword_missing', `Keyword "${phrase}" is missing`);
const FOUND = (phrase: string): Expected =>
  downAfterAnswer('keyword_found', `Keyword "${phrase}" was found`);

const UNDECODED = (coding: string): Expected =>
  downAfterAnswer(
    'response_invalid',
    `The response can't be decoded: its Content-Encoding is "${coding}"`,
  );

const wanted = (phrase: string, more: Partial<Keyword> = {}): Keyword => ({
  phrase,
  mode: 'must_contain',
  caseSensitive: false,
  ...more,
});
const unwanted = (phrase: string): Keyword => wanted(phrase, { mode: 'must_not_contain' });

interface KeywordExtras extends Overrides {
  target?: KeywordCheck['target'];
}

/** Row of a target whose response is searched for keywords. */
function keyword(
  name: string,
  onConnection: OnConnection,
  keywords: Keyword | Keyword[],
  expected: Expected,
  { target = 'html', ...more }: KeywordExtras = {},
): Row {
  const content: KeywordCheck = { kind: 'keyword', keywords: [keywords].flat(), target };
  return http(`keyword: ${name}`, onConnection, expected, { content, ...PATIENT, ...more });
}

const html = (body: string | Buffer, type = 'text/html'): OnConnection =>
  answering(page(Buffer.from(body), `Content-Type: ${type}`));
const TEXT: KeywordExtras = { target: 'text' };
const TOO_LARGE = down('response_too_large', /^Response too large: .*10 MiB/, 'ttfb', 200);
const TOO_LARGE_UNPACKED = downAfterAnswer('response_too_large', /^Response too large: .*10 MiB/);
/** Compressed in the target's thread only, since it takes a while. */
const bomb = (name: string, pack: () => Buffer, coding: string): Row => ({
  ...keyword(name, () => undefined, wanted('x'), TOO_LARGE_UNPACKED),
  start: () => startServer(answering(page(pack(), `Content-Encoding: ${coding}`))),
});
const large = (size: number, end: string): OnConnection =>
  answering(page(Buffer.concat([Buffer.alloc(size, 'lorem ipsum '), Buffer.from(end)])));

export const KEYWORD_ROWS: Row[] = [
  keyword('there', html('<h1>Welcome</h1>'), wanted('Welcome'), up()),
  keyword('missing', html('<h1>Goodbye</h1>'), wanted('Welcome'), MISSING('Welcome')),
  keyword(
    'found that must not be',
    html('<h1>Fatal error</h1>'),
    unwanted('Fatal'),
    FOUND('Fatal'),
  ),
  keyword('absent that must be', html('<h1>Welcome</h1>'), unwanted('Fatal'), up()),
  keyword(
    'two missing of three',
    html('one'),
    [wanted('one'), wanted('two'), wanted('three')],
    downAfterAnswer('keyword_missing', 'Keyword "two" is missing (and 1 more)'),
  ),
  keyword('in another case', html('WELCOME'), wanted('welcome'), up()),
  keyword(
    'in another case that matters',
    html('WELCOME'),
    wanted('welcome', { caseSensitive: true }),
    MISSING('welcome'),
  ),
  keyword(
    'across chunks',
    answering(
      `${OK}Transfer-Encoding: chunked\r\n\r\n`,
      '3\r\nWel\r\n',
      '4\r\ncome\r\n',
      '0\r\n\r\n',
    ),
    wanted('Welcome'),
    up(),
  ),
  keyword(
    'byte by byte',
    (socket) => {
      socket.setNoDelay(true);
      socket.once('data', () => {
        const bytes = [...page('Welcome')];
        const timer = setInterval(() => {
          const byte = bytes.shift();
          if (byte === undefined) clearInterval(timer);
          else socket.write(Buffer.from([byte]));
        }, 2);
        socket.on('close', () => clearInterval(timer));
      });
    },
    wanted('Welcome'),
    up(),
  ),
  keyword(
    'across tags, in the source',
    html('<b>Wel</b>come'),
    wanted('Welcome'),
    MISSING('Welcome'),
  ),
  keyword('across tags, in the text', html('<b>Wel</b>come'), wanted('Welcome'), up(), TEXT),
  keyword(
    'across lines, in the text',
    html('<p>all   is\n well</p>'),
    wanted('all is well'),
    up(),
    TEXT,
  ),
  keyword(
    'in a script, in the text',
    html('<script>"Welcome"</script>'),
    wanted('Welcome'),
    MISSING('Welcome'),
    TEXT,
  ),
  keyword(
    'as entities, in the text',
    html('<p>K&ouml;ln &amp; Bonn</p>'),
    wanted('Köln & Bonn'),
    up(),
    TEXT,
  ),
  keyword(
    'below 100,000 open tags, in the text',
    html(`${'<div>'.repeat(100_000)}Welcome`),
    wanted('Goodbye'),
    MISSING('Goodbye'),
    TEXT,
  ),
  keyword(
    'in a tag that never ends, in the text',
    html('<h1 title="Welcome'),
    wanted('Goodbye'),
    MISSING('Goodbye'),
    TEXT,
  ),
  keyword(
    'in latin1',
    html(Buffer.from('Größe', 'latin1'), 'text/html; charset=iso-8859-1'),
    wanted('größe'),
    up(),
  ),
  keyword(
    'in latin1 that is not declared',
    html(Buffer.from('Größe', 'latin1')),
    wanted('größe'),
    MISSING('größe'),
  ),
  keyword(
    'in latin1 that the page declares',
    html(Buffer.from('<meta charset=latin1>Größe', 'latin1')),
    wanted('größe'),
    up(),
  ),
  keyword(
    'in UTF-16 with its mark',
    html(Buffer.from('\u{feff}Größe', 'utf16le')),
    wanted('größe'),
    up(),
  ),
  keyword(
    'in UTF-16 that the header declares',
    html(Buffer.from('Größe', 'utf16le'), 'text/html; charset=utf-16le'),
    wanted('größe'),
    up(),
  ),
  keyword(
    'in UTF-16 that is not declared',
    html(Buffer.from('Größe', 'utf16le')),
    wanted('größe'),
    MISSING('größe'),
  ),
  keyword(
    'in Shift_JIS',
    html(Buffer.from('93fa967b', 'hex'), 'text/html; charset=Shift_JIS'),
    wanted('日本'),
    up(),
  ),
  keyword(
    'a mark against the header',
    html('\u{feff}Größe', 'text/html; charset=utf-16be'),
    wanted('größe'),
    up(),
  ),
  keyword(
    'a wrong charset',
    html('Welcome', 'text/html; charset=utf-16le'),
    wanted('Welcome'),
    MISSING('Welcome'),
  ),
  keyword(
    'an unknown charset',
    html('Welcome', 'text/html; charset=nonsense'),
    wanted('Welcome'),
    up(),
  ),
  keyword(
    'bytes that are no text',
    html(Buffer.from(Array.from({ length: 9_999 }, (_, i) => i & 255))),
    wanted('Welcome'),
    MISSING('Welcome'),
  ),
  keyword('nothing at all', html(''), wanted('Welcome'), MISSING('Welcome')),
  keyword(
    'answer to HEAD',
    answering(`${OK}Content-Length: 9\r\n\r\n`),
    wanted('Welcome'),
    MISSING('Welcome'),
    { method: 'HEAD' },
  ),
  keyword(
    '204',
    answering('HTTP/1.1 204 No Content\r\n\r\n'),
    wanted('Welcome'),
    downAfterAnswer('keyword_missing', 'Keyword "Welcome" is missing', 204),
  ),
  keyword(
    'on an error page',
    answering('HTTP/1.1 503 x\r\nContent-Length: 7\r\n\r\nWelcome'),
    wanted('Welcome'),
    downAfterAnswer('http_status', 'HTTP 503 Service Unavailable', 503),
  ),
  keyword(
    'on an error page that is accepted',
    answering('HTTP/1.1 503 x\r\nContent-Length: 7\r\n\r\nWelcome'),
    wanted('Welcome'),
    up(503),
    { acceptedStatusCodes: ['503'] },
  ),
  keyword(
    'beside an error text',
    html('Welcome<h1>Internal Server Error</h1>'),
    wanted('Welcome'),
    downAfterAnswer('error_text', 'The page shows a server error: Internal Server Error'),
    { errorTextDetection: true },
  ),
  keyword(
    'on a page cut short',
    answeringAndClosing(`${OK}Content-Length: 99\r\n\r\nWelcome`),
    wanted('Welcome'),
    down('response_cut_short', 'Response cut short after 7 of 99 bytes of body', 'ttfb', 200),
  ),
  keyword(
    'on a page that stops',
    answering(`${OK}Content-Length: 99\r\n\r\nWelcome`),
    wanted('Welcome'),
    down('no_response', 'Response not complete within 2 s', 'ttfb', 200),
    HANGS,
  ),
  keyword(
    'in gzip',
    answering(page(gzipSync('Welcome'), 'Content-Encoding: gzip')),
    wanted('Welcome'),
    up(),
  ),
  keyword(
    'in brotli',
    answering(page(brotliCompressSync('Welcome'), 'Content-Encoding: br')),
    wanted('Welcome'),
    up(),
  ),
  keyword(
    'in gzip that is invalid',
    answering(page('Welcome', 'Content-Encoding: gzip')),
    wanted('Welcome'),
    downAfterAnswer('response_invalid', 'The response does not match its Content-Encoding'),
  ),
  keyword(
    'in an unknown coding that is none',
    answering(page('Welcome', 'Content-Encoding: utf-8')),
    wanted('Welcome'),
    up(),
  ),
  keyword(
    'missing in an unknown coding',
    answering(page('V2VsY29tZQ==', 'Content-Encoding: base64')),
    wanted('Welcome'),
    UNDECODED('base64'),
  ),
  keyword(
    'forbidden and found in an unknown coding',
    answering(page('Fatal', 'Content-Encoding: base64')),
    unwanted('Fatal'),
    FOUND('Fatal'),
  ),
  keyword(
    'forbidden in an unknown coding',
    answering(page(brotliCompressSync('Fatal '.repeat(99)), 'Content-Encoding: x-br')),
    unwanted('Fatal'),
    UNDECODED('x-br'),
  ),
  keyword(
    'in gzip and an unknown coding',
    answering(page(gzipSync('Welcome'), 'Content-Encoding: gzip, compress')),
    wanted('Welcome'),
    UNDECODED('compress'),
  ),
  keyword(
    'in brotli that is invalid',
    answering(page('Welcome', 'Content-Encoding: br')),
    wanted('Welcome'),
    downAfterAnswer('response_invalid', 'The response does not match its Content-Encoding'),
  ),
  keyword(
    'by the last valid Content-Type',
    answering(
      page(
        Buffer.from('Größe', 'latin1'),
        'Content-Type: text/plain;charset=utf-8\r\nContent-Type: text/html;charset=latin1\r\nContent-Type: none',
      ),
    ),
    wanted('Größe'),
    up(),
  ),
  keyword(
    'in windows-949',
    html(Buffer.from([0x94, 0xee]), 'text/html; charset=euc-kr'),
    wanted('뷁'),
    up(),
  ),
  keyword(
    'by a late meta',
    html(Buffer.from(`<!--${'x'.repeat(2_000)}--><meta charset=iso-8859-1>Größe`, 'latin1')),
    wanted('Größe'),
    up(),
  ),
  keyword(
    'behind a script without an end',
    html('<script src="a.js"/>Welcome'),
    wanted('Welcome'),
    MISSING('Welcome'),
    TEXT,
  ),
  keyword('beyond 1 MiB', large(2 * MIB, 'Welcome'), wanted('Welcome'), up()),
  keyword('near the end of 10 MiB', large(10 * MIB - 10, 'Welcome'), wanted('Welcome'), up()),
  keyword('beyond 10 MiB', large(10 * MIB, 'Welcome'), wanted('Welcome'), TOO_LARGE),
  keyword(
    'on an endless page',
    answeringForEver(`${OK}\r\n`, 'x'.repeat(65_536)),
    wanted('Welcome'),
    TOO_LARGE,
  ),
  keyword(
    'on an endless page in chunks',
    answeringForEver(
      `${OK}Transfer-Encoding: chunked\r\n\r\n`,
      `10000\r\n${'x'.repeat(65_536)}\r\n`,
    ),
    wanted('Welcome'),
    TOO_LARGE,
  ),
  bomb('in a bomb', () => gzipSync(Buffer.alloc(20_000_000)), 'gzip'),
  bomb('in a bomb in a bomb', () => gzipSync(gzipSync(Buffer.alloc(20_000_000))), 'gzip, gzip'),
];

/** Row of a target whose JSON is evaluated. */
function json(
  name: string,
  body: string | Buffer,
  assertion: JsonAssertion | JsonAssertion[],
  failing: string | RegExp | null,
  type = 'application/json',
): Row {
  return http(
    `json: ${name}`,
    html(body, type),
    failing === null ? up() : downAfterAnswer('json_assertion', failing),
    { content: { kind: 'json', assertions: [assertion].flat() }, ...PATIENT },
  );
}

const isOk: JsonAssertion = { path: 'status', operator: 'equals', value: 'ok' };
const exists = (path: string): JsonAssertion => ({ path, operator: 'exists' });
const NO_JSON = 'The answer is not JSON';
const TOO_DEEP = 'The answer is nested deeper than 100 levels';
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

export const JSON_ROWS: Row[] = [
  json('what is expected', '{"status":"ok"}', isOk, null),
  json('something else', '{"status":"down"}', isOk, 'JSON status is "down", expected "ok"'),
  json('nothing there', '{"state":"ok"}', isOk, 'JSON status is missing, expected "ok"'),
  json(
    'two that fail',
    '{}',
    [exists('a'), exists('b')],
    'JSON a is missing, expected to exist (and 1 more)',
  ),
  json('an answer of HTML', '<h1>ok</h1>', isOk, NO_JSON, 'text/html'),
  json('the right thing of the wrong type', '{"status":"ok"}', isOk, null, 'text/html'),
  json('nothing at all', '', isOk, NO_JSON),
  json('cut short', '{"status":"ok"', isOk, NO_JSON),
  json('with a comma too many', '{"status":"ok",}', isOk, NO_JSON),
  json('as JavaScript', "callback({'status':'ok'})", isOk, NO_JSON),
  json('two documents', '{"status":"ok"}\n{"status":"ok"}', isOk, NO_JSON),
  json('not a number', '{"status":NaN}', isOk, NO_JSON),
  json('a number and no object', '42', isOk, 'JSON status is missing, expected "ok"'),
  json('null and no object', 'null', isOk, 'JSON status is missing, expected "ok"'),
  json('a list', '[{"status":"ok"}]', { ...isOk, path: '0.status' }, null),
  json(
    'deep in lists and objects',
    '{"a":[1,{"b":[[{"status":"ok"}]]}]}',
    { ...isOk, path: 'a.1.b.0.0.status' },
    null,
  ),
  json('100 levels', nested(100), exists('a.a.a'), null),
  json('101 levels', nested(101), exists('a.a.a'), TOO_DEEP),
  json(
    'a third of a million objects, as many as are read',
    `[${Array.from({ length: 330_000 }, (_, index) => `{"key${index}":1}`).join(',')}]`,
    exists('329999.key329999'),
    null,
  ),
  json('100,000 open brackets', '['.repeat(100_000), exists('a'), TOO_DEEP),
  json('5 MiB', `{"list":[${'"lorem ipsum",'.repeat(400_000)}1],"status":"ok"}`, isOk, null),
  json(
    'an inherited key',
    '{}',
    exists('constructor'),
    'JSON constructor is missing, expected to exist',
  ),
  json('a key that looks inherited', '{"__proto__":{"x":1}}', exists('__proto__.x'), null),
  json('null that exists', '{"status":null}', exists('status'), null),
  json('a byte order mark', '\u{feff}{"status":"ok"}', isOk, null),
  json('UTF-16 with its mark', Buffer.from('\u{feff}{"status":"ok"}', 'utf16le'), isOk, null),
  json(
    'latin1, whatever the header says',
    Buffer.from('{"status":"größe"}', 'latin1'),
    { ...isOk, value: 'größe' },
    /^JSON status is "gr.+e", expected "größe"$/,
    'application/json; charset=latin1',
  ),
  json(
    'more than expected',
    '{"load":0.93}',
    { path: 'load', operator: 'lt', value: 0.9 },
    'JSON load is 0.93, expected less than 0.9',
  ),
  json('a number in a text', '{"load":"0.5"}', { path: 'load', operator: 'lt', value: 0.9 }, null),
  json(
    'no number',
    '{"load":"high"}',
    { path: 'load', operator: 'lt', value: 0.9 },
    /^JSON load is "high", not a number, expected less than 0\.9$/,
  ),
  json(
    'an object where a text is expected',
    '{"status":{"is":"ok"}}',
    isOk,
    'JSON status is an object, expected "ok"',
  ),
  json(
    'a pattern that needs patience',
    `{"status":"${'a'.repeat(50_000)}"}`,
    { path: 'status', operator: 'regex', value: '^(a+)+$' },
    null,
  ),
  json(
    'a line break in the value',
    '{"status":"a\\nb"}',
    isOk,
    'JSON status is "a b", expected "ok"',
  ),
];
