import { progressOf, readBatches, type BatchLimits, type OnStep } from './copy.ts';
import { EMPTY_STREAM, type Value } from './copy-format.ts';
import { differencesOf, type Difference } from './differences.ts';
import type { MoveSession } from './session.ts';
import type { MoveSource } from './source.ts';
import { columnsOf, type MovedTable } from './target-tables.ts';
import type { Batch, MoveTarget } from './target.ts';

interface VerifyOptions {
  limits: BatchLimits;
  onStep: OnStep;
  /** Whether the target keeps how far the comparison is, as it does during a move. */
  keepsProgress: boolean;
}

/** Result of the comparison of a table. */
export interface Comparison {
  table: string;
  sourceRows: number;
  targetRows: number;
  differences: readonly Difference[];
}

/** Differences that are listed of a table; the comparison ends there. */
const MAX_DIFFERENCES = 1_000;
/** Rows between two keys that the target may have beyond those of the source, and that are still told apart. */
const MAX_EXTRA = 10_000;
const SAVE_EVERY_BATCHES = 50;

/**
 * Compares a table row by row: all columns of each row, in the order of the key. Between two keys of the source the target
 * must have exactly the rows of the source, and none after the last one; then both must count the same number of rows.
 */
export async function verifyTable(
  session: MoveSession,
  source: MoveSource,
  table: MovedTable,
  options: VerifyOptions,
): Promise<Comparison> {
  const comparison = new TableComparison(session, source, table, options);
  await session.run((target) => comparison.goOn(target));
  const { rows: sourceRows, targetRows, differences } = comparison;
  return { table: table.name, sourceRows, targetRows, differences };
}

class TableComparison {
  readonly #session: MoveSession;
  readonly #source: MoveSource;
  readonly #table: MovedTable;
  readonly #options: VerifyOptions;
  /** Null before the first connection. */
  #key: readonly Value[] | null = null;
  #isBegun = false;
  /** What the target has noted. */
  #saved: { key: readonly Value[] | null; rows: number } = { key: null, rows: 0 };
  rows = 0;
  targetRows = 0;
  readonly differences: Difference[] = [];

  constructor(session: MoveSession, source: MoveSource, table: MovedTable, options: VerifyOptions) {
    this.#session = session;
    this.#source = source;
    this.#table = table;
    this.#options = options;
  }

  async goOn(target: MoveTarget): Promise<void> {
    if (await this.#isDoneAlready(target)) return;
    await this.#compareBatches(target);
    this.targetRows = await target.countRows(this.#table);
    await this.#save(target, true);
    await this.#options.onStep(this.#table, { rows: this.rows, isDone: true });
  }

  async #isDoneAlready(target: MoveTarget): Promise<boolean> {
    if (this.#options.keepsProgress) {
      const { key, rows, isDone } = await progressOf(target, this.#table, 'verified');
      this.#saved = { key, rows };
      if (!this.#isBegun) [this.#key, this.rows, this.targetRows] = [key, rows, rows];
      if (isDone) return true;
    }
    this.#isBegun = true;
    return false;
  }

  async #compareBatches(target: MoveTarget): Promise<void> {
    let batches = 0;
    let reading: { batch: Batch; found: Promise<Buffer> } | null = null;
    const settle = async () => {
      if (reading === null) return;
      await this.#compare(reading.batch, await reading.found);
      reading = null;
      batches += 1;
      if (batches % SAVE_EVERY_BATCHES === 0) await this.#save(target, false);
    };
    for await (const batch of readBatches(
      this.#source,
      this.#table,
      this.#key,
      this.#options.limits,
    )) {
      await settle();
      if (this.differences.length >= MAX_DIFFERENCES) return;
      const found = target.read(this.#table, { ...batch, limit: batch.rows + MAX_EXTRA });
      // The next turn of the loop awaits it; a rejection must not go unhandled until then.
      found.catch(() => {});
      reading = { batch, found };
    }
    await settle();
    const rest = { from: this.#key, to: null, limit: MAX_EXTRA };
    this.#note(
      differencesOf(EMPTY_STREAM, await target.read(this.#table, rest), columnsOf(this.#table)),
    );
  }

  async #compare(batch: Batch, found: Buffer): Promise<void> {
    this.#note(differencesOf(batch.content, found, columnsOf(this.#table)));
    this.#key = batch.to;
    this.rows += batch.rows;
    this.#session.progressed();
    await this.#options.onStep(this.#table, { rows: this.rows, isDone: false });
  }

  #note(differences: readonly Difference[]): void {
    this.differences.push(...differences.slice(0, MAX_DIFFERENCES - this.differences.length));
  }

  /** A comparison that found a difference is not noted, so that the next one finds it again. */
  async #save(target: MoveTarget, isAtEnd: boolean): Promise<void> {
    const isSame = this.differences.length === 0 && (!isAtEnd || this.rows === this.targetRows);
    if (!this.#options.keepsProgress || !isSame) return;
    const { key, rows } = this.#saved;
    const step = { from: key, to: this.#key, rows: this.rows - rows, isDone: isAtEnd };
    await target.note(this.#table, 'verified', step);
    this.#saved = { key: this.#key, rows: this.rows };
  }
}
