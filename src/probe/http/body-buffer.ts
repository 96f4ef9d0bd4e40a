/** So much is kept as the views that were read; more is copied together, so that what was read can go. */
const VIEWED_BYTES = 32 * 1024;
const VIEWS = 64;
/** A read of that size is kept whole rather than that a piece of it is copied. */
const SMALL_READ_BYTES = 16 * 1024;
/** Of a body whose length nobody knows: small blocks until it has its permit, larger ones for what goes on all the same. */
const FIRST_BLOCKS_BYTES = 512 * 1024;
const SMALL_BLOCK_BYTES = 64 * 1024;
const LARGE_BLOCK_BYTES = 1024 * 1024;

/** The first bytes of a body, as many as are wanted, in little more memory than they need, however small they come. */
export interface BodyBuffer {
  /** Keeps a piece as far as it is wanted. */
  add(piece: Buffer): void;
  /** What was kept, as one, or its first `limit` bytes. Lets go of it. */
  take(limit?: number): Buffer;
}

/** `expectedBytes` is the whole body's length, if that is known. */
export function createBodyBuffer(limit: number, expectedBytes: number | null): BodyBuffer {
  return new GrowingBuffer(limit, expectedBytes === null ? null : Math.min(limit, expectedBytes));
}

class GrowingBuffer implements BodyBuffer {
  readonly #limit: number;
  readonly #expected: number | null;
  #bytes = 0;
  #views: Buffer[] = [];
  #blocks: Buffer[] = [];
  /** Bytes used of the last block. */
  #used = 0;

  constructor(limit: number, expected: number | null) {
    this.#limit = limit;
    this.#expected = expected;
  }

  add(piece: Buffer): void {
    const kept = piece.subarray(0, this.#limit - this.#bytes);
    if (kept.length === 0) return;
    const isLittle = this.#bytes + kept.length <= VIEWED_BYTES && this.#views.length < VIEWS;
    if (isLittle && this.#blocks.length === 0) {
      this.#views.push(viewOrCopy(kept));
      this.#bytes += kept.length;
      return;
    }
    this.#copyViews();
    this.#copy(kept);
  }

  take(limit = Infinity): Buffer {
    const pieces = this.#views;
    const blocks = this.#blocks;
    const bytes = Math.min(this.#bytes, limit);
    for (const [index, block] of blocks.entries()) {
      const isLast = index === blocks.length - 1;
      pieces.push(isLast ? block.subarray(0, this.#used) : block);
    }
    this.#views = [];
    this.#blocks = [];
    this.#bytes = 0;
    const [only] = pieces;
    if (pieces.length === 1 && only?.length === bytes) return only;
    const whole = Buffer.concat(pieces, bytes);
    blocks.forEach(release);
    return whole;
  }

  #copyViews(): void {
    if (this.#views.length === 0) return;
    const views = this.#views;
    this.#views = [];
    this.#bytes = 0;
    for (const view of views) this.#copy(view);
  }

  #copy(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      const block = this.#openBlock();
      const copied = piece.copy(block, this.#used, at);
      at += copied;
      this.#used += copied;
      this.#bytes += copied;
    }
  }

  /** The last block, with room in it. */
  #openBlock(): Buffer {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length) return last;
    const expected = this.#expected ?? 0;
    // Only what goes on coming is worth the memory of all that was announced.
    const isGrowing = last !== undefined && expected > this.#bytes;
    const block = Buffer.allocUnsafeSlow(isGrowing ? expected : this.#nextBlockBytes());
    this.#used = 0;
    if (isGrowing) {
      this.#used = last.copy(block);
      release(last);
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

/** Reads of that size leave no view of theirs behind. */
const FULL_READ_BYTES = 2 * VIEWED_BYTES;

/** Gives the memory of a read back that was added. */
export function releaseRead(read: Buffer): void {
  if (read.length >= FULL_READ_BYTES) release(read);
}

/**
 * Gives memory back at once: the garbage collector, which sees small objects only, lets hundreds of megabytes gather.
 * The bytes must not be used again.
 */
export function release(bytes: Buffer): void {
  const { buffer } = bytes;
  const isAllOfIt = buffer.byteLength === bytes.length && bytes.length > SMALL_READ_BYTES;
  if (isAllOfIt && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** A view keeps the whole read alive that it looks at. */
function viewOrCopy(piece: Buffer): Buffer {
  const readBytes = piece.buffer.byteLength;
  return readBytes <= SMALL_READ_BYTES || piece.length > readBytes / 2 ? piece : Buffer.from(piece);
}
