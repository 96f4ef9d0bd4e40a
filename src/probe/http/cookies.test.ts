import { describe, expect, test } from 'vitest';
import { cookieHeader, receiveCookies } from './cookies.ts';
import type { Cookie } from './cookies.ts';

const NOW = Date.UTC(2026, 0, 15);

/** The cookies of these responses, each an address and what it sets. */
function after(...responses: [from: string, ...setCookies: string[]][]): readonly Cookie[] {
  return responses.reduce<readonly Cookie[]>(
    (cookies, [from, ...lines]) =>
      receiveCookies(
        cookies,
        lines.map((line): [string, string] => ['set-cookie', line]),
        new URL(from),
        NOW,
      ),
    [],
  );
}

const sent = (cookies: readonly Cookie[], to: string, own: string | null = null) =>
  cookieHeader(cookies, own, new URL(to));

describe('a cookie goes where RFC 6265 says [16.27]', () => {
  const ON = 'https://shop.example.co.uk/a/b';
  test.each<[from: string, setCookie: string, to: string, header: string | null]>([
    // Section 5.1.3: hosts and domains.
    [ON, 'k=v', ON, 'k=v'],
    [ON, 'k=v', 'https://www.shop.example.co.uk/a/b', null],
    [ON, 'k=v', 'https://shop.example.co.uk:8443/a/b', 'k=v'],
    [ON, 'k=v', 'https://SHOP.example.co.uk/a/b', 'k=v'],
    [ON, 'k=v; Domain=shop.example.co.uk', 'https://www.shop.example.co.uk/a/b', 'k=v'],
    [ON, 'k=v; domain=.Example.CO.UK', 'https://pay.example.co.uk/a/b', 'k=v'],
    [ON, 'k=v; Domain=example.co.uk', 'https://myexample.co.uk/a/b', null],
    [ON, 'k=v; Domain=www.shop.example.co.uk', 'https://www.shop.example.co.uk/a/b', null],
    [ON, 'k=v; Domain=other.example', 'https://other.example/a/b', null],
    [ON, 'k=v; Domain=', 'https://www.shop.example.co.uk/a/b', null],
    [ON, 'k=v; Domain=other.example; Domain=', ON, 'k=v'],
    // Section 5.3, step 5: public suffixes.
    [ON, 'k=v; Domain=co.uk', 'https://other.co.uk/a/b', null],
    ['https://you.github.io/', 'k=v; Domain=github.io', 'https://me.github.io/', null],
    ['https://co.uk/', 'k=v; Domain=co.uk', 'https://co.uk/', 'k=v'],
    ['https://co.uk/', 'k=v; Domain=co.uk', 'https://other.co.uk/', null],
    ['http://localhost/', 'k=v; Domain=localhost', 'http://localhost/', 'k=v'],
    ['http://127.0.0.1/', 'k=v; Domain=127.0.0.1', 'http://127.0.0.1/', 'k=v'],
    ['http://127.0.0.1/', 'k=v; Domain=0.0.1', 'http://127.0.0.1/', null],
    ['http://[::1]/', 'k=v', 'http://[::1]/', 'k=v'],
    // Section 5.1.4: paths.
    [ON, 'k=v', 'https://shop.example.co.uk/a/c', 'k=v'],
    [ON, 'k=v', 'https://shop.example.co.uk/a', 'k=v'],
    [ON, 'k=v', 'https://shop.example.co.uk/', null],
    [ON, 'k=v; Path=/', 'https://shop.example.co.uk/', 'k=v'],
    [ON, 'k=v; Path=/x', 'https://shop.example.co.uk/x/y', 'k=v'],
    [ON, 'k=v; Path=/x/', 'https://shop.example.co.uk/x', null],
    [ON, 'k=v; Path=/x', 'https://shop.example.co.uk/xy', null],
    [ON, 'k=v; Path=x', 'https://shop.example.co.uk/a/c', 'k=v'],
    [ON, 'k=v; Path', 'https://shop.example.co.uk/', null],
    ['https://shop.example.co.uk', 'k=v', 'https://shop.example.co.uk/any', 'k=v'],
    // Secure, and the prefixes of names.
    [ON, 'k=v; Secure; Path=/', 'http://shop.example.co.uk/', null],
    [ON, 'k=v; Secure; Path=/', 'https://shop.example.co.uk/', 'k=v'],
    ['http://a.test/', 'k=v; Secure', 'https://a.test/', null],
    [ON, '__Secure-k=v; Secure', ON, '__Secure-k=v'],
    [ON, '__Secure-k=v', ON, null],
    [ON, '__secure-k=v', ON, null],
    [ON, '__Host-k=v; Secure; Path=/', ON, '__Host-k=v'],
    [ON, '__Host-k=v; Secure', 'https://shop.example.co.uk/a/b', null],
    [ON, '__Host-k=v; Path=/', ON, null],
    [ON, '__Host-k=v; Secure; Path=/; Domain=shop.example.co.uk', ON, null],
    [ON, '=__Host-k=v', ON, null],
    // Expiry: Max-Age before Expires, the last of several.
    [ON, 'k=v; Max-Age=60', ON, 'k=v'],
    [ON, 'k=v; Max-Age=0', ON, null],
    [ON, 'k=v; Max-Age=-1', ON, null],
    [ON, 'k=v; Max-Age=never', ON, 'k=v'],
    [ON, 'k=v; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT', ON, 'k=v'],
    [ON, 'k=v; Max-Age=0; Max-Age=60', ON, 'k=v'],
    [ON, 'k=v; Expires=Thu, 01 Jan 1970 00:00:00 GMT', ON, null],
    [ON, 'k=v; expires=Thu, 01-Jan-70 00:00:01 GMT', ON, null],
    [ON, 'k=v; Expires=Wed, 14 Jan 2026 23:59:59 GMT', ON, null],
    [ON, 'k=v; Expires=Fri, 16 Jan 2026 00:00:00 GMT', ON, 'k=v'],
    [ON, 'k=v; Expires=Sun Nov  6 08:49:37 1994', ON, null],
    [ON, 'k=v; Expires=Mon, 29 Feb 2021 00:00:00 GMT', ON, 'k=v'],
    [ON, 'k=v; Expires=Mon, 01 Jan 2024 24:00:00 GMT', ON, 'k=v'],
    [ON, 'k=v; Expires=yesterday', ON, 'k=v'],
    // Section 5.2: how it is written.
    [ON, ' k = v ;HttpOnly;SameSite=Strict', ON, 'k=v'],
    [ON, 'k=a=b', ON, 'k=a=b'],
    [ON, 'k="a b"', ON, 'k="a b"'],
    [ON, 'k=', ON, 'k='],
    [ON, 'v', ON, 'v'],
    [ON, '=v', ON, 'v'],
    [ON, ';', ON, null],
    [ON, 'k=\x01', ON, null],
    [ON, 'k=v\r', ON, null],
    [ON, `k=${Buffer.from('größer').toString('latin1')}`, ON, 'k=größer'],
    [ON, `k=${'x'.repeat(4_094)}`, ON, `k=${'x'.repeat(4_094)}`],
    [ON, `k=${'x'.repeat(4_095)}`, ON, null],
    [ON, `k=v; Path=/${'x'.repeat(2_000)}`, ON, 'k=v'],
  ])('%s sets "%s", %s gets %j', (from, setCookie, to, header) => {
    expect(sent(after([from, setCookie]), to)).toBe(header);
  });
});

describe('several cookies', () => {
  const ON = 'https://a.test/x/y';
  test('the longest path comes first, then the oldest', () => {
    const cookies = after(
      [ON, 'a=1; Path=/', 'b=2; Path=/x', 'c=3; Path=/'],
      [ON, 'd=4; Path=/x/y'],
    );
    expect(sent(cookies, ON)).toBe('d=4; b=2; a=1; c=3');
  });

  test('a new value takes the place of the old one, another path does not', () => {
    const cookies = after([ON, 'a=1; Path=/', 'b=2; Path=/'], [ON, 'a=3; Path=/', 'a=4; Path=/x']);
    expect(sent(cookies, ON)).toBe('a=4; a=3; b=2');
  });

  test('one is deleted by its name, domain and path', () => {
    const set: [string, ...string[]] = [ON, 'a=1; Path=/', 'b=2; Path=/'];
    expect(sent(after(set, [ON, 'a=; Path=/; Max-Age=0']), ON)).toBe('b=2');
    expect(sent(after(set, [ON, 'a=; Path=/x; Max-Age=0']), ON)).toBe('a=1; b=2');
    expect(sent(after(set, [ON, 'a=; Path=/; Max-Age=0'], [ON, 'a=3; Path=/']), ON)).toBe(
      'a=3; b=2',
    );
  });

  test('an unencrypted response does not hide a secure one', () => {
    const plain = 'http://a.test/x/y';
    const secure: [string, string] = [ON, 'k=secure; Secure; Path=/'];
    expect(sent(after(secure, [plain, 'k=plain; Path=/x']), ON)).toBe('k=secure');
    expect(sent(after(secure, [ON, 'k=plain; Path=/']), ON)).toBe('k=plain');
    const deleted: [string, string] = [ON, 'k=; Secure; Path=/; Max-Age=0'];
    expect(sent(after(secure, deleted, [plain, 'k=plain; Path=/']), ON)).toBe('k=plain');
  });

  test('number and length are bounded: the oldest are forgotten', () => {
    const many = Array.from({ length: 200 }, (_, index) => `k${index}=v`);
    const header = sent(after([ON, ...many]), ON)!.split('; ');
    expect([header.length, header[0], header.at(-1)]).toEqual([180, 'k20=v', 'k199=v']);
    const long = Array.from({ length: 20 }, (_, index) => `k${index}=${'x'.repeat(4_000)}`);
    expect(
      sent(after([ON, ...long]), ON)!
        .split('; ')
        .map((pair) => pair.slice(0, 3)),
    ).toHaveLength(16);
  });
});

test.each<[own: string, setCookies: string[], header: string | null]>([
  ['sid=1; lang=de', [], 'sid=1; lang=de'],
  ['sid=1; lang=de', ['seen=1'], 'seen=1; sid=1; lang=de'],
  ['sid=1; lang=de', ['sid=2'], 'sid=2; lang=de'],
  ['sid=1', ['sid=; Max-Age=0'], null],
  ['sid=1;; =x;y', ['a=b'], 'a=b; sid=1; =x; y'],
])('the own header %j with %j is sent as %j [16.28]', (own, setCookies, header) => {
  expect(sent(after(['https://a.test/', ...setCookies]), 'https://a.test/', own)).toBe(header);
});
