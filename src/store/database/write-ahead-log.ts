import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { Checkpointer, type LogPages } from './checkpointer.ts';
import { createDiskSync } from './disk-sync.ts';
import { DatabaseUnavailable } from './errors.ts';
import { LogSync } from './log-sync.ts';
import type { SqliteConnection } from './sqlite-driver.ts';

const syncToDisk = promisify(fdatasync);

export interface WriteAheadLogOptions {
  /** Path of the database file. */
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
