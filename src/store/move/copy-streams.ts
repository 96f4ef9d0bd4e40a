import type { Submittable } from 'pg';

/** The messages that pg can send, https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** What both directions have in common: pg calls `submit`, and then the handlers. */
abstract class CopyStatement<Result> implements Submittable {
  readonly result: Promise<Result>;
  readonly #text: string;
  readonly #settle: { resolve: (result: Result) => void; reject: (error: unknown) => void };

  constructor(text: string) {
    this.#text = text;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.result = promise;
    this.#settle = { resolve, reject };
  }

  protected abstract resultNow(): Result;

  submit(connection: unknown): void {
    (connection as Wire).query(this.#text);
  }

  handleError(error: unknown): void {
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.resultNow());
  }

  handleCommandComplete(): void {}
}

/** `copy … from stdin`: sends one stream of rows. */
export class CopyIn extends CopyStatement<void> {
  readonly #content: Buffer;

  constructor(text: string, content: Buffer) {
    super(text);
    this.#content = content;
  }

  handleCopyInResponse(connection: unknown): void {
    const wire = connection as Wire;
    wire.sendCopyFromChunk(this.#content);
    wire.endCopyFrom();
  }

  protected override resultNow(): void {}
}

/** Room for a batch, so that the buffer rarely grows. */
const INITIAL_BYTES = 1_048_576;

/** `copy … to stdout`: collects the stream of rows. */
export class CopyOut extends CopyStatement<Buffer> {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #length = 0;

  /** Copies each chunk, as pg reuses the memory behind it. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = needed;
  }

  protected override resultNow(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
