import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { fetchPackages, findFolder } from './debian-packages.ts';
import { freePorts } from './free-ports.ts';
import { spawnTied } from './tied-process.ts';

export interface PgBouncer {
  /** The URL of the database through the pooler. */
  url: string;
  /** Kills it with SIGKILL and starts it again on its port: all connections are lost. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The user "nobody": PgBouncer does not run as root. */
const NOBODY = 65_534;
const AS_ROOT = process.getuid?.() === 0;

const PACKAGES = `
  libraries=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \\
    --no-enhances pgbouncer | grep '^lib' | grep -Ev '^(libc6|libgcc-s1|libstdc\\+\\+6|libllvm.*)$' | sort -u)
  packages="pgbouncer $libraries"`;

interface Program {
  path: string;
  libraries: string | null;
}

/** That of this machine, or Debian's package, unpacked into a cache. */
export async function findPgBouncer(): Promise<Program | { missing: string }> {
  const installed = findFolder(['pgbouncer'], ['/usr/sbin']);
  if (installed !== undefined) return { path: join(installed, 'pgbouncer'), libraries: null };
  const unpacked = await fetchPackages('PgBouncer', PACKAGES);
  if ('missing' in unpacked) return unpacked;
  const { folder } = unpacked;
  const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
    .flatMap((name) => [join(folder, 'usr/lib', name), join(folder, 'lib', name)])
    .filter((each) => existsSync(each));
  return { path: join(folder, 'usr/sbin/pgbouncer'), libraries: libraries.join(delimiter) };
}

/**
 * Starts a pooler in transaction mode, set up as docs/deployment.md says and with few connections, in front of a database of the Postgres server of the tests.
 *
 * @param place URL of the database.
 * @param folder an empty folder.
 */
export async function startPgBouncer(place: string, folder: string): Promise<PgBouncer> {
  const found = await findPgBouncer();
  if ('missing' in found) throw new Error(`PgBouncer is missing: ${found.missing}`);
  const { path } = found;
  const direct = new URL(place);
  const [port] = await freePorts(1);
  const work = join(folder, 'pgbouncer');
  mkdirSync(work);
  const file = join(work, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${direct.searchParams.get('host')} user=tocsin
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
default_pool_size = 8
ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout
`,
  );
  if (AS_ROOT) for (const each of [work, file]) chownSync(each, NOBODY, NOBODY);
  // The folders above belong to who runs the tests, and nobody must read its settings.
  chmodSync(folder, 0o755);
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...(found.libraries !== null && { LD_LIBRARY_PATH: found.libraries }),
  };
  const identity = AS_ROOT ? { id: NOBODY } : {};

  async function start() {
    const child = spawnTied(path, [file], { cwd: work, env, ...identity });
    await untilOpen(port!, () => child.exitCode !== null || child.signalCode !== null);
    return child;
  }
  let running = await start();

  async function kill(): Promise<void> {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  return {
    url: `postgres://tocsin@127.0.0.1:${port}${direct.pathname}`,
    async restart() {
      await kill();
      running = await start();
    },
    close: kill,
  };
}

async function untilOpen(port: number, hasEnded: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    if (hasEnded()) throw new Error('PgBouncer did not start.');
    if (await accepts(port)) return;
    await sleep(systemClock, 10);
  }
  throw new Error('PgBouncer did not get ready.');
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
