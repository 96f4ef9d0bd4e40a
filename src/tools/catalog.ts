import { CHECK_TOOLS } from './checks.ts';
import { GROUP_TOOLS } from './groups.ts';
import { HISTORY_TOOLS } from './history.ts';
import { INCIDENT_TOOLS } from './incidents.ts';
import { MAINTENANCE_TOOLS } from './maintenance.ts';
import { MEMBER_TOOLS } from './members.ts';
import { MONITOR_TOOLS } from './monitors.ts';
import { OVERVIEW_TOOLS } from './overview.ts';
import { REPORT_TOOLS } from './reports.ts';
import { STATUS_PAGE_TOOLS } from './status-pages.ts';
import type { Tool } from './tool.ts';

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
];
