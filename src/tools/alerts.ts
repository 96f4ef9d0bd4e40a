import { alertRoutes } from '../resources/alert-routes/alert-routes.ts';
import { previewAlertRoutes } from '../resources/alert-routes/preview.ts';
import { alertChannelMessages, alertChannels } from '../resources/channels/alert-channels.ts';
import { listIncidentNotifications } from '../resources/incidents/notifications.ts';
import { webhookDeliveries } from '../resources/webhooks/deliveries.ts';
import { webhookActions, webhookEndpoints } from '../resources/webhooks/endpoints.ts';
import { counted } from './common.ts';
import { INCIDENT_PATH } from './incidents.ts';
import { as, cut, ifAny, itemsOf, list, made, shown, target, team } from './shown.ts';
import { byId, listTool, viewTool, type Tool } from './tool.ts';

const NAME_LENGTH = 80;
const named = team(NAME_LENGTH);
/** How it went last; what a receiver answered is its text. */
const health = { last_delivered_at: true, failing_since: true, last_error: target() } as const;

const channel = shown(alertChannels.answer, {
  id: true,
  name: named,
  type: true,
  enabled: true,
  is_default: true,
  severities: true,
  quiet_hours: ifAny,
  warnings: list(team()),
  ...health,
});

const route = shown(alertRoutes.answer, {
  id: true,
  name: named,
  scope: true,
  monitors: list(true),
  groups: list(true),
  tags: list(team(50)),
  severities: true,
  channels: list(true),
  users: list(true),
  reminder_minutes: true,
  escalation: list(true),
});

const endpoint = shown(webhookEndpoints.answer, {
  id: true,
  name: named,
  host: as('url_host'),
  severities: true,
  is_active: true,
  deactivated_reason: ifAny,
  ...health,
});

const delivery = {
  id: true,
  status: true,
  attempts_count: true,
  last_status_code: true,
  last_error: target(),
  created_at: true,
  finished_at: true,
  next_attempt_at: true,
} as const;

const notification = shown(
  itemsOf(listIncidentNotifications.operations.listIncidentNotifications.answer),
  {
    kind: true,
    channel: team(NAME_LENGTH, { from: 'channel.name' }),
    channel_type: as('channel.type'),
    member: team(NAME_LENGTH, { from: 'user.name' }),
    ...delivery,
  },
);

const { listAlertChannelDeliveries, testAlertChannel } = alertChannelMessages.operations;
const { listWebhookDeliveries } = webhookDeliveries.operations;

type Held = { holds: readonly { text: string; until: string }[] };
const holds = made(({ holds: all }: Held) =>
  all.map(({ text, until }) => `${text} Until ${until}.`),
);

const notifiedIn = (all: readonly { is_notified: boolean }[]) =>
  all.filter((one) => one.is_notified).length;

const preview = shown(previewAlertRoutes.operations.previewAlertRoutes.answer, {
  monitor_id: true,
  type: true,
  severity: true,
  notified_total: made(({ data }) => notifiedIn(data)),
  left_out_total: made(({ data }) => data.length - notifiedIn(data)),
  holds,
  channels: cut<Held & { is_notified: boolean }>(
    {
      is_notified: true,
      channel: team(NAME_LENGTH, { from: 'channel.name' }),
      channel_id: as('channel.id'),
      type: as('channel.type'),
      member: team(NAME_LENGTH, { from: 'user.name' }),
      after_minutes: true,
      reminder_minutes: true,
      left_out: as('left_out.text'),
      holds,
    },
    {
      from: 'data',
      order: (all) => all.toSorted((a, b) => Number(a.is_notified) - Number(b.is_notified)),
    },
  ),
});

const CHANNEL_PATH = byId('channel_id');
const ENDPOINT_PATH = byId('endpoint_id');
const sent = {
  content: shown(webhookActions.operations.testWebhookEndpoint.answer, { message: true }),
  summary: ({ message }: { message: unknown }) => String(message),
  isOpenWorld: true,
  isAdditive: true,
} as const;

export const ALERT_TOOLS: readonly Tool[] = [
  viewTool({
    name: 'explain_alerts',
    operation: 'previewAlertRoutes',
    title: 'Explain who is alerted',
    description:
      'Whom an incident of a monitor would notify now, which channels are left out and why, and what makes notifications wait. What was sent has list_deliveries. For admins.',
    content: preview,
    summary: ({ type, severity, notified_total: notified, left_out_total: out, holds: waits }) =>
      `An incident (${type}, ${severity}) that began now would notify ${counted(notified, 'channel')}; ${out} left out.${waits.length === 0 ? '' : ' All wait.'}`,
  }),
  viewTool({
    name: 'redeliver_webhook',
    description: 'Sends a delivery to a webhook endpoint again.',
    path: { ...ENDPOINT_PATH, delivery: { argument: 'delivery_id' } },
    ...sent,
  }),
  listTool({
    name: 'list_channels',
    hiddenQuery: ['type', 'enabled', 'direction', 'sort'],
    operation: 'listAlertChannels',
    item: channel,
  }),
  listTool({
    name: 'list_alert_routes',
    items: 'routes',
    item: route,
  }),
  listTool({
    name: 'list_webhooks',
    operation: 'listWebhookEndpoints',
    items: 'endpoints',
    item: endpoint,
  }),
  listTool({
    name: 'list_incident_notifications',
    path: INCIDENT_PATH,
    items: 'deliveries',
    item: notification,
  }),
  listTool({
    name: 'list_channel_deliveries',
    operation: 'listAlertChannelDeliveries',
    path: CHANNEL_PATH,
    items: 'deliveries',
    item: shown(itemsOf(listAlertChannelDeliveries.answer), { kind: true, ...delivery }),
  }),
  listTool({
    name: 'list_webhook_deliveries',
    path: ENDPOINT_PATH,
    items: 'deliveries',
    item: shown(itemsOf(listWebhookDeliveries.answer), {
      event: true,
      incident_id: true,
      ...delivery,
    }),
  }),
  viewTool({
    name: 'test_channel',
    operation: 'testAlertChannel',
    path: CHANNEL_PATH,
    ...sent,
    content: shown(testAlertChannel.answer, { success: true, message: target() }),
    summary: ({ success }) =>
      success ? 'The service took the test message.' : 'The test message did not arrive.',
  }),
  viewTool({
    name: 'test_webhook',
    operation: 'testWebhookEndpoint',
    path: ENDPOINT_PATH,
    ...sent,
  }),
];
