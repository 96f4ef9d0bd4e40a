import type { Insertable, Selectable, Updateable } from 'kysely';
import { idList } from '../database/dialect.ts';
import { insertRow, updateRow, deleteRows, insertRows } from '../database/rows.ts';
import type { Db, Schema, Tx } from '../database/contract.ts';

interface AnnouncementLinks {
  monitors: readonly number[];
  incidents: readonly number[];
  pages: readonly number[];
}

/** An announcement with the monitors, incidents and pages that it concerns, each in ascending order. */
export type AnnouncementRow = Selectable<Schema['announcement']> & {
  [Name in keyof AnnouncementLinks]: number[];
};

export async function withLinks<Row extends { id: number }>(db: Db, rows: readonly Row[]) {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  /** Kysely's types can't follow a union of tables: the three have columns of the same kinds. */
  const linksOf = async (table: string, column: string) => {
    const links = await db
      .selectFrom(table as 'announcement_service')
      .select(['announcement_id', `${column} as linked` as 'monitor_id as linked'])
      .where('announcement_id', 'in', idList(db, ids))
      .orderBy(column as 'monitor_id')
      .execute();
    const found = Map.groupBy(links, (link) => link.announcement_id);
    return (id: number) => (found.get(id) ?? []).map(({ linked }) => linked);
  };
  const monitorsOf = await linksOf('announcement_service', 'monitor_id');
  const incidentsOf = await linksOf('announcement_incident', 'incident_id');
  const pagesOf = await linksOf('announcement_page', 'page_id');
  return rows.map((row) => ({
    ...row,
    monitors: monitorsOf(row.id),
    incidents: incidentsOf(row.id),
    pages: pagesOf(row.id),
  }));
}

/** Changes of announcements and their updates. */
export function announcementChanges(tx: Tx) {
  return {
    async insert(
      columns: Omit<Insertable<Schema['announcement']>, 'id' | 'created_at' | 'updated_at'>,
      links: AnnouncementLinks,
      now: number,
    ) {
      const id = await insertRow(tx, 'announcement', {
        ...columns,
        created_at: now,
        updated_at: now,
      });
      await this.link(id, links, now);
      return id;
    },

    /** Links an announcement to more pages, monitors and incidents; present links stay. */
    async link(
      id: number,
      { monitors = [], incidents = [], pages = [] }: Partial<AnnouncementLinks>,
      now: number,
    ) {
      const services = monitors.map((monitor_id) => ({ announcement_id: id, monitor_id }));
      await insertRows(tx, 'announcement_service', services, 'skip');
      const about = incidents.map((incident_id) => ({ incident_id, announcement_id: id }));
      await insertRows(tx, 'announcement_incident', about, 'skip');
      // Pages last: a change of a page is noted when the rest is there.
      const shown = pages.map((page_id) => ({ announcement_id: id, page_id, shown_at: now }));
      await insertRows(tx, 'announcement_page', shown, 'skip');
    },

    /** Takes an announcement off these pages, and these monitors off the announcement. */
    async unlink(
      id: number,
      { monitors = [], pages = [] }: Partial<Omit<AnnouncementLinks, 'incidents'>>,
    ) {
      const its = { announcement_id: id };
      if (monitors.length > 0)
        await deleteRows(tx, 'announcement_service', { ...its, monitor_id: ['in', monitors] });
      if (pages.length > 0)
        await deleteRows(tx, 'announcement_page', { ...its, page_id: ['in', pages] });
    },

    async update(
      id: number,
      columns: Omit<Updateable<Schema['announcement']>, 'id' | 'team_id' | 'updated_at'>,
      now: number,
    ) {
      await updateRow(tx, 'announcement', id, { ...columns, updated_at: now });
    },

    /** Removes an announcement without a trace: its incidents and its occurrence of a window may be announced again. */
    async remove(id: number) {
      // Rows of pages go first, so that the pages are noted as changed on both engines.
      await tx.deleteFrom('announcement_page').where('announcement_id', '=', id).execute();
      await tx.deleteFrom('announcement').where('id', '=', id).execute();
    },

    insertUpdate({ announcementId, state, body, pages, personId }: NewUpdate, now: number) {
      return insertRow(tx, 'announcement_update', {
        announcement_id: announcementId,
        state,
        body,
        status_pages: JSON.stringify(pages),
        person_id: personId,
        shown_at: now,
        edited_at: null,
        deleted_at: null,
        created_at: now,
      });
    },

    async setPagesOfUpdate(id: number, pages: readonly number[]) {
      await updateRow(tx, 'announcement_update', id, { status_pages: JSON.stringify(pages) });
    },
  };
}

/** An update; `pages` shows it. */
export type UpdateRow = Omit<Selectable<Schema['announcement_update']>, 'status_pages'> & {
  pages: number[];
};

/** The updates of announcements that were not deleted, oldest first. */
export async function listUpdates(db: Db, announcementIds: readonly number[]) {
  if (announcementIds.length === 0) return [];
  const rows = await db
    .selectFrom('announcement_update')
    .selectAll()
    .where('announcement_id', 'in', idList(db, announcementIds))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(withPages);
}

/** Text and person are null for an automatic update. */
type NewUpdate = Pick<UpdateRow, 'state' | 'body'> & {
  announcementId: number;
  pages: readonly number[];
  personId: number | null;
};

/** `pages` are those that show it. */
export function withPages<Row extends { status_pages: string }>({ status_pages, ...row }: Row) {
  return { ...row, pages: JSON.parse(status_pages) as number[] };
}
