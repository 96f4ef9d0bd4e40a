import { expect, test } from 'vitest';
import { acceptedEncodings } from './kept-document.ts';

test.each<[header: string | undefined, encodings: string[]]>([
  [undefined, []],
  ['', []],
  ['*', []],
  ['identity', []],
  ['gzip', ['gzip']],
  ['x-gzip', ['gzip']],
  ['GZIP, Br', ['br', 'gzip']],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['br;q=0, gzip;q=0.5', ['gzip']],
  ['br; q=0.0, gzip ; q=0', []],
  ['brotli, gzipped', []],
  ['br;q=nonsense', []],
])('%j accepts %j', (header, encodings) => {
  expect(acceptedEncodings(header)).toEqual(encodings);
});
