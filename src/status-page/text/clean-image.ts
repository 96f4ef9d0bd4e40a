import type { ImageType } from './image.ts';
import { rewriteJpeg } from './jpeg.ts';
import { rewritePng, type ImageFault } from './png.ts';
import { cleanSvg } from './svg.ts';

/** An image as somebody sent it. */
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
