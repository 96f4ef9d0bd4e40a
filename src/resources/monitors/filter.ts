import type { z } from 'zod';
import type { Db } from '../../store/database/contract.ts';
import { groupWithSubgroups } from '../../store/resources/groups.ts';
import { Findings } from '../common/input.ts';
import type { PAGE_QUERY } from '../common/page.ts';
import type { monitorListQuery } from './input.ts';
import { UNKNOWN_GROUP } from './rules.ts';

/** Filters as clients name them; absent ones match every monitor. */
type WantedFilter = Partial<
  Omit<z.output<ReturnType<typeof monitorListQuery>>, keyof typeof PAGE_QUERY | 'sort'>
>;

/**
 * The filter of a client as the store takes it. Throws InvalidInput for an unknown group.
 *
 * @param prefix comes before the names of fields in errors, such as `filter.`.
 */
export async function filterOf(db: Db, teamId: number, wanted: WantedFilter, prefix = '') {
  const { group_id: groupId, tag } = wanted;
  const groupIds = groupId === undefined ? null : await groupWithSubgroups(db, teamId, groupId);
  if (groupIds?.length === 0) {
    const findings = new Findings();
    findings.add(`${prefix}group_id`, UNKNOWN_GROUP);
    throw findings.asError();
  }
  return {
    search: wanted.search ?? null,
    q: wanted.q ?? null,
    status: wanted.status ?? null,
    type: wanted.type ?? null,
    interval: wanted.interval ?? null,
    tags: tag === undefined || tag.length === 0 ? null : tag,
    groupIds,
    region: wanted.region ?? null,
  };
}
