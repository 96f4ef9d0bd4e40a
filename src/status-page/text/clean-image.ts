import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import decode, { init as initDecoder } from '@jsquash/jpeg/decode.js';
import encode, { init as initEncoder } from '@jsquash/jpeg/encode.js';
import type { ImageType } from './image.ts';
import { MAX_SIDE, rewritePng, type ImageFault, type ImageSize } from './png.ts';
import { cleanSvg } from './svg.ts';

export interface SentImage {
  type: ImageType;
  bytes: Uint8Array;
}

/** The image written anew, or why it is refused. */
export type CleanedImage = Uint8Array | ImageFault | 'no shapes';

/** Size from which a JPEG file is written in a lower quality. */
const WANTED_BYTES = 512 * 1024;
/** Largest image after it was written anew: what was compressed very well may grow. */
const MAX_BYTES = 1024 * 1024;

const QUALITIES = [90, 75, 50];

const require = createRequire(import.meta.url);

/** Writes an image anew from what was understood of it. It may take seconds and end the process: call it in a child. */
export async function cleanImage({ type, bytes }: SentImage): Promise<CleanedImage> {
  const sent = Buffer.from(bytes);
  if (type === 'image/svg+xml') {
    const svg = cleanSvg(sent.toString());
    return svg === null ? 'no shapes' : Buffer.from(svg);
  }
  try {
    const written = type === 'image/png' ? rewritePng(sent) : await rewriteJpeg(sent, WANTED_BYTES);
    return written.length > MAX_BYTES ? 'too large' : written;
  } catch {
    return 'damaged';
  }
}

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
async function rewriteJpeg(bytes: Buffer, maxBytes: number): Promise<Buffer | ImageFault> {
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
