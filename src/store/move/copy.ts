import { setImmediate } from 'node:timers/promises';
import { EMPTY_STREAM, RowWriter, type Value } from './copy-format.ts';
import { differencesOf, type Difference } from './differences.ts';
import type { MoveSource } from './source.ts';
import type { MovedTable, MoveTarget } from './target.ts';

/** Sizes of the steps; whichever comes first ends a batch. */
export interface BatchLimits {
  rows: number;
  bytes: number;
}

/** Large enough that round trips don't count, small enough to be held three times. */
export const BATCH_LIMITS: BatchLimits = { rows: 20_000, bytes: 4_194_304 };

/** Rows that are read at once before sockets get their turn. */
const SLICE_ROWS = 1_000;

/** Rows of a table, with the keys between which they lie. */
interface Batch {
  /** Stream of `copy … (format binary)`. */
  content: Buffer;
  rows: number;
  /** Texts in which a NUL character was replaced. */
  replaced: number;
  /** Key of the last row before them; null at the beginning of the table. */
  from: readonly Value[] | null;
  /** Key of the last one of them. */
  to: readonly Value[];
}

/** Reads the rows of a table in the order of its key. */
async function* readBatches(
  source: MoveSource,
  table: MovedTable,
  limits: BatchLimits,
): AsyncGenerator<Batch> {
  const keyLength = table.key.length;
  const writer = new RowWriter(table.types, keyLength);
  let from: readonly Value[] | null = null;
  let last: readonly Value[] = [];
  const take = (): Batch => {
    const { rows, replaced } = writer;
    const batch = { content: writer.take(), rows, replaced, from, to: last };
    from = last;
    return batch;
  };
  for (const row of source.rows(table)) {
    writer.write(row);
    last = row.slice(0, keyLength);
    if (writer.rows >= limits.rows || writer.bytes >= limits.bytes) yield take();
    else if (writer.rows % SLICE_ROWS === 0) await setImmediate();
  }
  if (writer.rows > 0) yield take();
}

/** Both databases, and what is called after each batch with the rows that are done. */
interface Work {
  source: MoveSource;
  target: MoveTarget;
  limits: BatchLimits;
  onRows: (rows: number) => Promise<void>;
}

/**
 * Does the work on each batch of a table. While the target has one, the next one is read.
 *
 * @returns rows of the table.
 */
async function eachBatch(
  { source, limits, onRows }: Work,
  table: MovedTable,
  work: (batch: Batch) => Promise<void>,
): Promise<number> {
  let rows = 0;
  let [pending, size] = [Promise.resolve(), 0];
  const settle = async () => {
    await pending;
    rows += size;
    await onRows(rows);
  };
  for await (const batch of readBatches(source, table, limits)) {
    await settle();
    [pending, size] = [work(batch), batch.rows];
    // The next turn of the loop awaits it; a rejection must not go unhandled until then.
    pending.catch(() => {});
  }
  await settle();
  return rows;
}

/** Copies a table. @returns the texts in which a NUL character was replaced. */
export async function copyTable(all: Work, table: MovedTable): Promise<number> {
  let replaced = 0;
  await eachBatch(all, table, async (batch) => {
    replaced += batch.replaced;
    await all.target.write(table, batch.content);
  });
  return replaced;
}

/** Result of the comparison of a table. */
export interface Comparison {
  table: string;
  sourceRows: number;
  targetRows: number;
  differences: readonly Difference[];
}

/** Differences that are listed of a table. */
const MAX_DIFFERENCES = 1_000;
/** Rows between two keys that the target may have beyond those of the source, and that are still distinguished. */
const MAX_EXTRA = 10_000;

/**
 * Compares a table row by row: all columns of each row, in the order of the key. Between two keys of the source the target
 * must have exactly the rows of the source, and none after the last one; then both must count the same number of rows.
 */
export async function compareTable(all: Work, table: MovedTable): Promise<Comparison> {
  const { target } = all;
  const columns = { names: table.columns, types: table.types, keyLength: table.key.length };
  const differences: Difference[] = [];
  let last: readonly Value[] | null = null;
  async function compare(content: Buffer, range: Parameters<MoveTarget['read']>[1]) {
    if (differences.length >= MAX_DIFFERENCES) return;
    const found = differencesOf(content, await target.read(table, range), columns);
    differences.push(...found.slice(0, MAX_DIFFERENCES - differences.length));
  }
  const sourceRows = await eachBatch(all, table, ({ content, rows, from, to }) => {
    last = to;
    return compare(content, { from, to, limit: rows + MAX_EXTRA });
  });
  await compare(EMPTY_STREAM, { from: last, to: null, limit: MAX_EXTRA });
  return {
    table: table.name,
    sourceRows,
    targetRows: await target.countRows(table),
    differences,
  };
}
