import type { Clock, Timer } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { CheckResult } from '../../src/model/check.ts';
import type { MachineReport } from '../../src/model/machine.ts';
import type { Round } from '../../src/model/round.ts';
import { Entry } from '../../src/engine/schedule/entry.ts';
import { slotOfRound } from '../../src/engine/schedule/due.ts';
import { latestSlot } from '../../src/engine/schedule/grid.ts';
import { createNetworkDiagnosis } from '../../src/engine/schedule/network-diagnosis.ts';
import type { Plan } from '../../src/engine/schedule/round.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { evaluateRound } from '../../src/engine/verdict/evaluate.ts';
import { RegionHealthMonitor } from '../../src/engine/verdict/region-health-monitor.ts';
import { checkResult, settingsOf, stateOf } from './rounds.ts';
import { hostOfRequest, type AnyRequest } from '../../src/monitor-types/registry.ts';

/** A scripted target. Times are milliseconds since the world began. */
export interface WorldTarget {
  intervalMs: number;
  host: string;
  address: string;
  /** Whether it answers at that time from that region if the region's network works. */
  answers(at: number, region: string): boolean;
  isOnLink?: true;
}

export interface WorldOptions {
  targets: readonly WorldTarget[];
  regions?: readonly string[];
  /** Failure of the network between the region and the target at that time; false if it fails without a known cause. */
  network?(at: number, region: string, target: WorldTarget): 'works' | 'cut' | 'no_names';
  machine?(at: number): MachineReport | null;
  /** Duration of a check without an answer; 0 for a refused connection. */
  timeoutMs?: number;
  failureThreshold?: number;
}

export interface World {
  tracker: RegionHealthMonitor;
  /** Time of the first uptime incident of each monitor, by its index. */
  opened: Map<number, number>;
  /** Time of the first regional incident of each monitor. */
  regional: Map<number, number>;
  /** Times at which each monitor's target was sampled. */
  asked: Map<number, number[]>;
  status(index: number): string;
  /** When a region was first quarantined, in milliseconds since the world began; null if never. */
  quarantinedAt(): number | null;
  run(until: number): Promise<void>;
}

const ORIGIN = Date.UTC(2030, 0, 1);
const ANSWER_MS = 30;

/**
 * Runs the real health monitor, network diagnosis, schedule entries and verdicts on a virtual clock without a database,
 * so that an hour of 300 monitors takes a moment.
 */
export function createWorld(options: WorldOptions): World {
  const { targets, regions = ['ash'], timeoutMs = 5_000, failureThreshold = 2 } = options;
  const { network = () => 'works', machine = () => null } = options;
  const agenda = createAgenda();
  const { clock } = agenda;
  const since = () => clock.now() - ORIGIN;
  const tracker = new RegionHealthMonitor({
    database: NO_DATABASE,
    clock,
    log: silentLog,
    regions,
  });
  const entries = targets.map(
    (target, index) =>
      new Entry(planOf(index, target, regions, failureThreshold), NEW, ORIGIN, false),
  );
  const states = targets.map((_, index) => stateOf({ monitorId: index + 1, status: 'online' }));
  const places: (Timer | null)[] = targets.map(() => null);
  const world: World = {
    tracker,
    opened: new Map(),
    regional: new Map(),
    asked: new Map(),
    status: (index) => states[index]!.status,
    quarantinedAt: () => quarantinedAt,
    run: (until) => agenda.run(ORIGIN + until),
  };
  let quarantinedAt: number | null = null;

  /** The result of a check that starts now, and its time. */
  function see(index: number, region: string, limitMs: number) {
    const target = targets[index]!;
    const at = since() + ANSWER_MS;
    const path = network(at, region, target);
    const { address: remoteAddress, isOnLink } = target;
    const mark = isOnLink ? { isOnLink } : {};
    if (path === 'works' && target.answers(at, region))
      return {
        afterMs: ANSWER_MS,
        result: withTime(checkResult('up', { remoteAddress, ...mark }), ANSWER_MS),
      };
    const afterMs = Math.max(ANSWER_MS, Math.min(limitMs, timeoutMs));
    const failure =
      path === 'no_names' ? TROUBLES.name : timeoutMs === 0 ? TROUBLES.refused : TROUBLES.silent;
    const seen = path === 'no_names' ? { remoteAddress: null } : { remoteAddress, ...mark };
    return { afterMs, result: withTime(checkResult('down', { failure, ...seen }), afterMs) };
  }

  function place(index: number): void {
    const entry = entries[index]!;
    if (entry.isInFlight) return;
    clock.clear(places[index]);
    places[index] = clock.after(Math.max(0, entry.due.at - clock.now()), () => startRound(index));
  }

  function startRound(index: number): void {
    const entry = entries[index]!;
    const slot = slotOfRound(entry.due.at, entry.lastSlot);
    const startedAt = clock.now();
    entry.begin(slot, startedAt);
    const seen = regions.map((region) => ({ region, ...see(index, region, timeoutMs) }));
    const results = seen.map(({ region, result }) => ({ ...result, region, checkedAt: startedAt }));
    clock.after(Math.max(...seen.map(({ afterMs }) => afterMs)), () => {
      entry.finish(clock.now());
      judge(index, roundOfEntry(entry, results, slot, startedAt, clock.now()));
      place(index);
    });
  }

  function judge(index: number, round: Round): void {
    const [counted] = tracker.suppressVotes([round], () => states[index]!.status, clock.now());
    const decision = evaluateRound(states[index]!, counted!);
    for (const change of decision.incidents) {
      const log =
        change.kind === 'open' && change.type === 'regional' ? world.regional : world.opened;
      if (change.kind === 'open' && !log.has(index)) log.set(index, since());
    }
    states[index] = decision.state;
    entries[index]!.applyVerdict(round, decision.state, clock.now());
    if (quarantinedAt === null && tracker.quarantines().size > 0) quarantinedAt = since();
  }

  const diagnosis = createNetworkDiagnosis({
    clock,
    log: silentLog,
    tracker: {
      questions(now) {
        const questions = tracker.questions(now);
        if (questions.length > 0) agenda.expectPromises();
        return questions;
      },
      recordSample: (result) => tracker.recordSample(result),
      recordAnswers: (...answer) => tracker.recordAnswers(...answer),
      isAnswering: (id) => tracker.isAnswering(id),
      canDisprove: (...asked) => tracker.canDisprove(...asked),
      networkOf: (id) => tracker.networkOf(id),
      takeReleased: () => tracker.takeReleased(),
      isHealthy: () => tracker.isHealthy(),
      onFailure: (call) => tracker.onFailure(call),
      save: async () => {},
    },
    regions,
    inspectMachine: async () => machine(since()),
    scheduler: {
      plans: () => entries.map(({ plan }) => plan),
      runSoon(ids) {
        for (const id of ids)
          if (entries[id - 1]!.bringForward(clock.now(), clock.now())) place(id - 1);
      },
    },
    bus: {
      check(region, request) {
        const index = request.monitorId - 1;
        const times = world.asked.get(index) ?? [];
        times.push(since());
        world.asked.set(index, times);
        const { afterMs, result } = see(index, region, request.timeoutMs);
        return agenda.promise(afterMs, result);
      },
    },
  });

  for (const [index, entry] of entries.entries()) {
    // Each was up in the previous round.
    const at = latestSlot(entry.monitorId, entry.intervalMs, ORIGIN) - ANSWER_MS;
    const up = withTime(checkResult('up', { remoteAddress: targets[index]!.address }), ANSWER_MS);
    const mark = targets[index]!.isOnLink ? { isOnLink: true as const } : {};
    const results = regions.map((region) => ({ ...up, ...mark, region, checkedAt: at }));
    judge(index, roundOfEntry(entry, results, at, at, at + ANSWER_MS));
    place(index);
  }
  diagnosis.start();
  return world;
}

const NEW = { runAt: null, lastSlot: null, lastCheckedAt: null };

const TROUBLES = {
  name: { code: 'dns_timeout', text: 'Name look-up timed out' },
  refused: { code: 'connection_refused', text: 'Connection refused' },
  silent: { code: 'connection_timeout', text: 'Connection timed out' },
} as const;

/** Nothing is stored. */
const NO_DATABASE = {
  engine: 'sqlite',
  transaction: async () => undefined,
} as unknown as Database;

function withTime(result: CheckResult, totalMs: number): CheckResult {
  return { ...result, timings: { ...result.timings, totalMs } };
}

function planOf(
  index: number,
  { host, intervalMs }: WorldTarget,
  regions: readonly string[],
  failureThreshold: number,
): Plan {
  const monitorId = index + 1;
  return {
    monitorId,
    teamId: 1,
    shard: 0,
    version: 1,
    revision: 1,
    regions,
    settings: settingsOf({ intervalMs, failureThreshold }),
    request: { type: 'port', monitorId, timeoutMs: 10_000, host, port: 443 } as AnyRequest,
  };
}

function roundOfEntry(
  { plan, monitorId }: Entry,
  results: Round['results'],
  slot: number,
  startedAt: number,
  finishedAt: number,
): Round {
  return {
    monitorId,
    teamId: 1,
    revision: 1,
    slot,
    startedAt,
    finishedAt,
    settings: plan.settings,
    host: hostOfRequest(plan.request),
    knownRegions: [...plan.regions],
    results,
  };
}

/** A clock with an agenda of events; promises settle after asynchronous ones. */
function createAgenda() {
  let now = 0;
  let order = 0;
  let isAsync = false;
  const heap: { at: number; order: number; call: (() => void) | null }[] = [];
  const isBefore = (a: number, b: number) =>
    heap[a]!.at - heap[b]!.at || heap[a]!.order - heap[b]!.order;
  const swap = (a: number, b: number) => ([heap[a], heap[b]] = [heap[b]!, heap[a]!]);

  function push(at: number, call: () => void): Timer {
    const timer = { at, order: order++, call };
    heap.push(timer);
    for (let index = heap.length - 1; index > 0;) {
      const parent = (index - 1) >> 1;
      if (isBefore(parent, index) <= 0) break;
      swap(parent, index);
      index = parent;
    }
    return timer;
  }

  function pop() {
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let index = 0; ;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let least = index;
      if (left < heap.length && isBefore(left, least) < 0) least = left;
      if (right < heap.length && isBefore(right, least) < 0) least = right;
      if (least === index) return first;
      swap(least, index);
      index = least;
    }
  }

  const clock: Clock = {
    now: () => ORIGIN + now,
    monotonic: () => now,
    after: (milliseconds, call) => push(now + Math.max(1, milliseconds), call),
    clear: (timer) => void (timer && ((timer as { call: null }).call = null)),
    soon: (call) => void push(now, call),
  };
  return {
    clock,
    promise<Value>(milliseconds: number, value: Value): Promise<Value> {
      isAsync = true;
      return new Promise((resolve) =>
        clock.after(milliseconds, () => {
          isAsync = true;
          resolve(value);
        }),
      );
    },
    expectPromises: () => void (isAsync = true),
    async run(until: number): Promise<void> {
      while (heap.length > 0 && heap[0]!.at <= until - ORIGIN) {
        const { at, call } = pop();
        if (call === null) continue;
        now = at;
        call();
        if (isAsync) for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
        isAsync = false;
      }
      now = until - ORIGIN;
      for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
    },
  };
}
