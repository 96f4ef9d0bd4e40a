import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A chunk of a PNG file. @param length what it claims to be; by default what it is. */
export function pngChunk(
  type: string,
  data: Buffer = Buffer.alloc(0),
  length = data.length,
): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeInt32BE(length, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), 8 + data.length);
  return bytes;
}

/** Settings of a header; by default a pixel of gray. */
export interface PngHeader {
  width?: number;
  height?: number;
  depth?: number;
  color?: number;
  interlace?: number;
}

/** A PNG file of a header and chunks. */
export function pngFile(header: PngHeader, ...chunks: Buffer[]): Buffer {
  const { width = 1, height = 1, depth = 8, color = 0, interlace = 0 } = header;
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, color, 0, 0, interlace], 8);
  return Buffer.concat([SIGNATURE, pngChunk('IHDR', data), ...chunks, pngChunk('IEND')]);
}

export const pixels = (bytes: Buffer | number[]) =>
  pngChunk('IDAT', deflateSync(Buffer.from(bytes)));

const MANY = 0x7f_ff_ff_ff;

/** Files that end, stall or fill a program that believes what they say of themselves. */
export const HOSTILE_PNGS: [string, Buffer][] = [
  ['a palette of 2 GiB', pngFile({ color: 3 }, pngChunk('PLTE', undefined, MANY))],
  ['a text of 2 GiB', pngFile({}, pngChunk('tEXt', undefined, MANY))],
  ['a chunk that leads back to its begin', pngFile({}, pngChunk('abCd', undefined, -12))],
  [
    '255 bits a sample',
    pngFile({ width: 4_096, height: 4_096, depth: 255, color: 6 }, pixels([0])),
  ],
  ['500 MB of pixels in 500 KB', pngFile({}, pixels(Buffer.alloc(500 * 1024 * 1024)))],
  ['lines that are missing', pngFile({ width: 4_096, height: 4_096, color: 6 }, pixels([0]))],
];

/** A JPEG file of 8 by 8 gray pixels. */
export const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wCEABAQEBAREBIUFBIZGxgbGSUiHx8iJTgoKygrKDhVNT41NT41VUtbSkVKW0uHal5eaoecg3yDnL2pqb3u4u7///8BEBAQEBEQEhQUEhkbGBsZJSIfHyIlOCgrKCsoOFU1PjU1PjVVS1tKRUpbS4dqXl5qh5yDfIOcvampve7i7v/////AABEIAAgACAMBIgACEQEDEQH/xABLAAEBAAAAAAAAAAAAAAAAAAAABhABAAAAAAAAAAAAAAAAAAAAAAEBAAAAAAAAAAAAAAAAAAAAABEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8ApAAf/9k=',
  'base64',
);
