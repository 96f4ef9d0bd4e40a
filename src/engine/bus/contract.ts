import type { CheckRequest, CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { Region } from '../../model/monitor.ts';

/** Carries checks to the probes of a region and their results back, whatever the transport. */
export interface Bus {
  /**
   * Runs one check in one region. Never rejects: without a probe, or when it is lost, the result is `unknown` with the
   * reason. A check with a team may wait for a slot at the probe and settles at the latest `MAX_WAIT_MS` (15 min) plus
   * `BUS_MARGIN_MS` after the request's time limit; a check without a team settles `BUS_MARGIN_MS` after it.
   */
  check(region: Region, request: CheckRequest): Promise<CheckResult>;
  /**
   * Runs one check in each of the regions at once, under the rules of `check`, and returns the results in their order.
   * Settles with the last of them. Absent where each region is reached on its own.
   */
  checkAll?(regions: readonly Region[], request: CheckRequest): Promise<CheckResult[]>;
  /** Runs one inspection on any available probe. Never rejects; `unknown` without a probe. */
  inspect<Request extends InspectionRequest>(
    request: Request,
  ): Promise<InspectionResult<Request['kind']>>;
  /** Last sign of life of a probe in that region (epoch ms); null before the first. */
  lastSeen(region: Region): number | null;
  /** Name of the machine that probes for that region, such as `office`; null when unknown. */
  vantageOf(region: Region): string | null;
  /** Closes the bus; checks still running settle as `unknown` (`aborted`). */
  close(): Promise<void>;
}

/** Time an answer may take to arrive after the check's own deadline. */
export const BUS_MARGIN_MS = 1_000;
