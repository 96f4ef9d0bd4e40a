import { MASK } from '../lib/secret-box.ts';
import { arrangementOf } from '../resources/status-pages/arrangement.ts';
import { viewStatusPage } from '../resources/status-pages/view.ts';
import type { Database } from '../store/database/contract.ts';
import { readLogo } from '../store/resources/page-facts.ts';
import { readArrangements } from '../store/resources/page-services.ts';
import { statusPagesOfTeam, type StatusPageRow } from '../store/resources/status-pages.ts';
import type { ViewDeps } from '../resources/monitors/view.ts';

/** Status pages of a team with their services and logos, passwords masked. */
export async function* statusPages(
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
