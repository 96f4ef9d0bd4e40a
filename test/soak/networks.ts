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
const CLAIM = '-claim';
/** Networks of four addresses each in 256 of them; the first one is for the address of the machine. */
const MOST = 63;
/** Runs at the same time: each has 256 addresses of NETWORKS. */
const MOST_RUNS = 256;

const run = promisify(execFile);
/** Runs `ip` with these words. */
const ip = (words: string) => run('ip', words.split(' '));

/** @throws an error that says what is missing where this cannot work. */
export async function createNetworks(): Promise<Networks> {
  await assertPossible();
  await removeAbandoned();
  const own = await claimPart();
  const address = addressOf(own, 1);
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
      await release(process.pid, own, []);
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

/**
 * Claims a part of NETWORKS that no other run has: its first address can be added once only. A namespace with the number
 * of the part shows later runs whose it is.
 */
async function claimPart(): Promise<number> {
  for (let part = 0; part < MOST_RUNS; part += 1) {
    const isFree = await ip(`address add ${addressOf(part, 1)}/32 dev lo`).then(
      () => true,
      (error: Error) => {
        if (error.message.includes('File exists') || error.message.includes('already assigned'))
          return false;
        throw error;
      },
    );
    if (!isFree) continue;
    await ip(`netns add ${claimOf(process.pid, part)}`);
    return part;
  }
  throw new Error(`There are ${MOST_RUNS} runs with networks already.`);
}

const claimOf = (pid: number, part: number) => `${PREFIX}${pid}-${part}${CLAIM}`;

/** Releases the part of a run, whose namespaces these are. Nobody else claims it before its address is removed, at the end. */
async function release(pid: number, part: number, namespaces: readonly string[]): Promise<void> {
  await ip(`netns delete ${claimOf(pid, part)}`);
  for (const name of namespaces) {
    const index = Number(name.split('-')[3]);
    await ip(`link delete ${interfaceOf(part, index)}`).catch(() => {});
    await ip(`netns delete ${name}`);
  }
  await ip(`address delete ${addressOf(part, 1)}/32 dev lo`);
}

/** Removes what killed runs left behind. Their names contain the id of the process that made them, and their part. */
async function removeAbandoned(): Promise<void> {
  const { stdout } = await ip('netns list');
  const names = stdout.split('\n').map((line) => line.split(' ')[0]!);
  const claims = names.filter((name) => name.startsWith(PREFIX) && name.endsWith(CLAIM));
  for (const claim of claims) {
    const [pid, part] = claim.slice(PREFIX.length).split('-').map(Number) as [number, number];
    if (existsSync(`/proc/${pid}`)) continue;
    const own = `${PREFIX}${pid}-${part}-`;
    const namespaces = names.filter((name) => name.startsWith(own) && name !== claim);
    // Of several runs that start, the one that removes the claim does the rest.
    await release(pid, part, namespaces).catch(() => {});
  }
}

/** Its end on this machine; names of interfaces have 15 characters at most. */
const interfaceOf = (part: number, index: number) => `ts${part}-${index}`;

const addressOf = (part: number, last: number) => `198.18.${part}.${last}`;

/**
 * A namespace for the process, and one for the line between it and this machine: a bridge if it is near, a program that
 * delays and drops frames if it is far.
 */
async function createNetwork(part: number, index: number, distance: Distance): Promise<Network> {
  const name = `${PREFIX}${process.pid}-${part}-${index}`;
  const line = `${name}-line`;
  const [gateway, address] = [addressOf(part, 4 * index + 1), addressOf(part, 4 * index + 2)];
  const outer = interfaceOf(part, index);
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
      // With its namespace it would go after a while only, and the next one has its name.
      await ip(`link delete ${outer}`);
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
