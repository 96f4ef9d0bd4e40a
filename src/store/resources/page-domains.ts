import type { Kysely, Transaction, Updateable } from 'kysely';
import { updateRow } from '../database/rows.ts';
import type { StatusPageTable } from '../database/schema-pages.ts';
import type { Schema } from '../database/schema.ts';

/** Pages whose domain is due for verification, the longest due first. */
export function dueDomains(
  db: Kysely<Schema>,
  now: number,
  limit: number,
): Promise<{ id: number; team_id: number; custom_domain: string | null }[]> {
  return db
    .selectFrom('status_page')
    .select(['id', 'team_id', 'custom_domain'])
    .where('domain_next_at', '<=', now)
    .orderBy('domain_next_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Domains that are verified now, of all teams. */
export async function verifiedDomains(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db
    .selectFrom('status_page')
    .select('custom_domain')
    .where('custom_domain', 'is not', null)
    .where('domain_verified_at', 'is not', null)
    .execute();
  return rows.map(({ custom_domain: domain }) => domain!);
}

/** The page that has verified a domain, of any team. */
export function holderOfDomain(
  db: Kysely<Schema>,
  domain: string,
): Promise<{ id: number; domain_token: string | null } | undefined> {
  return db
    .selectFrom('status_page')
    .select(['id', 'domain_token'])
    .where('custom_domain', '=', domain)
    .where('domain_verified_at', 'is not', null)
    .executeTakeFirst();
}

export type DomainColumns = Pick<
  Updateable<StatusPageTable>,
  | 'domain_verified_at'
  | 'domain_checked_at'
  | 'domain_error'
  | 'domain_failing_since'
  | 'domain_next_at'
>;

/** Records a verification. It is no edit: `updated_at` stays. */
export function setDomainState(
  tx: Transaction<Schema>,
  pageId: number,
  columns: DomainColumns,
): Promise<void> {
  return updateRow(tx, 'status_page', pageId, columns);
}
