import { fork, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ProbeLoad } from '../../model/probe-load.ts';
import type {
  ChildSettings,
  FromChild,
  ProbeAnswer,
  ProbeRequest,
  ToChild,
} from '../../probe/agent/child.ts';

/** A process that does checks, started anew whenever it ends, and killed when it is stuck. */
export interface ProbeProcess {
  /** Hands a check over at the end of this turn. False when no process is there to take it for the moment. */
  send(id: number, request: ProbeRequest): boolean;
  state(): ProbeProcessState;
  /** Milliseconds since something was heard from the process; Infinity when there is none, or it has said nothing yet. */
  silentMs(): number;
  /** Nothing is answered any more once this is called. */
  close(): Promise<void>;
}

export interface ProbeProcessState {
  /** Null between two processes. */
  pid: number | null;
  /** Checks handed over and not answered. */
  checks: number;
  restarts: number;
  /** As the process reported it last; null before its first report. */
  load: ProbeLoad | null;
}

export interface ProbeProcessOptions {
  entry: URL;
  settings: ChildSettings;
  environment: Record<string, string>;
  clock: Clock;
  log: Log;
  /** Something was heard from the process. */
  onHeard(): void;
  onResult(id: number, result: ProbeAnswer): void;
  /** These checks will not be answered. */
  onLost(ids: Iterable<number>): void;
}

const LOOK_EVERY_MS = 1_000;
/** It says that it is alive every second. */
const STUCK_AFTER_MS = 10_000;
const START_WITHIN_MS = 30_000;
const SOUND_AFTER_MS = 10_000;
const MAX_RESTART_DELAY_MS = 5_000;
const EXIT_WITHIN_MS = 2_000;

/** One life of the process. */
interface Life {
  child: ChildProcess;
  startedAt: number;
  /** Monotonic time of the last message; null before the first one. */
  heardAt: number | null;
  load: ProbeLoad | null;
  owed: Set<number>;
  outbox: ToChild;
}

export function createProbeProcess(options: ProbeProcessOptions): ProbeProcess {
  const { clock, log } = options;
  let life: Life | null = null;
  let restarts = 0;
  let deathsInARow = 0;
  let timer: Timer | null = null;
  let closed = false;

  function start(): void {
    let child: ChildProcess;
    try {
      child = fork(options.entry, [JSON.stringify(options.settings)], {
        env: options.environment,
        // The parent's own flags (a debugger's port, a test runner's loader) are not for it.
        execArgv: ['--max-semi-space-size=4'],
        serialization: 'json',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
    } catch (error) {
      return startAgain(`could not be started (${String(error)})`);
    }
    const now: Life = {
      child,
      startedAt: clock.monotonic(),
      heardAt: null,
      load: null,
      owed: new Set(),
      outbox: [],
    };
    life = now;
    child.on('message', (message) => hear(now, message as FromChild));
    child.once('exit', (code, signal) => bury(now, `ended (${signal ?? `exit code ${code}`})`));
    child.on('error', (error) => {
      if (child.pid === undefined) bury(now, `could not be started (${error.message})`);
    });
    createInterface({ input: child.stderr! }).on('line', (line) =>
      log.warn({ pid: child.pid, line }, 'A probe process wrote to its error output.'),
    );
    timer = clock.after(LOOK_EVERY_MS, () => look(now, now.startedAt));
  }

  function hear(from: Life, { results = [], logs = [], load }: FromChild): void {
    from.heardAt = clock.monotonic();
    if (load !== undefined) from.load = load;
    options.onHeard();
    for (const [level, fields, message] of logs) log[level](fields, message);
    for (const [id, result] of results) if (from.owed.delete(id)) options.onResult(id, result);
  }

  /** What the process sent last may still wait to be read: it comes first. */
  function bury(dead: Life, how: string): void {
    if (life !== dead) return;
    life = null;
    clock.clear(timer);
    clock.soon(() => {
      options.onLost(dead.owed);
      if (clock.monotonic() - dead.startedAt >= SOUND_AFTER_MS) deathsInARow = 0;
      startAgain(how);
    });
  }

  function startAgain(how: string): void {
    if (closed) return;
    const delay =
      deathsInARow === 0 ? 0 : Math.min(MAX_RESTART_DELAY_MS, 250 * 2 ** (deathsInARow - 1));
    deathsInARow++;
    restarts++;
    log.error({ delayMs: delay }, `A probe process ${how}; another one takes its place.`);
    timer = clock.after(delay, start);
  }

  function look(at: Life, lookedAt: number): void {
    const now = clock.monotonic();
    // A parent that stood still itself has read no messages: the process gets its time anew.
    if (now - lookedAt > 2 * LOOK_EVERY_MS && at.heardAt !== null) at.heardAt = now;
    const silentMs = now - (at.heardAt ?? at.startedAt);
    if (silentMs > (at.heardAt === null ? START_WITHIN_MS : STUCK_AFTER_MS)) {
      log.error({ pid: at.child.pid, silentMs }, 'A probe process is stuck and is killed.');
      at.child.kill('SIGKILL');
    }
    timer = clock.after(LOOK_EVERY_MS, () => look(at, now));
  }

  function flush(at: Life): void {
    const batch = at.outbox;
    at.outbox = [];
    at.child.send(batch, undefined, {}, (error) => {
      if (!error) return;
      const lost = batch.map(([id]) => id).filter((id) => at.owed.delete(id));
      options.onLost(lost);
    });
  }

  start();
  return {
    send(id, request) {
      const at = life;
      if (at === null || !at.child.connected) return false;
      if (at.outbox.length === 0) clock.soon(() => flush(at));
      at.outbox.push([id, request]);
      at.owed.add(id);
      return true;
    },
    state: () => ({
      pid: life?.child.pid ?? null,
      checks: life?.owed.size ?? 0,
      restarts,
      load: life?.load ?? null,
    }),
    silentMs: () => clock.monotonic() - (life?.heardAt ?? -Infinity),
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

/** The process goes when its parent lets go of it; one that can't is killed. */
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
