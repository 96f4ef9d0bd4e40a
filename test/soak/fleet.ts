import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { freePorts } from '../support/free-ports.ts';
import { startProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import type { ProcessKind } from './fleets.ts';
import type { Network, Networks } from './networks.ts';
import { createOpened } from './opened.ts';
import type { Opened } from './opened.ts';
import type { SharedTables } from './shared-tables.ts';

/** A process of the service. */
export interface Member {
  name: string;
  kind: ProcessKind;
  url: string;
  /** Its own line to Postgres; null without one. */
  line: TcpProxy | null;
  /** Its own network; null if it is in that of this machine. */
  network: Network | null;
  child: ChildProcess;
  /** File of the program that it runs. */
  program: string;
  /** Name under which it leases shards; null if it leases none. */
  nodeId: string | null;
  /** Whether no fault has befallen it. */
  isSound: boolean;
}

export interface Fleet {
  readonly members: readonly Member[];
  /** Processes that no fault has befallen, and that have a sound companion of their kind. */
  expendable(): Member[];
  /**
   * Replaces a process that has ended, one at a time.
   *
   * @param program what the new one runs; by default the same.
   */
  replace(member: Member, program?: string): Promise<void>;
  stop(): Promise<void>;
}

export interface FleetSettings {
  folder: string;
  kinds: readonly ProcessKind[];
  /** File of the program that they run at first. */
  program: string;
  /** Path of Postgres's socket, and the database of the run. */
  socket: string;
  database: string;
  /** Settings of processes with a database, and of those without. */
  env: {
    withDatabase: Record<string, string>;
    withoutDatabase: (region: string) => Record<string, string>;
  };
  tables: SharedTables;
  /** Null if no kind needs one. */
  networks: Networks | null;
  /** Milliseconds by which the clock of the first process is off. */
  skewMs: number;
  /** Whether the clocks of processes that schedule can be made slow. */
  slowClocks: boolean;
}

/** The program of this tree. */
export const PROGRAM = fileURLToPath(new URL('../../src/start.js', import.meta.url));
const SLOW_CLOCK = fileURLToPath(new URL('./slow-clock.ts', import.meta.url));
const SHIFT_CLOCK = fileURLToPath(new URL('./shift-clock.ts', import.meta.url));
/** If available, the processes end with this one, even if it is killed. */
const TIED = spawnSync('setpriv', ['--version']).status === 0;
const LOOPBACK = '127.0.0.1';
const READY_WITHIN_MS = 120_000;
const START_ATTEMPTS = 5;
const START_AGAIN_MS = 2_000;

/** Starts all processes and resolves when they are ready. @throws if one does not start; then none is left. */
export async function startFleet(settings: FleetSettings): Promise<Fleet> {
  const members: Member[] = [];
  let started = 0;
  /** Processes start one after another, so that each is known by the node that it adds. */
  let starting: Promise<unknown> = Promise.resolve();

  const startAfter = async (
    before: Promise<unknown>,
    kind: ProcessKind,
    program: string,
  ): Promise<void> => {
    await before;
    started += 1;
    const skewMs = started === 1 ? settings.skewMs : 0;
    const name = `${kind.name}-${started}`;
    members.push(await startMember(settings, { kind, name, program, skewMs }));
  };
  const start = (kind: ProcessKind, program: string): Promise<void> => {
    const next = startAfter(starting, kind, program);
    starting = next.catch(() => {});
    return next;
  };
  const remove = async (member: Member) => {
    members.splice(members.indexOf(member), 1);
    await member.line?.close();
    await member.network?.remove();
  };
  const stop = async () => {
    await starting;
    await Promise.all(
      members.splice(0).map(async (member) => {
        // One that is suspended ends when it continues.
        signalAll(member, 'SIGCONT');
        await end(member, 'SIGTERM');
        await member.line?.close();
        await member.network?.remove();
      }),
    );
  };
  try {
    for (const kind of settings.kinds) {
      for (let index = 0; index < kind.count; index += 1) await start(kind, settings.program);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    members,
    expendable() {
      const sound = members.filter(({ isSound }) => isSound);
      return sound.filter(({ kind }) => sound.filter((one) => one.kind === kind).length > 1);
    },
    async replace(member, program = member.program) {
      await remove(member);
      await start(member.kind, program);
    },
    stop,
  };
}

interface Started {
  kind: ProcessKind;
  name: string;
  program: string;
  skewMs: number;
}

/** Starts a process, again if it ends at once, as a supervisor does: Postgres may be away. */
async function startMember(settings: FleetSettings, started: Started): Promise<Member> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryToStart(settings, started);
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
    }
    await sleep(systemClock, START_AGAIN_MS);
  }
}

async function tryToStart(settings: FleetSettings, started: Started): Promise<Member> {
  const opened = createOpened();
  try {
    return await startIn(settings, started, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function startIn(
  { folder, socket, database, env, tables, networks, slowClocks }: FleetSettings,
  { kind, name, program, skewMs }: Started,
  opened: Opened,
): Promise<Member> {
  const hub = networks?.address ?? LOOPBACK;
  const line = kind.usesDatabase
    ? opened.use(await startProxy(socket, hub), (one) => one.close())
    : null;
  const [port] = (await freePorts(1)) as [number];
  const data = path.join(folder, name);
  mkdirSync(data, { recursive: true });
  const known = new Set(await tables.nodes());
  const log = openSync(path.join(folder, `${name}.log`), 'a');
  const preloads = [
    ...(skewMs === 0 ? [] : [SHIFT_CLOCK]),
    ...(kind.schedules && slowClocks ? [SLOW_CLOCK] : []),
  ];
  const preload = preloads.map((file) => `--import=${file}`);
  const network =
    kind.distance === undefined
      ? null
      : opened.use(await networks!.add(kind.distance), (one) => one.remove());
  const host = network?.address ?? LOOPBACK;
  const command = [...(network?.prefix ?? []), process.execPath, ...preload, program];
  const [file, ...args] = TIED ? ['setpriv', '--pdeathsig=KILL', ...command] : command;
  const child = spawn(file!, args, {
    stdio: ['ignore', log, log],
    // A process group, so that it can be suspended with its probes.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...(line === null
        ? env.withoutDatabase(kind.region!)
        : {
            ...env.withDatabase,
            DATABASE_URL: `postgres://tocsin@${hub}:${line.port}/${database}`,
          }),
      ...kind.env,
      ...(skewMs !== 0 && { CLOCK_SHIFT_MS: String(skewMs) }),
      DATA_DIR: data,
      HOST: host,
      PORT: String(port),
    },
  });
  closeSync(log);
  const url = `http://${host}:${port}`;
  opened.use({ child }, (one) => end(one, 'SIGKILL'));
  await untilReady(url, child, name);
  const nodeId = kind.schedules ? await newNode(tables, known) : null;
  return { name, kind, url, line, network, child, program, nodeId, isSound: true };
}

async function untilReady(url: string, child: ChildProcess, name: string): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    if (hasEnded(child)) throw new Error(`${name} ended before it was ready; see its log.`);
    const response = await fetch(`${url}/readyz`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok === true) return;
    await sleep(systemClock, 100);
  }
  throw new Error(`${name} was not ready within ${READY_WITHIN_MS / 1_000} s; see its log.`);
}

async function newNode(tables: SharedTables, known: ReadonlySet<string>): Promise<string> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    const found = (await tables.nodes()).find((id) => !known.has(id));
    if (found !== undefined) return found;
    await sleep(systemClock, 50);
  }
  throw new Error('A process that started leases no shards.');
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

/** Sends a signal to the process and resolves when it has ended. */
export async function end({ child }: Pick<Member, 'child'>, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Sends a signal to the process and its probes. */
export function signalAll({ child }: Member, signal: NodeJS.Signals): void {
  if (!hasEnded(child)) process.kill(-child.pid!, signal);
}
