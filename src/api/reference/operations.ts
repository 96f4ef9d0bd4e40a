import { ACCOUNT_OPERATIONS } from './account.ts';
import { ALERT_LINK_OPERATIONS } from './alert-links.ts';
import { ALERT_CHANNEL_OPERATIONS } from './alert-channels.ts';
import { ALERT_ROUTE_OPERATIONS } from './alert-routes.ts';
import { AUDIT_LOG_OPERATIONS } from './audit-log.ts';
import { REGION_OPERATIONS } from './regions.ts';
import { CHECK_URL_OPERATIONS } from './check-url.ts';
import { CRON_OPERATIONS } from './cron.ts';
import { GROUP_OPERATIONS } from './groups.ts';
import { INCIDENT_OPERATIONS } from './incidents.ts';
import { INVITATION_OPERATIONS } from './invitations.ts';
import { HISTORY_OPERATIONS } from './history.ts';
import { MAINTENANCE_OPERATIONS } from './maintenance.ts';
import { MONITOR_OPERATIONS } from './monitors.ts';
import { NOTIFICATION_CHANNEL_OPERATIONS } from './notification-channels.ts';
import type { Operation } from './operation.ts';
import { PING_OPERATIONS } from './pings.ts';
import { PLAN_OPERATIONS } from './plan.ts';
import { SESSION_OPERATIONS } from './sessions.ts';
import { SETUP_OPERATIONS } from './setup.ts';
import { TARGET_HISTORY_OPERATIONS } from './target-history.ts';
import { TEAM_OPERATIONS } from './teams.ts';
import { TOKEN_OPERATIONS } from './tokens.ts';
import { USER_OPERATIONS } from './users.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

/** What the reference says of each route, by the name that the route has in api/routes.ts. */
export const OPERATIONS: Record<string, Operation> = {
  ...ACCOUNT_OPERATIONS,
  ...ALERT_LINK_OPERATIONS,
  ...AUDIT_LOG_OPERATIONS,
  ...CHECK_URL_OPERATIONS,
  ...REGION_OPERATIONS,
  ...CRON_OPERATIONS,
  ...GROUP_OPERATIONS,
  ...INCIDENT_OPERATIONS,
  ...INVITATION_OPERATIONS,
  ...HISTORY_OPERATIONS,
  ...MAINTENANCE_OPERATIONS,
  ...MONITOR_OPERATIONS,
  ...PING_OPERATIONS,
  ...PLAN_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...SETUP_OPERATIONS,
  ...TARGET_HISTORY_OPERATIONS,
  ...TEAM_OPERATIONS,
  ...TOKEN_OPERATIONS,
  ...USER_OPERATIONS,
  ...ALERT_CHANNEL_OPERATIONS,
  ...NOTIFICATION_CHANNEL_OPERATIONS,
  ...ALERT_ROUTE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
};
