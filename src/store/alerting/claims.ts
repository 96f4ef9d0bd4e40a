import { sql } from 'kysely';
import { engineOf, forUpdate, rowTable } from '../database/dialect.ts';
import type { Db, Tx } from '../database/contract.ts';
import { DESTINATION_KINDS, type DestinationKind } from './destinations.ts';
import { hasRow, updateRows } from '../database/rows.ts';

/** A destination that only the claiming process sends to, until its lease ends. */
export interface ClaimedDestination extends FoundDestination {
  /** Number of the claim; a higher one in the database means that another process has claimed the destination. */
  claim: number;
}

export interface FoundDestination {
  id: number;
  kind: DestinationKind;
  /**
   * Id of the team, negative id of the person, or 0 for a mail. The subscribers of a team's pages are an owner of their
   * own, so that they take no slots from its alerts.
   */
  owner: number;
  /** Whether its newest attempt failed. */
  isFailing: boolean;
}

export interface DueDestinations {
  now: number;
  /** Time of the clock that leases go by. */
  leaseNow: number;
  /** Excludes destinations whose lease ran out. */
  onlyFree: boolean;
  limit: number;
  exceptIds: readonly number[];
  /** Owners whose destinations are not claimed. */
  exceptOwners: readonly number[];
  /** Excludes destinations whose newest attempt failed. */
  exceptFailing: boolean;
  exceptKinds: readonly DestinationKind[];
}

/** Times that lie further ahead were written before the clock was set back, milliseconds. */
const DISTANT_MS = 3 * 3_600_000;

export function isDue(at: number, now: number): boolean {
  return at <= now || at > now + DISTANT_MS;
}

/** Beyond the ids of people. */
const SUBSCRIBERS_OF = 2 ** 50;

/** Owner of a destination: the person of a personal channel, else the team. */
const OWNER = sql<number>`case when destination.kind = 'subscriber' then ${sql.lit(-SUBSCRIBERS_OF)} - coalesce(destination.team_id, 0)
  else coalesce(destination.team_id, (select -person_id from alert_channel where alert_channel.destination_id = destination.id), 0) end`;

/** Leases of destinations that are due. */
export function leaseStore(db: Db) {
  return {
    async isAnyDue(due: Omit<DueDestinations, 'limit'>) {
      return hasRow(selectDue(db, due));
    },
    /**
     * Claims destinations that are due, the longest due first.
     *
     * @param choose returns the ids to claim of those found.
     * @returns the claimed destinations, and whether others are due.
     */
    async claim(
      due: DueDestinations,
      leaseMs: (kind: DestinationKind) => number,
      choose: (found: FoundDestination[]) => Set<number>,
    ) {
      const rows = await selectDue(db, due)
        .select(['id', 'kind', 'claim', 'failures', OWNER.as('owner')])
        .limit(due.limit)
        .$call(forUpdate(engineOf(db), 'skipLocked'))
        .execute();
      const found = rows.map(({ id, owner, kind, claim, failures }): ClaimedDestination => {
        const isFailing = failures > 0;
        return { id, owner, kind: kind as DestinationKind, claim: claim + 1, isFailing };
      });
      const chosen = choose(found);
      const claimed = found.filter((one) => chosen.has(one.id));
      if (claimed.length === 0) return { claimed, leftSome: false };
      const leases = claimed.map(({ id, kind }) => [id, due.leaseNow + leaseMs(kind)]);
      await db
        .updateTable('destination')
        .from(rowTable(db, leases, { id: 'integer', until: 'integer' }).as('lease'))
        .set((eb) => ({
          claim: eb('destination.claim', '+', 1),
          leased_until: eb.ref('lease.until'),
        }))
        .whereRef('destination.id', '=', 'lease.id')
        .execute();
      return { claimed, leftSome: claimed.length < found.length || found.length === due.limit };
    },
    /**
     * Extends leases. A destination that another session has locked is skipped: the caller repeats the call soon.
     *
     * @returns the ids whose leases were extended.
     */
    async renew(ours: readonly Pick<ClaimedDestination, 'id' | 'claim'>[], leasedUntil: number) {
      const claims = ours.map(({ id, claim }) => [id, claim]);
      const rows = await db
        .selectFrom('destination')
        .select('destination.id')
        .innerJoin(rowTable(db, claims, { id: 'integer', claim: 'integer' }).as('ours'), (join) =>
          join
            .onRef('ours.id', '=', 'destination.id')
            .onRef('ours.claim', '=', 'destination.claim'),
        )
        .where('destination.leased_until', 'is not', null)
        .$call(forUpdate(engineOf(db), 'skipLocked'))
        .execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return ids;
      await updateRows(db, 'destination', { id: ['in', ids] }, { leased_until: leasedUntil });
      return ids;
    },
    /** Ends all leases, at the start of the only process on a database: the ones it finds belong to a process that died. */
    async endAll() {
      await db
        .updateTable('destination')
        .set({ leased_until: null })
        .where('next_at', 'is not', null)
        .where('leased_until', 'is not', null)
        .execute();
    },
  };
}

function selectDue(db: Db, due: Omit<DueDestinations, 'limit'>) {
  const { now, leaseNow, onlyFree, exceptIds, exceptOwners, exceptFailing, exceptKinds } = due;
  return (
    db
      .selectFrom('destination')
      .where('next_at', 'is not', null)
      // Kinds of a newer release are left to its processes.
      .where('kind', 'in', DESTINATION_KINDS)
      .where((eb) => eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + DISTANT_MS)]))
      .where((eb) =>
        eb.or([
          eb('leased_until', 'is', null),
          ...(onlyFree
            ? []
            : [eb('leased_until', '<=', leaseNow), eb('leased_until', '>', leaseNow + DISTANT_MS)]),
        ]),
      )
      .$if(exceptIds.length > 0, (query) => query.where('id', 'not in', exceptIds))
      .$if(exceptFailing, (query) => query.where('failures', '=', 0))
      .$if(exceptKinds.length > 0, (query) => query.where('kind', 'not in', exceptKinds))
      .$if(exceptOwners.length > 0, (query) => query.where(OWNER, 'not in', exceptOwners))
      .orderBy('next_at')
      .orderBy('id')
  );
}

/**
 * Locks the destination until the transaction ends, if the claim is still valid. Read the queue after this call: a
 * transaction that enqueues waits for the lock, or its rows are visible.
 *
 * @returns false when another process has claimed the destination.
 */
export async function lockDestination(
  tx: Tx,
  { id, claim }: Pick<ClaimedDestination, 'id' | 'claim'>,
): Promise<boolean> {
  return hasRow(
    tx
      .selectFrom('destination')
      .where('id', '=', id)
      .where('claim', '=', claim)
      .$call(forUpdate(engineOf(tx))),
  );
}
