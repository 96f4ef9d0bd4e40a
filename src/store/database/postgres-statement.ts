import type { Submittable } from 'pg';

export interface Fields {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

export interface StatementResult {
  rows: Record<string, unknown>[];
  /** As in `INSERT 0 5`. */
  tag: string;
  fields: Fields;
}

export interface StatementParts {
  text: string;
  values: readonly unknown[];
  /** Name by which the connection keeps the statement; empty for none. */
  name: string;
  /** Columns of a statement that the connection keeps already; null if it must be parsed and described. */
  known: Fields | null;
  /** Whether it begins a transaction. If that fails, the server does not run the statement. */
  begins: boolean;
  /** Names of kept statements to discard first. */
  discarded: readonly string[];
  parserOf: (type: number) => (text: string) => unknown;
}

/** The messages that pg can send, https://www.postgresql.org/docs/current/protocol-flow.html. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(statement: { name: string; text: string }): void;
  bind(values?: {
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => string | Buffer | null;
  }): void;
  describe(portal: { type: 'P'; name: '' }): void;
  execute(): void;
  close(statement: { type: 'S'; name: string }): void;
  sync(): void;
}

const NO_FIELDS: Fields = { names: [], parsers: [] };

/** One statement in the extended protocol, in one round trip: pg calls `submit` and then the handlers. */
export class Statement implements Submittable {
  readonly result: Promise<StatementResult>;
  /** Settles the result. pg puts its time limit around it. */
  callback: (error: unknown) => void;
  readonly #parts: StatementParts;
  readonly #rows: Record<string, unknown>[] = [];
  #fields: Fields;
  #tag = '';
  #begins: boolean;
  #failure: { error: unknown } | null = null;

  constructor(parts: StatementParts) {
    this.#parts = parts;
    this.#fields = parts.known ?? NO_FIELDS;
    this.#begins = parts.begins;
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult>();
    this.result = promise;
    this.callback = (error) => {
      if (error !== null) return reject(error);
      resolve({ rows: this.#rows, tag: this.#tag, fields: this.#fields });
    };
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    const { text, values, name, known, begins, discarded } = this.#parts;
    wire.stream.cork();
    try {
      for (const old of discarded) wire.close({ type: 'S', name: old });
      if (begins) {
        wire.parse({ name: '', text: 'begin' });
        wire.bind();
        wire.execute();
      }
      if (known === null) wire.parse({ name, text });
      wire.bind({ statement: name, values, valueMapper: valueOf });
      if (known === null) wire.describe({ type: 'P', name: '' });
      wire.execute();
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#fields = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => this.#parts.parserOf(dataTypeID)),
    };
  }

  handleDataRow({ fields: texts }: { fields: (string | null)[] }): void {
    const { names, parsers } = this.#fields;
    const row: Record<string, unknown> = {};
    try {
      for (let index = 0; index < texts.length; index += 1) {
        const text = texts[index]!;
        row[names[index]!] = text === null ? null : parsers[index]!(text);
      }
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    // The first of two is that of `begin`.
    if (this.#begins) this.#begins = false;
    else this.#tag = text;
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure?.error ?? null);
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}
}

/** The guarded driver lets no other types through. */
function valueOf(value: unknown): string | Buffer | null {
  if (value === null || typeof value === 'string') return value;
  if (!(value instanceof Uint8Array)) return String(value);
  return Buffer.isBuffer(value)
    ? value
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
