import { sql } from 'kysely';
import { DEFAULT_BRAND } from '../src/status-page/facts/model.ts';
import { inDatabase, numbers } from './preload.ts';

const SETTINGS = JSON.stringify({
  show_uptime_percentage: true,
  show_response_time: true,
  show_incident_history: true,
  custom_css: null,
});

/** Slug of the page with that number, from 1. */
export const slugOf = (page: number) => `page-${page}`;

/** Adds public pages 1 to `count`, each with 20 of the first `monitors` monitors, which all were up since 90 days. */
export async function preloadPages(
  dataDir: string,
  { count, monitors, services }: { count: number; monitors: number; services: number },
): Promise<void> {
  const now = Date.now();
  const since = now - 90 * 86_400_000;
  await inDatabase(dataDir, (database) =>
    database.transaction(async (tx) => {
      await sql`insert into status_page (id, team_id, name, slug, settings, language, timezone, show_automatic,
          access_type, access_addresses, brand, draft, created_at, updated_at)
        ${numbers(count)} select n, 1, 'Page ' || n, 'page-' || n, ${SETTINGS}, 'en', 'Europe/Berlin',
          '{"after_minutes":0}', 'public', '[]', ${JSON.stringify(DEFAULT_BRAND)}, 0, ${now}, ${now} from number`.execute(
        tx,
      );
      await sql`insert into status_page_service (page_id, monitor_id, position, display)
        ${numbers(count * services)} select 1 + (n - 1) / ${sql.lit(services)}, 1 + (n - 1) % ${sql.lit(monitors)}, n, 'bar'
        from number where true on conflict do nothing`.execute(tx);
      await sql`update monitor set created_at = ${since} where id <= ${monitors}`.execute(tx);
      await sql`insert into status_span (team_id, monitor_id, status, from_at)
        ${numbers(monitors)} select 1, n, 'online', ${since} from number`.execute(tx);
      await sql`update monitor_state set status = 'online', observed_until = ${now + 60_000}
        where monitor_id <= ${monitors}`.execute(tx);
    }),
  );
}
