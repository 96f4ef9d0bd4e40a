import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { staticContent } from './static-content.ts';

const TEXT = Buffer.from('Tocsin '.repeat(1_000));

function serve(read: () => Promise<Buffer> | Buffer) {
  const app = Fastify();
  app.get('/', staticContent('text/plain; charset=utf-8', read));
  return (headers: Record<string, string> = {}) => app.inject({ url: '/', headers });
}

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync };

test.each<[accepted: string | undefined, encoding: keyof typeof DECODE | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0, GZIP;q=0.5', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip; q=0', undefined],
  ['gzippy', undefined],
])('Accept-Encoding: %s [1.35]', async (accepted, encoding) => {
  const get = serve(() => TEXT);
  const answer = await get(accepted === undefined ? {} : { 'accept-encoding': accepted });
  expect(answer.headers['content-encoding']).toBe(encoding);
  const bytes = encoding === undefined ? answer.rawPayload : DECODE[encoding](answer.rawPayload);
  expect(bytes.equals(TEXT)).toBe(true);
  expect(answer.headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'no-cache' });
});

test('what the client has is answered with 304, in any coding [1.35]', async () => {
  const get = serve(() => TEXT);
  const { etag } = (await get()).headers;
  for (const accepted of ['gzip', 'identity']) {
    const headers = { 'if-none-match': String(etag), 'accept-encoding': accepted };
    const again = await get(headers);
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
  }
  for (const sent of [`"a", ${etag}`, String(etag).slice(2), '*'])
    expect((await get({ 'if-none-match': sent })).statusCode).toBe(304);
  expect((await get({ 'if-none-match': 'W/"x"' })).statusCode).toBe(200);
});

test('content that is small, or does not shrink, is sent as it is', async () => {
  const random = Buffer.from(Array.from({ length: 2_000 }, (_, index) => (index * 7919) % 251));
  for (const bytes of [Buffer.from('short'), crypto.getRandomValues(random)]) {
    const answer = await serve(() => bytes)({ 'accept-encoding': 'gzip' });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.rawPayload.equals(bytes)).toBe(true);
  }
});

test('it is read once, and again only after a failure', async () => {
  let reads = 0;
  const get = serve(async () => {
    reads += 1;
    if (reads === 1) throw new Error('The disk is away.');
    return TEXT;
  });
  expect((await get()).statusCode).toBe(500);
  const answers = await Promise.all([get(), get(), get()]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(reads).toBe(2);
});
