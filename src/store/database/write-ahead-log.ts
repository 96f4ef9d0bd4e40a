import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { DatabaseUnavailable } from './errors.ts';
import type { SqliteConnection } from './sqlite-driver.ts';

const syncToDisk = promisify(fdatasync);

export interface WriteAheadLogOptions {
  path: string;
  writer: SqliteConnection;
  /** Runs a statement in the reader thread, which nobody else uses until the work is done. */
  inThread(
    work: (run: (text: string) => Promise<readonly unknown[]>) => Promise<void>,
  ): Promise<void>;
  /** Runs the work while no transaction writes. */
  exclusively(work: () => Promise<void>): Promise<void>;
  onCheckpointFailed(error: unknown): void;
}

/**
 * The write-ahead log of a SQLite file, written to disk and copied into the file without holding the main thread up
 * (https://www.sqlite.org/wal.html). It must be closed before the writer is.
 */
export class WriteAheadLog {
  readonly #sync: LogSync;
  readonly #checkpointer: Checkpointer;
  readonly #descriptor: number;

  /** Switches the writer to commits that don't wait for the disk: `durable` does. */
  constructor({ path, writer, inThread, exclusively, onCheckpointFailed }: WriteAheadLogOptions) {
    // NORMAL: SQLite itself syncs before it copies and before it starts the log anew, and so never damages the file.
    writer.raw.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0');
    this.#descriptor = openSync(`${path}-wal`, 'r+');
    this.#sync = new LogSync(
      createDiskSync({
        here: () => fdatasyncSync(this.#descriptor),
        elsewhere: () => syncToDisk(this.#descriptor),
        now: () => performance.now(),
      }),
      () => exclusively(async () => copyWholeLog(writer)),
    );
    this.#checkpointer = new Checkpointer({
      count: () => pagesIn(writer.run(COUNT).rows),
      inThread: (work) => inThread((run) => work(async () => pagesIn(await run(CHECKPOINT)))),
      exclusively,
      onError: onCheckpointFailed,
    });
  }

  /** Call it after each commit of the writer, before its next transaction. */
  committed(): void {
    this.#sync.committed();
    this.#checkpointer.committed();
  }

  /** Settles once what is committed is on disk. Throws DatabaseUnavailable when the disk did not confirm that. */
  async durable(): Promise<void> {
    try {
      await this.#sync.durable();
    } catch (error) {
      throw new DatabaseUnavailable('its log could not be written to disk', error);
    }
  }

  async close(): Promise<void> {
    await this.#checkpointer.close();
    await this.#sync.durable().catch(() => {});
    closeSync(this.#descriptor);
  }
}

/** Copies what no reader needs. `noop` only counts; SQLite before 3.51 copies then, too. */
export const CHECKPOINT = 'pragma wal_checkpoint(passive)';
const COUNT = 'pragma wal_checkpoint(noop)';

function pagesIn(rows: readonly unknown[]): LogPages {
  const [row] = rows as readonly { log: number; checkpointed: number }[];
  return { log: row?.log ?? 0, copied: row?.checkpointed ?? 0 };
}

/** Holds the thread up, which only a failing disk makes necessary. */
function copyWholeLog(writer: SqliteConnection): void {
  const [row] = writer.run<{ busy: number }>('pragma wal_checkpoint(truncate)').rows;
  if (row?.busy !== 0) throw new Error('Readers hold up the copy of the log into the file.');
}

/**
 * Waits until commits are on disk. SQLite appends a commit to its write-ahead log and returns; the log is written to
 * disk outside the main thread, once for all commits that came before.
 */
export class LogSync {
  readonly #syncFile: () => Promise<void>;
  readonly #repair: () => Promise<void>;
  /** Number of commits so far, of those that the running sync covers, and of those on disk. */
  #committed = 0;
  #covered = 0;
  #onDisk = 0;
  #mustRepair = false;
  #running: Promise<void> | null = null;
  /** Follows the running sync, for commits that came too late for it. */
  #next: Promise<void> | null = null;

  /**
   * @param syncFile writes what the log holds to disk.
   * @param repair makes all commits durable without the log, after a failed sync: the system may have discarded what
   * it could not write, and a repeated sync would report success.
   */
  constructor(syncFile: () => Promise<void>, repair: () => Promise<void>) {
    this.#syncFile = syncFile;
    this.#repair = repair;
  }

  committed(): void {
    this.#committed += 1;
  }

  /** Settles once all transactions committed until now are on disk. Rejects when the disk did not confirm that. */
  durable(): Promise<void> {
    if (this.#onDisk === this.#committed) return Promise.resolve();
    if (this.#next !== null) return this.#next;
    if (this.#running === null) return this.#run();
    if (this.#covered === this.#committed) return this.#running;
    return (this.#next = this.#running.catch(() => {}).then(() => this.#runNext()));
  }

  #runNext(): Promise<void> {
    this.#next = null;
    return this.#run();
  }

  #run(): Promise<void> {
    this.#covered = this.#committed;
    return (this.#running = this.#sync(this.#covered));
  }

  async #sync(covered: number): Promise<void> {
    try {
      await (this.#mustRepair ? this.#repair() : this.#syncFile());
      this.#mustRepair = false;
      this.#onDisk = covered;
    } catch (error) {
      this.#mustRepair = true;
      throw error;
    } finally {
      this.#running = null;
    }
  }
}

/** Time of a sync up to which a disk is quick: handing the sync to another thread would take longer. */
const QUICK_MS = 1;
const WEIGHT = 0.1;
/** Syncs in another thread before the disk is tried again. */
const RETRY_AFTER = 200;

/**
 * Creates a function that syncs a file: in this thread while the disk is quick, else in another one, so that a slow disk
 * does not hold this thread up.
 *
 * @param now milliseconds of a monotonic clock.
 */
export function createDiskSync(ways: { here(): void; elsewhere(): Promise<void>; now(): number }) {
  let averageMs = 0;
  let elsewhere = 0;
  return async () => {
    if (elsewhere > 0) {
      elsewhere -= 1;
      return ways.elsewhere();
    }
    const startedAt = ways.now();
    ways.here();
    averageMs += (ways.now() - startedAt - averageMs) * WEIGHT;
    if (averageMs <= QUICK_MS) return;
    averageMs = 0;
    elsewhere = RETRY_AFTER;
  };
}

/** Pages in the write-ahead log, and how many of them are in the file as well. */
export interface LogPages {
  log: number;
  copied: number;
}

interface CheckpointerOptions {
  count(): LogPages;
  /**
   * Hands the work a function that copies pages into the file in another thread, while commits go on, as far as no reader
   * needs the old ones. Nobody else uses the thread until the work is done.
   */
  inThread(work: (copy: () => Promise<LogPages>) => Promise<void>): Promise<void>;
  /** Runs the work while no transaction writes. */
  exclusively(work: () => Promise<void>): Promise<void>;
  onError(error: unknown): void;
}

/** Pages of 4 KiB after which the log is copied: 32 MiB. A page that changed several times is copied once. */
const LIMIT_PAGES = 8_000;
/** Counting takes microseconds, and a commit writes a few pages. */
const COUNT_EVERY_COMMITS = 16;

/**
 * Copies the write-ahead log into the file before it grows large. Most of it is copied while commits go on, the rest
 * while they wait: after that, SQLite starts the log anew.
 */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  /** A copy must not take part in the transaction whose commit starts it. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #commits = 0;
  #limit = LIMIT_PAGES;
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
  }

  /** Call it after each commit, while no transaction is open. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits % COUNT_EVERY_COMMITS !== 0 || this.#running !== null || this.#isClosed)
      return;
    const { log } = this.#options.count();
    if (log < LIMIT_PAGES) this.#limit = LIMIT_PAGES;
    if (log >= this.#limit) this.#running = this.#outside(() => this.#run());
  }

  /** Waits for a copy under way; starts none from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { inThread, exclusively, onError } = this.#options;
    try {
      await inThread(async (copy) => {
        await copy();
        await exclusively(async () => this.#adjustLimit(await copy()));
      });
    } catch (error) {
      this.#limit += LIMIT_PAGES;
      onError(error);
    } finally {
      this.#running = null;
    }
  }

  /** A reader that needs old pages holds the copy up: the log grows on, and is copied again later. */
  #adjustLimit({ log, copied }: LogPages): void {
    this.#limit = log > copied ? log + LIMIT_PAGES : LIMIT_PAGES;
  }
}
