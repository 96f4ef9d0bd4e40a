import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { isUniqueViolation } from '../../store/database/errors.ts';
import type { Schema } from '../../store/database/schema.ts';
import { readArrangements } from '../../store/resources/page-services.ts';
import { slugOf } from '../../store/resources/slug.ts';
import {
  freePageSlug,
  insertStatusPage,
  type StatusPageRow,
} from '../../store/resources/status-pages.ts';
import { invalidField } from '../common/errors.ts';
import { columnsOf } from '../common/fields.ts';
import { accessOf } from './access.ts';
import { arrangementOf } from './arrangement.ts';
import { PAGE_FIELDS, type PageFields } from './fields.ts';
import { SLUG_TAKEN, type StoredPage } from './input.ts';
import { pageFieldsOf } from './view.ts';

/** A page as it is stored. */
export async function readStored(tx: Transaction<Schema>, row: StatusPageRow): Promise<StoredPage> {
  const { rows: _rows, ...arrangement } = arrangementOf(
    row.id,
    await readArrangements(tx, [row.id]),
  );
  return {
    id: row.id,
    page: { fields: pageFieldsOf(row), access: accessOf(row), arrangement },
  };
}

type PageColumns = Pick<
  StatusPageRow,
  | 'name'
  | 'slug'
  | 'description'
  | 'custom_domain'
  | 'settings'
  | 'language'
  | 'timezone'
  | 'show_automatic'
>;

/** The columns of its fields. */
export const columnsOfPage = (fields: PageFields): PageColumns => columnsOf(PAGE_FIELDS, fields);

/** Columns of a domain that has just been set, due for verification at once. */
export function domainColumns(domain: string | null, now: number) {
  return {
    domain_token: domain === null ? null : randomBytes(16).toString('hex'),
    domain_verified_at: null,
    domain_checked_at: null,
    domain_error: null,
    domain_failing_since: domain === null ? null : now,
    domain_next_at: domain === null ? null : now,
  };
}

/** Inserts a page under its slug, or under a free one that is made of its name. */
export async function insertWithSlug(
  tx: Transaction<Schema>,
  teamId: number,
  columns: PageColumns & Parameters<typeof insertStatusPage>[2],
  now: number,
): Promise<number> {
  const isChosen = columns.slug !== '';
  for (;;) {
    const slug = isChosen ? columns.slug : await freePageSlug(tx, slugOfPage(columns.name));
    const id = await insertStatusPage(tx, teamId, { ...columns, slug }, now);
    if (id !== null) return id;
    if (isChosen) throw invalidField('slug', SLUG_TAKEN);
  }
}

/** A slug with room for a number. */
const slugOfPage = (name: string) => slugOf(name, 'status').slice(0, 56).replace(/-$/, '');

/** Another transaction may take a slug after it was found to be free. */
export function explainTakenSlug(error: unknown): never {
  throw isUniqueViolation(error) ? invalidField('slug', SLUG_TAKEN) : error;
}
