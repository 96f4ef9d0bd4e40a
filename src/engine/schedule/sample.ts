import { getDomain } from 'tldts';
import type { CheckRequest } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import { hostOfRequest, lightRequestOf } from '../../monitor-types/registry.ts';
import type { Question, RegionHealthMonitor } from '../verdict/region-health-monitor.ts';
import type { Plan } from './plan.ts';

/** Target of a sample, and the request it is checked with. */
export interface SampleTarget {
  monitorId: number;
  host: string;
  region: Region;
  request: CheckRequest;
}

export interface SampleOptions {
  plans: readonly Plan[];
  question: Question;
  tracker: Pick<RegionHealthMonitor, 'isAnswering' | 'canDisprove' | 'networkOf'>;
  /** Regions this process probes for. */
  regions: readonly Region[];
  /** True when the target was checked within the minimum gap. */
  wasAskedRecently(monitorId: number): boolean;
  /** Number of entries drawn by earlier samples, where this one continues. */
  drawn: number;
}

/** Short enough that the answer is known before the first recheck confirms an outage. */
const TIMEOUT_MS = 3_000;
/** Maximum number of entries drawn for one sample. */
const MAX_DRAWN = 2_000;
/** Multiples of the golden ratio's fraction fall into the largest remaining gap, so samples spread over all entries. */
const GOLDEN = 0.6180339887498949;

/** Chooses targets that share no host, domain or network; those that were up come first. */
export function chooseSample(options: SampleOptions): { targets: SampleTarget[]; drawn: number } {
  const { plans, question } = options;
  const targets: SampleTarget[] = [];
  const failing: SampleTarget[] = [];
  const taken = new Set<string | number>();
  const limit = Math.min(plans.length, MAX_DRAWN);
  const seen = new Set<number>();
  let { drawn } = options;
  for (let count = 0; count < 2 * limit && targets.length < question.size; count += 1) {
    const index = Math.floor(((drawn * GOLDEN) % 1) * plans.length);
    drawn += 1;
    if (seen.has(index)) continue;
    seen.add(index);
    const target = eligibleTarget(plans[index]!, targets.length + failing.length, options);
    if (target === null) continue;
    const isWell = options.tracker.isAnswering(target.monitorId);
    if (!isWell && !question.isDoubted) continue;
    if (!claim(keysOf(target, options), taken)) continue;
    (isWell ? targets : failing).push(target);
  }
  return { targets: [...targets, ...failing].slice(0, question.size), drawn };
}

function eligibleTarget(
  { monitorId, regions, request }: Plan,
  position: number,
  { question, tracker, regions: probed, wasAskedRecently: isTooSoon }: SampleOptions,
): SampleTarget | null {
  const light = lightRequestOf(request);
  if (light === null) return null;
  const host = hostOfRequest(request);
  if (host === null || isTooSoon(monitorId)) return null;
  if (!tracker.canDisprove(question.fault, monitorId, host)) return null;
  const possible = regions.filter(
    (region) => question.regions.includes(region) && probed.includes(region),
  );
  if (possible.length === 0) return null;
  const region = possible[position % possible.length]!;
  const timeoutMs = Math.min(request.timeoutMs, TIMEOUT_MS);
  return { monitorId, host, region, request: { ...light, timeoutMs } };
}

function keysOf(
  { monitorId, host }: SampleTarget,
  { tracker }: Pick<SampleOptions, 'tracker'>,
): (string | number)[] {
  const network = tracker.networkOf(monitorId);
  return [getDomain(host) ?? host, ...(network === null ? [] : [network])];
}

/** Claims all keys; false when any of them is already taken. */
function claim(keys: readonly (string | number)[], taken: Set<string | number>): boolean {
  if (keys.some((key) => taken.has(key))) return false;
  for (const key of keys) taken.add(key);
  return true;
}
