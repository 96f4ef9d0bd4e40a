import { createChildJobs, type ChildJobs } from '../../lib/child-jobs.ts';
import type { ReportFacts } from '../model.ts';

/** Logo of a cover. Only PNG and JPEG are drawn. */
export interface Logo {
  type: string;
  bytes: Uint8Array;
}

export interface PrintRequest {
  facts: ReportFacts;
  logo: Logo | null;
}

/** Draws reports as PDF files, one at a time. */
export type ReportPrinter = ChildJobs<PrintRequest, Uint8Array>;

/** A report that is not drawn by then never will be. */
const DEADLINE_MS = 60_000;
/** A report of 1,000 monitors needs about 100 MiB. */
const HEAP_MIB = 256;
/** Reports come several at a time: on Monday morning, or from a person who tries periods. */
const KEEP_MS = 3 * 60_000;

export function createReportPrinter(): ReportPrinter {
  const program = new URL('./program.ts', import.meta.url);
  return createChildJobs({ program, heapMiB: HEAP_MIB, deadlineMs: DEADLINE_MS, keepMs: KEEP_MS });
}
