import type { CheckRequest, CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { Region } from '../../model/monitor.ts';

/** How a round reaches a region and its result comes back. In one process, over a child process, or over NATS: the same. */
export interface Bus {
  /**
   * One check in one region. Never rejects: when there is no probe, or it was lost, the result is `unknown` with
   * the reason. A check of a team may wait for a slot at the probe: it settles at the latest `MAX_WAIT_MS` (15 min) and
   * `BUS_MARGIN_MS` after the request's time limit. One without a team settles `BUS_MARGIN_MS` after it.
   */
  check(region: Region, request: CheckRequest): Promise<CheckResult>;
  /** One inspection, by whichever probe is there. Never rejects, as `check`: without a probe it is `unknown`. */
  inspect<Request extends InspectionRequest>(
    request: Request,
  ): Promise<InspectionResult<Request['kind']>>;
  /** Epoch milliseconds at which a probe of that region was last seen alive, null when never. */
  lastSeen(region: Region): number | null;
  /** Name of the machine that probes for that region, such as `office`; null while no probe of the region is known. */
  vantageOf(region: Region): string | null;
  /** Checks that are still running answer `unknown` (`aborted`). */
  close(): Promise<void>;
}

/** How long after a check's own deadline its answer may still be under way. */
export const BUS_MARGIN_MS = 1_000;
