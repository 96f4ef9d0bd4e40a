import { describe, expect, test, vi } from 'vitest';
import { SHARD_COUNT } from '../../src/model/monitor.ts';
import { freshPostgres, postgres } from '../support/databases.ts';
import { untilOwned } from '../support/pair.ts';
import { openPatiently } from '../support/patient-postgres.ts';
import {
  createMonitor,
  incidents,
  lookAt,
  monitorOf,
  PATIENTLY,
  untilAll,
  useServices,
} from '../support/service.ts';
import { expectSoundHistory } from '../support/sound-history.ts';
import { startTarget } from '../support/target-server.ts';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { fetchPackages, findFolder } from '../support/debian-packages.ts';
import { freePorts } from '../support/free-ports.ts';
import { spawnTied } from '../support/tied-process.ts';

interface PgBouncer {
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
async function findPgBouncer(): Promise<Program | { missing: string }> {
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
async function startPgBouncer(place: string, folder: string): Promise<PgBouncer> {
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

vi.setConfig({ testTimeout: 240_000 });

const services = useServices();

/** A pooler that loses prepared statements may end a transaction, whose request is refused with 503 and sent again. */
const untilAccepted = <Value>(request: () => Promise<Value>) => vi.waitFor(request, PATIENTLY);

describe.skipIf('missing' in postgres)('two processes behind PgBouncer in transaction mode', () => {
  test.each(['true', 'false'])(
    'share the work, and go on when it starts anew; prepared statements: %s',
    async (prepared) => {
      const { place, remove } = await freshPostgres();
      services.use({ close: remove });
      const database = services.use(await openPatiently(place));
      const pooler = services.use(await startPgBouncer(place, await services.folder()));
      const target = services.use(await startTarget());
      const start = async () =>
        services.start({
          DATABASE_URL: pooler.url,
          DATABASE_PREPARED_STATEMENTS: prepared,
          SECRET_KEY: 'a key for the process tests',
          DATA_DIR: await services.folder(),
        });
      const [first, second] = await Promise.all([start(), start()]);
      await untilOwned(database, [SHARD_COUNT / 2, SHARD_COUNT / 2]);
      const ids = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          untilAccepted(() => createMonitor(first, { url: target.url(`/${index}`) })),
        ),
      );
      await untilAll(second, ids, 'online');
      const job = await untilAccepted(() =>
        createMonitor(second, {
          monitor_type: 'heartbeat',
          friendly_name: 'Backup',
          heartbeat_interval: 300,
        }),
      );
      const { ping_url: ping } = (await monitorOf(first, job)) as unknown as { ping_url: string };
      await untilAccepted(async () => {
        const pinged = await fetch(first.url + new URL(ping).pathname);
        expect(pinged.status).toBe(200);
      });
      await expect
        .poll(async () => (await monitorOf(second, job)).status, PATIENTLY)
        .toBe('online');

      await pooler.restart();
      await target.fail();
      for (const id of ids) await lookAt(second, id);
      await untilAll(first, ids, 'offline');
      const owned = async () => (await second.get('/readyz')).status;
      await expect.poll(owned, PATIENTLY).toBe(200);

      await first.kill();
      await untilOwned(database, [SHARD_COUNT]);
      await target.heal();
      for (const id of ids) await lookAt(second, id);
      await untilAll(second, ids, 'online');
      expect(await incidents(second)).toHaveLength(ids.length);
      await second.stop();
      await expectSoundHistory(database);
    },
  );
});
