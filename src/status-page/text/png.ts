import { crc32, deflateSync, inflateSync } from 'node:zlib';

export const MAX_SIDE = 4_096;

export interface ImageSize {
  width: number;
  height: number;
}

export type ImageFault = 'damaged' | 'too many pixels' | 'too large';

interface Header extends ImageSize {
  depth: number;
  color: number;
  isInterlaced: boolean;
}

/** Samples per pixel and bit depths of each type of color (PNG, section 11.2.2). */
const COLORS: Record<number, { samples: number; depths: number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
const INDEXED = 3;

/** Passes of Adam7: first column and row, and their distance (PNG, section 8.2). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const WHOLE = [[0, 0, 1, 1]] as const;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const LAST_FILTER = 4;
/** Bytes of pixels, uncompressed: 4,096 by 4,096 of 8 bits with transparency, and the filter of each line. */
const MAX_BYTES = MAX_SIDE * (1 + 4 * MAX_SIDE);

/**
 * Reads a PNG file and writes it anew: header, palette, transparency and pixels, of which every line was decompressed and
 * looked at. Other chunks, such as texts, profiles and animations, are dropped.
 *
 * @throws an Error for a file that is damaged.
 */
export function rewritePng(bytes: Buffer): Buffer | ImageFault {
  const chunks = readChunks(bytes);
  const header = headerOf(chunks);
  if (Math.max(header.width, header.height) > MAX_SIDE) return 'too many pixels';
  const lines = linesOf(header);
  const size = lines.reduce((sum, { count, length }) => sum + count * (1 + length), 0);
  if (size > MAX_BYTES) return 'too large';
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((one) => one.data));
  const pixels = inflateSync(data, { maxOutputLength: size });
  requireThat(pixels.length === size);
  requireFilters(pixels, lines);
  const colors = chunks.filter(({ type }) => type === 'PLTE' || type === 'tRNS');
  requireColors(colors, header);
  return Buffer.concat([
    SIGNATURE,
    ...[chunks[0]!, ...colors].map(written),
    written({ type: 'IDAT', data: deflateSync(pixels, { level: 9 }) }),
    written({ type: 'IEND', data: Buffer.alloc(0) }),
  ]);
}

interface Chunk {
  type: string;
  data: Buffer;
}

/** All chunks up to the last one, each within the file, with the right sum and in its place (PNG, sections 5.3 to 5.6). */
function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; chunks.at(-1)?.type !== 'IEND';) {
    requireThat(at + 12 <= bytes.length);
    const end = at + 12 + bytes.readUInt32BE(at);
    requireThat(end <= bytes.length);
    requireThat(crc32(bytes.subarray(at + 4, end - 4)) === bytes.readUInt32BE(end - 4));
    const type = bytes.toString('latin1', at + 4, at + 8);
    requireThat(/^[A-Za-z]{4}$/.test(type));
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) });
    at = end;
  }
  // Those that a reader must understand begin with a capital.
  const needed = chunks.map(({ type }) => type).filter((type) => /^[A-Z]|^tRNS$/.test(type));
  requireThat(/^IHDR,(PLTE,)?(tRNS,)?(IDAT,)+IEND$/.test(needed.join()));
  const types = chunks.map(({ type }) => type);
  requireThat(types[0] === 'IHDR');
  requireThat(
    types.lastIndexOf('IDAT') - types.indexOf('IDAT') === needed.filter(isData).length - 1,
  );
  return chunks;
}

const isData = (type: string) => type === 'IDAT';

function headerOf([first]: Chunk[]): Header {
  const { data } = first!;
  requireThat(data.length === 13);
  const [depth, color, compression, filter, interlace] = data.subarray(8) as unknown as number[];
  requireThat(COLORS[color!]?.depths.includes(depth!) === true);
  requireThat(compression === 0 && filter === 0 && interlace! <= 1);
  const header = {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    depth: depth!,
    color: color!,
    isInterlaced: interlace === 1,
  };
  requireThat(header.width > 0 && header.height > 0);
  return header;
}

interface Lines {
  count: number;
  /** Bytes, without the one that names the filter. */
  length: number;
}

function linesOf({ width, height, depth, color, isInterlaced }: Header): Lines[] {
  const bits = depth * COLORS[color]!.samples;
  return (isInterlaced ? PASSES : WHOLE).flatMap(([x, y, dx, dy]) => {
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)];
    return columns > 0 && rows > 0
      ? [{ count: rows, length: Math.ceil((columns * bits) / 8) }]
      : [];
  });
}

function requireFilters(pixels: Buffer, lines: readonly Lines[]): void {
  let at = 0;
  for (const { count, length } of lines) {
    for (const end = at + count * (1 + length); at < end; at += 1 + length)
      requireThat(pixels[at]! <= LAST_FILTER);
  }
}

/** Palette and transparency as the type of color has them (PNG, sections 11.2.3 and 11.3.2). */
function requireColors(chunks: readonly Chunk[], { color, depth }: Header): void {
  const sizeOf = (wanted: string) => chunks.find(({ type }) => type === wanted)?.data.length;
  const palette = sizeOf('PLTE');
  const transparency = sizeOf('tRNS');
  const most = color === INDEXED ? 2 ** depth : 256;
  requireThat(palette === undefined ? color !== INDEXED : palette % 3 === 0 && palette > 0);
  requireThat((palette ?? 0) <= 3 * most && (palette === undefined || [2, 3, 6].includes(color)));
  if (transparency === undefined) return;
  if (color === INDEXED) requireThat(transparency <= palette! / 3);
  else requireThat(transparency === { 0: 2, 2: 6 }[color]);
}

function written({ type, data }: Chunk): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), 8 + data.length);
  return chunk;
}

function requireThat(holds: boolean): void {
  if (!holds) throw new Error('The file is damaged.');
}
