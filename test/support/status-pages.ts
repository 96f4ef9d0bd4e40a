import type { Insertable } from 'kysely';
import { DEFAULT_BRAND } from '../../src/status-page/facts/model.ts';
import type { Database, Schema } from '../../src/store/database/contract.ts';
import { insertRow } from '../../src/store/database/rows.ts';

/** The columns of a public page in English. */
export const PAGE_COLUMNS: Omit<Insertable<Schema['status_page']>, 'team_id' | 'slug'> = {
  name: 'Harbour',
  settings: JSON.stringify({
    show_uptime_percentage: true,
    show_response_time: false,
    show_incident_history: true,
    custom_css: null,
  }),
  brand: JSON.stringify(DEFAULT_BRAND),
  draft: 0,
  language: 'en',
  timezone: 'UTC',
  show_automatic: '{"after_minutes":0}',
  access_type: 'public',
  access_addresses: '[]',
  created_at: 0,
  updated_at: 0,
};

/** Stores a page without services. @returns its id. */
export function insertPage(
  database: Database,
  columns: Partial<Insertable<Schema['status_page']>> & { team_id: number; slug: string },
): Promise<number> {
  return database.transaction((tx) =>
    insertRow(tx, 'status_page', { ...PAGE_COLUMNS, ...columns }),
  );
}

/** Puts monitors on a page in this order. */
export async function insertServices(
  database: Database,
  pageId: number,
  services: readonly {
    id: number;
    label?: string;
    display?: string;
    groupId?: number;
  }[],
): Promise<void> {
  await database.transaction((tx) =>
    tx
      .insertInto('status_page_service')
      .values(
        services.map(({ id, label, display, groupId }, position) => ({
          page_id: pageId,
          monitor_id: id,
          position,
          group_id: groupId ?? null,
          label: label ?? null,
          display: display ?? 'bar',
        })),
      )
      .execute(),
  );
}

/** Stores an announcement that pages show. @returns its id. */
export async function insertAnnouncement(
  database: Database,
  columns: Partial<Insertable<Schema['announcement']>> & { team_id: number; started_at: number },
  { pages, monitors = [] }: { pages: readonly number[]; monitors?: readonly number[] },
): Promise<number> {
  return database.transaction(async (tx) => {
    const id = await insertRow(tx, 'announcement', {
      kind: 'incident',
      origin: 'person',
      impact: 'major',
      state: 'investigating',
      created_at: columns.started_at,
      updated_at: columns.started_at,
      ...columns,
    });
    for (const page of pages)
      await tx
        .insertInto('announcement_page')
        .values({ announcement_id: id, page_id: page, shown_at: columns.started_at })
        .execute();
    for (const monitor of monitors)
      await tx
        .insertInto('announcement_service')
        .values({ announcement_id: id, monitor_id: monitor })
        .execute();
    return id;
  });
}

/** Stores an update. @returns its id. */
export function insertUpdate(
  database: Database,
  announcementId: number,
  update: { pages: readonly number[]; at: number; state?: string; body?: string },
): Promise<number> {
  return database.transaction((tx) =>
    insertRow(tx, 'announcement_update', {
      announcement_id: announcementId,
      state: update.state ?? 'investigating',
      body: update.body ?? null,
      status_pages: JSON.stringify(update.pages),
      shown_at: update.at,
      created_at: update.at,
    }),
  );
}
