import { sql } from 'kysely';
import {
  PROBLEM_KINDS,
  problemKey,
  type InstallationSummary,
  type ProblemKind,
  type ProcessReport,
  type StoredProblem,
} from '../../model/installation-health.ts';
import type { Db, Tx } from '../database/contract.ts';
import { updateRows, deleteRows, findRow, findRows, putRows } from '../database/rows.ts';

/** Reports of processes that have not been seen for this time are deleted. */
const FORGET_MS = 3_600_000;

/** What the one process that watches the installation writes. */
export function installationWatch(tx: Tx) {
  return {
    async writeReport({ id, seenAt, ...rest }: ProcessReport) {
      const row = {
        id,
        name: rest.name,
        roles: rest.roles.join(','),
        version: rest.version,
        started_at: rest.startedAt,
        seen_at: seenAt,
        lag_ms: rest.lagMs,
        checks_due: rest.checksDue,
        checks_late: rest.checksLate,
        probes: rest.probes === null ? null : JSON.stringify(rest.probes),
        free_bytes: rest.freeBytes,
        refuses_files: rest.isRefusingFiles ? 1 : 0,
        clock_offset_ms: rest.clockOffsetMs,
        failing_discoveries: JSON.stringify(rest.failingDiscoveries),
      };
      await putRows(tx, 'process_report', ['id'], [row]);
    },

    /** Deletes the report of a process that ends, or with null those that are an hour old. */
    async deleteReports(which: { id: string } | { now: number }) {
      const reports = tx.deleteFrom('process_report');
      await (
        'id' in which
          ? reports.where('id', '=', which.id)
          : reports.where('seen_at', '<', which.now - FORGET_MS)
      ).execute();
    },

    /**
     * Makes this process the one that evaluates the installation, or keeps it so until `leasedUntil`. In the transaction of an
     * evaluation, which another process can't make meanwhile.
     *
     * @param isAlone no other process can use the database: a lease in it is that of a process that died.
     * @returns false while another process has the lease.
     */
    async claim(claim: { holder: string; now: number; leasedUntil: number; isAlone: boolean }) {
      const { holder, now, leasedUntil, isAlone } = claim;
      const row = await tx
        .insertInto('installation_watch')
        .values({ id: THE_ROW, holder, leased_until: leasedUntil })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ holder, leased_until: leasedUntil })
            .where((eb) =>
              eb.or([
                eb('installation_watch.holder', '=', holder),
                eb('installation_watch.leased_until', '<', isAlone ? Number.MAX_SAFE_INTEGER : now),
              ]),
            ),
        )
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Lets another process take over at once. */
    async release(holder: string) {
      await updateRows(tx, 'installation_watch', { holder }, { leased_until: 0 });
    },

    /** Stores when and with what result the installation was evaluated. By the holder of the lease. */
    async writeSummary(summary: InstallationSummary, now: number) {
      const evaluated = { evaluated_at: now, summary: JSON.stringify(summary) };
      await updateRows(tx, 'installation_watch', { id: THE_ROW }, evaluated);
    },

    /** Replaces the problems `before` by those of `after`; rows that stay as they are are not written. */
    async writeProblems(before: readonly StoredProblem[], after: readonly StoredProblem[]) {
      const stored = new Map(before.map((one) => [problemKey(one), JSON.stringify(one)]));
      for (const one of after) {
        const isSame = stored.get(problemKey(one)) === JSON.stringify(one);
        stored.delete(problemKey(one));
        if (!isSame) await writeProblem(tx, one);
      }
      for (const one of before.filter((row) => stored.has(problemKey(row)))) {
        await deleteRows(tx, 'installation_problem', { kind: one.kind, subject: one.subject });
      }
    },

    /** @param from the value before, so that an outdated call changes nothing. */
    async markNotified(
      { kind, subject }: Pick<StoredProblem, 'kind' | 'subject'>,
      { from, to }: { from: number | null; to: number | null },
    ) {
      await tx
        .updateTable('installation_problem')
        .set({ notified_opened_at: to })
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .where('notified_opened_at', from === null ? 'is' : '=', from)
        .execute();
    },
  };
}

/** What processes report of themselves, and what waits. */
export function installationHealth(db: Db) {
  return {
    async reports(): Promise<ProcessReport[]> {
      const rows = await findRows(db, 'process_report', {}, 'all', ['name', 'id']);
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        roles: row.roles.split(','),
        version: row.version,
        startedAt: row.started_at,
        seenAt: row.seen_at,
        lagMs: row.lag_ms,
        checksDue: row.checks_due,
        checksLate: row.checks_late,
        probes: row.probes === null ? null : (JSON.parse(row.probes) as Record<string, number>),
        freeBytes: row.free_bytes,
        isRefusingFiles: row.refuses_files === 1,
        clockOffsetMs: row.clock_offset_ms,
        failingDiscoveries: JSON.parse(row.failing_discoveries) as string[],
      }));
    },

    /** Reads how many shards each process has leased, and how many none has. Only of use where processes share the database. */
    async shardOwners(now: number) {
      const rows = await db
        .selectFrom('shard')
        .select((eb) => [
          eb.case().when('lease_until', '>=', now).then(eb.ref('owner')).end().as('owner'),
          eb.fn.countAll<number>().as('count'),
        ])
        .groupBy(sql`1`)
        .execute();
      const shards = new Map<string, number>();
      let unowned = 0;
      for (const { owner, count } of rows) {
        if (owner === null) unowned += Number(count);
        else shards.set(owner, Number(count));
      }
      return { shards, unowned };
    },

    /**
     * Reads what is due on the way from an event to its messages: events to be fanned out, alerts to be evaluated, and queues
     * that no process sends from.
     */
    async waiting(now: number) {
      const { rows } = await sql<{ waiting: number; oldest: number | null }>`
    select count(*) as waiting, min(due_at) as oldest from (
      select * from (select fan_out_at as due_at from event where fan_out_at <= ${now}
        order by fan_out_at limit ${COUNTED}) as events
      union all
      select * from (select next_at as due_at from alert where next_at <= ${now}
        order by next_at limit ${COUNTED}) as alerts
      union all
      select * from (select next_at as due_at from destination
        where next_at <= ${now} and (leased_until is null or leased_until <= ${now})
        order by next_at limit ${COUNTED}) as queues
    ) as due`.execute(db);
      const { waiting, oldest } = rows[0]!;
      return { waiting: Number(waiting), oldestDueAt: oldest === null ? null : Number(oldest) };
    },

    /** Reads the last evaluation, and until when the lease of its process is valid; null before the first. */
    async watch() {
      const row = await findRow(db, 'installation_watch', { id: THE_ROW });
      if (row === undefined) return null;
      return {
        holder: row.holder,
        leasedUntil: row.leased_until,
        evaluatedAt: row.evaluated_at,
        summary: row.summary === null ? null : (JSON.parse(row.summary) as InstallationSummary),
      };
    },

    /** Lists problems in the order of their kinds. Kinds of a newer version are left out. */
    async problems(): Promise<StoredProblem[]> {
      const rows = await findRows(db, 'installation_problem', {}, 'all', ['kind', 'subject']);
      return rows
        .filter((row) => orderOf(row) >= 0)
        .toSorted((a, b) => orderOf(a) - orderOf(b))
        .map((row) => ({
          kind: row.kind as ProblemKind,
          subject: row.subject,
          seenAt: row.seen_at,
          openedAt: row.opened_at,
          clearSince: row.clear_since,
          value: row.value,
          processes: JSON.parse(row.processes) as string[],
          notifiedOpenedAt: row.notified_opened_at,
        }));
    },
  };
}

/** Rows of each kind that are counted at most, so that a long queue costs little. */
const COUNTED = 1_000;

const THE_ROW = 1;

const orderOf = (row: { kind: string }) => PROBLEM_KINDS.indexOf(row.kind as ProblemKind);

async function writeProblem(tx: Tx, { kind, subject, ...rest }: StoredProblem): Promise<void> {
  const row = {
    kind,
    subject,
    seen_at: rest.seenAt,
    opened_at: rest.openedAt,
    clear_since: rest.clearSince,
    value: rest.value,
    processes: JSON.stringify(rest.processes),
    notified_opened_at: rest.notifiedOpenedAt,
  };
  await putRows(tx, 'installation_problem', ['kind', 'subject'], [row]);
}
