import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { fetchPackages, findFolder } from './debian-packages.ts';
import { spawnTied } from './tied-process.ts';

export interface RunningNats {
  /** For clients: `nats://127.0.0.1:PORT`, without user and password. */
  url: string;
  port: number;
  pid: number;
  /** Its log so far. */
  log(): string;
  /** Resolves when the process is gone. Default: SIGINT. */
  stop(signal?: 'SIGINT' | 'SIGKILL'): Promise<void>;
}

interface Options {
  /** 0 takes a free one. A former server's port lets its clients reconnect. */
  port?: number;
  /** Address at which it listens. Default: 127.0.0.1. */
  host?: string;
  /** Path of a configuration file; its address and port for clients don't count. The server runs in its folder. */
  config?: string;
  /** Further arguments, such as `--user`. */
  args?: readonly string[];
  /** Environment, which a configuration may refer to. */
  env?: Record<string, string>;
}

/** Path of the program: that of this machine, or Debian's package, unpacked into a cache. */
export async function findNatsServer(): Promise<{ program: string } | { missing: string }> {
  const bin = findFolder(['nats-server'], ['/usr/sbin', '/usr/local/sbin']);
  if (bin !== undefined) return { program: join(bin, 'nats-server') };
  const unpacked = await fetchPackages('NATS', 'packages=nats-server');
  if ('missing' in unpacked) return unpacked;
  return { program: join(unpacked.folder, 'usr/sbin/nats-server') };
}

/** Starts a server that ends with this process. Its files are in that folder. */
export async function startNats(
  directory: string,
  { port = 0, host = '127.0.0.1', config, args = [], env = {} }: Options = {},
): Promise<RunningNats | { missing: string }> {
  const found = await findNatsServer();
  if ('missing' in found) return found;
  // The file of ports is named after the process: a folder of its own for each server.
  const ports = join(directory, `ports-${started++}`);
  mkdirSync(ports, { recursive: true });
  const listen = ['--addr', host, '--port', String(port === 0 ? -1 : port)];
  const from = config === undefined ? [] : ['--config', config];
  const server = spawnTied(
    found.program,
    [...from, ...listen, '--ports_file_dir', ports, ...args],
    {
      cwd: config === undefined ? directory : dirname(config),
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stderr: 'pipe',
    },
  );
  let log = '';
  server.stderr!.setEncoding('utf8').on('data', (text: string) => void (log += text));
  const stop = async (signal: 'SIGINT' | 'SIGKILL' = 'SIGINT') => {
    if (hasEnded(server)) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  try {
    const url = await urlOfClients(ports, server, () => log);
    return { url, port: Number(new URL(url).port), pid: server.pid!, log: () => log, stop };
  } catch (error) {
    await stop('SIGKILL');
    throw error;
  }
}

let started = 0;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** The server writes its file of ports when it accepts connections. */
async function urlOfClients(
  ports: string,
  server: ChildProcess,
  log: () => string,
): Promise<string> {
  for (let attempt = 0; attempt < 3_000; attempt += 1) {
    if (hasEnded(server)) throw new Error(`nats-server did not start:\n${log()}`);
    const url = readUrl(ports);
    if (url !== null) return url;
    await sleep(systemClock, 10);
  }
  throw new Error(`nats-server did not get ready:\n${log()}`);
}

function readUrl(ports: string): string | null {
  const [name] = readdirSync(ports);
  if (name === undefined) return null;
  const text = readFileSync(join(ports, name), 'utf8');
  // The file is there before its content.
  if (!text.endsWith('}')) return null;
  return (JSON.parse(text) as { nats: string[] }).nats[0]!;
}
