import { AsyncLocalStorage } from 'node:async_hooks';

/** Pages in the write-ahead log, and how many of them are in the file as well. */
export interface LogPages {
  log: number;
  copied: number;
}

export interface CheckpointerOptions {
  /** Counts the pages. Cheap. */
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
