import { MONITOR_TOOLS } from './monitors.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which clients show them. */
export const TOOLS: readonly Tool[] = [...MONITOR_TOOLS];
