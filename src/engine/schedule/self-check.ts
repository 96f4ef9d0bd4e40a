import type { Bus } from '../bus/contract.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { CheckResult } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import type { RegionHealthMonitor } from '../verdict/region-health-monitor.ts';

interface SelfCheckTarget {
  host: string;
  port: number;
}

const INTERVAL_MS = 15_000;
const TIMEOUT_MS = 5_000;
/** Failed runs before a region that has never reached a target counts as silent. */
const MAX_FIRST_FAILURES = 2;

/** Checks from each region that SELF_CHECK_TARGETS answer, which shows whether the region's own network works. */
export function createSelfCheck(dependencies: {
  bus: Pick<Bus, 'check'>;
  clock: Clock;
  log: Log;
  regions: readonly Region[];
  /** The self-check is disabled without targets. */
  targets: readonly SelfCheckTarget[];
  tracker: Pick<RegionHealthMonitor, 'recordSelfCheck' | 'save'>;
}) {
  const { bus, clock, log, regions, targets, tracker } = dependencies;
  const failedRuns = new Map<Region, number>();
  const answered = new Set<Region>();
  let timer: Timer | null = null;
  let isStopped = targets.length === 0;
  let isRefusalLogged = false;

  async function checkRegion(region: Region): Promise<void> {
    const results = await Promise.all(targets.map((target) => checkOne(region, target)));
    if (isStopped) return;
    const outcome = outcomeOf(results);
    if (outcome === null) return;
    if (outcome === 'answered') {
      answered.add(region);
      failedRuns.delete(region);
    } else {
      const failures = (failedRuns.get(region) ?? 0) + 1;
      failedRuns.set(region, failures);
      if (!answered.has(region) && failures < MAX_FIRST_FAILURES) return;
    }
    tracker.recordSelfCheck(region, outcome, clock.now());
  }

  async function checkOne(region: Region, { host, port }: SelfCheckTarget): Promise<CheckResult> {
    const request = { type: 'port', monitorId: 0, timeoutMs: TIMEOUT_MS, host, port } as const;
    const result = await bus.check(region, request);
    if (result.failure?.code === 'target_not_allowed' && !isRefusalLogged) {
      isRefusalLogged = true;
      const fields = { target: `${host}:${port}`, reason: result.failure.text };
      // Log: Allow it by ALLOW_PRIVATE_TARGETS, or name another.
      log.warn(fields, 'A target of SELF_CHECK_TARGETS is not allowed and was ignored.');
    }
    return result;
  }

  async function checkAllRegions(): Promise<void> {
    await Promise.all(regions.map(checkRegion));
    await tracker.save();
    if (!isStopped) timer = clock.after(INTERVAL_MS, () => void checkAllRegions());
  }

  return {
    start() {
      if (!isStopped) void checkAllRegions();
    },
    stop() {
      isStopped = true;
      clock.clear(timer);
    },
  };
}

/** Null without evidence: no probe answered, or no target is allowed. */
function outcomeOf(results: readonly CheckResult[]): 'answered' | 'silent' | null {
  if (results.some(({ vote }) => vote === 'up')) return 'answered';
  return results.some(isEvidence) ? 'silent' : null;
}

function isEvidence({ vote, failure }: CheckResult): boolean {
  return vote === 'down' && failure?.code !== 'target_not_allowed';
}
