import {
  PREFIX_LENGTH,
  createReencryption,
  firstKeyPrefix,
  keyNameOf,
  positionOf,
  type KeyRing,
  type Reencrypt,
} from '../identity/key-ring.ts';
import type { Database } from '../store/database/contract.ts';
import {
  SEALED_TABLES,
  readSealedRows,
  replaceSealed,
  type SealedRow,
  type SealedTable,
} from '../store/database/sealed-columns.ts';

/** Rows encrypted anew per transaction: a few milliseconds of the writer. */
const BATCH_ROWS = 100;
/** Passes over the database. A second one finds what a concurrent edit wrote back. */
const MAX_PASSES = 3;

interface Change {
  key: SealedRow['key'];
  column: string;
  from: string;
  to: string;
}

export interface RotationResult {
  /** Number of values that were encrypted anew. */
  changed: number;
  /** Number of values that a key of SECRET_KEY should open and does not. */
  damaged: number;
}

/**
 * Encrypts every stored value with the first key. It can be interrupted at any row and run again: what is done is
 * recognized by its key. Values whose key is missing are left alone.
 *
 * @param onProgress called after each batch with the number of values encrypted anew so far.
 */
export async function rotateSecrets(
  database: Database,
  ring: KeyRing,
  onProgress: (changed: number) => Promise<void>,
): Promise<RotationResult> {
  const wanted = { ring, reencrypt: await createReencryption(ring) };
  let changed = 0;
  let damaged = 0;
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const before = changed;
    damaged = 0;
    for (const table of SEALED_TABLES) {
      damaged += await rotateTable(database, table, wanted, (count) =>
        onProgress((changed += count)),
      );
    }
    if (changed === before) break;
  }
  return { changed, damaged };
}

/** @returns the number of damaged values. */
async function rotateTable(
  database: Database,
  table: SealedTable,
  { ring, reencrypt }: { ring: KeyRing; reencrypt: Reencrypt },
  onBatch: (changed: number) => Promise<void>,
): Promise<number> {
  const prefix = firstKeyPrefix(ring, table.cipher);
  let after: SealedRow['key'] | null = null;
  let damaged = 0;
  for (;;) {
    const options = { prefix, after, limit: BATCH_ROWS };
    const rows: SealedRow[] = await readSealedRows(database.scan, table, options);
    if (rows.length === 0) return damaged;
    after = rows.at(-1)!.key;
    const changes: Change[] = [];
    for (const row of rows) {
      for (const [column, from] of Object.entries(row.sealed)) {
        if (from === null || !needsFirstKey(ring, table, from)) continue;
        // The key is there: where it fails, the text was changed after it was encrypted.
        const to = await reencrypt(table, row, column, from).catch(() => null);
        if (to === null) damaged += 1;
        else changes.push({ key: row.key, column, from, to });
      }
    }
    await onBatch(await write(database, table, changes));
  }
}

/** Whether a known key other than the first one encrypted the value. */
function needsFirstKey(ring: KeyRing, { cipher }: SealedTable, text: string): boolean {
  const name = keyNameOf(cipher, text.slice(0, PREFIX_LENGTH[cipher]));
  return name !== null && positionOf(ring, cipher, name) > 0;
}

async function write(
  database: Database,
  table: SealedTable,
  changes: readonly Change[],
): Promise<number> {
  if (changes.length === 0) return 0;
  return database.transaction(async (tx) => {
    let count = 0;
    for (const change of changes) {
      if (await replaceSealed(tx, table, change)) count += 1;
    }
    return count;
  });
}
