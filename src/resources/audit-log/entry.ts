import type { Kysely } from 'kysely';
import type { Principal } from '../../identity/caller.ts';
import { SECRET_FIELDS } from '../../monitor-types/settings.ts';
import { insertAuditEntry } from '../../store/resources/audit.ts';
import type { Schema } from '../../store/database/schema.ts';
import { MASK } from '../../lib/secret-box.ts';
import { AUDITED_WEBHOOK_SECRETS } from '../webhooks/fields.ts';

/** Everything that the audit log tells of. */
export const AUDIT_TARGETS = [
  'monitor',
  'group',
  'incident',
  'team',
  'member',
  'invitation',
  'token',
  'session',
  'person',
  'webhook_endpoint',
  'maintenance_window',
  'alert_channel',
  'notification_channel',
  'alert_route',
] as const;

export interface AuditChange {
  /** What was done: `created`, `updated`, `deleted`, or a verb of the target's own such as `paused`. */
  verb: string;
  target: { type: (typeof AUDIT_TARGETS)[number]; id: number | null; name: string | null };
  /** The team that it concerns; the caller's unless told otherwise. */
  teamId?: number | null;
  /** As the API shows it; left out where there was or is nothing. */
  before?: object;
  after?: object;
}

/** Fields whose values are never kept, and those that only tell when. */
const SECRETS = new Set<string>([
  ...SECRET_FIELDS,
  'ping_url',
  'token',
  'password',
  'secret',
  ...AUDITED_WEBHOOK_SECRETS,
]);
const NOISE = new Set(['updated_at', 'created_at']);

/** Whose deed it is, as the log keeps it. */
export interface AuditActor {
  /** Null where nobody knows which person it was. */
  personId: number | null;
  /** Name and e-mail; else words for who it may have been. */
  actor: string;
  via: Principal['credential']['kind'];
  /** Of the token. */
  credentialName: string | null;
  address: string | null;
}

/**
 * Notes a change in its own transaction, so that neither is there without the other. An update that changed nothing is
 * none.
 */
export async function audit(
  tx: Kysely<Schema>,
  principal: Principal,
  change: AuditChange,
  now: number,
): Promise<void> {
  const { person, credential, address, team } = principal;
  const actor: AuditActor = {
    personId: person.id,
    actor: `${person.name} <${person.email}>`,
    via: credential.kind,
    credentialName: credential.kind === 'token' ? credential.name : null,
    address,
  };
  await auditBy(tx, actor, { teamId: team?.id ?? null, ...change }, now);
}

/** The same for a deed of somebody who did not show who they are. */
export async function auditBy(
  tx: Kysely<Schema>,
  { personId, actor, via, credentialName, address }: AuditActor,
  change: AuditChange & { teamId: number | null },
  now: number,
): Promise<void> {
  const { target, verb, teamId } = change;
  const { before, after } = differenceOf(change.before, change.after);
  if (verb === 'updated' && isEmpty(before) && isEmpty(after)) return;
  await insertAuditEntry(tx, {
    team_id: teamId,
    person_id: personId,
    actor,
    via,
    credential_name: credentialName,
    ip_address: address,
    action: `${target.type}.${verb}`,
    target_type: target.type,
    target_id: target.id,
    target_name: target.name,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    created_at: now,
  });
}

/**
 * The fields that differ; of something new all that are set, of something gone all that were. A secret that is set shows
 * as eight bullets, so that one that was replaced has them on both sides.
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
  // A secret that no key opens any more is there all the same.
  if (others === undefined) return value !== null && (value !== undefined || SECRETS.has(name));
  return JSON.stringify((others as Record<string, unknown>)[name]) !== JSON.stringify(value);
}

function isEmpty(fields: object | null): boolean {
  return fields !== null && Object.keys(fields).length === 0;
}
