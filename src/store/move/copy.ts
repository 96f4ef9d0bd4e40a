import { setImmediate } from 'node:timers/promises';
import {
  EMPTY_STREAM,
  RowWriter,
  type Value,
  keyValue,
  readRows,
  type ColumnType,
  type StreamRow,
} from './copy-format.ts';
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
async function* readBatches(source: MoveSource, table: MovedTable, limits: BatchLimits) {
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

/** A row that is not the same in both databases. */
export interface Difference {
  kind: 'missing' | 'extra' | 'changed';
  /** Values of the key's columns. */
  key: readonly (number | string)[];
  /** Columns that differ; of a changed row only. */
  columns: readonly string[];
}

/** Columns of a table, those of the key first. */
interface Columns {
  names: readonly string[];
  types: readonly ColumnType[];
  keyLength: number;
}

/**
 * Compares two streams of rows in the order of their key.
 *
 * @param expected rows of the source.
 * @param found rows of the target.
 */
export function differencesOf(expected: Buffer, found: Buffer, columns: Columns): Difference[] {
  if (expected.equals(found)) return [];
  const differences: Difference[] = [];
  const ours = readRows(expected);
  const theirs = readRows(found);
  let [own, other] = [next(ours), next(theirs)];
  while (own !== null || other !== null) {
    const order = own === null ? 1 : other === null ? -1 : compareKeys(own, other, columns);
    if (order < 0) differences.push({ kind: 'missing', key: keyOf(own!, columns), columns: [] });
    if (order > 0) differences.push({ kind: 'extra', key: keyOf(other!, columns), columns: [] });
    if (order === 0) {
      const changed = changedColumns(own!, other!, columns);
      const key = keyOf(own!, columns);
      if (changed.length > 0) differences.push({ kind: 'changed', key, columns: changed });
    }
    if (order <= 0) own = next(ours);
    if (order >= 0) other = next(theirs);
  }
  return differences;
}

function next(rows: Iterator<StreamRow>): StreamRow | null {
  const { done, value } = rows.next();
  return done === true ? null : value;
}

function keyOf({ fields }: StreamRow, { types, keyLength }: Columns): (number | string)[] {
  return fields.slice(0, keyLength).map((field, index) => keyValue(types[index]!, field!));
}

/** Compares keys as both databases order them: numbers by value, texts byte by byte. */
function compareKeys(one: StreamRow, other: StreamRow, { types, keyLength }: Columns): number {
  for (let index = 0; index < keyLength; index += 1) {
    const [a, b] = [one.fields[index]!, other.fields[index]!];
    const type = types[index]!;
    const order =
      type === 'text' || type === 'bytea'
        ? Buffer.compare(a, b)
        : Number(keyValue(type, a)) - Number(keyValue(type, b));
    if (order !== 0) return order;
  }
  return 0;
}

function changedColumns(one: StreamRow, other: StreamRow, { names }: Columns): string[] {
  return names.filter((_, index) => {
    const [a, b] = [one.fields[index]!, other.fields[index]!];
    return a === null || b === null ? a !== b : !a.equals(b);
  });
}
