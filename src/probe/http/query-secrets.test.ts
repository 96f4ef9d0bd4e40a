import { describe, expect, test } from 'vitest';
import { closedAfterEach } from '../../../test/support/closing.ts';
import {
  answering,
  page,
  startServer,
  type FaultServer,
  type OnConnection,
} from '../../../test/support/fault-servers.ts';
import { httpCheck, probeHttp, runProbe } from '../../../test/support/probing.ts';
import { captureEvidence, createSentRemoval } from './evidence.ts';
import { mayBeSecretValue, queryOfRedirect } from './sent-secrets.ts';

const servers = closedAfterEach<{ close(): Promise<void> }>();

async function serve(onConnection: OnConnection): Promise<FaultServer> {
  const server = await startServer(onConnection);
  servers.push(server);
  return server;
}

/** Evidence of a body after a request with this query. */
const keptOf = (query: string, body: string) =>
  captureEvidence(
    { head: null, body: Buffer.from(body), redirects: [], tls: null },
    createSentRemoval({ headers: {}, body: null, query }),
  ).body;

describe('which values are secret without their name', () => {
  test.each([
    ['key', 'production'],
    ['api_key', '123456'],
    ['apiKey', 'status'],
    ['APIKEY', 'status'],
    ['X-Amz-Security-Token', 'status'],
    ['sig', 'status'],
    ['auth', 'status'],
    ['password', 'status'],
    ['user[pwd]', 'status'],
    ['passphrase', 'status'],
    ['client_secret', 'status'],
    ['q', 'k3yofme1'],
    ['q', 'hJkLmNoP'],
    ['q', 'me@a.example'],
    ['q', '550e8400-e29b-41d4-a716-446655440000'],
    ['q', 'hjkwqeyrtzzz'],
    ['q', '491511234567'],
    ['', 'k3yofme1'],
    ['next', '/reset?code=1'],
  ])('%s=%s is', (name, value) => {
    expect(mayBeSecretValue(name, value)).toBe(true);
  });

  test.each([
    ['env', 'production'],
    ['env', 'PRODUCTION'],
    ['city', 'Düsseldorf'],
    ['region', 'eu-central-1'],
    ['keyword', 'checkout'],
    ['author', 'somebody'],
    ['from', '2030-01-02'],
    ['since', '1893456000'],
    ['next', '/api/v2/account/orders'],
    ['return_to', 'https://www.example.com/callback'],
    ['q', 'k3yofme'],
    ['', 'singlewsdl'],
  ])('%s=%s is not', (name, value) => {
    expect(mayBeSecretValue(name, value)).toBe(false);
  });
});

describe('what is removed of a query', () => {
  test.each([
    ['the whole', '?a=1&b=2&c=3', '/x?a=1&b=2&c=3', '/x?[removed]'],
    ['the whole, decoded', '?a=%2F&b=%7C1', 'GET /x?a=/&b=|1', 'GET /x?[removed]'],
    ['the whole in HTML', '?a=1&b=2', '/x?a=1&amp;b=2', '/x?[removed]'],
    ['the whole in JSON', '?a=1&b=2', '/x?a=1\\u0026b=2', '/x?[removed]'],
    [
      'the whole in a URL',
      '?a=1&b=2',
      '/login?next=/x%3Fa%3D1%26b%3D2',
      '/login?next=/x%3F[removed]',
    ],
    ['parameters in another order', '?pin=471&env=test', 'env=test&pin=471', '[removed]&[removed]'],
    ['a value', '?key=k3y-me&b=2', '{"key":"k3y-me","b":"2"}', '{"key":"[removed]","b":"2"}'],
    ['a value as written', '?key=k3y%2fme', '<k3y%2fme>', '<[removed]>'],
    ['a value, decoded', '?key=k3y%2fme', '<k3y/me>', '<[removed]>'],
    ['a value, escaped otherwise', '?key=k3y%2fme', '<k3y%2Fme>', '<[removed]>'],
    ['a value, escaped twice', '?key=k3y%2fme', '<k3y%252fme>', '<[removed]>'],
    ['a value of a form', '?key=k3y+%26me', '<k3y &me> <k3y+&me>', '<[removed]> <[removed]>'],
    ['a value beyond ASCII', '?key=gr%C3%BC%C3%9Fe1', '<grüße1>', '<[removed]>'],
    ['a value with an invalid escape', '?key=100%25-%ffk3y', '<100%-%ffk3y>', '<[removed]>'],
    ['a value with = in it', '?key=k3y=me==', '<k3y=me==>', '<[removed]>'],
    ['a value with an escaped name', '?api%5Fkey=status', '<status>', '<[removed]>'],
    ['a query without names', '?k3yofme1', '/x?k3yofme1', '/x?[removed]'],
  ])('%s', (_name, query, body, kept) => {
    expect(keptOf(query, body)).toBe(kept);
  });

  test.each([
    ['a plain word', '?env=production', 'The production database is down'],
    ['a short value', '?key=hello', 'hello'],
    ['names', '?password=k3y-me', 'The password is missing'],
    ['a short query', '?a=1', '/x?a=1'],
    ['a query of one word', '?singlewsdl', '/x?singlewsdl'],
    ['no query', '', '/x?a=b'],
  ])('but not %s', (_name, query, body) => {
    expect(keptOf(query, body)).toBe(body);
  });

  test('beyond 100 parameters only the whole is searched for', () => {
    const query = Array.from({ length: 101 }, (_, index) => `key=k3y-me-${100 + index}`).join('&');
    expect(keptOf(query, 'k3y-me-199 k3y-me-200.')).toBe('[removed] k3y-me-200.');
    expect(keptOf(query, `<${query}>`)).toBe('<[removed]>');
  });
});

test.each<[string, [string, string][], string[]]>([
  ['of an address', [['location', 'https://a.example/x?token=k3y-me#y?z']], ['token=k3y-me']],
  ['of a path', [['location', '/x?a=1?2']], ['a=1?2']],
  ['beyond ASCII', [['location', Buffer.from('/x?a=ü').toString('latin1')]], ['a=ü']],
  ['of the first address', ['/x?a=1', '/x?a=2'].map((url) => ['location', url]), ['a=1']],
  ['of an address without one', [['location', '/x#a?b']], []],
  ['of other headers', [['link', '/x?a=1']], []],
  ['longer than servers take', [['location', `/x?${'a'.repeat(8_193)}`]], []],
])('the query of a redirect: %s', (_name, headers, queries) => {
  expect(queryOfRedirect(headers)).toEqual(queries);
});

describe('evidence of a server that sends back the query', () => {
  test('has it neither in the head nor in the body [20.11]', async () => {
    const server = await serve((socket) =>
      socket.once('data', (data) => {
        const [, target = ''] = data.toString('latin1').split(' ');
        const body = `<h1>Error</h1> GET ${target} (key k3y-of-me, env production)`;
        socket.end(
          `HTTP/1.1 500 No ${target}\r\nX-Original-Url: ${target}\r\nX-Key: k3y-of-me\r\n` +
            `Content-Length: ${body.length}\r\n\r\n${body}`,
        );
      }),
    );
    const url = `http://127.0.0.1:${server.port}/health?key=k3y-of-me&env=production`;
    const result = await runProbe(probeHttp, httpCheck(url));
    expect(result.evidence).toMatchObject({
      statusLine: 'HTTP/1.1 500 No /health?[removed]',
      headers: { 'x-original-url': '/health?[removed]', 'x-key': '[removed]' },
      body: '<h1>Error</h1> GET /health?[removed] (key [removed], env production)',
    });
  });

  test('has none of redirects, followed or not [20.11]', async () => {
    let hops = 0;
    const server = await serve((socket, received) => {
      const body = 'from k3y-of-me by <a href="/next?token=t0k3n-one">t0k3n-one</a> t0k3n-two';
      const answer =
        hops++ === 0
          ? 'HTTP/1.1 302 Found\r\nLocation: /next?token=t0k3n-one\r\nContent-Length: 0\r\n\r\n'
          : `HTTP/1.1 500 Oops\r\nLocation: /t0k3n-two?token=t0k3n-two\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      answering(answer)(socket, received);
    });
    const url = `http://127.0.0.1:${server.port}/k3y-of-me?key=k3y-of-me`;
    const result = await runProbe(probeHttp, httpCheck(url));
    expect(server.received[1]).toContain('GET /next?token=t0k3n-one ');
    expect(result.evidence).toMatchObject({
      headers: { location: '/[removed]' },
      body: 'from [removed] by <a href="/next?[removed]">[removed]</a> [removed]',
      redirects: [`http://127.0.0.1:${server.port}/next`],
    });
  });

  test.each([
    [
      'a redirect',
      'HTTP/1.1 302 Found\r\nLocation: /k3y-of-me?key=k3y-of-me\r\n\r\n',
      'redirect_loop',
    ],
    ['a status line', 'HTTP/1.1 k3y-of-me\r\n\r\n', 'response_invalid'],
    ['a value on the page', page('{"status":"no key k3y-of-me"}'), 'json_assertion'],
  ])('has it in no text about %s', async (_name, answer, code) => {
    const server = await serve(answering(answer));
    const result = await runProbe(
      probeHttp,
      httpCheck(`http://127.0.0.1:${server.port}/k3y-of-me?key=k3y-of-me`, {
        content: {
          kind: 'json',
          assertions: [{ path: 'status', operator: 'equals', value: 'ok' }],
        },
      }),
    );
    expect(result.failure).toMatchObject({ code, text: expect.stringContaining('[removed]') });
    expect(JSON.stringify(result)).not.toContain('k3y-of-me');
  });
});
