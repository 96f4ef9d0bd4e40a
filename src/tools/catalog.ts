import { ALERT_TOOLS } from './alerts.ts';
import { AUDIT_LOG_TOOLS } from './audit-log.ts';
import { CHECK_TOOLS } from './checks.ts';
import { CONFIGURATION_TOOLS } from './configuration.ts';
import { GROUP_TOOLS } from './groups.ts';
import { HISTORY_TOOLS } from './history.ts';
import { INCIDENT_TOOLS } from './incidents.ts';
import { MAINTENANCE_TOOLS } from './maintenance.ts';
import { MEMBER_TOOLS } from './members.ts';
import { MONITOR_TOOLS } from './monitors.ts';
import { OVERVIEW_TOOLS } from './overview.ts';
import { REPORT_TOOLS } from './reports.ts';
import { STATUS_PAGE_TOOLS } from './status-pages.ts';
import type { Family, Tool } from './tool.ts';

/** All tools, in the order in which clients show them. */
export const TOOLS: readonly Tool[] = [
  ...OVERVIEW_TOOLS,
  ...MONITOR_TOOLS,
  ...CHECK_TOOLS,
  ...HISTORY_TOOLS,
  ...INCIDENT_TOOLS,
  ...MAINTENANCE_TOOLS,
  ...GROUP_TOOLS,
  ...STATUS_PAGE_TOOLS,
  ...REPORT_TOOLS,
  ...MEMBER_TOOLS,
  ...ALERT_TOOLS,
  ...AUDIT_LOG_TOOLS,
  ...CONFIGURATION_TOOLS,
];

/** Tools of one purpose that are listed as one. */
export const FAMILIES: readonly Family[] = [
  {
    name: 'list_setup',
    title: 'List what the team has set up',
    description:
      'Lists groups of monitors, maintenance windows, status pages, saved reports, members, regions, alert channels and routes (for admins), and webhook endpoints, with ids, status and what fails.',
    by: 'kind',
    tools: {
      groups: 'list_groups',
      maintenance: 'list_maintenance',
      status_pages: 'list_status_pages',
      reports: 'list_reports',
      members: 'list_members',
      regions: 'list_regions',
      channels: 'list_channels',
      alert_routes: 'list_alert_routes',
      webhooks: 'list_webhooks',
    },
  },
  {
    name: 'list_monitor_history',
    title: 'List what was seen of a monitor',
    description:
      'Lists, newest first, single check results (kept for days; milliseconds), pings of a job, versions of DNS records or certificates, or changes of both.',
    by: 'what',
    tools: {
      results: 'list_check_results',
      pings: 'list_pings',
      dns: 'list_dns_history',
      certificates: 'list_certificates',
      changes: 'list_monitor_activities',
    },
  },
  {
    name: 'list_deliveries',
    title: 'List what was sent',
    description:
      'Lists messages about an incident, to a channel (for admins) or to a webhook endpoint, newest first, with status, attempts and the last error: what was sent, when, and why not.',
    by: 'of',
    hasId: true,
    tools: {
      incident: 'list_incident_notifications',
      channel: 'list_channel_deliveries',
      webhook: 'list_webhook_deliveries',
    },
  },
  {
    name: 'send_test',
    title: 'Send a test message',
    description:
      'Sends a test message to a channel, or a test event to a webhook endpoint. For admins.',
    by: 'to',
    hasId: true,
    tools: { channel: 'test_channel', webhook: 'test_webhook' },
  },
  {
    name: 'delete_item',
    title: 'Delete an incident, a maintenance window or a group',
    description:
      'Deletes an incident with its log and evidence, a maintenance window with later occurrences (its past stays excluded), or a group (its monitors stay).',
    by: 'kind',
    hasId: true,
    tools: {
      incident: 'delete_incident',
      maintenance: 'delete_maintenance',
      group: 'delete_group',
    },
  },
];
