/** Growable byte buffer. Whole numbers are LEB128 varints: 7 bits per byte, lowest first. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity = 64) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** @param value 0 to 255. */
  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** @param value 0 to 2^53 - 1. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes a signed whole number; small absolute values are short. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Writes UTF-8, prefixed by its length in bytes. */
  text(value: string): void {
    this.block(Buffer.from(value, 'utf8'));
  }

  /** Writes bytes, prefixed by their length. */
  block(value: Uint8Array): void {
    this.varint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + count));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** Reader for what ByteWriter wrote. Throws RangeError for truncated input or an oversized number. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#position;
  }

  byte(): number {
    const value = this.#bytes[this.#position++];
    if (value === undefined) throw new RangeError('The bytes end too early.');
    return value;
  }

  varint(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let factor = 0x80; factor <= 2 ** 49; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new RangeError('A number is too long.');
  }

  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  text(): string {
    return Buffer.from(this.block()).toString('utf8');
  }

  block(): Uint8Array {
    const end = this.blockEnd();
    const value = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return value;
  }

  skipBlock(): void {
    this.#position = this.blockEnd();
  }

  /** Reads the length of a block, whose bytes are next. @returns the position of its end. */
  blockEnd(): number {
    const length = this.varint();
    const end = this.#position + length;
    if (end > this.#bytes.length) throw new RangeError('The bytes end too early.');
    return end;
  }
}
