import type { Db, Row, Tx } from '../database/contract.ts';
import { insertRow, insertRows } from '../database/rows.ts';
import { teamRows, type SelectRows } from '../database/team-rows.ts';

export type StatusPageRow = Row<'status_page'>;

export const selectStatusPages = ((db: Db) =>
  db.selectFrom('status_page').selectAll()) as unknown as SelectRows<StatusPageRow>;

export const statusPageRows = teamRows<'status_page', StatusPageRow>('status_page', {
  select: selectStatusPages,
});

/** Services of pages as they were sent, and groups in their order. Deleted monitors are left out. */
export async function readArrangements(db: Db, pageIds: readonly number[]) {
  if (pageIds.length === 0) return { services: [], groups: [] };
  const services = await db
    .selectFrom('status_page_service as service')
    .innerJoin('monitor', 'monitor.id', 'service.monitor_id')
    .leftJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .leftJoin('status_page_group', 'status_page_group.id', 'service.group_id')
    .select((select) => [
      'service.page_id',
      'service.monitor_id',
      'service.position',
      'service.label',
      'service.display',
      'service.show_automatic',
      'status_page_group.position as group_position',
      'monitor.url as monitor_url',
      'monitor.ping_token as monitor_ping_token',
      'monitor.friendly_name as monitor_friendly_name',
      select.fn.coalesce('monitor_state.status', select.val('pending')).as('monitor_status'),
    ])
    .where('service.page_id', 'in', [...pageIds])
    .where('monitor.deleted_at', 'is', null)
    .orderBy('service.page_id')
    .orderBy('service.list_position')
    .execute();
  const groups = await db
    .selectFrom('status_page_group')
    .select(['id', 'page_id', 'position', 'name'])
    .where('page_id', 'in', [...pageIds])
    .orderBy('page_id')
    .orderBy('position')
    .execute();
  return { services, groups };
}

/** A monitor on a page, with what is shown of it to the team. */
export type PageServiceRow = Awaited<ReturnType<typeof readArrangements>>['services'][number];
export type PageGroupRow = Awaited<ReturnType<typeof readArrangements>>['groups'][number];

/** A service as it is stored. */
interface PlacedService {
  monitor_id: number;
  label: string | null;
  display: string;
  show_automatic: string | null;
  group: number | null;
  position: number;
}

export async function replaceArrangement(
  tx: Tx,
  pageId: number,
  { services, groups }: { services: readonly PlacedService[]; groups: readonly string[] },
): Promise<void> {
  await tx.deleteFrom('status_page_service').where('page_id', '=', pageId).execute();
  await tx.deleteFrom('status_page_group').where('page_id', '=', pageId).execute();
  const groupIds: number[] = [];
  for (const [position, name] of groups.entries()) {
    groupIds.push(await insertRow(tx, 'status_page_group', { page_id: pageId, position, name }));
  }
  const rows = services.map(({ group, ...service }, index) => ({
    ...service,
    page_id: pageId,
    list_position: index,
    group_id: group === null ? null : groupIds[group]!,
  }));
  await insertRows(tx, 'status_page_service', rows);
}
