import type { Selectable } from 'kysely';
import { MASK, type SecretBox } from '../lib/secret-box.ts';
import { PAGE_IMAGES, type PageImageName } from '../model/page-images.ts';
import { exportedAnnouncements } from '../resources/announcements/announcement.ts';
import { alertChannels } from '../resources/channels/alert-channels.ts';
import { PERSONAL_CHANNEL_FIELDS, TEAM_CHANNEL_FIELDS } from '../resources/channels/fields.ts';
import { exportedSettings } from '../resources/channels/settings.ts';
import { maskSecrets, settingsOf, viewSettings, type Fields } from '../resources/common/fields.ts';
import { isoTime } from '../resources/common/time.ts';
import { exportedCorrections } from '../resources/corrections.ts';
import type { ViewDeps } from '../resources/monitors/view.ts';
import { COLLECTIONS } from '../resources/nouns.ts';
import { exportedSlos } from '../resources/slo.ts';
import { statusPages } from '../resources/status-pages/status-pages.ts';
import { viewSubscription } from '../resources/subscribers/subscribers.ts';
import type { Database, Schema } from '../store/database/contract.ts';
import { personChannels } from '../store/resources/alert-channels.ts';
import { readPageImage } from '../store/resources/page-facts.ts';
import { statusPageRows } from '../store/resources/status-pages.ts';
import { openAddress, subscriberRows } from '../store/resources/subscribers.ts';

const PAGE = 500;

/** What a team has set, by its name in the document; secrets are masked. */
export function settingParts(
  database: Pick<Database, 'scan'>,
  teamId: number,
  deps: ViewDeps & { openBox: SecretBox; now: number },
): [string, AsyncIterable<object>][] {
  const { scan } = database;
  const { openBox, now } = deps;
  const at = { db: scan, teamId, now };
  const own: Record<string, AsyncIterable<object>> = {
    alert_channels: rowsOf(
      () => alertChannels.rows.list(scan, teamId, ['created_at']),
      (row) => ({ id: row.id, ...viewChannel(TEAM_CHANNEL_FIELDS, row, openBox) }),
    ),
    status_pages: exportedPages(at, deps),
  };
  return [
    ...COLLECTIONS.map(({ kinds, exported }): [string, AsyncIterable<object>] => [
      kinds,
      own[kinds] ?? exported(at),
    ]),
    ['announcements', exportedAnnouncements(at)],
    ['subscribers', subscribers(database, teamId, openBox)],
    ['slos', exportedSlos(at)],
    ['corrections', exportedCorrections(at)],
  ];
}

/** Addresses of mail are shown; those of webhooks and Slack are secrets. */
async function* subscribers(
  { scan }: Pick<Database, 'scan'>,
  teamId: number,
  openBox: SecretBox,
): AsyncGenerator<object> {
  for (const { id: pageId } of await statusPageRows.list(scan, teamId)) {
    for (let after = 0; ;) {
      const rows = await subscriberRows(scan).after(pageId, { after, limit: PAGE });
      for (const row of rows) {
        const address = row.kind === 'email' ? openAddress(row, openBox) : null;
        yield { status_page_id: pageId, ...viewSubscription(row, address ?? MASK) };
      }
      if (rows.length < PAGE) break;
      after = rows.at(-1)!.id;
    }
  }
}

/** Status pages of a team with their services and images, passwords masked. */
async function* exportedPages(
  at: Parameters<typeof statusPages.exported>[0],
  deps: ViewDeps,
): AsyncGenerator<object> {
  for await (const page of statusPages.exported(at, deps)) {
    const images = await Promise.all(
      PAGE_IMAGES.map(async (name) => {
        const image = await readPageImage(at.db, page.id, name);
        return [
          name,
          image && `data:${image.type};base64,${Buffer.from(image.bytes).toString('base64')}`,
        ];
      }),
    );
    yield {
      ...page,
      access: { ...page.access, ...(page.access.password_set && { password: MASK }) },
      services: page.services.map(({ monitor_id, label, display, show_automatic }) => ({
        monitor_id,
        label,
        display,
        show_automatic,
      })),
      ...(Object.fromEntries(images) as Record<PageImageName, string | null>),
    };
  }
}

/** Notification channels of a person; e-mail to their own address may be absent, as it is the default. */
export async function channelsOfPerson(
  { scan }: Pick<Database, 'scan'>,
  personId: number,
  openBox: SecretBox,
): Promise<object[]> {
  const channels = await personChannels(scan, personId).execute();
  return channels.map((row) => viewChannel(PERSONAL_CHANNEL_FIELDS, row, openBox));
}

/** A channel with the settings of its type that are no secrets; all are masked of a type or key that is not known. */
function viewChannel<Settings extends object>(
  fields: Fields<Settings>,
  row: Parameters<typeof viewRow<Settings>>[1] & Selectable<Schema['alert_channel']>,
  openBox: SecretBox,
): object {
  const settings = exportedSettings(row, openBox);
  return { type: row.type, ...viewRow(fields, row), ...(settings && { settings }) };
}

/** Reads rows when the first one is needed, and yields them as the document shows them. */
export async function* rowsOf<Row>(
  read: () => Promise<Row[]>,
  view: (row: Row) => object,
): AsyncGenerator<object> {
  for (const row of await read()) yield view(row);
}

/** The settings of a row, with secrets masked, and its times. */
export function viewRow<Settings extends object>(
  fields: Fields<Settings>,
  row: Parameters<typeof settingsOf<Settings>>[1] & { created_at: number; updated_at: number },
): object {
  return {
    ...viewSettings(fields, settingsOf(fields, row)),
    ...maskSecrets(fields, row),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
