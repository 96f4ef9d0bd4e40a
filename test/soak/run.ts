import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { deriveRegionKey, probeKeyText } from '../../src/lib/region-keys.ts';
import { createRandom } from '../simulation/random.ts';
import { TEMPLATE } from '../support/postgres-server.ts';
import { createDisturber } from './faults.ts';
import { FLEETS, needsNats, needsNetworks, regionsOf } from './fleets.ts';
import type { ProcessKind } from './fleets.ts';
import { PROGRAM, startFleet } from './fleet.ts';
import type { FleetSettings } from './fleet.ts';
import { planFile } from './judge/records.ts';
import type { Plan } from './judge/records.ts';
import { startRestartedNats } from './nats.ts';
import { createNetworks, NETWORKS } from './networks.ts';
import { createOpened } from './opened.ts';
import type { Opened } from './opened.ts';
import type { SoakOptions } from './options.ts';
import { startPinger } from './pinger.ts';
import { startSoakPostgres } from './postgres.ts';
import type { SoakPostgres } from './postgres.ts';
import { startReceiver } from './receiver.ts';
import { createResources } from './resources.ts';
import { openSharedTables } from './shared-tables.ts';
import { startTargets } from './targets.ts';
import { checkOutRevision, migrate, upgradeFleet } from './upgrade.ts';

const DATABASE = 'soak';
const SECRET_KEY = 'a key for the soak';
const TOKEN = 'token-of-the-soak-0123456789-abcdef';
/** A process whose clock is off corrects it to within this time of the database's. */
const CORRECTED_WITHIN_MS = 1_000;
/** Until every monitor was checked, and that is stored. */
const FIRST_ROUNDS_WITHIN_MS = 60_000;
const STORED_MS = 3_000;
/** Beyond an interval: until the rounds that see the end of the last outages are recorded. */
const LAST_ROUNDS_MS = 20_000;
const DELIVERED_WITHIN_MS = 60_000;

interface Judgement {
  /** What the judge printed. */
  report: string;
  passed: boolean;
}

export interface Soak extends Judgement {
  folder: string;
}

/**
 * Runs processes and faults, then the judge.
 *
 * @param say takes a line about each fault.
 * @throws an error that names the folder.
 */
export async function runSoak(options: SoakOptions, say: (line: string) => void): Promise<Soak> {
  const folder = options.folder ?? mkdtempSync(path.join(tmpdir(), 'tocsin-soak-'));
  try {
    return { ...(await runIn(folder, options, say)), folder };
  } catch (error) {
    const message = `${(error as Error).message}\nRecords and logs: ${folder}`;
    throw new Error(message, { cause: error });
  }
}

async function runIn(
  folder: string,
  options: SoakOptions,
  say: (line: string) => void,
): Promise<Judgement> {
  mkdirSync(folder, { recursive: true });
  // Postgres runs as another user below it.
  chmodSync(folder, 0o755);
  const place = path.join(folder, 'postgres');
  mkdirSync(place);
  const { upgradeFrom } = options;
  const standby = options.faults.includes('failover') ? options.replication : null;
  const opened = createOpened();
  try {
    const older =
      upgradeFrom === null
        ? null
        : opened.use(await checkOutRevision(upgradeFrom), (tree) => tree.remove());
    const postgres = opened.use(await startSoakPostgres(place, standby), (server) => server.stop());
    const url = await createDatabase(postgres.url, older === null ? TEMPLATE : 'template0');
    await runOn({ options, folder, older: older?.program ?? null, postgres, url, say });
    return await judge(folder, url, options.slackMs);
  } finally {
    await opened.close();
  }
}

async function createDatabase(server: string, template: string): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${DATABASE} template ${template}`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

interface Place {
  options: SoakOptions;
  folder: string;
  /** File of the program that is replaced; null if none is. */
  older: string | null;
  postgres: SoakPostgres;
  url: string;
  say(line: string): void;
}

async function runOn(place: Place): Promise<void> {
  const opened = createOpened();
  try {
    await disturbOn(place, opened);
  } finally {
    await opened.close();
  }
}

async function disturbOn(
  { options, folder, older, postgres, url, say }: Place,
  opened: Opened,
): Promise<void> {
  const random = createRandom(options.seed);
  const tables = opened.use(openSharedTables(url), (one) => one.close());
  const kinds: readonly ProcessKind[] = FLEETS[options.fleet];
  const networks = needsNetworks(kinds)
    ? opened.use(await createNetworks(), (one) => one.close())
    : null;
  const host = networks?.address ?? '127.0.0.1';
  const targets = opened.use(
    await startTargets(folder, options.monitors, random.fork('targets'), host),
    (one) => one.close(),
  );
  const receiver = opened.use(await startReceiver(folder, host), (one) => one.close());
  const nats = needsNats(kinds)
    ? opened.use(await startRestartedNats(folder, host), (one) => one.stop())
    : null;
  const env = settingsOf(nats?.url ?? null, receiver.operatorUrl);
  const database = {
    ...env.withDatabase,
    DATABASE_URL: url,
    DATA_DIR: path.join(folder, 'migration'),
  };
  if (older !== null) await migrate(older, database);
  const started = await startFleet({
    folder,
    kinds,
    program: older ?? PROGRAM,
    socket: postgres.socket,
    database: DATABASE,
    env,
    tables,
    networks,
    skewMs: options.skewMs,
    slowClocks: options.faults.includes('slow_clock'),
  });
  const fleet = opened.use(started, (one) => one.stop());
  const urls = () => fleet.members.filter(({ kind }) => kind.serves).map((each) => each.url);
  const api = { url: urls()[0]!, token: TOKEN };
  const { monitors, jobs } = await createResources(api, {
    targets,
    monitors: options.monitors,
    intervalsMs: options.intervalsMs,
    jobs: options.jobs,
    regions: regionsOf(kinds),
    receiver: receiver.url,
  });
  for (const [index, monitor] of monitors.entries()) targets.watch(index, monitor);
  const pinger = opened.use(startPinger(folder, jobs, urls, random.fork('pinger')), (one) =>
    one.stop(),
  );
  await untilTrue(FIRST_ROUNDS_WITHIN_MS, () =>
    monitors.every((_, index) => targets.requests(index) > 0),
  );
  await sleep(systemClock, STORED_MS);
  const from = Date.now();
  targets.begin();

  const disturber = createDisturber({
    folder,
    fleet,
    postgres,
    nats,
    tables,
    random: random.fork('faults'),
    kinds: options.faults,
  });
  const pauses = random.fork('pauses');
  const pause = () => sleep(systemClock, pauses.integer(...options.pauseMs));
  const disturb = async () => {
    for (let count = 1; count <= options.kills; count += 1) {
      say(`${count} of ${options.kills}: ${await disturber.disturb()}`);
      await pause();
    }
    await disturber.recover();
  };
  if (older === null) await disturb();
  else {
    await upgradeFleet({
      folder,
      fleet,
      tables,
      older,
      database,
      token: TOKEN,
      monitor: monitors[0]!.id,
      andBack: options.andBack,
      pause,
      disturb,
      say,
    });
  }
  say('The last outages end.');
  targets.settle();
  const longestMs = Math.max(...options.intervalsMs) + LAST_ROUNDS_MS;
  await untilTrue(longestMs, async () => (await tables.openIncidents()) === 0);
  await pinger.stop();
  await untilTrue(DELIVERED_WITHIN_MS, async () => (await tables.pendingDeliveries()) === 0);
  const plan: Plan = {
    monitors,
    jobs: jobs.map(({ id }) => id),
    from,
    to: Date.now(),
    skewMs: Math.min(Math.abs(options.skewMs), CORRECTED_WITHIN_MS),
  };
  writeFileSync(planFile(folder), JSON.stringify(plan));
}

/** Settings of the processes with a database, and of those without. */
function settingsOf(natsUrl: string | null, operatorUrl: string): FleetSettings['env'] {
  const shared: Settings = {
    ALLOW_PRIVATE_TARGETS: `127.0.0.0/8,${NETWORKS}`,
    ...(natsUrl !== null && { NATS_URL: natsUrl }),
  };
  return {
    withDatabase: {
      ...shared,
      SECRET_KEY,
      ADMIN_TOKEN: TOKEN,
      RATE_LIMITS: 'off',
      ALLOW_HTTP_WEBHOOKS: 'true',
      OPERATOR_WEBHOOK_URL: operatorUrl,
    },
    withoutDatabase: (region) => ({
      ...shared,
      PROBE_KEY: probeKeyText(deriveRegionKey(SECRET_KEY, region)),
    }),
  };
}

type Settings = Record<string, string>;

async function untilTrue(
  withinMs: number,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isTrue()) && performance.now() < deadline) await sleep(systemClock, 200);
}

/** The judge is a program of its own, which knows the records and the tables only. */
async function judge(folder: string, url: string, slackMs: number): Promise<Judgement> {
  const program = fileURLToPath(new URL('./judge.ts', import.meta.url));
  const child = spawn(process.execPath, [program, folder, url, String(slackMs)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let report = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => void (report += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { report, passed: code === 0 };
}
