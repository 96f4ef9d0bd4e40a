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
import { AUDIT_VIAS } from '../../model/audit.ts';
import { batchesOf, Download } from '../common/download.ts';
import { queryNumber, readQuery } from '../common/input.ts';
import { queryDay } from '../common/time-input.ts';
import { oneOf, text } from '../../lib/schemas.ts';
import { PAGE_QUERY, pageOf, pagingOf } from '../common/page.ts';
import { isoTime } from '../common/time.ts';
import { type Call, noun } from '../common/operation.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';

/** @param kinds of the things that the log names. */
function queryOf(kinds: readonly [string, ...string[]]) {
  const form = `must be one of ${kinds.join(', ')}, a dot and a verb, such as monitor.updated`;
  const pattern = new RegExp(`^(${kinds.join('|')})\\.[a-z]+(_[a-z]+)*$`);
  return z.object({
    ...PAGE_QUERY,
    direction: PAGE_QUERY.direction.meta({ description: 'By default desc: newest first.' }),
    action: z.string({ error: form }).regex(pattern, { error: form }).optional(),
    target_type: oneOf(kinds).optional(),
    target_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number').optional(),
    user_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
      .optional()
      .meta({ description: 'Id of the person who made the change.' }),
    search: text(255).optional().meta({
      description:
        'Part of the name of the target, of who made the change, or of a changed field or value, ignoring case.',
    }),
    start_date: queryDay('from', 'Entries of this UTC day and later ones.').optional(),
    end_date: queryDay('to', 'Entries of this UTC day and earlier ones.').optional(),
    format: oneOf(['json', 'csv'])
      .optional()
      .meta({ description: 'By default json. csv contains all matching entries.' }),
  });
}

/** Audit log of the caller's team, for its admins. */
function createAuditLog(
  { database }: { database: Database },
  auditLogQuery: ReturnType<typeof queryOf>,
) {
  return {
    /** Returns a page of entries, or with `format=csv` a Download of all matching entries. */
    async listAuditLog({ caller, query, address }: Call) {
      const wanted = readQuery(auditLogQuery, query);
      const filter: AuditFilter = {
        action: wanted.action ?? null,
        targetType: wanted.target_type ?? null,
        targetId: wanted.target_id ?? null,
        personId: wanted.user_id ?? null,
        search: wanted.search ?? null,
        from: wanted.start_date ?? null,
        before: wanted.end_date ?? null,
      };
      const paging = pagingOf(wanted, 'created_at');
      if (wanted.format === 'csv') {
        const page = { direction: paging.direction, limit: BATCH_SIZE };
        const pages = await batchesOf<AuditRow>(BATCH_SIZE, (last) =>
          auditEntriesAfter(database, caller.team.id, filter, last, page),
        );
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

const fields = (description: string) =>
  z.record(z.string(), z.unknown()).nullable().meta({ description });

const CREATED = {
  id: 1,
  action: 'group.created',
  actor: { id: 1, name: 'Alice <alice@example.com>' },
  via: 'token',
  token_name: 'deployment',
  ip_address: '192.0.2.7',
  target: { type: 'group', id: 1, name: 'Production' },
  before: null,
  after: { name: 'Production', sort_order: 10 },
  created_at: '2030-01-01T00:00:00.000Z',
} as const;

const CSV = `id,created_at,action,actor_id,actor,via,token_name,ip_address,target_type,target_id,target_name,before,after\r
1,2030-01-01T00:00:00.000Z,group.created,1,Alice <alice@example.com>,token,deployment,192.0.2.7,group,1,Production,,"{""name"":""Production"",""sort_order"":10}"\r
`;

/** Verbs by the kind of thing. */
type Audited = Readonly<Record<string, readonly string[]>>;

/** Such as `monitor.paused`. */
export const actionsOf = (audited: Audited) =>
  Object.entries(audited).flatMap(([kind, verbs]) => verbs.map((verb) => `${kind}.${verb}`));

const entryOf = (audited: Audited) =>
  z
    .object({
      id: z.int(),
      action: z.enum(actionsOf(audited)).meta({
        description: 'Target and verb, such as `monitor.updated`.',
      }),
      actor: z.object({
        id: z.int().nullable().meta({
          description:
            'Id of a user; null for the operator, and for a link in a message to a channel of the team.',
        }),
        name: z.string().meta({
          description:
            'Name and e-mail address at that time; for such a link, the name of the channel.',
        }),
      }),
      via: z.enum(AUDIT_VIAS).meta({
        description:
          'An API token, the dashboard, an assistant, the command line of the server, or a link in a message.',
      }),
      token_name: textOrNull.meta({
        description: 'Name of the API token, or of the connected application.',
      }),
      ip_address: textOrNull.meta({ description: 'Address of the client.' }),
      target: z.object({
        type: z.enum(Object.keys(audited)),
        id: z.int().nullable(),
        name: z
          .string()
          .nullable()
          .meta({ description: 'Name at that time; incidents have the name of their monitor.' }),
      }),
      before: fields('Changed fields before the change; null for something new.'),
      after: fields('The same fields after the change; null for something deleted.'),
      created_at: time,
    })
    .meta({ id: 'AuditEntry', description: 'Recorded change.' });

/** @param audited what others record. */
export function auditLogOf(audited: Audited) {
  const query = queryOf(Object.keys(audited) as [string, ...string[]]);
  const create = (deps: Parameters<typeof createAuditLog>[0]) => createAuditLog(deps, query);
  return noun({ 'Audit log': 'Who changed what.' }, create, {
    listAuditLog: {
      at: 'GET /audit-log',
      role: 'admin',
      summary: 'List audit log entries',
      description:
        'For admins and the owner of the team. Secrets are shown as eight bullets. With `format=csv` the response is a file with all matching entries, without paging; cells that a spreadsheet would read as a formula begin with an apostrophe.',
      query,
      answer: pageSchema(entryOf(audited), 'AuditLogPage'),
      files: [{ type: 'text/csv', example: CSV }],
      example: { query: 'target_type=group', answer: pageExample('/audit-log', [CREATED]) },
    },
  });
}
