import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import decode, { init as initDecoder } from '@jsquash/jpeg/decode.js';
import encode, { init as initEncoder } from '@jsquash/jpeg/encode.js';
import { MAX_SIDE, type ImageFault, type ImageSize } from './png.ts';

/** Qualities in which an image is written, until one of them is small enough. */
const QUALITIES = [90, 75, 50];

const require = createRequire(import.meta.url);

/** What the decoder makes; browsers have it. */
class Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

/**
 * Decodes a JPEG file and encodes its pixels anew, turned upright as its camera says. All else, such as the place where it
 * was taken, is dropped. Call it in a process that may end: the decoder is WebAssembly, whose memory grows with the pixels.
 *
 * @param maxBytes size from which a lower quality is tried.
 * @throws for a file that is damaged.
 */
export async function rewriteJpeg(bytes: Buffer, maxBytes: number): Promise<Buffer | ImageFault> {
  const size = sizeOfJpeg(bytes);
  if (size === null) return 'damaged';
  if (Math.max(size.width, size.height) > MAX_SIDE) return 'too many pixels';
  Object.assign(globalThis, { ImageData: Pixels });
  await initDecoder(codec('dec/mozjpeg_dec.wasm'));
  const pixels = await decode(Uint8Array.from(bytes).buffer, { preserveOrientation: true });
  if (pixels.data.length > 4 * MAX_SIDE ** 2) return 'too many pixels';
  await initEncoder(codec('enc/mozjpeg_enc.wasm'));
  for (const quality of QUALITIES) {
    const encoded = Buffer.from(await encode(pixels, { quality }));
    if (encoded.length <= maxBytes || quality === QUALITIES.at(-1)) return encoded;
  }
  return 'damaged';
}

/** Options with a codec of the package, whose own loader would fetch it from a server. */
function codec(name: string) {
  return {
    noInitialRun: true,
    wasmBinary: readFileSync(require.resolve(`@jsquash/jpeg/codec/${name}`)),
  };
}

/** ITU T.81, annex B: the frame header holds the size. */
function sizeOfJpeg(bytes: Buffer): ImageSize | null {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return height === 0 || width === 0 ? null : { width, height };
    }
    // Image data or the end before any frame.
    if (marker === 0xda || marker === 0xd9) return null;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Start of frame, but not tables of Huffman codes, of arithmetic coding, or an extension. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
