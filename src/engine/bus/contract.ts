import { unknownResult, type CheckRequest, type CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { MachineReport } from '../../model/machine.ts';
import type { Region } from '../../model/monitor.ts';
import type { ProbeLoad } from '../../model/probe-load.ts';

/** Result of a check, with the name of the place that it ran at where the bus knows of several in the region. */
export type ProbedResult = CheckResult & { vantage?: string };

/** Carries checks to the probes of a region and their results back, whatever the transport. */
export interface Bus {
  /**
   * Runs one check in one region. Never rejects: without a probe, or when it is lost, the result is `unknown` with the
   * reason. A check with a team may wait for a slot at the probe and settles at the latest `MAX_WAIT_MS` (15 min) plus
   * `BUS_MARGIN_MS` after the request's time limit; a check without a team settles `BUS_MARGIN_MS` after it.
   */
  check(region: Region, request: CheckRequest): Promise<ProbedResult>;
  /**
   * Runs one check in each of the regions at once, under the rules of `check`, and returns the results in their order.
   * Settles with the last of them. Absent where each region is reached on its own.
   */
  checkAll?(regions: readonly Region[], request: CheckRequest): Promise<ProbedResult[]>;
  /**
   * Runs one inspection on any available probe of a shared region, or on one of `region` if it is given: private regions
   * run those of their own team alone. Never rejects; `unknown` without a probe.
   */
  inspect<Request extends InspectionRequest>(
    request: Request,
    region?: Region,
  ): Promise<InspectionResult<Request['kind']>>;
  /** Last sign of life of a probe in that region (epoch ms); null before the first. */
  lastSeen(region: Region): number | null;
  /** Name of the place that probes for that region, such as `office`; null when unknown, and when there are several. */
  vantageOf(region: Region): string | null;
  /** Closes the bus; checks still running settle as `unknown` (`aborted`). */
  close(): Promise<void>;
}

/** A probe as it was last heard of. Without a message bus, the processes of this machine are one probe. */
export interface ProbeInfo {
  vantage: string;
  version: string;
  /** Last sign of life, epoch milliseconds. */
  seenAt: number;
  takesChecks: boolean;
  isRemote: boolean;
  load: readonly ProbeLoad[];
}

/** Bus that also knows the probes themselves. */
export interface FleetBus extends Required<Bus> {
  probesOf(region: Region): ProbeInfo[];
  /** Reports the state of the own network of a machine that probes for the region; null without a probe. Never rejects. */
  inspectMachine(region: Region): Promise<MachineReport | null>;
}

/** Time an answer may take to arrive after the check's own deadline. */
export const BUS_MARGIN_MS = 1_000;

/** Gateways and name servers of a healthy machine reply within milliseconds. */
export const MACHINE_TIMEOUT_MS = 2_500;

export function noProbe(region: Region): CheckResult {
  return unknownResult('no_probe', `No probe is running in region ${region}`);
}
