import type { ExpressionBuilder } from 'kysely';
import { engineOf, forUpdate } from '../database/dialect.ts';
import { countRows, findRow, hasRow, insertRow, updateRow, updateRows } from '../database/rows.ts';
import type { Db, Row, Schema, Tx } from '../database/contract.ts';
import { readPage } from '../database/team-rows.ts';

export type ReportRunRow = Omit<Row<'report_run'>, 'file'>;

export interface ReportFile {
  type: string;
  name: string;
  bytes: Uint8Array;
}

const COLUMNS = [
  'report_run.id',
  'report_run.report_id',
  'report_run.team_id',
  'report_run.is_mailed',
  'report_run.options',
  'report_run.status',
  'report_run.progress',
  'report_run.error',
  'report_run.claim',
  'report_run.crashes',
  'report_run.next_at',
  'report_run.file_type',
  'report_run.file_name',
  'report_run.created_at',
  'report_run.ended_at',
  'report_run.expires_at',
] as const;

/** Enqueues a run, which is due at once. @returns its id. */
export async function insertRun(
  tx: Tx,
  run: {
    reportId: number;
    teamId: number;
    isMailed: boolean;
    options: object;
    expiresAt: number;
  },
  now: number,
): Promise<number> {
  return insertRow(tx, 'report_run', {
    report_id: run.reportId,
    team_id: run.teamId,
    is_mailed: run.isMailed ? 1 : 0,
    options: JSON.stringify(run.options),
    status: 'queued',
    progress: 0,
    next_at: now,
    created_at: now,
    expires_at: run.expiresAt,
  });
}

/** Undefined for an unknown id and for another team's. */
export function findRun(db: Db, teamId: number, id: number) {
  return db
    .selectFrom('report_run')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('team_id', '=', teamId)
    .executeTakeFirst();
}

/** Runs of a report, newest first. @returns a page of them, and how many there are. */
export function listRuns(db: Db, reportId: number, page: { limit: number; offset: number }) {
  const runs = db.selectFrom('report_run').where('report_id', '=', reportId);
  return readPage(runs.select(COLUMNS), 'report_run', [], { ...page, direction: 'desc' });
}

/** The newest run of each of these reports that has a file, by report. */
export async function lastDoneRuns(db: Db, reportIds: readonly number[]) {
  // Postgres knows no empty list.
  if (reportIds.length === 0) return new Map<number, never>();
  const newest = db
    .selectFrom('report_run')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('report_id', 'in', [...reportIds])
    .where('status', '=', 'done')
    .groupBy('report_id');
  const runs = await db
    .selectFrom('report_run')
    .select(COLUMNS)
    .where('id', 'in', newest)
    .execute();
  return new Map(runs.map((run) => [run.report_id, run]));
}

export function countOpenRuns(db: Db, teamId: number): Promise<number> {
  return countRows(db, 'report_run', { team_id: teamId, next_at: ['is not', null] });
}

export async function readRunFile(db: Db, id: number): Promise<ReportFile | null> {
  const row = await findRow(db, 'report_run', { id }, ['file_type', 'file_name', 'file']);
  if (row?.file == null) return null;
  return { type: row.file_type!, name: row.file_name!, bytes: row.file };
}

/** A time that lies further ahead was written before the clock was set back: leases and retries are shorter. */
const DISTANT_MS = 15 * 60_000;

const isDue = (now: number) => (its: ExpressionBuilder<Schema, 'report_run'>) =>
  its.and([
    // For the index.
    its('next_at', 'is not', null),
    its.or([its('next_at', '<=', now), its('next_at', '>', now + DISTANT_MS)]),
  ]);

/** Runs that wait for a process, and those that one has claimed. */
export function runQueue(db: Db) {
  return {
    isDue(now: number) {
      return hasRow(db.selectFrom('report_run').where(isDue(now)));
    },
    /**
     * Claims a run until then; null when none is due. It is the one that is due longest, of the teams that were not served yet
     * if there is one. A process that claims it later, once the lease has ended, increments `claim`, and the former one can no
     * longer end it.
     */
    async claim(
      now: number,
      { until, served = new Set() }: { until: number; served?: ReadonlySet<number> },
    ) {
      const row = await db
        .selectFrom('report_run')
        .select(COLUMNS)
        .where(isDue(now))
        .$if(served.size > 0, (runs) =>
          runs.orderBy((its) =>
            its
              .case()
              .when('team_id', 'in', [...served])
              .then(1)
              .else(0)
              .end(),
          ),
        )
        .orderBy('next_at')
        .orderBy('id')
        .limit(1)
        .$call(forUpdate(engineOf(db), 'skipLocked'))
        .executeTakeFirst();
      if (row === undefined) return null;
      const claimed = {
        claim: row.claim + 1,
        // Its process neither ended it nor left it.
        crashes: row.crashes + (row.status === 'running' ? 1 : 0),
        status: 'running',
        next_at: until,
      };
      await updateRow(db, 'report_run', row.id, claimed);
      return { ...row, ...claimed };
    },
    /** Stores progress in percent and extends the lease. @returns false when another process has the run, or it is gone. */
    async setProgress({ id, claim }: RunClaim, progress: number, leaseUntil: number) {
      const open = { id, claim, next_at: ['is not', null] } as const;
      return (await updateRows(db, 'report_run', open, { progress, next_at: leaseUntil })) > 0;
    },
    /** Ends a run with its file or the reason why there is none. @returns false when another process has it, or it is gone. */
    async end({ id, claim }: RunClaim, outcome: ReportFile | { error: string }, now: number) {
      const columns =
        'error' in outcome
          ? { status: 'failed', error: outcome.error }
          : {
              status: 'done',
              progress: 100,
              file_type: outcome.type,
              file_name: outcome.name,
              file: outcome.bytes,
            };
      const open = { id, claim, next_at: ['is not', null] } as const;
      const ended = { ...columns, next_at: null, ended_at: now };
      return (await updateRows(db, 'report_run', open, ended)) > 0;
    },
    /** Postpones a run that failed for now. @param crashes processes that ended while they drew its file: 0 or 1. */
    async postpone(
      { id, claim }: RunClaim,
      { nextAt, crashes }: { nextAt: number; crashes: 0 | 1 },
    ) {
      await db
        .updateTable('report_run')
        .set((its) => ({
          status: 'queued',
          progress: 0,
          crashes: its('crashes', '+', crashes),
          next_at: nextAt,
        }))
        .where('id', '=', id)
        .where('claim', '=', claim)
        .where('next_at', 'is not', null)
        .execute();
    },
    /**
     * Takes back that a run which another process has taken over counts as a crash: the process of this claim lives, and was
     * only too slow to extend its lease. Call it once for a claim. It does nothing while the claim holds.
     */
    async withdrawCrash({ id, claim }: RunClaim) {
      await db
        .updateTable('report_run')
        .set((its) => ({ crashes: its('crashes', '-', 1) }))
        .where('id', '=', id)
        .where('claim', '>', claim)
        .where('crashes', '>', 0)
        .where('next_at', 'is not', null)
        .execute();
    },
  };
}

type RunClaim = Pick<ReportRunRow, 'id' | 'claim'>;
