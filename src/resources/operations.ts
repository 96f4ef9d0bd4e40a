import { ACCOUNT_OPERATIONS, RESET_LINK_OPERATIONS } from './account/reference.ts';
import { ALERT_LINK_OPERATIONS } from './alert-links/reference.ts';
import { ALERT_CHANNEL_OPERATIONS } from './channels/alert-channels-reference.ts';
import { ALERT_PREVIEW_OPERATIONS } from './alert-routes/preview-reference.ts';
import { ALERT_ROUTE_OPERATIONS } from './alert-routes/reference.ts';
import { ANNOUNCEMENT_OPERATIONS } from './announcements/reference.ts';
import { UPDATE_OPERATIONS } from './announcements/updates-reference.ts';
import { AUDIT_LOG_OPERATIONS } from './audit-log/reference.ts';
import { REGION_OPERATIONS } from './regions/reference.ts';
import { REPORT_OPERATIONS } from './reports/reference.ts';
import { CHART_OPERATIONS } from './history/charts-reference.ts';
import { CHECK_URL_OPERATIONS } from './checks/reference.ts';
import { CONNECTED_APPLICATION_OPERATIONS } from './connected-applications/reference.ts';
import { CORRECTION_OPERATIONS } from './corrections/reference.ts';
import { CRON_OPERATIONS } from './cron/reference.ts';
import { EVENT_OPERATIONS } from './events/reference.ts';
import { GROUP_OPERATIONS } from './groups/reference.ts';
import { INCIDENT_OPERATIONS } from './incidents/reference.ts';
import { INCIDENT_NOTIFICATION_OPERATIONS } from './incidents/notifications-reference.ts';
import { INCIDENT_ROUNDS_OPERATIONS } from './incidents/rounds-reference.ts';
import { INSTALLATION_OPERATIONS } from './installation/reference.ts';
import { INVITATION_OPERATIONS } from './invitations/reference.ts';
import { HISTORY_OPERATIONS } from './history/reference.ts';
import { MAINTENANCE_OPERATIONS } from './maintenance/reference.ts';
import { MONITOR_TEST_OPERATIONS } from './checks/monitor-test-reference.ts';
import { MONITOR_OPERATIONS } from './monitors/reference.ts';
import { NOTIFICATION_CHANNEL_OPERATIONS } from './channels/notification-channels-reference.ts';
import type { Operation } from './common/operation.ts';
import { OVERVIEW_OPERATIONS } from './overview/reference.ts';
import { PING_OPERATIONS } from './pings/reference.ts';
import { PLAN_OPERATIONS } from './plan/reference.ts';
import { SESSION_OPERATIONS } from './sessions/reference.ts';
import { SETUP_OPERATIONS } from './setup/reference.ts';
import { SIGN_IN_OPERATIONS } from './sign-in/reference.ts';
import { STATUS_PAGE_OPERATIONS } from './status-pages/reference.ts';
import { SLO_OPERATIONS } from './slo/reference.ts';
import { SUBSCRIBER_OPERATIONS } from './subscribers/reference.ts';
import { TARGET_HISTORY_OPERATIONS } from './history/target-history-reference.ts';
import { TEAM_OPERATIONS } from './teams/reference.ts';
import { TOKEN_OPERATIONS } from './tokens/reference.ts';
import { UPDATE_TEMPLATE_OPERATIONS } from './update-templates/reference.ts';
import { USER_OPERATIONS } from './users/reference.ts';
import { WEBHOOK_OPERATIONS } from './webhooks/reference.ts';

/** Reference of each route, by its name in api/routes.ts. */
export const OPERATIONS: Record<string, Operation> = {
  ...ACCOUNT_OPERATIONS,
  ...ALERT_LINK_OPERATIONS,
  ...ANNOUNCEMENT_OPERATIONS,
  ...AUDIT_LOG_OPERATIONS,
  ...CHART_OPERATIONS,
  ...CHECK_URL_OPERATIONS,
  ...REGION_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...RESET_LINK_OPERATIONS,
  ...CONNECTED_APPLICATION_OPERATIONS,
  ...CORRECTION_OPERATIONS,
  ...CRON_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...GROUP_OPERATIONS,
  ...INCIDENT_OPERATIONS,
  ...INCIDENT_NOTIFICATION_OPERATIONS,
  ...INCIDENT_ROUNDS_OPERATIONS,
  ...INSTALLATION_OPERATIONS,
  ...INVITATION_OPERATIONS,
  ...HISTORY_OPERATIONS,
  ...MAINTENANCE_OPERATIONS,
  ...MONITOR_OPERATIONS,
  ...MONITOR_TEST_OPERATIONS,
  ...OVERVIEW_OPERATIONS,
  ...PING_OPERATIONS,
  ...PLAN_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...SETUP_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...STATUS_PAGE_OPERATIONS,
  ...SLO_OPERATIONS,
  ...SUBSCRIBER_OPERATIONS,
  ...TARGET_HISTORY_OPERATIONS,
  ...TEAM_OPERATIONS,
  ...TOKEN_OPERATIONS,
  ...UPDATE_OPERATIONS,
  ...UPDATE_TEMPLATE_OPERATIONS,
  ...USER_OPERATIONS,
  ...ALERT_CHANNEL_OPERATIONS,
  ...NOTIFICATION_CHANNEL_OPERATIONS,
  ...ALERT_ROUTE_OPERATIONS,
  ...ALERT_PREVIEW_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
};
