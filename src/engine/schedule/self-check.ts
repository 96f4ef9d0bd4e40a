import type { Bus } from '../bus/contract.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { CheckResult } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import type { RegionTracker } from '../verdict/region-tracker.ts';

/** Something that is always there, by the word of the operator. */
export interface SelfCheckTarget {
  host: string;
  port: number;
}

export interface SelfCheckDependencies {
  bus: Pick<Bus, 'check'>;
  clock: Clock;
  log: Log;
  /** Those that this process probes for. */
  regions: readonly Region[];
  /** None: nothing is ever checked. */
  targets: readonly SelfCheckTarget[];
  tracker: Pick<RegionTracker, 'selfChecked' | 'save'>;
}

export interface SelfCheck {
  start(): void;
  stop(): void;
}

const EVERY_MS = 15_000;
const TIMEOUT_MS = 5_000;
/** A region that never heard any of them is believed after so many tries. */
const TRIES = 2;

/** Asks from each region whether targets that are always there answer, to learn whether its own network works. */
export function createSelfCheck(dependencies: SelfCheckDependencies): SelfCheck {
  const { bus, clock, log, regions, targets, tracker } = dependencies;
  const silentFor = new Map<Region, number>();
  const heard = new Set<Region>();
  let timer: Timer | null = null;
  let isStopped = targets.length === 0;
  let isToldOfRefusal = false;

  async function look(region: Region): Promise<void> {
    const results = await Promise.all(targets.map((target) => checkOne(region, target)));
    if (isStopped) return;
    const outcome = outcomeOf(results);
    if (outcome === null) return;
    if (outcome === 'answered') {
      heard.add(region);
      silentFor.delete(region);
    } else {
      const tries = (silentFor.get(region) ?? 0) + 1;
      silentFor.set(region, tries);
      if (!heard.has(region) && tries < TRIES) return;
    }
    tracker.selfChecked(region, outcome, clock.now());
  }

  async function checkOne(region: Region, { host, port }: SelfCheckTarget): Promise<CheckResult> {
    const request = { type: 'port', monitorId: 0, timeoutMs: TIMEOUT_MS, host, port } as const;
    const result = await bus.check(region, request);
    if (result.failure?.code === 'target_not_allowed' && !isToldOfRefusal) {
      isToldOfRefusal = true;
      const fields = { target: `${host}:${port}`, reason: result.failure.text };
      log.warn(fields, 'A target of SELF_CHECK_TARGETS may not be checked and tells nothing.');
    }
    return result;
  }

  async function lookFromAll(): Promise<void> {
    await Promise.all(regions.map(look));
    await tracker.save();
    if (!isStopped) timer = clock.after(EVERY_MS, () => void lookFromAll());
  }

  return {
    start() {
      if (!isStopped) void lookFromAll();
    },
    stop() {
      isStopped = true;
      clock.clear(timer);
    },
  };
}

/** Null when nothing was found out: there was no probe, or the targets are none that may be checked. */
function outcomeOf(results: readonly CheckResult[]): 'answered' | 'silent' | null {
  if (results.some(({ vote }) => vote === 'up')) return 'answered';
  return results.some(isTelling) ? 'silent' : null;
}

function isTelling({ vote, failure }: CheckResult): boolean {
  return vote === 'down' && failure?.code !== 'target_not_allowed';
}
