import { describe, expect, test } from 'vitest';
import { findErrorText } from './classify-response.ts';
import { captureEvidence, createSentRemoval, type CapturedResponse } from './evidence.ts';
import {
  requestProblem,
  serializeRequest,
  followRedirect,
  requestKey,
  type HttpRequest,
} from './request.ts';
import { isAcceptedStatus, statusSentence } from './response.ts';
import type { SentValues } from './sent-secrets.ts';

const request = (more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url: new URL('http://a.example/start?q=1'),
  headers: {},
  body: null,
  digest: null,
  cookies: [],
  ...more,
});

describe('accepted status codes', () => {
  test.each<[number, (string | number)[] | null, boolean]>([
    [200, null, true],
    [399, null, true],
    [400, null, false],
    [101, null, false],
    [404, ['404'], true],
    [200, ['404'], false],
    [204, ['2xx'], true],
    [300, ['2xx', '404'], false],
    [404, ['2XX', '404'], true],
    [200, [], false],
    [404, [404], true],
    [203, ['204-301', 401], false],
    [204, ['204-301', 401], true],
    [299, ['204-301', 401], true],
    [300, ['204-301', 401], true],
    [301, ['204-301', 401], true],
    [302, ['204-301', 401], false],
    [401, ['204-301', 401], true],
    [402, ['204-301', 401], false],
    [404, ['404-404'], true],
    [599, ['100-599'], true],
  ])('%i with %j: %s [16.3]', (status, accepted, expected) => {
    expect(isAcceptedStatus(status, accepted)).toBe(expected);
  });

  test('a non-standard status has no reason phrase', () => {
    expect([statusSentence(503), statusSentence(299)]).toEqual([
      'HTTP 503 Service Unavailable',
      'HTTP 299',
    ]);
  });
});

describe('requests', () => {
  test('the defaults', () => {
    expect(serializeRequest(request())).toBe(
      [
        'GET /start?q=1 HTTP/1.1',
        'Host: a.example',
        'User-Agent: Mozilla/5.0 (compatible; Tocsin uptime check)',
        'Accept: */*',
        'Accept-Encoding: gzip, deflate, br, zstd',
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    );
  });

  test("the user's headers take precedence, except for framing [16.10]", () => {
    const text = serializeRequest(
      request({
        method: 'POST',
        body: 'grüße',
        headers: {
          'user-agent': 'mine',
          HOST: 'other.example',
          'Content-Length': '999',
          'transfer-encoding': 'chunked',
        },
      }),
    );
    expect(text).toContain('\r\nHOST: other.example\r\n');
    expect(text).toContain('\r\nuser-agent: mine\r\n');
    expect(text).not.toMatch(/Tocsin|Host: a\.example|999|chunked/);
    expect(text).toContain('\r\nContent-Length: 7\r\n\r\ngrüße');
  });

  test.each<[Record<string, string>, boolean]>([
    [{ 'X-Key': 'a\tb ü' }, true],
    [{ 'X Key': 'a' }, false],
    [{ '': 'a' }, false],
    [{ 'X-Key:': 'a' }, false],
    [{ 'X-Key': 'a\r\nHost: evil' }, false],
    [{ 'X-Key': 'a\0' }, false],
  ])('headers %j can be sent: %s', (headers, fine) => {
    expect(requestProblem(headers) === null).toBe(fine);
  });
});

describe('redirects', () => {
  test.each<[string, number, HttpRequest['method'], HttpRequest['method'], boolean]>([
    ['301 of a POST', 301, 'POST', 'GET', false],
    ['302 of a POST', 302, 'POST', 'GET', false],
    ['302 of a PUT', 302, 'PUT', 'PUT', true],
    ['303 of a PUT', 303, 'PUT', 'GET', false],
    ['303 of a HEAD', 303, 'HEAD', 'HEAD', true],
    ['307 of a POST', 307, 'POST', 'POST', true],
    ['308 of a POST', 308, 'POST', 'POST', true],
  ])('%s', (_name, status, method, expected, keepsBody) => {
    const from = request({
      method,
      body: 'x',
      headers: { 'Content-Type': 'text/plain', Authorization: 'secret' },
    });
    const next = followRedirect(from, status, 'next', []);
    expect(next).toMatchObject({
      ok: true,
      request: { method: expected, body: keepsBody ? 'x' : null },
    });
    expect(next.ok && next.request.url.href).toBe('http://a.example/next');
    expect(next.ok && Object.keys(next.request.headers)).toEqual(
      keepsBody ? ['Content-Type', 'Authorization'] : ['Authorization'],
    );
  });

  test.each(['http://b.example/', '//b.example/', 'https://a.example/', 'http://a.example:8080/'])(
    'no secret goes to another origin: %s',
    (location) => {
      const headers = {
        authorization: 'x',
        Cookie: 'x',
        'X-Api-Key': 'x',
        Host: 'x',
        'User-Agent': 'mine',
      };
      const next = followRedirect(
        request({ method: 'POST', body: 'x', headers }),
        307,
        location,
        [],
      );
      expect(next).toMatchObject({ ok: true, request: { method: 'POST', body: null } });
      expect(next.ok && next.request.headers).toEqual({ 'User-Agent': 'mine' });
    },
  );

  test.each([
    ['http://', 'redirect_invalid'],
    ['http://a b/', 'redirect_invalid'],
    ['javascript:alert(1)', 'redirect_invalid'],
    ['file:///etc/passwd', 'redirect_invalid'],
    ['/start?q=1', 'redirect_loop'],
    ['/start?q=1#part', 'redirect_loop'],
  ])('%s is not followed', (location, code) => {
    const from = request();
    const next = followRedirect(from, 302, location, [requestKey(from)]);
    expect(next).toMatchObject({ ok: false, failure: { code } });
  });

  test('UTF-8 in a Location, and credentials in it [20.12]', () => {
    const latin1 = Buffer.from('http://user:pass@b.example/grüße', 'utf8').toString('latin1');
    const next = followRedirect(request(), 302, latin1, []);
    expect(next.ok && next.request.url.href).toBe('http://b.example/gr%C3%BC%C3%9Fe');
  });
});

const head = (
  headers: [string, string][],
): { statusLine: string; status: number; headers: [string, string][] } => ({
  statusLine: 'HTTP/1.1 500 Oops',
  status: 500,
  headers,
});
const capture = (seen: Partial<CapturedResponse>, sent: SentValues = { headers: {}, body: null }) =>
  captureEvidence(
    { head: null, body: null, redirects: [], tls: null, ...seen },
    createSentRemoval(sent),
  );

test('secrets of the target are removed [20.10]', () => {
  const secrets = [
    'set-cookie',
    'cookie',
    'authorization',
    'www-authenticate',
    'proxy-authenticate',
    'x-api-key',
    'x-csrf-token',
  ];
  const { headers } = capture({
    head: head([
      ...secrets.map((name): [string, string] => [name, 'secret']),
      ['location', 'https://u:p@b.example/x?token=secret'],
      ['content-location', '/x?token=secret'],
      ['server', 'nginx'],
      ['vary', 'a'],
      ['vary', 'b'],
      ['__proto__', 'x'],
    ]),
  });
  expect(headers).toEqual(
    Object.fromEntries([
      ['location', 'https://b.example/x'],
      ['content-location', '/x'],
      ['server', 'nginx'],
      ['vary', 'a, b'],
      ['__proto__', 'x'],
    ]),
  );
});

/** Evidence of a body after these values were sent. */
const seenWith = (Authorization: string, body: string) =>
  capture({ head: head([]), body: Buffer.from(body) }, { headers: { Authorization }, body: null })
    .body;

describe('evidence', () => {
  test('secrets that the target sends back are removed [20.10, 20.11]', () => {
    const evidence = capture(
      {
        head: head([['x-echo', 'Bearer abcdefghijklmnop']]),
        body: Buffer.from('{"token": "abcdefghijklmnop", "agent": "my-user-agent"}'),
      },
      {
        headers: { Authorization: 'Bearer abcdefghijklmnop', 'User-Agent': 'my-user-agent' },
        body: null,
      },
    );
    expect(evidence.headers).toEqual({ 'x-echo': '[removed]' });
    expect(evidence.body).toBe('{"token": "[removed]", "agent": "my-user-agent"}');
  });

  test('credentials of an Authorization header are removed, decoded or short', () => {
    const basic = `Basic ${Buffer.from('watcher:s3cret').toString('base64')}`;
    expect(seenWith(basic, 'user=watcher password=s3cret pair=watcher:s3cret')).toBe(
      'user=[removed] password=[removed] pair=[removed]',
    );
    expect(seenWith('Bearer abc123', 'token: abc123')).toBe('token: [removed]');
  });

  test('the first 4 KiB of body, bounded headers [20.9]', () => {
    const many = Array.from({ length: 500 }, (_, index): [string, string] => [
      `h${index}`,
      'x'.repeat(5_000),
    ]);
    const evidence = capture({ head: head(many), body: Buffer.alloc(10_000, 'x') });
    expect(evidence.body).toHaveLength(4_096);
    expect(Object.keys(evidence.headers)).toHaveLength(64);
    expect(evidence.headers['h0']).toHaveLength(1_024);
  });

  test.each([
    ['text/html; charset=iso-8859-1', [0x67, 0xfc], 'gü'],
    ['text/html; charset="utf-8"', [0x67, 0xc3, 0xbc], 'gü'],
    ['text/html; charset=nonsense', [0x67, 0xc3, 0xbc], 'gü'],
    ['text/html', [...Buffer.from('<meta charset=latin1>g'), 0xfc], '<meta charset=latin1>gü'],
    ['text/html', [0x61, 0xff, 0, 0x62], 'a\u{fffd}\u{fffd}b'],
    ['text/html', [0x67, 0xc3], 'g'],
  ])('text of %s', (type, bytes, text) => {
    const body = Buffer.from(bytes);
    expect(capture({ head: head([['content-type', type]]), body }).body).toBe(text);
  });
});

describe('server error texts [16.20]', () => {
  test.each([
    '<html><head><title>Database Error</title></head><body><h1>Error establishing a database connection</h1>',
    '<br />\n<b>Fatal error</b>:  Uncaught Error: Call to undefined function x() in /var/www/index.php:3',
    'PHP Fatal error:  Uncaught Exception in /x.php',
    "<title>Server Error in '/' Application.</title>".replace('Application.', 'Application'),
    'java.lang.NullPointerException: x\n\tat com.example.Shop.open(Shop.java:42)',
    'Traceback (most recent call last):\n  File "app.py"',
    'SQLSTATE[HY000] [2002] Connection refused',
    '<title>500 Internal Server Error</title>',
    '<h1>Service Temporarily Unavailable</h1>',
    'Internal Server Error',
    '<h1>Whitelabel Error Page</h1>',
  ])('%s', (page) => {
    expect(findErrorText(page)).not.toBeNull();
  });

  test.each([
    '',
    '<h1>How we handle an Internal Server Error</h1>',
    '<p>The status 503 means Service Unavailable.</p>',
    'A fatal error: do not panic.',
    'class java.lang.NullPointerException is thrown when',
  ])('not %s', (page) => {
    expect(findErrorText(page)).toBeNull();
  });

  test.each(['\n', ' ', '<h1> ', 'a.', 'Uncaught Error:', 'a.b.CError\n', '<title>500 '])(
    'a page of nothing but %j is searched without stopping the world',
    (piece) => {
      expect(findErrorText(piece.repeat(Math.ceil(1_000_000 / piece.length)))).toBeNull();
    },
  );
});
