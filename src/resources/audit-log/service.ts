import { z } from 'zod';
import {
  auditEntriesAfter,
  listAuditEntries,
  type AuditFilter,
  type AuditRow,
} from '../../store/resources/audit.ts';
import type { Database } from '../../store/database/contract.ts';
import { auditCsv } from './csv.ts';
import { parseExactJson } from '../../lib/exact-json.ts';
import { AUDIT_TARGETS } from '../../model/audit.ts';
import { Download } from '../common/download.ts';
import { queryNumber, readQuery } from '../common/input.ts';
import { queryDay } from '../common/time-input.ts';
import { oneOf } from '../../lib/schemas.ts';
import { PAGE_QUERY, pageOf, pagingOf } from '../common/page.ts';
import { isoTime } from '../common/time.ts';
import { type Call } from '../common/operation.ts';

const ACTION_PATTERN = new RegExp(`^(${AUDIT_TARGETS.join('|')})\\.[a-z]+(_[a-z]+)*$`);
const ACTION_ERROR = `must be one of ${AUDIT_TARGETS.join(', ')}, a dot and a verb, such as monitor.updated`;

export const auditLogQuery = z.object({
  ...PAGE_QUERY,
  direction: PAGE_QUERY.direction.meta({ description: 'By default desc: newest first.' }),
  action: z
    .string({ error: ACTION_ERROR })
    .regex(ACTION_PATTERN, { error: ACTION_ERROR })
    .optional(),
  target_type: oneOf(AUDIT_TARGETS).optional(),
  target_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number').optional(),
  user_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
    .optional()
    .meta({ description: 'Id of the person who made the change.' }),
  start_date: queryDay('from', 'Entries of this UTC day and later ones.').optional(),
  end_date: queryDay('to', 'Entries of this UTC day and earlier ones.').optional(),
  format: oneOf(['json', 'csv'])
    .optional()
    .meta({ description: 'By default json. csv contains all matching entries.' }),
});

/** Audit log of the caller's team, for its admins. */
export function createAuditLogService({ database }: { database: Database }) {
  return {
    /** Returns a page of entries, or with `format=csv` a Download of all matching entries. */
    async listAuditLog({ caller, query, address }: Call) {
      const wanted = readQuery(auditLogQuery, query);
      const filter: AuditFilter = {
        action: wanted.action ?? null,
        targetType: wanted.target_type ?? null,
        targetId: wanted.target_id ?? null,
        personId: wanted.user_id ?? null,
        from: wanted.start_date ?? null,
        before: wanted.end_date ?? null,
      };
      const paging = pagingOf(wanted, 'created_at');
      if (wanted.format === 'csv') {
        const pages = await pagesOf(database, caller.team.id, filter, paging.direction);
        return new Download(
          'text/csv; charset=utf-8; header=present',
          'audit-log.csv',
          auditCsv(pages),
        );
      }
      const { rows, total } = await listAuditEntries(database, caller.team.id, filter, paging);
      return pageOf(rows.map(viewEntry), total, paging, address);
    },
  };
}

const BATCH_SIZE = 1_000;

/** Batches of all matching entries. Reads the first at once, so that an unreachable database fails before the download. */
async function pagesOf(
  database: Database,
  teamId: number,
  filter: AuditFilter,
  direction: 'asc' | 'desc',
): Promise<AsyncIterable<AuditRow[]>> {
  const paging = { direction, limit: BATCH_SIZE };
  const read = (after: AuditRow | null) =>
    auditEntriesAfter(database, teamId, filter, after, paging);
  const first = await read(null);
  return (async function* pages() {
    for (let rows = first; rows.length > 0;) {
      yield rows;
      rows = rows.length < BATCH_SIZE ? [] : await read(rows.at(-1)!);
    }
  })();
}

function viewEntry(row: AuditRow): object {
  return {
    id: row.id,
    action: row.action,
    actor: { id: row.person_id, name: row.actor },
    via: row.via,
    token_name: row.credential_name,
    ip_address: row.ip_address,
    target: { type: row.target_type, id: row.target_id, name: row.target_name },
    before: row.before === null ? null : (parseExactJson(row.before) as object),
    after: row.after === null ? null : (parseExactJson(row.after) as object),
    created_at: isoTime(row.created_at),
  };
}
