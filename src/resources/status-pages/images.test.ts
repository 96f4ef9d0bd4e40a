import { describe, expect, test } from 'vitest';
import { openApi, sentences, sharedApi, type TestApi } from '../../../test/support/api.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { HOSTILE_PNGS, JPEG, pixels, pngFile } from '../../../test/hostile/images.ts';
import { readPageImage } from '../../store/resources/page-facts.ts';
import { imageTypeOf } from '../../status-page/text/image.ts';
import { PIXEL } from './images.ts';

const PAGES = '/api/v1/status-pages';

const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64');

/** A PNG file of that size, without pixels. */
const png = (width: number, height: number) => base64(pngFile({ width, height }, pixels([])));

/** A JPEG file of that size, whose pixels end early; the comment before its frame must be skipped. */
function jpeg(width: number, height: number): string {
  const comment = [0xff, 0xfe, 0, 6, 0xff, 0xc0, 0, 0];
  const bytes = Buffer.concat([JPEG.subarray(0, 2), Buffer.from(comment), JPEG.subarray(2)]);
  const frame = bytes.lastIndexOf(Buffer.from([0xff, 0xc0, 0, 0x11]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return base64(bytes);
}

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><circle r="4"/></svg>';

async function pageOf(api: TestApi): Promise<string> {
  const { body } = await api.call(api.alice, 'POST', PAGES, { name: 'Acme' });
  return `${PAGES}/${body.id}`;
}

eachDatabase((_name, open) => {
  test('a logo is stored with its type by content, and its address changes with it [41.21]', async () => {
    const api = await openApi(await open());
    const page = await pageOf(api);
    const id = Number(page.split('/').at(-1));
    const set = async (content: string) => {
      const { status, body } = await api.call(api.ed, 'PUT', `${page}/logo`, { content });
      expect(status).toBe(200);
      return body['logo_url'] as string;
    };
    const url = await set(PIXEL);
    expect(url).toMatch(/^https:\/\/up\.example\.com\/status\/acme\/logo\?v=[\w-]{8}$/);
    expect(await set(`data:image/png;base64,${PIXEL.slice(0, 40)}\n${PIXEL.slice(40)}`)).toBe(url);
    const stored = await readPageImage(api.database.read, id, 'logo');
    expect(stored!.type).toBe('image/png');
    expect(imageTypeOf(stored!.bytes)).toBe('image/png');
    const others = [await set(jpeg(4_096, 1)), await set(base64(DRAWING))];
    expect(new Set([url, ...others]).size).toBe(3);
    const drawing = await readPageImage(api.database.read, id, 'logo');
    expect(drawing!.type).toBe('image/svg+xml');
    const text = Buffer.from(drawing!.bytes).toString();
    expect(text).toContain('<circle');
    expect(text).not.toMatch(/alert|script|onload/);
    expect((await api.call(api.ed, 'DELETE', `${page}/logo`)).status).toBe(204);
    expect((await api.call(api.vera, 'GET', page)).body['logo_url']).toBe(null);
    expect(await readPageImage(api.database.read, id, 'logo')).toBe(null);
  });
});

test('each image has an address of its own, and the audit log names it [41.26]', async () => {
  const api = await openApi(await openInMemory());
  const page = await pageOf(api);
  for (const name of ['logo_dark', 'favicon', 'social_image']) {
    const path = `${page}/images/${name}`;
    const { body } = await api.call(api.ed, 'PUT', path, { content: PIXEL });
    expect(body[`${name}_url`]).toMatch(
      new RegExp(`/status/acme/${name.replace('_', '-')}\\?v=[\\w-]{8}$`),
    );
    expect((await api.call(api.ed, 'DELETE', path)).status).toBe(204);
    expect((await api.call(api.vera, 'GET', page)).body[`${name}_url`]).toBe(null);
  }
  const { body } = await api.call(api.alice, 'GET', '/api/v1/audit-log?target_type=status_page');
  const [removed] = body['data'] as { before: object; after: object }[];
  expect([removed!.before, removed!.after]).toEqual([
    { social_image: expect.any(String) },
    { social_image: null },
  ]);
  const drawing = { content: base64(DRAWING) };
  expect((await api.call(api.ed, 'PUT', `${page}/images/social_image`, drawing)).status).toBe(422);
  expect((await api.call(api.ed, 'PUT', `${page}/images/banner`, drawing)).status).toBe(404);
});

describe('refuses', () => {
  const shared = sharedApi();
  const notBase64 = 'must be an image as base64';
  const size = 'must be an image of at most 512 KiB';
  const damaged = 'must be a whole PNG or JPEG file';
  const side = 'must have at most 4096 pixels a side';
  test.each<[string, unknown, string]>([
    ['nothing', undefined, notBase64],
    ['a number', 7, notBase64],
    ['other text', 'not base64!', notBase64],
    ['another file', base64('GIF89a'), 'must be a PNG, JPEG or SVG file'],
    ['HTML', base64('<html></html>'), 'must be a PNG, JPEG or SVG file'],
    ['more than 512 KiB', base64(Buffer.alloc(512 * 1024 + 1)), size],
    ['far more', 'A'.repeat(800_000), size],
    ['a PNG file that is cut off', base64(Buffer.from(PIXEL, 'base64').subarray(0, 50)), damaged],
    ...HOSTILE_PNGS.slice(0, 3).map(([what, bytes]): [string, string, string] => [
      what,
      base64(bytes),
      damaged,
    ]),
    ['a PNG file without width', png(0, 1), damaged],
    ['a wide PNG file', png(4_097, 1), side],
    ['a high JPEG file', jpeg(1, 4_097), side],
    ['a JPEG file without a frame', base64(Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)), damaged],
    [
      'a JPEG file that does not end',
      base64(Buffer.alloc(4_000, 'ff', 'hex').fill('ffd8ff', 0, 3, 'hex')),
      damaged,
    ],
    [
      'an empty drawing',
      base64('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      'must be an SVG file that holds shapes',
    ],
  ])('%s [41.21]', async (_what, content, predicate) => {
    const api = await shared();
    const path = `${await pageOf(api)}/logo`;
    const answer = await api.call(api.alice, 'PUT', path, { content });
    expect([answer.status, answer.body['errors']]).toEqual([
      422,
      sentences({ content: predicate }),
    ]);
  });
});
