import { ROUTE_FIELDS } from '../resources/alert-routes/fields.ts';
import {
  PERSONAL_CHANNEL_FIELDS,
  TEAM_CHANNEL_FIELDS,
  type PersonalChannel,
} from '../resources/channels/fields.ts';
import { maskSecrets, settingsOf, viewSettings, type Fields } from '../resources/common/fields.ts';
import { isoTime } from '../resources/common/time.ts';
import { WINDOW_FIELDS } from '../resources/maintenance/fields.ts';
import { WEBHOOK_FIELDS } from '../resources/webhooks/fields.ts';
import { viewWebhookEndpoint } from '../resources/webhooks/view.ts';
import {
  listPersonChannels,
  listTeamChannels,
  type ChannelWithState,
} from '../store/resources/alert-channels.ts';
import { listAlertRoutes, type AlertRouteRow } from '../store/resources/alert-routes.ts';
import type { Database } from '../store/database/contract.ts';
import { listWindows, type MaintenanceWindowRow } from '../store/resources/maintenance-windows.ts';
import { listWebhookEndpoints } from '../store/resources/webhook-endpoints.ts';

/** Above the limits of a team. */
const ALL = 100_000;

/** Alerting settings of a team by their name in the document, with secrets masked. */
export function alertParts(
  { scan }: Pick<Database, 'scan'>,
  teamId: number,
  now: number,
): [string, AsyncIterable<object>][] {
  return [
    ['webhook_endpoints', rows(listWebhookEndpoints(scan, teamId), viewEndpoint(now))],
    [
      'alert_channels',
      rows(
        listTeamChannels(scan, teamId, { direction: 'asc', limit: ALL, offset: 0 }).then(
          (page) => page.rows,
        ),
        (row) => ({ id: row.id, ...viewChannel(TEAM_CHANNEL_FIELDS, row) }),
      ),
    ],
    ['alert_routes', rows(listAlertRoutes(scan, teamId), viewRoute)],
    [
      'maintenance_windows',
      rows(
        listWindows(scan, teamId, { sort: 'live', direction: 'desc', limit: ALL, offset: 0 }).then(
          (page) => page.rows,
        ),
        viewWindow,
      ),
    ],
  ];
}

/** Notification channels of a person; e-mail to their own address may be absent, as it is the default. */
export async function channelsOfPerson(
  { scan }: Pick<Database, 'scan'>,
  personId: number,
): Promise<object[]> {
  const channels = await listPersonChannels(scan, personId);
  return channels.map((row) => viewChannel(PERSONAL_CHANNEL_FIELDS, row));
}

async function* rows<Row>(
  read: Promise<Row[]>,
  view: (row: Row) => object,
): AsyncGenerator<object> {
  for (const row of await read) yield view(row);
}

type Endpoint = Awaited<ReturnType<typeof listWebhookEndpoints>>[number];

const viewEndpoint = (now: number) => (row: Endpoint) => ({
  ...viewWebhookEndpoint(row, now),
  ...maskSecrets(WEBHOOK_FIELDS, row),
});

/** The settings are sealed as a whole, and an export has no key. */
function viewChannel(fields: Fields<PersonalChannel>, row: ChannelWithState) {
  return {
    type: row.type,
    ...viewSettings(fields, settingsOf(fields, row)),
    ...maskSecrets(fields, row),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

function viewRoute(row: AlertRouteRow) {
  return {
    id: row.id,
    ...settingsOf(ROUTE_FIELDS, row),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

function viewWindow(row: MaintenanceWindowRow) {
  return {
    id: row.id,
    ...viewSettings(WINDOW_FIELDS, settingsOf(WINDOW_FIELDS, row)),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
