import { z } from 'zod';
import { CHANGING } from './common/changing.ts';
import { oneOf, text } from '../lib/schemas.ts';
import { CORRECTION_KINDS, type CorrectionKind } from '../model/correction.ts';
import { countRows, insertRow, updateRow } from '../store/database/rows.ts';
import type { Db, Tx } from '../store/database/contract.ts';
import { readPage } from '../store/database/team-rows.ts';
import { sloChanges } from '../store/resources/slos.ts';
import { shownAs } from './common/answer.ts';
import { recordChange } from './common/change.ts';
import type { CollectionDeps } from './common/collection.ts';
import { batchesOf } from './common/download.ts';
import { invalidField, notFound } from './common/errors.ts';
import { Findings, readBody, readQuery } from './common/input.ts';
import { noun, type Call } from './common/operation.ts';
import { pageExample, pageSchema } from './common/page-reference.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from './common/page.ts';
import { textOrNull, time } from './common/reference-schemas.ts';
import { teamWriter } from './common/team-writes.ts';
import { dateTime, since1970 } from './common/time-input.ts';
import { isoOrNull, isoTime } from './common/time.ts';
import { monitorTarget } from './monitors/audit.ts';
import { requireMonitor } from './monitors/find.ts';

const DAY_MS = 86_400_000;
/** Longest correction: a month. */
const MAX_DAYS = 31;
/** Maximum number of corrections in force per monitor, and of those taken back that stay listed. */
const MAX_CORRECTIONS = 1_000;
/** Rows of an export that are read at once. */
const EXPORTED_AT_ONCE = 500;

const MISSING_TIME = 'is required: give a date and time such as 2030-01-31T12:00:00Z';
const bodyTime = () => since1970(dateTime(undefined, MISSING_TIME));

const correctionBody = z.object({
  from: bodyTime().meta({ description: 'Start, not before the monitor was created.' }),
  to: bodyTime().meta({
    description: `End, not included; at most now and ${MAX_DAYS} days after from.`,
  }),
  as: oneOf(CORRECTION_KINDS).meta({
    description:
      'maintenance, excluded: downtime is left out. false_alarm: offline and degraded time counts as online. up, down: the whole interval counts so, also where nothing was observed.',
  }),
  reason: text(1_000).meta({ description: 'Shown beside the corrected figures.' }),
  evidence: text(2_000)
    .nullish()
    .meta({ description: 'Text or link that supports it; required for up and down.' }),
});

const correctionListQuery = z.object({
  include_removed: oneOf(['true', 'false'])
    .optional()
    .meta({ description: 'true also lists corrections that were taken back. By default false.' }),
  ...UNSORTED_PAGE_QUERY,
});

function selectCorrections(db: Db) {
  return db
    .selectFrom('correction')
    .leftJoin('person', 'person.id', 'correction.person_id')
    .leftJoin('person as remover', 'remover.id', 'correction.removed_by')
    .selectAll('correction')
    .select(['person.name as person_name', 'remover.name as removed_by_name']);
}

type CorrectionRow = Awaited<ReturnType<typeof find>>;

const ofMonitor = (db: Db, monitorId: number) =>
  selectCorrections(db).where('correction.monitor_id', '=', monitorId);

/** Throws `not_found` for an unknown id and for another monitor's. */
async function find(db: Db, monitorId: number, id: number) {
  const row = await ofMonitor(db, monitorId).where('correction.id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound('correction');
  return row;
}

/** Corrections of what was recorded of a monitor (contract 46). */
function createCorrections({ database, clock }: CollectionDeps) {
  const write = teamWriter(database, 'editor');

  return {
    async listMonitorCorrections({ caller, id: monitorId, query, address }: Call) {
      await requireMonitor(database.read, caller, monitorId);
      const wanted = readQuery(correctionListQuery, query);
      const paging = pagingOf(wanted, 'created_at');
      const matching = ofMonitor(database.read, monitorId).$if(
        wanted.include_removed !== 'true',
        (rows) => rows.where('correction.removed_at', 'is', null),
      );
      const { rows, total } = await readPage(matching, 'correction', [], paging);
      return pageOf(rows.map(viewCorrection), total, paging, address);
    },

    async getMonitorCorrection({ caller, id: monitorId, idOf }: Call) {
      await requireMonitor(database.read, caller, monitorId);
      return viewCorrection(await find(database.read, monitorId, idOf('correction')));
    },

    createMonitorCorrection: ({ caller, id: monitorId, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const now = clock.now();
        const { from, to, as, ...texts } = readCorrection(body, monitor.created_at, now);
        await checkLimit(tx, monitorId);
        const id = await insertRow(tx, 'correction', {
          ...texts,
          team_id: caller.team.id,
          monitor_id: monitorId,
          from_at: from,
          to_at: to,
          counts_as: as,
          person_id: caller.person.id,
          created_at: now,
          updated_at: now,
        });
        await sloChanges(tx).wake(monitorId, now);
        const row = await find(tx, monitorId, id);
        const target = targetOf(id, monitor);
        await recordChange(tx, caller, { verb: 'created', target, after: asSet.view(row) }, now);
        return viewCorrection(row);
      }),

    /** Takes a correction back. It stays in the list that includes removed ones. */
    deleteMonitorCorrection: ({ caller, id: monitorId, idOf }: Call) =>
      write(caller, 'delete', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const row = await find(tx, monitorId, idOf('correction'));
        if (row.removed_at !== null) throw notFound('correction');
        const now = clock.now();
        const removed = { removed_at: now, removed_by: caller.person.id, updated_at: now };
        await updateRow(tx, 'correction', row.id, removed);
        await forgetOldest(tx, monitorId);
        await sloChanges(tx).wake(monitorId, now);
        const target = targetOf(row.id, monitor);
        await recordChange(tx, caller, { verb: 'deleted', target, before: asSet.view(row) }, now);
      }),
  };
}

async function checkLimit(tx: Tx, monitorId: number): Promise<void> {
  const inForce = { monitor_id: monitorId, removed_at: null };
  if ((await countRows(tx, 'correction', inForce)) < MAX_CORRECTIONS) return;
  throw invalidField(
    'corrections',
    `must not be more than ${MAX_CORRECTIONS} of a monitor: take one back, or correct a longer interval`,
  );
}

/** Deletes the corrections of a monitor that were taken back, but the last ones. */
async function forgetOldest(tx: Tx, monitorId: number): Promise<void> {
  const old = tx
    .selectFrom('correction')
    .select('id')
    .where('monitor_id', '=', monitorId)
    .where('removed_at', 'is not', null)
    .orderBy('removed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_CORRECTIONS)
    .offset(MAX_CORRECTIONS);
  await tx.deleteFrom('correction').where('id', 'in', old).execute();
}

/** Reads a correction of a monitor that was created at `createdAt`. Throws InvalidInput with all errors. */
function readCorrection(body: unknown, createdAt: number, now: number) {
  const findings = new Findings();
  const input = readBody(correctionBody, body, findings);
  const { from, to, as, reason } = input;
  if (reason === undefined && !findings.has('reason'))
    findings.add('reason', 'is required: tell why it counts so');
  if (from !== undefined && from < createdAt)
    findings.add('from', 'must not be before the monitor was created');
  if (to !== undefined && to > now) findings.add('to', 'must not be in the future');
  if (from !== undefined && to !== undefined) {
    if (to <= from) findings.add('to', 'must be after from');
    if (to - from > MAX_DAYS * DAY_MS)
      findings.add('to', `must be at most ${MAX_DAYS} days after from`);
  }
  if ((as === 'up' || as === 'down') && input.evidence == null && !findings.has('evidence'))
    findings.add('evidence', `is required with ${as}: give a text or a link that supports it`);
  findings.throwIfAny();
  return { ...(input as z.output<typeof correctionBody>), evidence: input.evidence ?? null };
}

/** A correction has the name of its monitor. */
function targetOf(id: number, monitor: { id: number; friendly_name: string | null; url: string }) {
  return { type: 'correction', id, name: monitorTarget(monitor.id, monitor).name } as const;
}

/** The name is null once the person is gone. */
function personOf(id: number | null, name: string | null) {
  return id === null ? null : { id, name };
}

const person = z.object({ id: z.int(), name: z.string().nullable() }).nullable();

/** Fields that people set, as the audit log has them. */
const asSet = shownAs<CorrectionRow>()({
  monitor_id: [z.int(), (row) => row.monitor_id, 1],
  from: [time, (row) => isoTime(row.from_at), '2029-12-31T22:00:00.000Z'],
  to: [time, (row) => isoTime(row.to_at), '2029-12-31T22:25:00.000Z'],
  as: [z.enum(CORRECTION_KINDS), (row) => row.counts_as as CorrectionKind, 'false_alarm'],
  reason: [z.string(), (row) => row.reason, 'The firewall blocked our own probes.'],
  evidence: [textOrNull, (row) => row.evidence, null],
});

const author = shownAs<CorrectionRow>()({
  created_by: [
    person.meta({ description: 'Author. The name is null once the person is deleted.' }),
    (row) => personOf(row.person_id, row.person_name),
    { id: 1, name: 'Alice' },
  ],
  created_at: [time, (row) => isoTime(row.created_at), '2030-01-01T00:00:00.000Z'],
  removed_by: [
    person.meta({ description: 'Who took it back; null while it is in force.' }),
    (row) => personOf(row.removed_by, row.removed_by_name),
    null,
  ],
  removed_at: [time.nullable(), (row) => isoOrNull(row.removed_at), null],
});

const correction = z
  .object({ id: z.int(), ...asSet.shape, ...author.shape })
  .meta({
    id: 'Correction',
    description: 'Interval of a monitor that counts otherwise than it was recorded.',
  })
  .register(CHANGING, { fields: ['evidence'] });

const falseAlarm = { id: 1, ...asSet.example, ...author.example };

const viewCorrection = (row: CorrectionRow) => ({
  id: row.id,
  ...asSet.view(row),
  ...author.view(row),
});

/** All corrections of a team, removed ones too, as an export shows them. */
export async function* exportedCorrections({ db, teamId }: { db: Db; teamId: number }) {
  const batches = await batchesOf<CorrectionRow>(EXPORTED_AT_ONCE, (last) =>
    selectCorrections(db)
      .where('correction.team_id', '=', teamId)
      .where('correction.id', '>', last?.id ?? 0)
      .orderBy('correction.id')
      .limit(EXPORTED_AT_ONCE)
      .execute(),
  );
  for await (const rows of batches) yield* rows.map(viewCorrection);
}

export const corrections = noun('Monitors', createCorrections, {
  listMonitorCorrections: {
    at: 'GET /monitors/:id/corrections',
    summary: 'List corrections',
    description:
      'Corrections in force, newest first. With `include_removed=true` also those taken back, of which the newest 1,000 are kept.',
    query: correctionListQuery,
    answer: pageSchema(correction, 'CorrectionPage'),
    example: { answer: pageExample('/monitors/1/corrections', [falseAlarm]) },
  },
  createMonitorCorrection: {
    at: 'POST /monitors/:id/corrections',
    summary: 'Correct an interval',
    description:
      'Uptime, reports, status pages and the error budget follow at once; what was recorded stays as it is. Where corrections overlap, the newest one decides. A monitor has at most 1,000 in force.',
    body: correctionBody,
    answer: correction,
    example: {
      body: {
        from: '2029-12-31T22:00:00Z',
        to: '2029-12-31T22:25:00Z',
        as: 'false_alarm',
        reason: 'The firewall blocked our own probes.',
      },
      answer: { ...falseAlarm, id: 2 },
    },
  },
  getMonitorCorrection: {
    at: 'GET /monitors/:id/corrections/:correction',
    summary: 'Get a correction',
    answer: correction,
    example: { answer: falseAlarm },
  },
  deleteMonitorCorrection: {
    at: 'DELETE /monitors/:id/corrections/:correction',
    summary: 'Take a correction back',
    description: 'Figures are as they were before it. It stays listed with `include_removed=true`.',
  },
});
