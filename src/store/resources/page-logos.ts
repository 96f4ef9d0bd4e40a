import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** Logo of a page of any team; undefined without one. */
export async function readLogo(
  db: Kysely<Schema>,
  pageId: number,
): Promise<{ type: string; bytes: Uint8Array; hash: string } | undefined> {
  const row = await db
    .selectFrom('status_page')
    .select(['logo', 'logo_type', 'logo_hash'])
    .where('id', '=', pageId)
    .executeTakeFirst();
  if (row?.logo == null || row.logo_type === null || row.logo_hash === null) return undefined;
  return { type: row.logo_type, bytes: row.logo, hash: row.logo_hash };
}
