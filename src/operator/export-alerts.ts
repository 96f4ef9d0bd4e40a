import type { SecretBox } from '../lib/secret-box.ts';
import { alertRoutes } from '../resources/alert-routes/alert-routes.ts';
import { PERSONAL_CHANNEL_FIELDS, TEAM_CHANNEL_FIELDS } from '../resources/channels/fields.ts';
import { viewStoredSettings, type StoredChannelSettings } from '../resources/channels/channel.ts';
import { maskSecrets, settingsOf, viewSettings, type Fields } from '../resources/common/fields.ts';
import { isoTime } from '../resources/common/time.ts';
import { WINDOW_FIELDS } from '../resources/maintenance/fields.ts';
import { WEBHOOK_FIELDS } from '../resources/webhooks/fields.ts';
import { viewWebhookEndpoint } from '../resources/webhooks/view.ts';
import { listPersonChannels, listTeamChannels } from '../store/resources/alert-channels.ts';
import type { Database } from '../store/database/contract.ts';
import { listWindows } from '../store/resources/maintenance-windows.ts';
import { listWebhookEndpoints } from '../store/resources/webhook-endpoints.ts';

/** A page of more rows than a team may have. */
export const ALL = { limit: 100_000, offset: 0 };
const LIVE_FIRST = { sort: 'live', direction: 'desc' } as const;

/** Alerting settings of a team by their name in the document, with secrets masked. */
export function alertParts(
  { scan }: Pick<Database, 'scan'>,
  teamId: number,
  { openBox, now }: { openBox: SecretBox; now: number },
): [string, AsyncIterable<object>][] {
  return [
    [
      'webhook_endpoints',
      rowsOf(
        () => listWebhookEndpoints(scan, teamId),
        (row) => ({ ...viewWebhookEndpoint(row, now), ...maskSecrets(WEBHOOK_FIELDS, row) }),
      ),
    ],
    [
      'alert_channels',
      rowsOf(
        async () => (await listTeamChannels(scan, teamId, { direction: 'asc', ...ALL })).rows,
        (row) => ({ id: row.id, ...viewChannel(TEAM_CHANNEL_FIELDS, row, openBox) }),
      ),
    ],
    ['alert_routes', alertRoutes.exported(scan, teamId)],
    [
      'maintenance_windows',
      rowsOf(
        async () => (await listWindows(scan, teamId, { ...LIVE_FIRST, ...ALL })).rows,
        (row) => ({ id: row.id, ...viewRow(WINDOW_FIELDS, row) }),
      ),
    ],
  ];
}

/** Notification channels of a person; e-mail to their own address may be absent, as it is the default. */
export async function channelsOfPerson(
  { scan }: Pick<Database, 'scan'>,
  personId: number,
  openBox: SecretBox,
): Promise<object[]> {
  const channels = await listPersonChannels(scan, personId);
  return channels.map((row) => viewChannel(PERSONAL_CHANNEL_FIELDS, row, openBox));
}

/** A channel with the settings of its type that are no secrets; all are masked of a type or key that is not known. */
function viewChannel<Settings extends object>(
  fields: Fields<Settings>,
  row: Parameters<typeof viewRow<Settings>>[1] & StoredChannelSettings,
  openBox: SecretBox,
): object {
  const settings = viewStoredSettings(row, openBox);
  return { type: row.type, ...viewRow(fields, row), ...(settings !== null && { settings }) };
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
