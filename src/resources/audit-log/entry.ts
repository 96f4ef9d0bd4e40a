import type { Kysely } from 'kysely';
import type { Principal } from '../../identity/caller.ts';
import { SECRET_FIELDS } from '../../monitor-types/settings.ts';
import { personActor, type AuditActor, type AuditEntry } from '../../model/audit.ts';
import { insertAuditEntry } from '../../store/resources/audit.ts';
import type { Schema } from '../../store/database/schema.ts';
import { MASK } from '../../lib/secret-box.ts';
import { AUDITED_WEBHOOK_SECRETS } from '../webhooks/fields.ts';

/** Change of something, with its fields as the API shows them; secrets are masked when it is recorded. */
export type AuditChange = Pick<AuditEntry, 'verb' | 'target'> & {
  /** By default the team of the caller. */
  teamId?: number | null;
  /** Left out for something new. */
  before?: object;
  /** Left out for something deleted. */
  after?: object;
};

/** Fields whose values are masked. */
const SECRETS = new Set<string>([
  ...SECRET_FIELDS,
  'ping_url',
  'token',
  'password',
  'secret',
  ...AUDITED_WEBHOOK_SECRETS,
]);
/** Fields that are left out. */
const NOISE = new Set(['updated_at', 'created_at']);

/** Records a change by a caller, in the transaction of the change. */
export async function audit(
  tx: Kysely<Schema>,
  { person, credential, address, team }: Principal,
  change: AuditChange,
  now: number,
): Promise<void> {
  const { kind, name } = credential;
  const credentialName = kind === 'token' ? name : null;
  const actor = { ...personActor(person, kind, address), credentialName };
  await auditAs(tx, actor, { teamId: team?.id ?? null, ...change }, now);
}

/** Records a change by an actor other than a caller. An update that changes nothing is not recorded. */
export async function auditAs(
  tx: Kysely<Schema>,
  actor: AuditActor,
  change: AuditChange & { teamId: number | null },
  now: number,
): Promise<void> {
  const { before, after } = differenceOf(change.before, change.after);
  if (change.verb === 'updated' && isEmpty(before) && isEmpty(after)) return;
  await insertAuditEntry(tx, { ...change, actor, before, after }, now);
}

/**
 * Fields that differ; for something new or deleted, all fields that have a value. A secret that is set becomes eight
 * bullets, on both sides if it was replaced.
 */
export function differenceOf(
  before: object | undefined,
  after: object | undefined,
): { before: Record<string, unknown> | null; after: Record<string, unknown> | null } {
  return {
    before: before === undefined ? null : keep(before, after),
    after: after === undefined ? null : keep(after, before),
  };
}

function keep(fields: object, others: object | undefined): Record<string, unknown> {
  const kept = Object.entries(fields)
    .filter(([name, value]) => !NOISE.has(name) && differs(others, name, value))
    .map(([name, value]) => [name, SECRETS.has(name) && value !== null ? MASK : value]);
  return Object.fromEntries(kept);
}

function differs(others: object | undefined, name: string, value: unknown): boolean {
  // Undefined is a stored secret that no key can decrypt.
  if (others === undefined) return value !== null && (value !== undefined || SECRETS.has(name));
  return JSON.stringify((others as Record<string, unknown>)[name]) !== JSON.stringify(value);
}

function isEmpty(fields: object | null): boolean {
  return fields !== null && Object.keys(fields).length === 0;
}
