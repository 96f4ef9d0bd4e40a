import { describe, expect, it } from 'vitest';
import { client, expectRefused, REQUIRED } from './support.ts';

const { post, monitor } = client();

const pairs = <First, Second>(firsts: readonly First[], seconds: readonly Second[]) =>
  firsts.flatMap((first) => seconds.map((second) => [first, second] as const));

describe('urls of monitors', () => {
  it.each([
    'http://a.example',
    'https://a.example:8443/path?query=1#fragment',
    'http://127.0.0.1:3000/',
    'http://[::1]/',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    `https://a.example/${'x'.repeat(2048 - 18)}`,
  ])('the url of an http monitor may be %s [7.3]', async (url) => {
    expect((await monitor('http', { url }))['url']).toBe(url);
  });

  it.each([
    'a.example',
    '/path',
    '//a.example',
    'ftp://a.example',
    'javascript:alert(1)',
    'http://',
    'https://user:password@a.example',
    'https://user@a.example',
    `https://a.example/${'x'.repeat(2049 - 18)}`,
    7,
    ['https://a.example'],
  ])(
    'the url of an http monitor must be absolute, http(s), short and without credentials: %s [7.3]',
    async (url) => {
      expectRefused(await post('/monitors', { ...REQUIRED.http, url }), 'url');
    },
  );

  it.each(
    pairs(['ping', 'port'] as const, [
      'a.example',
      'localhost',
      '192.0.2.1',
      '2001:db8::1',
      '[2001:db8::1]',
      'https://a.example/path',
      'http://[2001:db8::1]:8080/',
      'bücher.example',
    ]),
  )(
    'a %s monitor takes a host name, an IPv4 or IPv6 address, or a URL: %s [7.4]',
    async (type, url) => {
      expect((await monitor(type, { url }))['url']).toBe(url);
    },
  );

  it.each(
    pairs(['ping', 'port'] as const, [
      'two words',
      'a..example',
      'a.example:80',
      '999.1.1.1',
      ':::',
      7,
    ]),
  )('a %s monitor refuses what is no host: %j [7.4]', async (type, url) => {
    expectRefused(await post('/monitors', { ...REQUIRED[type], url }), 'url');
  });

  it.each([
    ['http', 'http://169.254.169.254/latest'],
    ['ping', '169.254.169.254'],
    ['port', '169.254.169.254'],
  ] as const)(
    'an address that the guard refuses is 422 and names the setting: %s %s [7.5]',
    async (type, url) => {
      const answer = await post('/monitors', { ...REQUIRED[type], url });
      expectRefused(answer, 'url');
      expect(answer.text).toContain('ALLOW_PRIVATE_TARGETS');
    },
  );

  it('ssl is accepted on an http:// url; its outcome is null and says why [23.1]', async () => {
    const { id } = await monitor('http', { url: 'http://a.example', check_types: ['ssl'] });
    const { body, text } = await post(`/monitors/${id}/check`);
    expect(body['ssl']).toBeNull();
    expect(text).toMatch(/https/i);
  });
});
