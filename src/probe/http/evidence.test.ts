import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoted } from '../content/wording.ts';
import { captureEvidence, createSentRemoval, evidenceBytes } from './evidence.ts';
import type { CapturedResponse } from './evidence.ts';
import { cookiesSetBy } from './sent-secrets.ts';
import type { SentValues } from './sent-secrets.ts';

const NOTHING_SENT: SentValues = { headers: {}, body: null };

const capture = ({
  sent = NOTHING_SENT,
  ...seen
}: Partial<CapturedResponse> & { sent?: SentValues }) =>
  captureEvidence(
    { head: null, body: null, redirects: [], tls: null, ...seen },
    createSentRemoval(sent),
  );

/** Evidence of a body after these values were sent. */
const keptOf = (body: string | Buffer, sent: Partial<SentValues>) =>
  capture({ body: Buffer.from(body), sent: { ...NOTHING_SENT, ...sent } }).body;

const head = (headers: [string, string][], statusLine = 'HTTP/1.1 500 Oops') => ({
  statusLine,
  status: 500,
  headers,
});
const withKey = (key: string): Partial<SentValues> => ({ headers: { 'X-Key': key } });
const basic = (pair: string): Partial<SentValues> => ({
  headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
});
/** Bytes of a head as the response reader returns them. */
const latin1 = (text: string) => Buffer.from(text).toString('latin1');

describe('what counts as a secret', () => {
  test.each<[string, Partial<SentValues>, string, string]>([
    ['user name of Basic', basic('watcher:s3cret'), 'for watcher', 'for [removed]'],
    ['a short user name', basic('admin:s3cret'), 'for admin', 'for admin'],
    ['a pair without colon', basic('watchers'), 'for watchers', 'for [removed]'],
    ['a password with a colon', basic('admin:a:bcdef'), 'a:bcdef', '[removed]'],
    [
      'a cookie',
      { headers: { Cookie: 'a=1; sid=k3y=me' } },
      '{"sid":"k3y=me"}',
      '{"sid":"[removed]"}',
    ],
    ['the request body', { body: 'open sesame\n' }, 'got: open sesame', 'got: [removed]'],
    ['a short request body', { body: 'hello' }, 'hello', 'hello'],
    [
      'values of JSON',
      { body: '{"a":[{"pin":"k3y me"}],"n":1}' },
      'pin k3y me n 1',
      'pin [removed] n 1',
    ],
    ['a JSON text', { body: '"k3y me"' }, 'k3y me', '[removed]'],
    ['escapes in JSON', { body: '{"a":"k3y\\u0020me"}' }, 'k3y me', '[removed]'],
    ['short values of JSON', { body: '{"a":"hello"}' }, 'hello', 'hello'],
    ['names of JSON', { body: '{"password":"k3y me"}' }, 'password is empty', 'password is empty'],
    [
      'the credentials of digest authentication',
      { digest: { username: 'watcher', password: 's3cret' } },
      'watcher has s3cret',
      '[removed] has [removed]',
    ],
    [
      'what proved the password',
      { answers: ['0123456789abcdef'] },
      'response="0123456789abcdef"',
      'response="[removed]"',
    ],
    ['values of a form', { body: 'user=me&pin=k3y%2fme+too' }, 'k3y/me too', '[removed]'],
    ['values of a form as sent', { body: 'user=me&pin=k3y%2fme+too' }, 'k3y%2fme+too', '[removed]'],
    [
      'JSON nested deeply',
      { body: `${'['.repeat(4_990)}"k3y me"${']'.repeat(4_990)}` },
      'k3y me',
      '[removed]',
    ],
  ])('%s', (_name, sent, body, kept) => {
    expect(keptOf(body, sent)).toBe(kept);
  });

  test('the longest is removed, and both of two that overlap', () => {
    const sent = { headers: { 'X-A': 'abcdef', 'X-B': 'abcdefgh', 'X-C': 'ghijkl' } };
    expect(keptOf('<abcdefgh> <abcdefg> <abcdefghijkl>', sent)).toBe(
      '<[removed]> <[removed]g> <[removed]>',
    );
  });
});

describe('encodings', () => {
  const key = `k3y "a/b" & <c>\\it's`;
  test.each<[string, string, string | Buffer]>([
    ['JSON', key, JSON.stringify(key).slice(1, -1)],
    ['JSON of PHP', key, JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')],
    ['JSON in ASCII', 'grüße €🔑', 'gr\\u00fc\\u00DFe \\u20ac\\ud83d\\udd11'],
    ['JSON in a URL', 'schlüssel', encodeURIComponent(JSON.stringify('schlüssel')).slice(3, -3)],
    ['URL', key, encodeURIComponent(key)],
    ['URL in lower case', key, encodeURIComponent(key).toLowerCase()],
    ['URL beyond ASCII', 'grüße €🔑', encodeURIComponent('grüße €🔑')],
    ['form', key, encodeURIComponent(key).replaceAll('%20', '+')],
    ['form by the standard', key, new URLSearchParams({ k: key }).toString().slice(2)],
    ['form beyond ASCII', 'grüße €+1', encodeURIComponent('grüße €+1').replaceAll('%20', '+')],
    ['HTML', key, `k3y &quot;a/b&quot; &amp; &lt;c&gt;\\it&#39;s`],
    ['HTML by number', key, `k3y &#34;a/b&#x22; &#38; &#x3C;c&#062;\\it&apos;s`],
    ['HTML beyond ASCII', 'grüße €🔑', 'gr&#252;&#xDF;e &#8364;&#x1F511;'],
    ['UTF-8 read as latin1', 'grüße €🔑', latin1('grüße €🔑')],
    ['UTF-8 read as latin1, JSON in ASCII', 'grüßen', 'gr\\u00c3\\u00bc\\u00c3\\u009fen'],
    ['half a character', 'k3y me\ud800', 'k3y me\ufffd'],
  ])('%s', (_name, secret, body) => {
    expect(keptOf(`<p>${body}</p>`, withKey(secret))).toBe('<p>[removed]</p>');
  });

  test('a page that claims latin1 and sends back our UTF-8', () => {
    const { body } = capture({
      head: head([['content-type', 'text/html; charset=iso-8859-1']]),
      body: Buffer.from('<grüße €🔑>'),
      sent: { ...NOTHING_SENT, ...withKey('grüße €🔑') },
    });
    expect(body).toBe('<[removed]>');
  });

  test('other escapes are unchanged', () => {
    const body = 'a%20b\\n&amp;&#99999999;&#x110000; 100% \\u12 AT&T \\';
    expect(keptOf(body, withKey('k3y me'))).toBe(body);
  });

  test('any secret, in any encoding, between other text', () => {
    const spellings: ((secret: string) => string)[] = [
      (secret) => secret,
      (secret) => JSON.stringify(secret).slice(1, -1),
      encodeURIComponent,
      (secret) => new URLSearchParams({ k: secret }).toString().slice(2),
      (secret) => secret.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`),
      latin1,
    ];
    const secrets = fc
      .string({ unit: 'grapheme', minLength: 6, maxLength: 20 })
      .map((text) => `k${text.trim()}k3yme`);
    fc.assert(
      fc.property(secrets, fc.constantFrom(...spellings), (secret, spell) => {
        expect(keptOf(`<p>${spell(secret)}</p>`, withKey(secret))).toBe('<p>[removed]</p>');
      }),
    );
  });
});

describe('edges', () => {
  const key = 'k3y/of the kingdom';
  const LIMIT = 4_096;

  test.each([1, 5, 6, 17])('%i characters of a secret before the end of 4 KiB', (count) => {
    const padding = 'x'.repeat(LIMIT - count);
    for (const spelled of [key, encodeURIComponent(key)]) {
      expect(keptOf(`${padding}${spelled}${padding}`, withKey(key))).toBe(`${padding}[removed]`);
    }
  });

  test('nothing after 4 KiB is kept, whatever was removed before', () => {
    const body = `${key}${'x'.repeat(LIMIT)}`;
    expect(keptOf(body, withKey(key))).toBe(`[removed]${'x'.repeat(LIMIT - key.length)}`);
    expect(keptOf(`${'ü'.repeat(LIMIT / 2)}${key}`, withKey(key))).toBe('ü'.repeat(LIMIT / 2));
  });

  test('the request body as a response longer than 4 KiB', () => {
    const body = Array.from({ length: 1_500 }, (_, index) => `${index} `).join('');
    expect(keptOf(`got ${body}`, { body })).toBe('got [removed]');
    expect(keptOf(`got ${body}`.slice(0, 4_500), { body })).toBe('got [removed]');
  });

  test.each([
    ['five characters', 'is k3y/o', 'is k3y/o'],
    ['six', 'is k3y/of', 'is [removed]'],
    ['all but one', `is ${key.slice(0, -1)}`, 'is [removed]'],
    ['in the middle of a text', 'is k3y/of?', 'is k3y/of?'],
    ['with half an escape for URLs', 'is k3y%2Fof%2', 'is [removed]'],
    ['with half an escape for JSON', 'is k3y/of\\u00', 'is [removed]'],
    ['with half an escape for HTML', 'is k3y/of&#3', 'is [removed]'],
  ])('a response that ends within a secret: %s', (_name, body, kept) => {
    expect(keptOf(body, withKey(key))).toBe(kept);
  });

  test('status line and headers are shortened after the search', () => {
    const padding = 'x'.repeat(1_020);
    const statusLine = `HTTP/1.1 500 ${'x'.repeat(183)}`;
    const evidence = capture({
      head: head(
        [
          ['x-echo', padding + key],
          ['x-umlaut', latin1(`${padding}xxxgrüße`)],
          ['x-half', latin1(`${padding}xxx🔑`)],
          ['location', `https://${padding}:password@b.example/`],
        ],
        statusLine + key,
      ),
      sent: { ...NOTHING_SENT, ...withKey(key) },
    });
    expect(evidence.statusLine).toBe(`${statusLine}[rem`);
    expect(evidence.headers).toEqual({
      'x-echo': `${padding}[rem`,
      'x-umlaut': `${padding}xxxg`,
      'x-half': `${padding}xxx\ufffd`,
      location: 'https://b.example/',
    });
  });

  test('enough bytes are requested for the search, in any encoding', () => {
    const secrets = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(secrets, fc.constantFrom('header', 'body', 'query'), (text, place) => {
        const value = `k${text}k3yme`;
        const inPlace = {
          header: withKey(value),
          body: { body: value },
          query: { redirectQueries: [`key=${value}`] },
        }[place];
        const sent = { ...NOTHING_SENT, ...inPlace };
        expect(evidenceBytes(sent)).toBeGreaterThanOrEqual(LIMIT + createSentRemoval(sent).reach);
      }),
    );
  });

  test('redirects are searched', () => {
    const redirects = ['https://a.example/for/k3y%2Fof%20the%20kingdom/x', 'https://a.example/'];
    const evidence = capture({ redirects, sent: { ...NOTHING_SENT, ...withKey(key) } });
    expect(evidence.redirects).toEqual(['https://a.example/for/[removed]/x', 'https://a.example/']);
  });
});

describe('cookies set by the target', () => {
  test.each([
    ['its value', 'sid=k3y-me; Path=/; HttpOnly', '<k3y-me> /', '<[removed]> /'],
    ['in quotes', 'sid="k3y-me"', '<k3y-me>', '<[removed]>'],
    ['with = in it', 'sid=k3y=me==', 'sid=k3y=me==', 'sid=[removed]'],
    ['escaped', 'sid=s%3Ak3y%2Fme', 's:k3y/me s%3Ak3y%2Fme', '[removed] [removed]'],
    ['beyond ASCII', latin1('sid=schlüssel'), 'schlüssel', '[removed]'],
    ['escaped in part', 'sid=100%-k3y%20me', '100%-k3y me', '[removed]'],
    ['escaped as no text', 'sid=k3y%ffme', 'k3y%ffme', '[removed]'],
    ['short', 'lang=en-GB', 'en-GB', 'en-GB'],
    ['without a name', 'k3y-me', 'k3y-me', 'k3y-me'],
    [
      'its attributes',
      'a=1; Path=/account; Domain=a.example',
      '/account a.example',
      '/account a.example',
    ],
    ['longer than browsers take', `a=${'x'.repeat(4_095)}`, 'x'.repeat(50), 'x'.repeat(50)],
  ])('is removed: %s', (_name, setCookie, body, kept) => {
    expect(keptOf(body, { cookies: cookiesSetBy([['set-cookie', setCookie]]) })).toBe(kept);
  });

  test('beyond 16 KiB only the latest ones are searched for', () => {
    const cookies = Array.from({ length: 5 }, (_, index) => `${index}-${'x'.repeat(3_998)}`);
    const kept = keptOf(cookies.map((each) => each.slice(0, 20)).join(' '), { cookies });
    expect(kept).toMatch(/^0-x{18} 1-x{18} /);
    expect(keptOf(cookies[1] ?? '', { cookies })).toBe('[removed]');
    expect(keptOf(cookies[0] ?? '', { cookies })).toBe(cookies[0]);
  });

  test('only Set-Cookie headers are cookies, all of them', () => {
    const headers: [string, string][] = [
      ['set-cookie', 'a=first-one'],
      ['x-cookie', 'b=second-one'],
      ['set-cookie', 'c=third-one'],
    ];
    expect(cookiesSetBy(headers)).toEqual(expect.arrayContaining(['first-one', 'third-one']));
    expect(cookiesSetBy(headers)).not.toContain('second-one');
  });
});

describe('a secret in a cleaned text', () => {
  test.each([
    ['a tab', 'k3y\tof the kingdom'],
    ['line ends', 'k3y\r\n\r\nof the kingdom'],
    ['marks that are not seen', 'k3y\u200b\u202eof the kingdom'],
    ['UTF-8 read as latin1', latin1('grüße €')],
  ])('%s', (_name, secret) => {
    expect(keptOf(`JSON a is ${quoted(secret)}`, { body: secret })).toBe('JSON a is "[removed]"');
  });

  test('in a quoted part of the head', () => {
    const sent = { body: 'grüße\tk3y' };
    expect(keptOf('its header is "x: gr????e?k3y"', sent)).toBe('its header is "x: [removed]"');
  });
});
