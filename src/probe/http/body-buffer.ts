import { freeBytes } from '../../lib/free-bytes.ts';

/** Up to this size the chunks are kept as they were read; beyond it they are copied together, to free the reads. */
const VIEWED_BYTES = 32 * 1024;
const VIEWS = 64;
/** Reads up to this size are kept whole, instead of copying a part of them. */
const SMALL_READ_BYTES = 16 * 1024;
/** Sizes of blocks for a body of unknown length: small ones until it has its slot, larger ones beyond. */
const FIRST_BLOCKS_BYTES = 512 * 1024;
const SMALL_BLOCK_BYTES = 64 * 1024;
const LARGE_BLOCK_BYTES = 1024 * 1024;

/** Buffer for the first bytes of a body, which uses little more memory than they need, however small the chunks. */
export class BodyBuffer {
  readonly #limit: number;
  readonly #expected: number | null;
  readonly #isReused: boolean;
  #bytes = 0;
  #views: Buffer[] = [];
  #blocks: Buffer[] = [];
  #used = 0;

  /** @param expectedBytes length of the whole body, if known. @param isReused the memory of a chunk is overwritten after `add`. */
  constructor(limit: number, expectedBytes: number | null, isReused = false) {
    this.#limit = limit;
    this.#expected = expectedBytes === null ? null : Math.min(limit, expectedBytes);
    this.#isReused = isReused;
  }

  /** Adds a chunk, up to the limit. */
  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, this.#limit - this.#bytes);
    if (kept.length === 0) return;
    const isLittle = this.#bytes + kept.length <= VIEWED_BYTES && this.#views.length < VIEWS;
    if (isLittle && this.#blocks.length === 0) {
      this.#views.push(this.#isReused ? copyOf(kept) : viewOrCopy(kept));
      this.#bytes += kept.length;
      return;
    }
    this.#copyViews();
    this.#copy(kept);
  }

  /** Returns the content, or its first `limit` bytes, and empties the buffer. */
  take(limit = Infinity): Buffer {
    const chunks = this.#views;
    const blocks = this.#blocks;
    const bytes = Math.min(this.#bytes, limit);
    for (const [index, block] of blocks.entries()) {
      const isLast = index === blocks.length - 1;
      chunks.push(isLast ? block.subarray(0, this.#used) : block);
    }
    this.#views = [];
    this.#blocks = [];
    this.#bytes = 0;
    const [only] = chunks;
    if (chunks.length === 1 && only?.length === bytes) return only;
    const whole = Buffer.concat(chunks, bytes);
    blocks.forEach(freeBytes);
    return whole;
  }

  #copyViews(): void {
    if (this.#views.length === 0) return;
    const views = this.#views;
    this.#views = [];
    this.#bytes = 0;
    for (const view of views) this.#copy(view);
  }

  #copy(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const block = this.#openBlock();
      const copied = chunk.copy(block, this.#used, at);
      at += copied;
      this.#used += copied;
      this.#bytes += copied;
    }
  }

  #openBlock(): Buffer {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length) return last;
    const expected = this.#expected ?? 0;
    // Allocate the announced length only once the first block is full.
    const isGrowing = last !== undefined && expected > this.#bytes;
    const block = Buffer.allocUnsafeSlow(isGrowing ? expected : this.#nextBlockBytes());
    this.#used = 0;
    if (isGrowing) {
      this.#used = last.copy(block);
      freeBytes(last);
      this.#blocks = [];
    }
    this.#blocks.push(block);
    return block;
  }

  #nextBlockBytes(): number {
    const bytes = this.#bytes < FIRST_BLOCKS_BYTES ? SMALL_BLOCK_BYTES : LARGE_BLOCK_BYTES;
    return Math.min(bytes, this.#limit - this.#bytes);
  }
}

/** Reads of this size are never kept as views. */
const FULL_READ_BYTES = 2 * VIEWED_BYTES;

/** Frees the memory of a read that was added. */
export function releaseRead(read: Buffer): void {
  if (read.length >= FULL_READ_BYTES) freeBytes(read);
}

/** Copies small parts of large reads: a view keeps the whole read in memory. */
function viewOrCopy(chunk: Buffer): Buffer {
  const readBytes = chunk.buffer.byteLength;
  return readBytes <= SMALL_READ_BYTES || chunk.length > readBytes / 2 ? chunk : Buffer.from(chunk);
}

/** From this size on a copy has memory of its own, which a content check can take over. */
const OWN_MEMORY_BYTES = 4 * 1024;

function copyOf(chunk: Buffer): Buffer {
  if (chunk.length < OWN_MEMORY_BYTES) return Buffer.from(chunk);
  const copy = Buffer.allocUnsafeSlow(chunk.length);
  chunk.copy(copy);
  return copy;
}
