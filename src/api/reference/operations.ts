import { ACCOUNT_OPERATIONS } from './account.ts';
import { CHECK_URL_OPERATIONS } from './check-url.ts';
import { CRON_OPERATIONS } from './cron.ts';
import { GROUP_OPERATIONS } from './groups.ts';
import { INCIDENT_OPERATIONS } from './incidents.ts';
import { HISTORY_OPERATIONS } from './history.ts';
import { MONITOR_OPERATIONS } from './monitors.ts';
import type { Operation } from './operation.ts';
import { PING_OPERATIONS } from './pings.ts';
import { TARGET_HISTORY_OPERATIONS } from './target-history.ts';
import { TEAM_OPERATIONS } from './teams.ts';
import { USER_OPERATIONS } from './users.ts';

/** What the reference says of each route, by the name that the route has in api/routes.ts. */
export const OPERATIONS: Record<string, Operation> = {
  ...ACCOUNT_OPERATIONS,
  ...CHECK_URL_OPERATIONS,
  ...CRON_OPERATIONS,
  ...GROUP_OPERATIONS,
  ...INCIDENT_OPERATIONS,
  ...HISTORY_OPERATIONS,
  ...MONITOR_OPERATIONS,
  ...PING_OPERATIONS,
  ...TARGET_HISTORY_OPERATIONS,
  ...TEAM_OPERATIONS,
  ...USER_OPERATIONS,
};
