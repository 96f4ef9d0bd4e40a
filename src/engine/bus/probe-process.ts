import { fork, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { unpackResult } from '../../model/packed-result.ts';
import type { ProbeLoad } from '../../model/probe-load.ts';
import type {
  ProbeSettings,
  FromChild,
  ProbeAnswer,
  ProbeRequest,
  ToChild,
} from '../../probe/agent/child.ts';

/** Child process that runs checks: restarted when it exits, killed when it hangs. */
export type ProbeProcess = ReturnType<typeof createProbeProcess>;

export interface ProbeProcessState {
  pid: number | null;
  /** Number of checks and inspections without an answer. */
  checks: number;
  restarts: number;
  load: ProbeLoad | null;
}

const WATCH_EVERY_MS = 1_000;
/** Processes report every second. */
const STUCK_AFTER_MS = 10_000;
const START_WITHIN_MS = 30_000;
const STABLE_AFTER_MS = 10_000;
const MAX_RESTART_DELAY_MS = 5_000;
const EXIT_WITHIN_MS = 2_000;

interface ProcessRun {
  child: ChildProcess;
  startedAt: number;
  heardAt: number | null;
  load: ProbeLoad | null;
  unanswered: Map<number, number>;
  checks: number;
  outbox: ToChild;
}

export function createProbeProcess(options: {
  entry: URL;
  settings: ProbeSettings;
  environment: Record<string, string>;
  clock: Clock;
  log: Log;
  onHeard(): void;
  /** Called for each answer, with the index of the check among those of its request. */
  onResult(id: number, index: number, result: ProbeAnswer): void;
  onLost(ids: Iterable<number>): void;
}) {
  const { clock, log } = options;
  let life: ProcessRun | null = null;
  let restarts = 0;
  let quickExits = 0;
  let timer: Timer | null = null;
  let closed = false;

  function start(): void {
    let child: ChildProcess;
    try {
      child = fork(options.entry, [JSON.stringify(options.settings)], {
        env: options.environment,
        // Does not inherit the parent's flags, such as a debugger's port or a test runner's loader.
        execArgv: ['--max-semi-space-size=16'],
        serialization: 'json',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
    } catch (error) {
      return restart(`could not be started (${String(error)})`);
    }
    const now: ProcessRun = {
      child,
      startedAt: clock.monotonic(),
      heardAt: null,
      load: null,
      unanswered: new Map(),
      checks: 0,
      outbox: [],
    };
    life = now;
    child.on('message', (message) => receive(now, message as FromChild));
    child.once('exit', (code, signal) => onExit(now, `ended (${signal ?? `exit code ${code}`})`));
    child.on('error', (error) => {
      if (child.pid === undefined) onExit(now, `could not be started (${error.message})`);
    });
    createInterface({ input: child.stderr! }).on('line', (line) =>
      // Log: A fault of Tocsin or Node.
      log.warn({ pid: child.pid, line }, 'A probe process wrote to its error output.'),
    );
    timer = clock.after(WATCH_EVERY_MS, () => checkAlive(now, now.startedAt));
  }

  function receive(from: ProcessRun, { results = [], logs = [], load }: FromChild): void {
    from.heardAt = clock.monotonic();
    if (load !== undefined) from.load = load;
    options.onHeard();
    // Lines of the child, which were checked where they were written.
    const lines = log as Record<keyof Log, (fields: object, message: string) => void>;
    for (const [level, fields, message] of logs) lines[level](fields, message);
    for (const [id, index, packed] of results) {
      const missing = from.unanswered.get(id);
      if (missing === undefined) continue;
      from.checks--;
      if (missing === 1) from.unanswered.delete(id);
      else from.unanswered.set(id, missing - 1);
      options.onResult(id, index, Array.isArray(packed) ? unpackResult(packed) : packed);
    }
  }

  /** Removes a request without an answer. Returns whether there was one. */
  function giveUp(at: ProcessRun, id: number): boolean {
    at.checks -= at.unanswered.get(id) ?? 0;
    return at.unanswered.delete(id);
  }

  function onExit(dead: ProcessRun, how: string): void {
    if (life !== dead) return;
    life = null;
    clock.clear(timer);
    clock.soon(() => {
      options.onLost(dead.unanswered.keys());
      if (clock.monotonic() - dead.startedAt >= STABLE_AFTER_MS) quickExits = 0;
      restart(how);
    });
  }

  function restart(how: string): void {
    if (closed) return;
    const delay =
      quickExits === 0 ? 0 : Math.min(MAX_RESTART_DELAY_MS, 250 * 2 ** (quickExits - 1));
    quickExits++;
    restarts++;
    // Log: Checks that were running are unknown.
    log.error({ cause: how, delay_ms: delay }, 'A probe process is restarted.');
    timer = clock.after(delay, start);
  }

  function checkAlive(at: ProcessRun, lookedAt: number): void {
    const now = clock.monotonic();
    // If this process was frozen itself, it has read no messages: restart the child's silence timer.
    if (now - lookedAt > 2 * WATCH_EVERY_MS && at.heardAt !== null) at.heardAt = now;
    const silentMs = now - (at.heardAt ?? at.startedAt);
    if (silentMs > (at.heardAt === null ? START_WITHIN_MS : STUCK_AFTER_MS)) {
      // Log: It is restarted.
      log.error({ pid: at.child.pid, silent_ms: silentMs }, 'A probe process hung and was killed.');
      at.child.kill('SIGKILL');
    }
    timer = clock.after(WATCH_EVERY_MS, () => checkAlive(at, now));
  }

  function flush(at: ProcessRun): void {
    const batch = at.outbox;
    at.outbox = [];
    at.child.send(batch, undefined, {}, (error) => {
      if (!error) return;
      const lost = batch.map(([id]) => id).filter((id) => giveUp(at, id));
      options.onLost(lost);
    });
  }

  start();
  return {
    /** Queues a request that the process runs `count` times. False while no process is running. */
    send(id: number, request: ProbeRequest, count: number) {
      const at = life;
      if (at === null || !at.child.connected) return false;
      if (at.outbox.length === 0) clock.soon(() => flush(at));
      at.outbox.push([id, request, count]);
      at.unanswered.set(id, count);
      at.checks += count;
      return true;
    },
    state: () => ({
      pid: life?.child.pid ?? null,
      checks: life?.checks ?? 0,
      restarts,
      load: life?.load ?? null,
    }),
    /** Milliseconds since the last message; Infinity before the first one or without a process. */
    silentMs: () => clock.monotonic() - (life?.heardAt ?? -Infinity),
    /** Ends the process; no request is answered after this call. */
    async close() {
      closed = true;
      clock.clear(timer);
      const last = life;
      life = null;
      if (last?.child.pid === undefined) return;
      await end(last.child, clock);
    },
  };
}

/** Disconnects the process, which makes it exit; kills it when it does not. */
function end(child: ChildProcess, clock: Clock): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = clock.after(EXIT_WITHIN_MS, () => child.kill('SIGKILL'));
    child.once('exit', () => {
      clock.clear(timer);
      resolve();
    });
    if (child.connected) child.disconnect();
  });
}
