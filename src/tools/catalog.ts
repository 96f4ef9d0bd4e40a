import { CHECK_TOOLS } from './checks.ts';
import { HISTORY_TOOLS } from './history.ts';
import { MONITOR_TOOLS } from './monitors.ts';
import { TARGET_HISTORY_TOOLS } from './target-history.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which clients show them. */
export const TOOLS: readonly Tool[] = [
  ...MONITOR_TOOLS,
  ...CHECK_TOOLS,
  ...HISTORY_TOOLS,
  ...TARGET_HISTORY_TOOLS,
];
