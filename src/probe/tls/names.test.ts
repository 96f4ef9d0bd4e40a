import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeCertificate } from '../../../test/support/certificate-maker.ts';
import { certificateNames, describeNames, isForHost } from './names.ts';

const namesOf = (...names: string[]) =>
  certificateNames(new X509Certificate(makeCertificate({ names }).pem));

describe('a certificate for', () => {
  /** Examples of RFC 6125, section 6.4 and appendix B, of RFC 9525, section 6, and of what sites use. */
  test.each<[certificate: string, accepted: string[], refused: string[]]>([
    [
      'www.example.com',
      ['www.example.com', 'WWW.EXAMPLE.COM', 'www.example.com.'],
      ['example.com'],
    ],
    ['WWW.Example.Com', ['www.example.com'], []],
    ['www.example.com.', ['www.example.com', 'www.example.com.'], []],
    ['my_host.app.test', ['my_host.app.test'], ['my-host.app.test']],
    [
      '*.app.test',
      [
        'my_host.app.test',
        '_.app.test',
        'a.app.test',
        'A.APP.TEST',
        'xn--caf-dma.app.test',
        'café.app.test',
        'a.app.test.',
      ],
      ['app.test', 'a.b.app.test', 'myapp.test', 'a.app.test.evil.test', '.app.test'],
    ],
    ['*.app.test.', ['a.app.test'], []],
    ['w*.app.test', [], ['www.app.test', 'w.app.test', 'w*.app.test']],
    ['*w.app.test', [], ['www.app.test']],
    ['w*w.app.test', [], ['www.app.test']],
    ['xn--*.app.test', [], ['xn--caf-dma.app.test']],
    ['*.*.app.test', [], ['a.b.app.test', '*.b.app.test']],
    ['www.*.app.test', [], ['www.a.app.test']],
    ['*..app.test', [], ['a.app.test', 'a.b.app.test']],
    ['*.test', [], ['app.test']],
    ['*', [], ['localhost', 'app.test']],
    ['*.', [], ['localhost']],
    ['xn--caf-dma.test', ['café.test', 'CAFÉ.test'], ['cafe.test']],
    ['caf\u00e9.test', [], ['café.test']],
    ['.app.test', [], ['a.app.test', 'app.test']],
    ['example.com, DNS:evil.test', [], ['evil.test', 'example.com']],
    ['example.com\0.evil.test', [], ['example.com', 'example.com.evil.test']],
    [
      '127.0.0.1',
      ['127.0.0.1', '127.1', '0x7f000001'],
      ['localhost', '127.0.0.2', '::ffff:127.0.0.1'],
    ],
    ['dns:127.0.0.1', [], ['127.0.0.1']],
    ['dns:*.0.0.1', [], ['127.0.0.1']],
    ['::1', ['::1', '[::1]', '0:0:0:0:0:0:0:1'], ['::2', '127.0.0.1']],
    ['dns:::1', [], ['::1']],
    ['2001:db8::a', ['2001:DB8::A'], ['2001:db8::b']],
  ])('%s [16.26]', (certificate, accepted, refused) => {
    const names = namesOf(certificate);
    expect(accepted.filter((host) => !isForHost(names, host))).toEqual([]);
    expect(refused.filter((host) => isForHost(names, host))).toEqual([]);
  });

  test('several names and addresses', () => {
    const names = namesOf('a.test', '*.b.test', '192.0.2.1');
    expect(['a.test', 'x.b.test', '192.0.2.1'].every((host) => isForHost(names, host))).toBe(true);
    expect(isForHost(names, 'x.a.test')).toBe(false);
  });

  test('a common name alone', () => {
    const { pem } = makeCertificate({ name: 'localhost', names: null });
    expect(certificateNames(new X509Certificate(pem))).toEqual([]);
  });
});

test.each([
  [['a.test'], 'a.test'],
  [
    ['a.test', '*.b.test', '192.0.2.1', 'c.test', 'd.test'],
    'a.test, *.b.test, 192.0.2.1 and 2 more',
  ],
  [['dns:127.0.0.1'], '127.0.0.1 (as a host name, not as an address)'],
  [['w*.app.test'], 'w*.app.test (a wildcard that browsers ignore)'],
])('the names %j are described', (names, text) => {
  expect(describeNames(namesOf(...names))).toBe(text);
});
