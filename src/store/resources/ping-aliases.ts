import { hash } from 'node:crypto';
import { idList } from '../database/dialect.ts';
import type { Db, Tx } from '../database/contract.ts';
import { updateRows, findRows } from '../database/rows.ts';

/** Maximum number of addresses of other services per monitor. */
export const MAX_PING_ALIASES = 20;

/** An address of another service, as `readAliasTarget` reads it. */
export interface PingAlias {
  /** In its one spelling. A secret: only its hash is stored. */
  alias: string;
  service: string;
}

/** What is known of a stored one. */
export type PingAliasRow = Awaited<ReturnType<ReturnType<typeof pingAliasReads>['of']>>[number];

/** Nothing may stay added unless it is `added`: the caller ends its transaction by an error. */
export type AddedPingAliases =
  | { kind: 'added'; added: PingAliasRow[] }
  /** Other monitors of the installation have the ones at these indexes. */
  | { kind: 'taken'; indexes: number[] }
  /** The monitor would have more than MAX_PING_ALIASES. */
  | { kind: 'too_many' };

export function pingAliasReads(db: Db) {
  return {
    /** The addresses of these monitors, the oldest first. */
    of: (monitorIds: readonly number[]) =>
      findRows(db, 'ping_alias', { monitor_id: ['in', idList(db, monitorIds)] }, 'all', ['id']),
  };
}

/** Addresses of other services at which jobs report to their push monitors. */
export function pingAliases(tx: Tx) {
  const reads = pingAliasReads(tx);
  return {
    ...reads,

    /** Adds those addresses that a monitor does not have yet. */
    async add(
      monitorId: number,
      aliases: readonly PingAlias[],
      now: number,
    ): Promise<AddedPingAliases> {
      if (aliases.length === 0) return { kind: 'added', added: [] };
      const hashes = aliases.map(({ alias }) => hashOfAlias(alias));
      await removeOfDeleted(tx, hashes);
      const rows = aliases.map(({ service }, index) => ({
        token_hash: hashes[index]!,
        monitor_id: monitorId,
        service,
        created_at: now,
      }));
      const added = await tx
        .insertInto('ping_alias')
        .values(rows)
        .onConflict((conflict) => conflict.column('token_hash').doNothing())
        .returningAll()
        .execute();
      const own = await reads.of([monitorId]);
      const ownHashes = new Set(own.map((row) => row.token_hash));
      const indexes = [...hashes.keys()].filter((index) => !ownHashes.has(hashes[index]!));
      if (indexes.length > 0) return { kind: 'taken', indexes };
      return own.length > MAX_PING_ALIASES ? { kind: 'too_many' } : { kind: 'added', added };
    },

    /**
     * Removes addresses. To be called after `reviseHeartbeat` of their monitors: processes that cache them read them again
     * for it, and its lock of the state comes before those of the rows, as where a ping is recorded.
     */
    async remove(ids: readonly number[]): Promise<void> {
      await tx.deleteFrom('ping_alias').where('id', 'in', idList(tx, ids)).execute();
    },
  };
}

/** SHA-256 in hex, as that of a ping token. */
export function hashOfAlias(alias: string): string {
  return hash('sha256', alias);
}

/** Notes that addresses were called. */
export async function noteAliasUse(tx: Tx, ids: readonly number[], at: number): Promise<void> {
  await updateRows(tx, 'ping_alias', { id: ['in', idList(tx, ids)] }, { last_used_at: at });
}

/** The rows of deleted monitors stay for a while: their jobs may report to another monitor by then. */
async function removeOfDeleted(tx: Tx, hashes: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('ping_alias')
    .where('token_hash', 'in', hashes)
    .where('monitor_id', 'in', (eb) =>
      eb.selectFrom('monitor').select('monitor.id').where('monitor.deleted_at', 'is not', null),
    )
    .execute();
}
