import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { fetchPackages, findFolder } from './debian-packages.ts';
import { openPatiently } from './patient-postgres.ts';
import { scratchFolder } from './scratch.ts';
import { spawnTied } from './tied-process.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A socket that sends one JSON `PostgresAnswer`; the first client starts the server. */
    postgresDoor: string;
  }
}

/**
 * `url` is the server's own database; `template` has the migrated tables. Otherwise the reason why there is no server.
 */
export type PostgresAnswer =
  | { url: string; template: string }
  | { missing: string }
  | { broken: string };

/** The database with the migrated tables. */
export const TEMPLATE = 'tocsin_template';
const PREFIX = 'tocsin-postgres-';
const DOOR = 'door';
const PROGRAMS = ['initdb', 'postgres'];

/** The user "nobody": Postgres does not run as root. */
const NOBODY = 65_534;
const AS_ROOT = process.getuid?.() === 0;

/** Asynchronous: this process answers vitest's workers meanwhile. */
const run = promisify(execFile);

/** Global setup of vitest: one temporary Postgres server for the whole run, started when the first test needs it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned(scratchFolder());
  const directory = mkdtempSync(join(scratchFolder(), PREFIX));
  let running: Promise<RunningPostgres | { missing: string }> | null = null;
  const answer = async (): Promise<PostgresAnswer> => {
    running ??= startPostgres(directory);
    const result = await running;
    return 'missing' in result ? result : { url: result.url, template: TEMPLATE };
  };

  const doorPath = join(directory, DOOR);
  const door = await openDoor(doorPath, answer);
  project.provide('postgresDoor', doorPath);

  return async () => {
    const result = await running?.catch(() => null);
    if (result && !('missing' in result)) await result.stop();
    // The socket last: a socket that refuses connections tells the next run what was left behind.
    rmSync(directory, { recursive: true, force: true });
    door.close();
  };
}

/** Removes what killed runs left behind: their sockets refuse connections. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((each) => each.startsWith(PREFIX))) {
    const refused = await refuses(join(folder, name, DOOR));
    if (refused) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

async function refuses(door: string): Promise<boolean> {
  const socket = connect(door);
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

async function openDoor(path: string, answer: () => Promise<PostgresAnswer>): Promise<Server> {
  const reply = async (socket: Socket) => {
    socket.on('error', () => {});
    const found = await answer().catch((error: Error): PostgresAnswer => ({
      broken: error.stack ?? error.message,
    }));
    socket.end(JSON.stringify(found));
  };
  const door = createServer((socket) => void reply(socket));
  door.listen(path);
  await once(door, 'listening');
  door.unref();
  return door;
}

export interface RunningPostgres {
  url: string;
  /** Of the server's main process; another one after it was started again. */
  readonly pid: number;
  /**
   * Ends the server: `fast` aborts transactions in progress, `immediate` ends as a crash does, `kill` ends its main process
   * only (SIGKILL), and the others when they notice.
   */
  stop(how?: keyof typeof STOP_SIGNALS): Promise<void>;
  /** Starts it again on the same data, and resolves when it takes connections. */
  restart(): Promise<void>;
}

/**
 * Starts a server whose data is in that folder.
 *
 * @param settings `name=value`, in addition to those for tests, which are fast and do not survive a crash.
 */
export async function startPostgres(
  directory: string,
  settings: readonly string[] = [],
): Promise<RunningPostgres | { missing: string }> {
  const programs = await postgresPrograms();
  if ('missing' in programs) return programs;
  if (AS_ROOT) chownSync(directory, NOBODY, NOBODY);
  const data = join(directory, 'data');
  const initialize = `initdb -D '${data}' -U tocsin --auth=trust --no-sync --encoding=UTF8 --locale=C.UTF-8`;
  await programs.run(initialize, directory);
  const server = await startOnData(programs, { directory, data, settings });
  try {
    await makeTemplate(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/** The programs of Postgres, run as the user of its server. */
export interface PostgresPrograms {
  bin: string;
  env: Record<string, string>;
  /** Runs a script of the shell that finds the programs by their names. @throws with its errors. */
  run(script: string, folder: string, more?: Record<string, string>): Promise<string>;
}

export async function postgresPrograms(): Promise<PostgresPrograms | { missing: string }> {
  const found = findBinaries() ?? (await fetchBinaries());
  if ('missing' in found) return found;
  const env = {
    PATH: [found.bin, process.env['PATH'] ?? ''].join(delimiter),
    LC_ALL: 'C.UTF-8',
    ...(found.libraries && { LD_LIBRARY_PATH: found.libraries }),
  };
  return {
    bin: found.bin,
    env,
    async run(script, folder, more = {}) {
      const identity = AS_ROOT && { uid: NOBODY, gid: NOBODY };
      const options = { cwd: folder, env: { ...env, ...more }, ...identity };
      return (await run('sh', ['-e', '-c', script], options)).stdout;
    },
  };
}

/** How Postgres ends, by the signal that its main process gets. */
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

/** Starts a server on a folder of data that exists, with its socket in `directory`. */
export async function startOnData(
  { bin, env }: PostgresPrograms,
  place: { directory: string; data: string; settings: readonly string[] },
): Promise<RunningPostgres> {
  const { directory, data, settings } = place;
  const args = serverArguments(data, directory, settings);
  const where = { cwd: directory, env, ...(AS_ROOT && { id: NOBODY }) };
  const launch = () => spawnTied(join(bin, 'postgres'), args, where);
  let server = launch();
  const stop = async (how: keyof typeof STOP_SIGNALS = 'fast') => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(STOP_SIGNALS[how]);
    await ended;
  };
  // The socket is named after the port.
  const port = settings.findLast((setting) => setting.startsWith('port='))?.slice('port='.length);
  const url = `postgres://tocsin@localhost:${port ?? 5432}/postgres?host=${encodeURIComponent(directory)}`;
  const restart = async () => {
    server = launch();
    await untilReady(url, server);
  };
  try {
    await untilReady(url, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    get pid() {
      return server.pid!;
    },
    stop,
    restart,
  };
}

function serverArguments(data: string, directory: string, further: readonly string[]): string[] {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${directory}`,
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'wal_level=minimal',
    'max_wal_senders=0',
    // The log is in memory, too.
    'min_wal_size=32MB',
    'max_wal_size=64MB',
    'shared_buffers=32MB',
    'max_connections=200',
    'autovacuum=off',
    'jit=off',
    'dynamic_shared_memory_type=mmap',
    ...further,
  ];
  return ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(systemClock, 20);
    }
  }
  throw new Error('postgres did not get ready.');
}

/** Copying a database takes a fraction of making its tables. */
async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  const database = await openPatiently(template.href);
  await database.close();
}

interface Binaries {
  bin: string;
  libraries: string | null;
}

function findBinaries(): Binaries | null {
  const root = '/usr/lib/postgresql';
  const installed = newestFirst(root).map((version) => join(root, version, 'bin'));
  const bin = findFolder(PROGRAMS, installed);
  return bin === undefined ? null : { bin, libraries: null };
}

function newestFirst(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory).toSorted((a, b) => Number(b) - Number(a));
}

// Libraries that every Debian has are left out: mixing versions would break the machine's own programs.
const PACKAGES = `
  server=$(apt-cache depends postgresql | sed -n 's/.*Depends: \\(postgresql-[0-9]*\\)$/\\1/p' | head -n 1)
  libraries=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \\
    --no-enhances "$server" | grep '^lib' | grep -Ev '^(libc6|libgcc-s1|libstdc\\+\\+6|libllvm.*)$' | sort -u)
  packages="$server $(echo "$server" | sed 's/-/-client-/') $libraries"`;

async function fetchBinaries(): Promise<Binaries | { missing: string }> {
  const unpacked = await fetchPackages('Postgres', PACKAGES);
  if ('missing' in unpacked) return unpacked;
  const { folder: cache } = unpacked;
  const root = join(cache, 'usr/lib/postgresql');
  const bin = newestFirst(root)
    .map((version) => join(root, version, 'bin'))
    .find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));
  if (bin === undefined) return { missing: `${cache} holds no server: remove it to try again` };
  const triplets = ['x86_64-linux-gnu', 'aarch64-linux-gnu'];
  const folders = triplets.flatMap((name) => [
    join(cache, 'usr/lib', name),
    join(cache, 'lib', name),
  ]);
  return { bin, libraries: folders.filter((folder) => existsSync(folder)).join(delimiter) };
}
