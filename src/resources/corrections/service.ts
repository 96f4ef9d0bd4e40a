import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  countCorrections,
  findCorrection,
  insertCorrection,
  listCorrections,
  removeCorrection,
  type CorrectionRow,
} from '../../store/resources/corrections.ts';
import { wakeSlo } from '../../store/resources/slos.ts';
import { audit } from '../audit-log/entry.ts';
import { invalidField, notFound } from '../common/errors.ts';
import { readQuery } from '../common/input.ts';
import { pageOf, pagingOf } from '../common/page.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { monitorTarget } from '../monitors/audit.ts';
import { requireMonitor } from '../monitors/find.ts';
import { correctionListQuery, readCorrection, correctionBody } from './input.ts';
import { type Call, noun } from '../common/operation.ts';
import { z } from 'zod';
import { CORRECTION_KINDS } from '../../model/correction.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { time } from '../common/reference-schemas.ts';

/** Maximum number of corrections in force per monitor, and of those taken back that stay listed. */
const MAX_CORRECTIONS = 1_000;

/** Corrections of what was recorded of a monitor. Throws InvalidInput for an invalid body. */
function createCorrectionService(deps: { database: Database; clock: Pick<Clock, 'now'> }) {
  const { database, clock } = deps;
  const write = teamWriter(database, 'editor');

  return {
    /** Newest first. */
    async listMonitorCorrections({ caller, id: monitorId, query, address }: Call) {
      await requireMonitor(database.read, caller, monitorId);
      const wanted = readQuery(correctionListQuery, query);
      const paging = pagingOf(wanted, 'created_at');
      const { rows, total } = await listCorrections(database.read, monitorId, {
        includeRemoved: wanted.include_removed === 'true',
        limit: paging.limit,
        offset: paging.offset,
      });
      return pageOf(rows.map(viewCorrection), total, paging, address);
    },

    async getMonitorCorrection({ caller, id: monitorId, idOf }: Call) {
      const id = idOf('correction');
      await requireMonitor(database.read, caller, monitorId);
      return viewCorrection(await requireCorrection(database.read, monitorId, id));
    },

    createMonitorCorrection: ({ caller, id: monitorId, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const now = clock.now();
        const { from, to, as, ...texts } = readCorrection(body, monitor.created_at, now);
        if ((await countCorrections(tx, monitorId)) >= MAX_CORRECTIONS) throw tooMany();
        const columns = {
          ...texts,
          team_id: caller.team.id,
          monitor_id: monitorId,
          from_at: from,
          to_at: to,
          counts_as: as,
          person_id: caller.person.id,
        };
        const id = await insertCorrection(tx, columns, now);
        await wakeSlo(tx, monitorId, now);
        const row = await requireCorrection(tx, monitorId, id);
        const target = targetOf(id, monitor);
        await audit(tx, caller, { verb: 'created', target, after: auditedCorrection(row) }, now);
        return viewCorrection(row);
      }),

    /** Takes a correction back. It stays in the list that includes removed ones. */
    async deleteMonitorCorrection({ caller, id: monitorId, idOf }: Call) {
      const id = idOf('correction');
      await write(caller, 'delete', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const row = await requireCorrection(tx, monitorId, id);
        if (row.removed_at !== null) throw notFound('correction');
        const now = clock.now();
        const by = { personId: caller.person.id, kept: MAX_CORRECTIONS };
        await removeCorrection(tx, row, by, now);
        await wakeSlo(tx, monitorId, now);
        const target = targetOf(id, monitor);
        await audit(tx, caller, { verb: 'deleted', target, before: auditedCorrection(row) }, now);
      });
    },
  };
}

async function requireCorrection(
  db: Kysely<Schema>,
  monitorId: number,
  id: number,
): Promise<CorrectionRow> {
  const row = await findCorrection(db, monitorId, id);
  if (row === undefined) throw notFound('correction');
  return row;
}

function tooMany() {
  return invalidField(
    'corrections',
    `must not be more than ${MAX_CORRECTIONS} of a monitor: take one back, or correct a longer interval`,
  );
}

/** A correction has the name of its monitor. */
function targetOf(id: number, monitor: { id: number; friendly_name: string | null; url: string }) {
  return { type: 'correction', id, name: monitorTarget(monitor.id, monitor).name } as const;
}

function auditedCorrection(row: CorrectionRow) {
  return {
    monitor_id: row.monitor_id,
    from: isoTime(row.from_at),
    to: isoTime(row.to_at),
    as: row.counts_as,
    reason: row.reason,
    evidence: row.evidence,
  };
}

export function viewCorrection(row: CorrectionRow) {
  return {
    id: row.id,
    ...auditedCorrection(row),
    created_by: personOf(row.person_id, row.person_name),
    created_at: isoTime(row.created_at),
    removed_by: personOf(row.removed_by, row.removed_by_name),
    removed_at: isoOrNull(row.removed_at),
  };
}

/** The name is null once the person is gone. */
function personOf(id: number | null, name: string | null) {
  return id === null ? null : { id, name };
}

const person = z.object({ id: z.int(), name: z.string().nullable() }).nullable();

const correction = z
  .object({
    id: z.int(),
    monitor_id: z.int(),
    from: time,
    to: time,
    as: z.enum(CORRECTION_KINDS),
    reason: z.string(),
    evidence: z.string().nullable(),
    created_by: person.meta({
      description: 'Author. The name is null once the person is deleted.',
    }),
    created_at: time,
    removed_by: person.meta({ description: 'Who took it back; null while it is in force.' }),
    removed_at: time.nullable(),
  })
  .meta({
    id: 'Correction',
    description: 'Interval of a monitor that counts otherwise than it was recorded.',
  });

const falseAlarm = {
  id: 1,
  monitor_id: 1,
  from: '2029-12-31T22:00:00.000Z',
  to: '2029-12-31T22:25:00.000Z',
  as: 'false_alarm',
  reason: 'The firewall blocked our own probes.',
  evidence: null,
  created_by: { id: 1, name: 'Alice' },
  created_at: '2030-01-01T00:00:00.000Z',
  removed_by: null,
  removed_at: null,
} as const;

export const corrections = noun('Monitors', createCorrectionService, {
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
