import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeBody } from './body.ts';
import { createStop } from '../contract.ts';

const LIMIT = 10_000;
const stop = createStop(new AbortController().signal);
const BOMB = Buffer.alloc(20_000_000);

test.each([
  ['gzip', gzipSync(BOMB)],
  ['x-gzip', gzipSync(BOMB)],
  ['deflate', deflateSync(BOMB)],
  ['br', brotliCompressSync(BOMB)],
  ['zstd', zstdCompressSync(BOMB)],
  ['gzip, br', brotliCompressSync(gzipSync(BOMB))],
])('a %s bomb is decoded up to the limit', async (encoding, bytes) => {
  const unpacked = await decodeBody({ bytes, encoding, complete: true, limit: LIMIT }, stop);
  expect(unpacked).toMatchObject({ state: 'ok', truncated: true });
  expect(unpacked.state === 'ok' && unpacked.bytes.length).toBe(LIMIT);
});

const text = Buffer.from(
  Array.from({ length: 2_000 }, (_, index) => `line ${index * 7919}`).join('\n'),
);

test.each([
  ['gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
])(
  '%s of which only the beginning was read is no fault, a whole one that ends early is',
  async (encoding, all) => {
    const bytes = all.subarray(0, all.length - 10);
    const limit = 1_000_000;
    const read = await decodeBody({ bytes, encoding, complete: false, limit }, stop);
    expect(read).toMatchObject({ state: 'ok', truncated: true });
    expect(read.state === 'ok' && text.subarray(0, read.bytes.length).equals(read.bytes)).toBe(
      true,
    );
    expect(await decodeBody({ bytes, encoding, complete: true, limit }, stop)).toEqual({
      state: 'broken',
    });
    expect(await decodeBody({ bytes: all, encoding, complete: true, limit }, stop)).toEqual({
      state: 'ok',
      bytes: text,
      truncated: false,
    });
  },
);

test('the end of the check ends decoding', async () => {
  const ended = createStop(AbortSignal.abort('deadline'));
  const body = { bytes: gzipSync(BOMB), encoding: 'gzip', complete: true, limit: LIMIT };
  expect(await decodeBody(body, ended)).toEqual({ state: 'stopped' });
});
