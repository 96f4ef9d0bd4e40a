/** Size of an image in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** Size of a PNG or JPEG file from its header; null for a damaged one. */
export function imageSize(bytes: Uint8Array, type: 'image/png' | 'image/jpeg'): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = type === 'image/png' ? sizeOfPng(view) : sizeOfJpeg(view);
  return size === null || size.width === 0 || size.height === 0 ? null : size;
}

const IHDR = 0x49_48_44_52;
const IEND = 0x49_45_4e_44;

/** PNG, sections 5.3 and 11.2.2: the first chunk holds the size, and the last one is empty. */
function sizeOfPng(view: DataView): ImageSize | null {
  if (view.byteLength < 45 || view.getUint32(8) !== 13 || view.getUint32(12) !== IHDR) return null;
  if (view.getUint32(view.byteLength - 8) !== IEND) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** ITU T.81, annex B: the frame header holds the size. */
function sizeOfJpeg(view: DataView): ImageSize | null {
  let at = 2;
  while (at + 9 < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Image data or the end before any frame.
    if (marker === 0xda || marker === 0xd9) return null;
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Start of frame, but not tables of Huffman codes, of arithmetic coding, or an extension. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
