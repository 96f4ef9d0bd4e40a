import { noun } from '../common/operation.ts';
import { createAuditLogService } from './service.ts';
import { z } from 'zod';
import { auditLogQuery } from './service.ts';
import { AUDIT_ACTIONS, AUDIT_TARGETS, AUDIT_VIAS } from '../../model/audit.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { pageExample, pageOf } from '../common/page-reference.ts';

const fields = (description: string) =>
  z.record(z.string(), z.unknown()).nullable().meta({ description });

const entry = z
  .object({
    id: z.int(),
    action: z.enum(AUDIT_ACTIONS).meta({
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
      type: z.enum(AUDIT_TARGETS),
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

export const auditLog = noun('Audit log', createAuditLogService, {
  listAuditLog: {
    at: 'GET /audit-log',
    role: 'admin',
    summary: 'List audit log entries',
    description:
      'For admins and the owner of the team. Secrets are shown as eight bullets. With `format=csv` the response is a file with all matching entries, without paging; cells that a spreadsheet would read as a formula begin with an apostrophe.',
    query: auditLogQuery,
    answer: pageOf(entry, 'AuditLogPage'),
    files: [{ type: 'text/csv', example: CSV }],
    example: { query: 'target_type=group', answer: pageExample('/audit-log', [CREATED]) },
  },
});
