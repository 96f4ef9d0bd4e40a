import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { UNQUEUED_TIMER, TimerQueue, type QueuedTimer } from '../../lib/timer-queue.ts';
import { unknownResult, type CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { MachineReport } from '../../model/machine.ts';
import type { Region } from '../../model/monitor.ts';
import { MAX_SLOT_WAIT_MS } from '../../model/probe-load.ts';
import type { ChildSettings, ProbeAnswer, ProbeRequest } from '../../probe/agent/child.ts';
import { BUS_MARGIN_MS, type Bus } from './contract.ts';
import { createProbeProcess, type ProbeProcess, type ProbeProcessState } from './probe-process.ts';

/** All regions of an installation on one machine: child processes do their checks, so that neither side disturbs the other. */
export interface LocalBus extends Bus {
  processes(): ProbeProcessState[];
  /** What the machine knows of its own network; null when no probe could say. Never rejects. */
  inspectMachine(region: Region): Promise<MachineReport | null>;
}

export interface LocalBusOptions {
  /** The regions that this machine probes for. */
  regions: readonly Region[];
  /** Name of this machine (VANTAGE_NAME). */
  vantage: string;
  /** How many probe processes, 1 or more (PROBE_WORKERS). */
  workers: number;
  settings: ChildSettings;
  /** Of this process; what is passed on is in `childEnvironment`. */
  environment: Record<string, string | undefined>;
  clock: Clock;
  log: Log;
  /** The program of a probe process. */
  entry?: URL;
}

interface Pending extends QueuedTimer {
  id: number;
  process: ProbeProcess;
  /** Monotonic time up to which the answer is waited for while the process lives. */
  waitUntil: number;
  settle(answer: ProbeAnswer): void;
  /** What stands for an answer that never comes. */
  unanswered(why: Unanswered): ProbeAnswer;
}

type Unanswered = 'lost' | 'aborted';

/** How long the start waits for the first sign of life. */
const START_WITHIN_MS = 10_000;
/** A check of a team waits for its slot and its answer at most that much longer than its time limit. */
const PATIENCE_MS = MAX_SLOT_WAIT_MS + BUS_MARGIN_MS;
/** A process that lives reports every second: what it has not answered in time waits for a slot, or is on its way. */
const SILENT_MS = 3_000;
const WATCH_EVERY_MS = 1_000;

/** A machine's gateway and name servers reply within milliseconds, or not at all. */
const MACHINE_TIMEOUT_MS = 2_500;

/** Resolves when a probe process is alive, or after 10 s without one: the service can do much without checks. */
export async function createLocalBus(options: LocalBusOptions): Promise<LocalBus> {
  const { clock, log } = options;
  const regions = new Set(options.regions);
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let turn = 0;
  let seenAt: number | null = null;
  let closed = false;
  let announceLife: () => void;
  const alive = new Promise<void>((resolve) => (announceLife = resolve));

  /** Those whose time limit has passed since they were handed over, while their process lives. */
  const overdue = new Set<Pending>();
  let watch: Timer | null = null;

  const deadlines = new TimerQueue<Pending>({
    clock,
    fire: ({ id }) => afterReading(() => expire(id)),
  });

  /** If this process stood still, messages wait to be read: two turns let them in. */
  function afterReading(call: () => void): void {
    clock.soon(() => clock.soon(call));
  }

  /** The time limit has passed since the check was handed over. It may have started later, as the process reports. */
  function expire(id: number): void {
    const entry = pending.get(id);
    if (entry === undefined) return;
    if (clock.monotonic() >= entry.waitUntil || isSilent(entry)) return lose([id]);
    overdue.add(entry);
    deadlines.set(entry, entry.waitUntil);
    watch ??= clock.after(WATCH_EVERY_MS, () => afterReading(watchOverdue));
  }

  /** One look at all of them a second: in an overload there are many. */
  function watchOverdue(): void {
    const silent = new Set(processes.filter((each) => each.silentMs() > SILENT_MS));
    if (silent.size > 0)
      lose([...overdue].filter((entry) => silent.has(entry.process)).map(({ id }) => id));
    watch =
      overdue.size === 0 || closed
        ? null
        : clock.after(WATCH_EVERY_MS, () => afterReading(watchOverdue));
  }

  const isSilent = (entry: Pending): boolean => entry.process.silentMs() > SILENT_MS;

  function takeOut(id: number): Pending | undefined {
    const entry = pending.get(id);
    if (entry === undefined) return undefined;
    pending.delete(id);
    overdue.delete(entry);
    deadlines.remove(entry);
    return entry;
  }

  function settle(id: number, answer: ProbeAnswer): void {
    takeOut(id)?.settle(answer);
  }

  function giveUp(ids: Iterable<number>, why: Unanswered): void {
    for (const id of ids) {
      const entry = takeOut(id);
      entry?.settle(entry.unanswered(why));
    }
  }

  const lose = (ids: Iterable<number>): void => giveUp(ids, 'lost');

  const processes = Array.from({ length: options.workers }, () =>
    createProbeProcess({
      entry: options.entry ?? new URL('../../probe/agent/child.ts', import.meta.url),
      settings: options.settings,
      environment: childEnvironment(options.environment),
      clock,
      log,
      onHeard() {
        seenAt = clock.now();
        announceLife();
      },
      onResult: settle,
      onLost: lose,
    }),
  );

  /** Round robin over the child processes, without those that are restarting. */
  function handOver(id: number, request: ProbeRequest): ProbeProcess | undefined {
    for (let tries = 0; tries < processes.length; tries++) {
      const process = processes[turn++ % processes.length]!;
      if (process.send(id, request)) return process;
    }
    return undefined;
  }

  /** The answer of a probe, or what stands for it; null when there is no probe. */
  function ask<Answer extends ProbeAnswer>(
    request: ProbeRequest,
    unanswered: (why: Unanswered) => Answer,
  ): Promise<Answer> | null {
    const id = nextId++;
    const process = handOver(id, request);
    if (process === undefined) return null;
    const endsAt = clock.monotonic() + request.timeoutMs;
    const mayWait = 'teamId' in request && request.teamId !== undefined;
    const waitUntil = endsAt + (mayWait ? PATIENCE_MS : BUS_MARGIN_MS);
    return new Promise<ProbeAnswer>((resolve) => {
      const entry: Pending = {
        ...UNQUEUED_TIMER,
        id,
        process,
        waitUntil,
        settle: resolve,
        unanswered,
      };
      pending.set(id, entry);
      deadlines.set(entry, endsAt + BUS_MARGIN_MS);
    }) as Promise<Answer>;
  }

  let inspecting: Promise<MachineReport | null> | null = null;

  async function askMachine(): Promise<MachineReport | null> {
    const request = { kind: 'machine', timeoutMs: MACHINE_TIMEOUT_MS } as const;
    const answer = await ask<MachineReport | InspectionResult>(request, uninspectedMachine);
    return answer !== null && 'gateway' in answer ? answer : null;
  }

  const waiting = clock.after(START_WITHIN_MS, () => {
    log.error({}, 'No probe process has started; checks are unknown until one does.');
    announceLife();
  });
  await alive;
  clock.clear(waiting);

  return {
    check(region, request) {
      if (closed) return Promise.resolve(uncheckedBy('aborted'));
      const answer = regions.has(region) ? ask(request, uncheckedBy) : null;
      return (
        answer ??
        Promise.resolve(unknownResult('no_probe', `No probe is running in region ${region}`))
      );
    },
    inspect<Request extends InspectionRequest>(request: Request) {
      type Result = InspectionResult<Request['kind']>;
      if (closed) return Promise.resolve(uninspected('The service stopped before its end'));
      const answer = ask<Result>(request, () => uninspected('The probe did not answer'));
      return answer ?? Promise.resolve(uninspected('No probe is running'));
    },
    async inspectMachine(region) {
      if (closed || !regions.has(region)) return null;
      // All regions are on this machine: one look serves those who ask meanwhile.
      inspecting ??= askMachine().finally(() => (inspecting = null));
      return inspecting;
    },
    lastSeen: (region) => (regions.has(region) ? seenAt : null),
    vantageOf: (region) => (regions.has(region) ? options.vantage : null),
    processes: () => processes.map((each) => each.state()),
    async close() {
      closed = true;
      giveUp(pending.keys(), 'aborted');
      deadlines.stop();
      clock.clear(watch);
      await Promise.all(processes.map((each) => each.close()));
    },
  };
}

/** What a probe process may know of our environment: how to find programs, certificates and names. Never a secret. */
const PASSED_ON = [
  'PATH',
  'TZ',
  'TMPDIR',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'OPENSSL_CONF',
  'RES_OPTIONS',
  'UV_THREADPOOL_SIZE',
];

export function childEnvironment(
  environment: Record<string, string | undefined>,
): Record<string, string> {
  // The ping program's words are read by us.
  const passed: Record<string, string> = { LC_ALL: 'C' };
  for (const name of PASSED_ON) {
    const value = environment[name];
    if (value !== undefined) passed[name] = value;
  }
  return passed;
}

function uncheckedBy(why: Unanswered): CheckResult {
  return why === 'lost'
    ? unknownResult('probe_lost', 'The probe did not answer')
    : unknownResult('aborted', 'The service stopped before the check ended');
}

function uninspected(reason: string): { state: 'unknown'; reason: string } {
  return { state: 'unknown', reason };
}

function uninspectedMachine(): InspectionResult {
  return uninspected('The probe did not answer');
}
