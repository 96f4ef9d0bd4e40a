import { setImmediate } from 'node:timers/promises';
import { RowWriter, type Value } from './copy-format.ts';
import type { Progress } from './move-state.ts';
import type { MoveSession } from './session.ts';
import type { MoveSource } from './source.ts';
import type { MovedTable } from './target-tables.ts';
import type { Batch, MoveTarget } from './target.ts';

/** Sizes of the steps; whichever comes first ends a batch. */
export interface BatchLimits {
  rows: number;
  bytes: number;
}

/** Large enough that a commit and three round trips don't count, small enough to be held three times. */
export const BATCH_LIMITS: BatchLimits = { rows: 20_000, bytes: 4_194_304 };

/** Rows that are read at once before sockets get their turn. */
const SLICE_ROWS = 1_000;

/** Reads the rows of a table after a key, in batches. */
export async function* readBatches(
  source: MoveSource,
  table: MovedTable,
  from: readonly Value[] | null,
  limits: BatchLimits,
): AsyncGenerator<Batch> {
  const keyLength = table.key.length;
  const writer = new RowWriter(table.types, keyLength);
  let last = from;
  let batchFrom = from;
  const take = (): Batch => {
    const { rows, replaced } = writer;
    const batch = { content: writer.take(), rows, replaced, from: batchFrom, to: last! };
    batchFrom = last;
    return batch;
  };
  for (const row of source.rows(table, from)) {
    writer.write(row);
    last = row.slice(0, keyLength);
    if (writer.rows >= limits.rows || writer.bytes >= limits.bytes) yield take();
    else if (writer.rows % SLICE_ROWS === 0) await setImmediate();
  }
  if (writer.rows > 0) yield take();
}

/** Is told of each step, to show how far the work is. */
export type OnStep = (table: MovedTable, done: { rows: number; isDone: boolean }) => Promise<void>;

/** Copies what is left of a table. While the target takes a batch, the next one is read. */
export async function copyTable(
  session: MoveSession,
  source: MoveSource,
  table: MovedTable,
  { limits, onStep }: { limits: BatchLimits; onStep: OnStep },
): Promise<void> {
  await session.run(async (target) => {
    const done = await progressOf(target, table, 'copied');
    if (done.isDone) return;
    let { rows, key } = done;
    let writing = Promise.resolve();
    const settle = async () => {
      await writing;
      session.progressed();
      await onStep(table, { rows, isDone: false });
    };
    for await (const batch of readBatches(source, table, key, limits)) {
      await settle();
      writing = target.write(table, batch);
      // The next turn of the loop awaits it; a rejection must not go unhandled until then.
      writing.catch(() => {});
      rows += batch.rows;
      key = [...batch.to];
    }
    await settle();
    await target.note(table, 'copied', { from: key, to: key, rows: 0, isDone: true });
    await target.analyze(table);
    await onStep(table, { rows, isDone: true });
  });
}

export async function progressOf(
  target: MoveTarget,
  { name }: MovedTable,
  stage: 'copied' | 'verified',
): Promise<Progress> {
  return (await target.progress()).get(name)![stage];
}
