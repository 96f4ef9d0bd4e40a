import type { SQLInputValue } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { DatabaseUnavailable } from './errors.ts';
import { ReaderTransactions } from './sqlite-driver.ts';

export interface ScanRequest {
  sql: string;
  parameters: readonly SQLInputValue[];
}

export type ScanResponse =
  | { rows: unknown[] }
  | { failed: { message: string; errcode: number | undefined; code: string | undefined } };

/** Runs queries in a reader thread, which starts with the first scan. One query runs at a time. */
export class ScanThreadDriver extends ReaderTransactions implements Driver {
  readonly #path: string;
  #thread: ScanThread | null = null;

  constructor(path: string) {
    super();
    this.#path = path;
  }

  /** Starts a new thread when the last one died. */
  async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#thread?.alive) this.#thread = new ScanThread(this.#path);
    return this.#thread;
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#thread?.stop();
  }
}

export class ScanThread implements DatabaseConnection {
  readonly #worker: Worker;
  #waiting: PromiseWithResolvers<ScanResponse> | null = null;
  #error: unknown = null;
  alive = true;

  constructor(path: string) {
    this.#worker = new Worker(new URL('./scan-thread.ts', import.meta.url), { workerData: path });
    this.#worker.unref();
    this.#worker.on('message', (answer: ScanResponse) => this.#waiting?.resolve(answer));
    this.#worker.on('error', (error) => (this.#error = error));
    this.#worker.on('exit', () => {
      this.alive = false;
      this.#waiting?.reject(new DatabaseUnavailable('its reader thread ended', this.#error));
    });
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.alive) throw new DatabaseUnavailable('its reader thread ended', this.#error);
    this.#waiting = Promise.withResolvers();
    this.#worker.ref();
    try {
      this.#worker.postMessage({ sql, parameters });
      const answer = await this.#waiting.promise;
      if ('rows' in answer) return { rows: answer.rows as Row[] };
      throw Object.assign(new Error(answer.failed.message), answer.failed);
    } finally {
      this.#waiting = null;
      this.#worker.unref();
    }
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The store does not stream: read in pages by id instead.');
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
