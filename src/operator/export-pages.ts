import { MASK, type SecretBox } from '../lib/secret-box.ts';
import { viewWithUpdates } from '../resources/announcements/view.ts';
import { arrangementOf } from '../resources/status-pages/arrangement.ts';
import { viewStatusPage } from '../resources/status-pages/view.ts';
import { viewSubscription } from '../resources/subscribers/view.ts';
import { updateTemplates } from '../resources/update-templates.ts';
import type { Database } from '../store/database/contract.ts';
import { listUpdates } from '../store/resources/announcement-updates.ts';
import { listAnnouncements } from '../store/resources/announcements.ts';
import { openAddress, subscribersAfter } from '../store/resources/subscribers.ts';
import { readLogo } from '../store/resources/page-facts.ts';
import { readArrangements } from '../store/resources/page-services.ts';
import { statusPagesOfTeam, type StatusPageRow } from '../store/resources/status-pages.ts';
import type { ViewDeps } from '../resources/monitors/view.ts';

const PAGE = 500;
const ANY = { kind: null, isOpen: null, pageId: null };

/** What visitors see of a team, and those who subscribed to it, by the name in the document. */
export function pageParts(
  database: Pick<Database, 'scan'>,
  teamId: number,
  deps: ViewDeps & { openBox: SecretBox },
): [string, AsyncIterable<object>][] {
  return [
    ['status_pages', statusPages(database, teamId, deps)],
    ['announcements', announcements(database, teamId)],
    ['update_templates', updateTemplates.exported(database.scan, teamId)],
    ['subscribers', subscribers(database, teamId, deps.openBox)],
  ];
}

async function* announcements(
  { scan }: Pick<Database, 'scan'>,
  teamId: number,
): AsyncGenerator<object> {
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = await listAnnouncements(scan, teamId, ANY, { limit: PAGE, offset });
    const updates = Map.groupBy(
      await listUpdates(
        scan,
        rows.map(({ id }) => id),
      ),
      (update) => update.announcement_id,
    );
    yield* rows.map((row) => viewWithUpdates(row, updates.get(row.id) ?? []));
    if (rows.length < PAGE) return;
  }
}

/** Addresses of mail are shown; those of webhooks and Slack are secrets. */
async function* subscribers(
  { scan }: Pick<Database, 'scan'>,
  teamId: number,
  openBox: SecretBox,
): AsyncGenerator<object> {
  for (const { id: pageId } of await statusPagesOfTeam(scan, teamId)) {
    for (let after = 0; ;) {
      const rows = await subscribersAfter(scan, pageId, { after, limit: PAGE });
      for (const row of rows) {
        const address = row.kind === 'email' ? openAddress(row, openBox) : null;
        yield {
          status_page_id: pageId,
          ...viewSubscription(row),
          address: address ?? MASK,
        };
      }
      if (rows.length < PAGE) break;
      after = rows.at(-1)!.id;
    }
  }
}

/** Status pages of a team with their services and logos, passwords masked. */
async function* statusPages(
  { scan }: Pick<Database, 'scan'>,
  teamId: number,
  deps: ViewDeps,
): AsyncGenerator<object> {
  for (const row of await statusPagesOfTeam(scan, teamId)) {
    const shown = arrangementOf(row.id, await readArrangements(scan, [row.id]));
    const view = viewStatusPage(row, shown, deps);
    yield {
      ...view,
      access: { ...view.access, ...(row.access_password !== null && { password: MASK }) },
      services: view.services.map(({ monitor_id, label, display, show_automatic }) => ({
        monitor_id,
        label,
        display,
        show_automatic,
      })),
      logo: await logoOf({ scan }, row),
    };
  }
}

/** Data URL; null without a logo. */
async function logoOf(
  { scan }: Pick<Database, 'scan'>,
  row: StatusPageRow,
): Promise<string | null> {
  const logo = await readLogo(scan, row.id);
  if (logo === null) return null;
  return `data:${logo.type};base64,${Buffer.from(logo.bytes).toString('base64')}`;
}
