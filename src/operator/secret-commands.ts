import { subscriberRows, subscriberChanges, openAddress } from '../store/resources/subscribers.ts';
import {
  countKeyUse,
  findMissingKeys,
  firstKeySince,
  forgetUnusedKeys,
  usesText,
  type KeyUse,
  createKeyRing,
  PREFIX_LENGTH,
  createReencryption,
  firstKeyPrefix,
  keyNameOf,
  positionOf,
  type KeyRing,
  type Reencrypt,
} from '../identity/key-ring.ts';
import { createSecretBox } from '../lib/secret-box.ts';
import type { SubscriberKind } from '../model/outgoing.ts';
import { isoTime } from '../resources/common/time.ts';
import { createAddressHashes } from '../status-page/subscribers/addresses.ts';
import type { Database } from '../store/database/contract.ts';
import {
  SEALED_TABLES,
  readSealedRows,
  replaceSealed,
  type SealedRow,
  type SealedTable,
} from '../store/database/sealed-columns.ts';
import { CommandError, textOption, formatTable, type DatabaseCommand } from './command.ts';

/** Longest validity of what a key signs: a link of an alert. Sessions end after 7 days. */
export const SIGNED_MS = 14 * 24 * 3_600_000;
const PROGRESS_MS = 1_000;

export const secretsStatus: DatabaseCommand['run'] = async ({ database, keys }, given, output) => {
  const ring = createKeyRing(await keys());
  const uses = await countKeyUse(database.scan, ring);
  const unused = ring.ids
    .map((id, position) => ({ id, position, values: [], total: 0 }))
    .filter(({ id }) => !uses.some((use) => use.id === id));
  const shown = [...uses, ...unused];
  if (given.options['json'] === true) {
    const list = shown.map(({ id, position, values, total }) => ({
      key: id,
      in_secret_key: position !== -1,
      encrypts: position === 0,
      total,
      values,
    }));
    return output.out(`${JSON.stringify(list, null, 2)}\n`);
  }
  const rows = shown.map((use) => [
    use.id,
    placeOf(use),
    String(use.total),
    use.total === 0 ? 'nothing' : usesText(use),
  ]);
  await output.out(formatTable(['KEY', 'IN SECRET_KEY', 'VALUES', 'NEEDED BY'], rows));
};

export const secretsRotate: DatabaseCommand['run'] = async (
  { database, clock, keys },
  given,
  output,
) => {
  const ring = createKeyRing(await keys());
  const [first] = ring.ids;
  requireFirstKey(ring, textOption(given, 'key'));
  await findMissingKeys(database, ring, clock.now());
  const before = await countKeyUse(database.scan, ring);
  const todo = sum(before.filter(({ position }) => position > 0));
  await output.out(`Encrypting with key ${first}: ${needText(todo, 'need')} another key.\n`);
  let shownAt = clock.now();
  const { changed, damaged } = await rotateSecrets(database, ring, async (done) => {
    if (clock.now() - shownAt < PROGRESS_MS) return;
    shownAt = clock.now();
    await output.note(`${done} of ${todo} values encrypted.`);
  });
  await rehashSubscribers(database, ring.keys);
  const after = await countKeyUse(database.scan, ring);
  await output.out(`Encrypted ${changed} ${changed === 1 ? 'value' : 'values'}. Values by key:\n`);
  const counted = [...after, ...removable(ring, after).map((id) => ({ id, total: 0 }))];
  for (const { id, total } of counted) await output.out(`  ${id}  ${total}\n`);
  const rest = after.filter(({ position }) => position !== 0);
  if (rest.length > 0) throw new CommandError(remainderText(rest, damaged));
  await forgetUnusedKeys(database, ring, after);
  const since = await firstKeySince(database.read, ring);
  await output.out(`${removalText(ring, since)}\n`);
};

/** Such as `1 value needs`, `2 values still need`. */
function needText(count: number, verb: 'need' | 'still need'): string {
  return count === 1 ? `1 value ${verb}s` : `${count} values ${verb}`;
}

function placeOf({ position }: KeyUse): string {
  if (position === 0) return 'first: encrypts';
  return position > 0 ? 'yes' : 'MISSING';
}

function sum(uses: readonly KeyUse[]): number {
  return uses.reduce((total, use) => total + use.total, 0);
}

function damagedText(damaged: number): string {
  return `Damaged, so that they can't be read: ${damaged}. Enter these secrets again.`;
}

function requireFirstKey({ ids }: KeyRing, wanted: string | null): void {
  if (wanted === null || wanted === ids[0]) return;
  throw new CommandError(
    `The server encrypts with key ${ids[0]}, and ${wanted} was asked for: nothing was changed. ` +
      'Restart the server with the new SECRET_KEY first, and use the same SECRET_KEY here.',
  );
}

/** Keys after the first one that no stored value needs. */
function removable({ ids }: KeyRing, uses: readonly KeyUse[]): string[] {
  return ids.slice(1).filter((id) => !uses.some((use) => use.id === id));
}

function remainderText(rest: readonly KeyUse[], damaged: number): string {
  const lines = rest.map((use) => `  ${use.id} (${placeOf(use)}): ${usesText(use)}`);
  const hints = [
    ...(rest.some(({ position }) => position === -1)
      ? ['Add the missing key to SECRET_KEY after a comma, restart the server, and run this again.']
      : []),
    ...(rest.some(({ position }) => position > 0)
      ? [
          damaged > 0
            ? damagedText(damaged)
            : 'They were written meanwhile by a process with the former SECRET_KEY: restart it with the new one, and run this again.',
        ]
      : []),
  ];
  return `${needText(sum(rest), 'still need')} another key:\n${lines.join('\n')}\n${hints.join('\n')}`;
}

function removalText(ring: KeyRing, since: number): string {
  const done = `0 values need another key than ${ring.ids[0]}.`;
  if (ring.ids.length === 1) return done;
  const olds = ring.ids.slice(1);
  const named = olds.length === 1 ? `key ${olds[0]}` : `keys ${olds.join(', ')}`;
  return (
    `${done} You can remove ${named} from SECRET_KEY, and restart the server.\n` +
    `Sessions and links in messages from before may be signed with it: to keep these valid, keep it until ${isoTime(since + SIGNED_MS)}.`
  );
}

/** Rows encrypted anew per transaction: a few milliseconds of the writer. */
const BATCH_ROWS = 100;
/** Passes over the database. A second one finds what a concurrent edit wrote back. */
const MAX_PASSES = 3;

/**
 * Encrypts every stored value with the first key. It can be interrupted at any row and run again: what is done is
 * recognized by its key. Values whose key is missing are left alone.
 *
 * @param onProgress called after each batch with the number of values encrypted anew so far.
 * @returns numbers of values that were encrypted anew, and of those that a key of SECRET_KEY should open and does not.
 */
export async function rotateSecrets(
  database: Database,
  ring: KeyRing,
  onProgress: (changed: number) => Promise<void>,
) {
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
    const changes: Parameters<typeof replaceSealed>[2][] = [];
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
  changes: readonly Parameters<typeof replaceSealed>[2][],
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

const BATCH_SUBSCRIBERS = 200;

/**
 * Hashes the addresses of all subscribers by the first key, so that they are found without the former ones. It can be
 * interrupted and run again. Addresses whose key is missing are left alone.
 *
 * @param keys the list of SECRET_KEY.
 */
async function rehashSubscribers(database: Database, keys: readonly string[]): Promise<void> {
  const box = createSecretBox([...keys]);
  const hashes = createAddressHashes(keys);
  let after = 0;
  for (;;) {
    const rows = await subscriberRows(database.scan).addressesAfter({
      after,
      limit: BATCH_SUBSCRIBERS,
    });
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    const changes = rows.flatMap((row) => {
      const { id, kind, address_hash: from } = row;
      const opened = openAddress(row, box);
      const to = opened === null ? from : hashes.of(kind as SubscriberKind, opened);
      return to === from ? [] : [{ id, from, to }];
    });
    if (changes.length === 0) continue;
    await database.transaction(async (tx) => {
      for (const change of changes) await subscriberChanges(tx).replaceHash(change);
    });
  }
}
