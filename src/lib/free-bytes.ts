/** Smaller buffers may share the pool of Node. */
const SMALL_BYTES = 16 * 1024;

/**
 * Frees memory at once: the garbage collector only sees small objects and lets hundreds of megabytes accumulate. The
 * bytes must not be used again. Part of a larger memory is left alone.
 */
export function freeBytes(bytes: Buffer): void {
  const { buffer } = bytes;
  const isAllOfIt = buffer.byteLength === bytes.length && bytes.length > SMALL_BYTES;
  if (isAllOfIt && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
