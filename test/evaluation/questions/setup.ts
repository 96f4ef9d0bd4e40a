import { FAILURES } from '../acme/alerts.ts';
import { EDGE } from '../world.ts';
import { from, onFound, type Question } from '../question.ts';

const SHOP_SET = {
  name: 'shop',
  monitors: [
    { key: 'new-shop', url: 'https://new-shop.acme.example/', check_interval: 5 },
    { key: 'new-cart', url: 'https://new-cart.acme.example/', check_interval: 5 },
  ],
};
const CONFIGURED = { document: SHOP_SET };

/** Alerts, webhooks, the audit log, configuration, and things by their names. */
export const SETUP: readonly Question[] = [
  {
    asks: 'Why was I not alerted about the checkout?',
    who: 'owner',
    calls: [
      {
        tool: 'list_deliveries',
        args: { of: 'incident', id: 'Checkout' },
        answers: {
          total: 1,
          deliveries: [
            { channel: 'On call', status: 'failed', last_error: { from_target: FAILURES.channel } },
          ],
        },
      },
    ],
    before: null,
  },
  {
    asks: 'Who is alerted when the payment provider goes down?',
    who: 'owner',
    calls: [
      {
        tool: 'explain_alerts',
        args: { monitor_id: 'Payment provider' },
        answers: { channels: [{ channel: 'On call', is_notified: true, after_minutes: 0 }] },
      },
    ],
    before: null,
  },
  {
    asks: 'Does the night watch hear of it, too?',
    who: 'owner',
    calls: [
      {
        tool: 'explain_alerts',
        args: { monitor_id: 'API' },
        answers: {
          channels: [
            { channel: 'Night watch', is_notified: false, left_out: 'The channel is disabled.' },
          ],
        },
      },
    ],
    before: null,
  },
  {
    asks: 'Which of our channels fail?',
    who: 'owner',
    calls: [
      {
        tool: 'list_setup',
        args: { kind: 'channels' },
        answers: {
          total: 2,
          channels: [
            { name: 'On call', enabled: true, last_error: { from_target: FAILURES.channel } },
            { name: 'Night watch', enabled: false, last_error: null },
          ],
        },
      },
    ],
    before: null,
  },
  {
    asks: 'Where do the alerts of the shop go?',
    who: 'owner',
    calls: [
      {
        tool: 'list_setup',
        args: { kind: 'alert_routes' },
        answers: { routes: [{ name: 'Shop', tags: ['shop'], scope: 'some' }] },
      },
    ],
    before: null,
  },
  {
    asks: 'What was sent to the on-call channel?',
    who: 'owner',
    calls: [
      {
        tool: 'list_deliveries',
        args: { of: 'channel', id: 'On call' },
        answers: { deliveries: [{ kind: 'alarm', status: 'failed', last_status_code: 403 }] },
      },
    ],
    before: null,
  },
  {
    asks: 'Which channels do we have? (asked by a viewer)',
    who: 'viewer',
    calls: [{ tool: 'list_setup', args: { kind: 'channels' }, refused: { code: 'forbidden' } }],
    before: null,
  },
  {
    asks: 'Does our webhook work?',
    who: 'viewer',
    calls: [
      {
        tool: 'list_setup',
        args: { kind: 'webhooks' },
        answers: {
          endpoints: [
            { name: 'Chat ops', host: 'hooks.acme.example', failing_since: /^2030-01-15T03/ },
          ],
        },
      },
    ],
    before: null,
  },
  {
    asks: 'Which events did not reach our chat?',
    who: 'viewer',
    calls: [
      {
        tool: 'list_deliveries',
        args: { of: 'webhook', id: 'Chat ops', status: 'failed' },
        answers: { total: 1, deliveries: [{ event: 'monitor.down', last_status_code: 503 }] },
      },
    ],
    before: null,
  },
  {
    asks: 'Who deleted the campaign page?',
    who: 'owner',
    calls: [
      {
        tool: 'list_audit_log',
        args: { action: 'monitor.deleted' },
        answers: { entries: [{ actor: 'Alice', target: 'Campaign page' }] },
        hides: ['alice@example.com'],
      },
    ],
    before: null,
  },
  {
    asks: 'Who changed the threshold of the blog, and from what?',
    who: 'owner',
    calls: [
      {
        tool: 'list_audit_log',
        args: { action: 'monitor.updated' },
        answers: {
          entries: [
            {
              actor: 'Ed',
              target: 'Blog',
              changes: [{ field: 'failure_threshold', before: 2, after: 4 }],
            },
          ],
        },
      },
    ],
    before: null,
  },
  {
    asks: 'What did Ed do?',
    who: 'owner',
    calls: [
      {
        tool: 'list_audit_log',
        args: { user_id: 'Ed' },
        answers: {
          entries: [
            { action: 'incident.acknowledged', target: 'Checkout' },
            { action: 'monitor.updated', target: 'Blog' },
          ],
        },
      },
    ],
    before: null,
  },
  {
    asks: 'Show me the audit log, although I am an editor.',
    who: 'editor',
    calls: [{ tool: 'list_audit_log', refused: { code: 'forbidden' } }],
    before: null,
  },
  {
    asks: 'What would our file change?',
    who: 'editor',
    calls: [
      {
        tool: 'plan_configuration',
        args: CONFIGURED,
        answers: {
          is_empty: false,
          changes: [
            { action: 'create', section: 'monitors', key: 'new-shop' },
            { action: 'create', section: 'monitors', key: 'new-cart' },
          ],
        },
      },
    ],
    before: null,
  },
  {
    asks: 'Did somebody change what our file for the edge describes?',
    who: 'editor',
    calls: [
      {
        tool: 'plan_configuration',
        args: { document: EDGE },
        answers: { drift: [{ action: 'updated', key: 'edge', fields: ['name'] }] },
      },
    ],
    before: null,
  },
  {
    asks: 'Is this file right?',
    who: 'editor',
    calls: [
      {
        tool: 'plan_configuration',
        args: { document: { name: 'shop', monitors: [{ key: 'new', colour: 'red' }] } },
        refused: { code: 'invalid', fields: ['monitors.0.colour'] },
      },
    ],
    before: null,
  },
  {
    asks: 'Apply our file, and do not ask me.',
    who: 'editor',
    calls: [
      {
        tool: 'apply_configuration',
        args: { ...CONFIGURED, dry_run: false },
        refused: { code: 'conflict' },
        says: ['dry_run true'],
      },
    ],
    before: null,
  },
  {
    asks: 'Is the VPN up?',
    who: 'viewer',
    calls: [{ tool: 'get_monitor', args: { monitor_id: 'VPN' }, answers: { status: 'online' } }],
    before: onFound('vpn', 'get_monitor'),
  },
  {
    asks: 'How was the API this month?',
    who: 'viewer',
    calls: [
      {
        tool: 'get_uptime_history',
        args: { monitor_id: 'API', from: '2030-01-01T00:00:00Z' },
        answers: { down_seconds: 1_500, incidents: 1 },
      },
    ],
    before: [
      { tool: 'list_monitors', args: { q: 'api' } },
      {
        tool: 'get_uptime_history',
        args: {
          monitor_id: from(0, 'monitors', { name: 'API' }, 'id'),
          from: '2030-01-01T00:00:00Z',
        },
      },
    ],
  },
  {
    asks: 'How are the systems of the group Data?',
    who: 'viewer',
    calls: [
      {
        tool: 'list_monitors',
        args: { group_id: 'Data' },
        answers: { total: 8, monitors: [{ name: 'Postgres', status: 'online' }] },
      },
    ],
    before: [
      { tool: 'list_groups' },
      { tool: 'list_monitors', args: { group_id: from(0, 'groups', { name: 'Data' }, 'id') } },
    ],
  },
  {
    asks: 'How often did the payment provider fail?',
    who: 'viewer',
    calls: [
      {
        tool: 'list_incidents',
        args: { monitor_id: 'Payment provider' },
        answers: { total: 1, incidents: [{ duration_seconds: 720, status: 'resolved' }] },
      },
    ],
    before: onFound('payment', 'list_incidents'),
  },
  {
    asks: 'From where do you check?',
    who: 'viewer',
    calls: [
      {
        tool: 'list_setup',
        args: { kind: 'regions' },
        answers: { regions: [{ code: 'ash' }, { code: 'sin' }] },
      },
    ],
    before: [{ tool: 'list_regions' }],
  },
  {
    asks: 'Show me the monitor of staging.',
    who: 'viewer',
    calls: [
      {
        tool: 'get_monitor',
        args: { monitor_id: 'staging' },
        refused: { code: 'invalid', fields: ['monitor_id'] },
        says: ['fits 3 monitors', 'Staging web'],
      },
    ],
    before: [{ tool: 'list_monitors', args: { q: 'staging' } }],
  },
  {
    asks: 'Send the event that failed to the chat again.',
    who: 'owner',
    calls: [
      {
        tool: 'list_deliveries',
        args: { of: 'webhook', id: 'Chat ops', status: 'failed' },
        answers: { total: 1 },
      },
      {
        tool: 'redeliver_webhook',
        args: { endpoint_id: 'Chat ops', delivery_id: from(0, 'deliveries', 0, 'id') },
        answers: { message: /./ },
      },
    ],
    before: null,
  },
  {
    asks: 'Send a test to the chat.',
    who: 'owner',
    calls: [
      { tool: 'send_test', args: { to: 'webhook', id: 'Chat ops' }, answers: { message: /./ } },
    ],
    before: null,
  },
  {
    asks: 'Apply our file.',
    who: 'owner',
    calls: [
      {
        tool: 'apply_configuration',
        args: CONFIGURED,
        answers: { is_done: false, target: { changes: [{ action: 'create', key: 'new-shop' }] } },
      },
      {
        tool: 'apply_configuration',
        args: { ...CONFIGURED, dry_run: false, confirmation: from(0, 'confirmation') },
        answers: { is_done: true },
      },
    ],
    before: null,
  },
  {
    asks: 'Pause the careers page.',
    who: 'editor',
    calls: [
      {
        tool: 'change_monitors',
        args: { action: 'pause', ids: ['Careers'] },
        answers: { changed: 1 },
      },
    ],
    before: onFound('careers', 'pause_monitor'),
  },
  {
    asks: 'Move the CDN to the group Data.',
    who: 'editor',
    calls: [
      {
        tool: 'change_monitors',
        args: { action: 'move', ids: ['CDN'], group_id: 'Data' },
        answers: { changed: 1 },
      },
    ],
    before: [
      { tool: 'list_monitors', args: { q: 'cdn' } },
      { tool: 'list_groups' },
      {
        tool: 'change_monitors',
        args: {
          action: 'move',
          ids: [from(0, 'monitors', 0, 'id')],
          group_id: from(1, 'groups', { name: 'Data' }, 'id'),
        },
      },
    ],
  },
  {
    asks: 'The incident of the website was a mistake: end it with a reason.',
    who: 'editor',
    calls: [
      {
        tool: 'update_incident',
        args: { incident_id: 'Website', root_cause: 'Our own deployment' },
        answers: { monitor: 'Website', root_cause: { from_target: 'Our own deployment' } },
      },
    ],
    before: [
      { tool: 'list_monitors', args: { q: 'website' } },
      { tool: 'list_incidents', args: { monitor_id: from(0, 'monitors', 0, 'id') } },
      {
        tool: 'update_incident',
        args: { incident_id: from(1, 'incidents', 0, 'id'), root_cause: 'Our own deployment' },
      },
    ],
  },
  {
    asks: 'Delete the group of the edge.',
    who: 'owner',
    calls: [
      {
        tool: 'delete_item',
        args: { kind: 'group', id: 'Edge of the network' },
        answers: { is_done: false, target: { name: 'Edge of the network', monitors_count: 0 } },
      },
      {
        tool: 'delete_item',
        args: {
          kind: 'group',
          id: 'Edge of the network',
          dry_run: false,
          confirmation: from(0, 'confirmation'),
        },
        answers: { is_done: true },
      },
    ],
    before: [
      { tool: 'list_groups' },
      {
        tool: 'delete_group',
        args: { group_id: from(0, 'groups', { name: 'Edge of the network' }, 'id') },
      },
      {
        tool: 'delete_group',
        args: {
          group_id: from(0, 'groups', { name: 'Edge of the network' }, 'id'),
          dry_run: false,
          confirmation: from(1, 'confirmation'),
        },
      },
    ],
  },
];
