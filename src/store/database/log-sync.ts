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

  /** Notes that a transaction was committed. */
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
