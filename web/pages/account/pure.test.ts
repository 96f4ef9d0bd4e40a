import { encodeQR } from 'qr';
import readQrCode from 'qr/decode.js';
import { expect, test } from 'vitest';
import { agentOf } from './agent.ts';
import { grouped, QR_SIZE, secretOf } from './secret.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome',
    'Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
  ],
  ['curl/8.5.0', 'curl/8.5.0', null],
])('%j is %s on %s', (header, browser, system) => {
  expect(agentOf(header)).toEqual({ browser, system });
});

test.each(['', null])('%j is no known program', (header) => {
  expect(agentOf(header)).toBe(null);
});

test('the secret of an authenticator is written in groups of four', () => {
  const secret = secretOf('otpauth://totp/Tocsin:a%40b?secret=JBSWY3DPEHPK3PX&issuer=Tocsin');
  expect(grouped(secret)).toBe('JBSW Y3DP EHPK 3PX');
  expect(secretOf('no address')).toBe('');
});

test('a camera reads the address of an authenticator from its QR code', () => {
  const uri = 'otpauth://totp/Tocsin:ada@example.com?secret=GEZDGNBVGY3TQOJQ&issuer=Tocsin';
  expect(encodeQR(uri, 'data-url', QR_SIZE)).toMatch(/^data:image\/gif;base64,/);
  const modules = encodeQR(uri, 'raw', QR_SIZE);
  const pixels = modules
    .flat()
    .flatMap((isDark) => [isDark ? 0 : 255, isDark ? 0 : 255, isDark ? 0 : 255, 255]);
  const { length: width } = modules;
  expect(readQrCode({ width, height: width, data: Uint8Array.from(pixels) })).toBe(uri);
});
