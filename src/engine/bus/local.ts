import { afterPendingEvents, type Clock, type Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { UNQUEUED_TIMER, TimerQueue, type QueuedTimer } from '../../lib/timer-queue.ts';
import { unknownResult, type CheckRequest, type CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { MachineReport } from '../../model/machine.ts';
import type { Region } from '../../model/monitor.ts';
import { MAX_SLOT_WAIT_MS } from '../../model/probe-load.ts';
import type { ProbeSettings, ProbeAnswer, ProbeRequest } from '../../probe/agent/child.ts';
import {
  BUS_MARGIN_MS,
  MACHINE_TIMEOUT_MS,
  noProbe,
  type FleetBus,
  type ProbeInfo,
} from './contract.ts';
import { createProbeProcess, type ProbeProcess, type ProbeProcessState } from './probe-process.ts';

/** Bus for all regions of one machine: child processes run the checks, isolated from this process. */
export interface LocalBus extends FleetBus {
  processes(): ProbeProcessState[];
}

export interface LocalBusOptions {
  regions: readonly Region[];
  /** Name of this machine (VANTAGE_NAME). */
  vantage: string;
  version: string;
  /** Number of probe processes, at least 1 (PROBE_WORKERS). */
  workers: number;
  settings: ProbeSettings;
  /** Environment of this process; `childEnvironment` selects what children inherit. */
  environment: Record<string, string | undefined>;
  clock: Clock;
  /** Milliseconds by which `clock` is ahead of the machine's, by which probe processes go; 0 by default. */
  correctionMs?(): number;
  log: Log;
  entry?: URL;
}

interface Pending extends QueuedTimer {
  id: number;
  process: ProbeProcess;
  /** Monotonic deadline for the answers of a live process. */
  waitUntil: number;
  /** By the index of the check; null until it is answered. */
  answers: (ProbeAnswer | null)[];
  missing: number;
  settle(answers: ProbeAnswer[]): void;
  unanswered(why: Unanswered): ProbeAnswer;
}

type Unanswered = 'lost' | 'aborted';

const START_WITHIN_MS = 10_000;
/** Maximum time a team's check waits for a slot and its answer beyond its own time limit. */
const MAX_QUEUED_MS = MAX_SLOT_WAIT_MS + BUS_MARGIN_MS;
/** Live processes report every second; one that is silent for longer loses its overdue checks. */
const SILENT_MS = 3_000;
const WATCH_EVERY_MS = 1_000;

/** Creates the bus once a probe process is alive, or after 10 s without one, so that a broken probe does not block the start. */
export async function createLocalBus(options: LocalBusOptions): Promise<LocalBus> {
  const { clock, log } = options;
  const regions = new Set(options.regions);
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let nextProcess = 0;
  let seenAt: number | null = null;
  let closed = false;
  let resolveReady: () => void;
  const alive = new Promise<void>((resolve) => (resolveReady = resolve));

  /** Checks past their time limit whose process is alive: they may have started late. */
  const overdue = new Set<Pending>();
  let watch: Timer | null = null;

  const deadlines = new TimerQueue<Pending>({
    clock,
    fire: ({ id }) => afterPendingEvents(clock, () => expire(id)),
  });

  function expire(id: number): void {
    const entry = pending.get(id);
    if (entry === undefined) return;
    if (clock.monotonic() >= entry.waitUntil || isSilent(entry)) return lose([id]);
    overdue.add(entry);
    deadlines.set(entry, entry.waitUntil);
    watch ??= clock.after(WATCH_EVERY_MS, () => afterPendingEvents(clock, watchOverdue));
  }

  /** Checks all overdue entries once a second, since an overload causes many. */
  function watchOverdue(): void {
    const silent = new Set(processes.filter((each) => each.silentMs() > SILENT_MS));
    if (silent.size > 0)
      lose([...overdue].filter((entry) => silent.has(entry.process)).map(({ id }) => id));
    watch =
      overdue.size === 0 || closed
        ? null
        : clock.after(WATCH_EVERY_MS, () => afterPendingEvents(clock, watchOverdue));
  }

  const isSilent = (entry: Pending): boolean => entry.process.silentMs() > SILENT_MS;

  function remove(id: number): Pending | undefined {
    const entry = pending.get(id);
    if (entry === undefined) return undefined;
    pending.delete(id);
    overdue.delete(entry);
    deadlines.remove(entry);
    return entry;
  }

  function receive(id: number, index: number, answer: ProbeAnswer): void {
    const entry = pending.get(id);
    if (entry === undefined || entry.answers[index] !== null) return;
    entry.answers[index] = corrected(answer, options.correctionMs?.() ?? 0);
    if (--entry.missing > 0) return;
    remove(id);
    entry.settle(entry.answers as ProbeAnswer[]);
  }

  function settleUnanswered(ids: Iterable<number>, why: Unanswered): void {
    for (const id of ids) {
      const entry = remove(id);
      entry?.settle(entry.answers.map((answer) => answer ?? entry.unanswered(why)));
    }
  }

  const lose = (ids: Iterable<number>): void => settleUnanswered(ids, 'lost');

  const processes = Array.from({ length: options.workers }, () =>
    createProbeProcess({
      entry: options.entry ?? new URL('../../probe/agent/child.ts', import.meta.url),
      settings: options.settings,
      environment: childEnvironment(options.environment),
      clock,
      log,
      onHeard() {
        seenAt = clock.now();
        resolveReady();
      },
      onResult: receive,
      onLost: lose,
    }),
  );

  /** Round robin over the child processes, without those that are restarting. */
  function dispatch(id: number, request: ProbeRequest, count: number): ProbeProcess | undefined {
    for (let tries = 0; tries < processes.length; tries++) {
      const process = processes[nextProcess++ % processes.length]!;
      if (process.send(id, request, count)) return process;
    }
    return undefined;
  }

  /**
   * Sends a request to a probe process, which runs it `count` times; null when none is available. One message, timer and
   * promise serve all checks of a round.
   */
  function askFor<Answer extends ProbeAnswer>(
    count: number,
    request: ProbeRequest,
    unanswered: (why: Unanswered) => Answer,
  ): Promise<Answer[]> | null {
    const id = nextId++;
    const process = dispatch(id, request, count);
    if (process === undefined) return null;
    const endsAt = clock.monotonic() + request.timeoutMs;
    const mayWait = 'teamId' in request && request.teamId !== undefined;
    const waitUntil = endsAt + (mayWait ? MAX_QUEUED_MS : BUS_MARGIN_MS);
    return new Promise<ProbeAnswer[]>((resolve) => {
      const entry: Pending = {
        ...UNQUEUED_TIMER,
        id,
        process,
        waitUntil,
        answers: Array.from({ length: count }, () => null),
        missing: count,
        settle: resolve,
        unanswered,
      };
      pending.set(id, entry);
      deadlines.set(entry, endsAt + BUS_MARGIN_MS);
    }) as Promise<Answer[]>;
  }

  function ask<Answer extends ProbeAnswer>(
    request: ProbeRequest,
    unanswered: (why: Unanswered) => Answer,
  ): Promise<Answer> | null {
    const answers = askFor(1, request, unanswered);
    return answers === null ? null : answers.then(([answer]) => answer!);
  }

  async function checkServed(wanted: readonly Region[], request: CheckRequest) {
    const served = wanted.filter((region) => regions.has(region));
    const results =
      served.length === 0 ? null : await askFor(served.length, request, unansweredCheck);
    let next = 0;
    return wanted.map((region) =>
      results !== null && regions.has(region) ? results[next++]! : noProbe(region),
    );
  }

  let inspecting: Promise<MachineReport | null> | null = null;

  async function askMachine(): Promise<MachineReport | null> {
    const request = { kind: 'machine', timeoutMs: MACHINE_TIMEOUT_MS } as const;
    const answer = await ask<MachineReport | InspectionResult>(request, unansweredInspection);
    return answer !== null && 'gateway' in answer ? answer : null;
  }

  function probeInfo(lastSeenAt: number): ProbeInfo {
    const states = processes.map((each) => each.state());
    return {
      vantage: options.vantage,
      version: options.version,
      seenAt: lastSeenAt,
      takesChecks: states.some(({ pid }) => pid !== null),
      isRemote: false,
      load: states.flatMap(({ load }) => load ?? []),
    };
  }

  const waiting = clock.after(START_WITHIN_MS, () => {
    // Log: Read the lines before this one.
    log.error({}, 'No probe process has started; checks are unknown until one does.');
    resolveReady();
  });
  await alive;
  clock.clear(waiting);

  return {
    check(region, request) {
      if (closed) return Promise.resolve(unansweredCheck('aborted'));
      const answer = regions.has(region) ? ask(request, unansweredCheck) : null;
      return answer ?? Promise.resolve(noProbe(region));
    },
    checkAll(wanted, request) {
      if (closed) return Promise.resolve(wanted.map(() => unansweredCheck('aborted')));
      return checkServed(wanted, request);
    },
    inspect<Request extends InspectionRequest>(request: Request, region?: Region) {
      type Result = InspectionResult<Request['kind']>;
      if (closed) return Promise.resolve(unknownInspection('The service stopped before its end'));
      if (region !== undefined && !regions.has(region))
        return Promise.resolve(unknownInspection('No probe is running'));
      const answer = ask<Result>(request, () => unknownInspection('The probe did not answer'));
      return answer ?? Promise.resolve(unknownInspection('No probe is running'));
    },
    async inspectMachine(region) {
      if (closed || !regions.has(region)) return null;
      // All regions share this machine, so concurrent callers share one report.
      inspecting ??= askMachine().finally(() => (inspecting = null));
      return inspecting;
    },
    lastSeen: (region) => (regions.has(region) ? seenAt : null),
    vantageOf: (region) => (regions.has(region) ? options.vantage : null),
    probesOf: (region) => (regions.has(region) && seenAt !== null ? [probeInfo(seenAt)] : []),
    processes: () => processes.map((each) => each.state()),
    async close() {
      closed = true;
      settleUnanswered(pending.keys(), 'aborted');
      deadlines.stop();
      clock.clear(watch);
      await Promise.all(processes.map((each) => each.close()));
    },
  };
}

function corrected(answer: ProbeAnswer, correctionMs: number): ProbeAnswer {
  const isTimed = correctionMs !== 0 && 'vote' in answer && answer.sentAt !== undefined;
  return isTimed ? { ...answer, sentAt: answer.sentAt! + correctionMs } : answer;
}

/**
 * Environment variables a probe process inherits: locations of programs, compiled modules, certificates and resolvers, and
 * what tunes Node, never a secret.
 */
const INHERITED_VARIABLES = [
  'PATH',
  'TZ',
  'TMPDIR',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'NODE_COMPILE_CACHE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'OPENSSL_CONF',
  'RES_OPTIONS',
  'UV_THREADPOOL_SIZE',
  'MALLOC_ARENA_MAX',
];

export function childEnvironment(environment: Record<string, string | undefined>) {
  // The ICMP probe parses the output of the `ping` program.
  const passed: Record<string, string> = { LC_ALL: 'C' };
  for (const name of INHERITED_VARIABLES) {
    const value = environment[name];
    if (value !== undefined) passed[name] = value;
  }
  return passed;
}

function unansweredCheck(why: Unanswered): CheckResult {
  return why === 'lost'
    ? unknownResult('probe_lost', 'The probe did not answer')
    : unknownResult('aborted', 'The service stopped before the check ended');
}

function unknownInspection(reason: string): { state: 'unknown'; reason: string } {
  return { state: 'unknown', reason };
}

function unansweredInspection(): InspectionResult {
  return unknownInspection('The probe did not answer');
}
