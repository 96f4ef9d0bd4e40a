import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { cleanImage } from './clean-image.ts';
import {
  HOSTILE_PNGS,
  JPEG,
  pixels,
  pngChunk,
  pngFile,
  type PngHeader,
} from '../../../test/hostile/images.ts';

const clean = (bytes: Buffer, type: 'image/png' | 'image/jpeg' = 'image/png') =>
  cleanImage({ type, bytes });

/** The bytes of a cleaned image; fails for a refused one. */
async function cleaned(...sent: Parameters<typeof clean>): Promise<Buffer> {
  const written = await clean(...sent);
  expect(written).toBeInstanceOf(Uint8Array);
  return Buffer.from(written as Uint8Array);
}

const palette = (colors: number) => pngChunk('PLTE', Buffer.alloc(3 * colors, 7));

describe('a PNG file', () => {
  test.each<[string, PngHeader, Buffer[]]>([
    ['gray', {}, [pixels([0, 9])]],
    ['gray of 1 bit', { width: 9, depth: 1 }, [pixels([4, 255, 128])]],
    ['color of 16 bits', { color: 2, depth: 16 }, [pixels([1, 1, 2, 3, 4, 5, 6])]],
    ['palette', { color: 3, depth: 2 }, [palette(4), pixels([0, 64])]],
    [
      'palette with transparency',
      { color: 3 },
      [palette(2), pngChunk('tRNS', Buffer.from([0])), pixels([0, 1])],
    ],
    ['gray with transparency', { color: 4 }, [pixels([0, 1, 2])]],
    [
      'color with a transparent one',
      { color: 2 },
      [pngChunk('tRNS', Buffer.alloc(6)), pixels([0, 1, 2, 3])],
    ],
    ['color with transparency', { color: 6, height: 2 }, [pixels([0, 1, 2, 3, 4, 1, 5, 6, 7, 8])]],
    ['interlaced', { width: 5, height: 5, interlace: 1 }, [pixels(Buffer.alloc(36))]],
  ])('of %s is kept as it is', async (_what, header, chunks) => {
    const file = pngFile(header, ...chunks);
    const once = await cleaned(file);
    expect(once.subarray(8, 33)).toEqual(file.subarray(8, 33));
    expect(await cleaned(once)).toEqual(once);
  });

  it('loses everything but its pixels', async () => {
    const plain = pngFile({}, pixels([0, 9]));
    const chunks = [
      pngChunk('tEXt', Buffer.from('secret')),
      pixels([0, 9]),
      pngChunk('eXIf', Buffer.from('place')),
    ];
    const written = await cleaned(Buffer.concat([pngFile({}, ...chunks), Buffer.from('<script>')]));
    expect(written).toEqual(await cleaned(plain));
  });

  test.each<[string, Buffer]>([
    ...HOSTILE_PNGS,
    ['a line with an unknown filter', pngFile({}, pixels([5, 9]))],
    ['more pixels than it says', pngFile({}, pixels([0, 9, 9]))],
    ['two sizes', pngFile({}, pngFile({}).subarray(8, 33), pixels([0, 9]))],
    ['no pixels', pngFile({})],
    ['pixels that are no zlib stream', pngFile({}, pngChunk('IDAT', Buffer.from('pixels')))],
    ['a chunk between its pixels', pngFile({}, pixels([0, 9]), pngChunk('abCd'), pngChunk('IDAT'))],
    ['an unknown chunk that matters', pngFile({}, pngChunk('ABCD'), pixels([0, 9]))],
    ['a palette that is missing', pngFile({ color: 3 }, pixels([0, 0]))],
    ['a palette with too many colors', pngFile({ color: 3, depth: 1 }, palette(3), pixels([0, 0]))],
    ['a palette of gray', pngFile({}, palette(2), pixels([0, 0]))],
    [
      'transparency beyond the palette',
      pngFile({ color: 3 }, palette(1), pngChunk('tRNS', Buffer.alloc(2)), pixels([0, 0])),
    ],
    ['no width', pngFile({ width: 0 }, pixels([0]))],
    ['another interlacing', pngFile({ interlace: 2 }, pixels([0, 9]))],
    [
      'a wrong sum',
      pngFile({}, Buffer.concat([pixels([0, 9]).subarray(0, -4), Buffer.alloc(4, 1)])),
    ],
    ['no end', pngFile({}, pixels([0, 9])).subarray(0, -12)],
  ])('with %s is refused', async (_what, bytes) => {
    expect(await clean(bytes)).toBe('damaged');
  });

  it('that is too wide is refused before anything is decompressed', async () => {
    expect(await clean(pngFile({ width: 4_097 }, pngChunk('IDAT')))).toBe('too many pixels');
    const header = { width: 4_096, height: 4_096, depth: 16, color: 6 };
    expect(await clean(pngFile(header, pngChunk('IDAT')))).toBe('too large');
  });
});

describe('a JPEG file', () => {
  it('is decoded and encoded anew', async () => {
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 8]), Buffer.from('secret')]);
    const sent = Buffer.concat([JPEG.subarray(0, 2), comment, JPEG.subarray(2)]);
    const written = await cleaned(sent, 'image/jpeg');
    expect(written.includes('secret')).toBe(false);
    expect(await clean(written, 'image/jpeg')).toBeInstanceOf(Uint8Array);
  });

  test.each<[string, Buffer, string]>([
    ['without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 'damaged'],
    ['of a frame alone', JPEG.subarray(0, 200), 'damaged'],
    ['that is cut off in its tables', JPEG.subarray(0, 100), 'damaged'],
    [
      'of many pixels',
      Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0x10, 1, 0, 1, 3, 0, 0]),
      'too many pixels',
    ],
  ])('%s is refused', async (_what, bytes, fault) => {
    expect(await clean(bytes, 'image/jpeg')).toBe(fault);
  });
});

test('an image with any bytes changed is written anew or refused', async () => {
  const files = [
    [
      'image/png',
      pngFile({ color: 3, width: 3 }, pngChunk('PLTE', Buffer.alloc(9)), pixels([0, 0, 1, 2])),
    ],
    ['image/jpeg', JPEG],
  ] as const;
  const change = fc.tuple(fc.nat(), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async ([type, file], changes) => {
        const bytes = Buffer.from(file);
        for (const [at, value] of changes) bytes[2 + (at % (bytes.length - 2))] = value;
        const written = await clean(bytes, type);
        if (typeof written !== 'string')
          expect(typeof (await clean(Buffer.from(written), type))).toBe('object');
      },
    ),
    { numRuns: 30 },
  );
});
