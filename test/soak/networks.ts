import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** How a process is connected to all others: as in the same data center, or over a long line that loses packets. */
export type Distance = 'near' | 'far';

/** Network of one process, a namespace of its own behind a line that can be unplugged. */
export interface Network {
  /** Of the process, as others reach it. */
  address: string;
  /** Words before a command that runs in it. */
  prefix: string[];
  /** From now on packets vanish in both directions: no connection is closed or refused. */
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  remove(): Promise<void>;
}

export interface Networks {
  /** Address of this machine that all processes reach. */
  address: string;
  add(distance: Distance): Promise<Network>;
  /** Removes all networks. */
  close(): Promise<void>;
}

/** For benchmarks of networks, RFC 2544: no real network has these addresses. */
export const NETWORKS = '198.18.0.0/16';
/** Each way. */
const FAR_DELAY_MS = 150;
const FAR_LOSS = 0.05;

const SLOW_LINE = fileURLToPath(new URL('./slow-line.py', import.meta.url));
const PREFIX = 'tocsin-';
/** Networks of four addresses each in 256 of them; the first one is for the address of the machine. */
const MOST = 63;

const run = promisify(execFile);
/** Runs `ip` with these words. */
const ip = (words: string) => run('ip', words.split(' '));

/** @throws an error that says what is missing where this cannot work. */
export async function createNetworks(): Promise<Networks> {
  await assertPossible();
  await removeAbandoned();
  const own = process.pid;
  const address = addressOf(own, 1);
  await ip(`address add ${address}/32 dev lo`);
  const free = Array.from({ length: MOST }, (_, index) => index + 1);
  const open = new Set<Network>();
  return {
    address,
    async add(distance) {
      const index = free.shift();
      if (index === undefined) throw new Error(`There are ${MOST} networks already.`);
      const network = await createNetwork(own, index, distance);
      const opened: Network = {
        ...network,
        async remove() {
          open.delete(opened);
          await network.remove();
          free.push(index);
        },
      };
      open.add(opened);
      return opened;
    },
    async close() {
      for (const network of open) await network.remove();
      await ip(`address delete ${address}/32 dev lo`);
    },
  };
}

async function assertPossible(): Promise<void> {
  const advice = 'This fleet runs processes in network namespaces, for which it needs';
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    throw new Error(`${advice} Linux and root.`);
  }
  for (const [program, argument] of [
    ['ip', '-V'],
    ['python3', '--version'],
  ] as const) {
    await run(program, [argument]).catch(() => {
      throw new Error(`${advice} the programs ip (iproute2) and python3: ${program} is missing.`);
    });
  }
  try {
    await ip(`netns add ${PREFIX}${process.pid}-try`);
    await ip(`netns delete ${PREFIX}${process.pid}-try`);
  } catch (error) {
    throw new Error(`${advice} a kernel that allows them: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Removes what killed runs left behind. Their names contain the id of the process that made them. */
async function removeAbandoned(): Promise<void> {
  const { stdout } = await ip('netns list');
  const names = stdout.split('\n').map((line) => line.split(' ')[0]!);
  const abandoned = new Set<number>();
  for (const name of names.filter((one) => one.startsWith(PREFIX))) {
    const pid = Number(name.split('-')[1]);
    if (existsSync(`/proc/${pid}`)) continue;
    abandoned.add(pid);
    await ip(`netns delete ${name}`);
  }
  for (const pid of abandoned) {
    await ip(`address delete ${addressOf(pid, 1)}/32 dev lo`).catch(() => {});
  }
}

const addressOf = (pid: number, last: number) => `198.18.${pid % 256}.${last}`;

/**
 * A namespace for the process, and one for the line between it and this machine: a bridge if it is near, a program that
 * delays and drops frames if it is far.
 */
async function createNetwork(pid: number, index: number, distance: Distance): Promise<Network> {
  const name = `${PREFIX}${pid}-${index}`;
  const line = `${name}-line`;
  const [gateway, address] = [addressOf(pid, 4 * index + 1), addressOf(pid, 4 * index + 2)];
  // Names of interfaces have 15 characters at most.
  const outer = `ts${pid % 100_000}-${index}`;
  const inner = `${outer}i`;
  for (const namespace of [name, line]) await ip(`netns add ${namespace}`);
  await ip(`link add ${outer} type veth peer name a netns ${line}`);
  await ip(`link add ${inner} type veth peer name b netns ${line}`);
  if (distance === 'far') await run('python3', [SLOW_LINE, '--frames-as-on-a-wire', outer, inner]);
  await ip(`link set dev ${inner} netns ${name}`);
  await ip(`address add ${gateway}/30 dev ${outer}`);
  await ip(`link set dev ${outer} up`);
  await ip(`-n ${name} address add ${address}/30 dev ${inner}`);
  for (const each of ['lo', inner]) await ip(`-n ${name} link set dev ${each} up`);
  await ip(`-n ${name} route add default via ${gateway}`);
  const middle = await (distance === 'far' ? startSlowLine : startBridge)(line);
  return {
    address,
    prefix: ['ip', 'netns', 'exec', name],
    unplug: middle.unplug,
    plugIn: middle.plugIn,
    async remove() {
      await middle.end();
      for (const namespace of [name, line]) await ip(`netns delete ${namespace}`);
    },
  };
}

interface Middle {
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  end(): Promise<void>;
}

async function startBridge(line: string): Promise<Middle> {
  await ip(`-n ${line} link add between type bridge`);
  for (const port of ['a', 'b']) await ip(`-n ${line} link set dev ${port} master between up`);
  const set = async (state: 'up' | 'down') => {
    await ip(`-n ${line} link set dev between ${state}`);
  };
  await set('up');
  return { unplug: () => set('down'), plugIn: () => set('up'), end: async () => {} };
}

async function startSlowLine(line: string): Promise<Middle> {
  for (const port of ['a', 'b']) await ip(`-n ${line} link set dev ${port} up`);
  const program = ['python3', SLOW_LINE, 'a', 'b', String(FAR_DELAY_MS), String(FAR_LOSS)];
  const child: ChildProcess = spawn('ip', ['netns', 'exec', line, ...program], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const send = async (word: 'up' | 'down') => void child.stdin!.write(`${word}\n`);
  return {
    unplug: () => send('down'),
    plugIn: () => send('up'),
    async end() {
      const ended = once(child, 'exit');
      child.stdin!.end();
      await ended;
    },
  };
}
