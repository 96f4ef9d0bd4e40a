import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { buildApi } from './api/app.ts';
import type { Readiness } from './api/system-routes.ts';
import { countVotes } from './bus/counted.ts';
import type { VoteCounts } from './bus/counted.ts';
import { createLocalBus } from './bus/local.ts';
import type { LocalBus } from './bus/local.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { createAlive } from './heartbeat/alive.ts';
import type { Alive } from './heartbeat/alive.ts';
import { createIngest } from './heartbeat/ingest.ts';
import type { PingIngest } from './heartbeat/ingest.ts';
import { createSweep } from './heartbeat/sweep.ts';
import type { Sweep } from './heartbeat/sweep.ts';
import { createHistoryJobs } from './history/jobs.ts';
import { createAuthenticator } from './identity/authenticate.ts';
import { ensureOwner } from './identity/bootstrap.ts';
import { addressKey, createRateLimits, createUncountedRateLimits } from './identity/rate-limits.ts';
import type { RateLimits } from './identity/rate-limits.ts';
import { openSecretKey } from './identity/secret-key.ts';
import { sharedCounters } from './identity/shared-counters.ts';
import { sleep, systemClock as clock } from './lib/clock.ts';
import { createLog } from './lib/log.ts';
import { exposeCounts, exposeValue } from './lib/metrics.ts';
import { createSecretBox } from './lib/secret-box.ts';
import {
  createAddressGuard,
  judgeHostLiteral,
  parseAllowPrivateTargets,
} from './net/address-guard.ts';
import { createInspector } from './inspect/inspector.ts';
import type { Inspector } from './inspect/inspector.ts';
import { createScheduler } from './schedule/scheduler.ts';
import type { Scheduler } from './schedule/scheduler.ts';
import { createServices } from './service/services.ts';
import type { Database } from './store/contract.ts';
import { openDatabase } from './store/database.ts';
import type { OpenDatabase } from './store/database.ts';
import { DatabaseUnavailable } from './store/errors.ts';
import { lockDirectory } from './store/process-lock.ts';
import { createJudge } from './verdict/judge.ts';
import type { Judge } from './verdict/judge.ts';

/** A process that was told to end does so within 10 s (completions, section 12). */
const DRAIN_MS = 9_000;
/** How long rounds that were aborted may take to be handed on. */
const LAST_ROUNDS_MS = 2_000;

const DISK_LOW_BYTES = 500 * 1024 * 1024;
/** Rounds that start so late tell of the past: another process should take over. */
const LATE_MS = 30_000;

/**
 * Errors whose message says all there is to say, by name or code; those of Postgres are a wrong user or password, and
 * a database that is not there. The others are faults, and their stack is wanted.
 */
const FOR_PEOPLE = new Set([
  'DataFolderError',
  'SecretKeyError',
  'DatabaseUnavailable',
  'NewerDatabaseError',
  'EADDRINUSE',
  'EACCES',
  '28P01',
  '28000',
  '3D000',
]);

const { config, errors } = readConfig(process.env);
if (errors) {
  for (const error of errors) console.error(error);
  process.exit(1);
}
const log = createLog(config.logLevel, process.stdout);
try {
  const { address, stop } = await start(config);
  endOnSignal(stop);
  // Whoever waits for this line may send a signal at once.
  log.info(address, 'Tocsin is listening.');
} catch (error) {
  log.error(isForPeople(error) ? {} : { error }, `Tocsin could not start: ${sentenceOf(error)}`);
  process.exitCode = 1;
  // What was started before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 1_000).unref();
}

interface Started {
  /** For people and their tools. */
  address: { url: string; host: string; port: number };
  /** Ends it all in order. */
  stop: () => Promise<void>;
}

/** Builds every stage, hands each what it needs, and listens. */
async function start(settings: Config): Promise<Started> {
  const lock = settings.databaseUrl === null ? lockDirectory(settings.dataDir) : null;
  // The probe process starts meanwhile.
  const [database, localBus] = await Promise.all([openPatiently(settings), startProbes(settings)]);
  const owner = await ensureOwner({ database, clock }, settings);
  if (owner.token !== null) showFirstToken(owner.token);

  const secretBox = createSecretBox(await secretKeys(settings));
  const registry = new Registry();
  const votes: VoteCounts = { up: 0, down: 0, unknown: 0 };
  const bus = countVotes(localBus, votes);
  const judge = createJudge({ database, clock, log });
  const lag = startLag(registry);
  const scheduler = createScheduler({
    database,
    bus,
    judge,
    clock,
    log,
    nodeId: randomUUID(),
    secrets: secretBox,
    onStart: (lagMs) => lag.observe(lagMs / 1000),
  });
  const inspector = createInspector({ database, bus, clock, log });
  const history = createHistoryJobs({ database, clock, log, ...settings });
  const alive = createAlive({ database, clock, log });
  const pings = createIngest({
    database,
    clock,
    limit: settings.rateLimits === 'off' ? null : settings.rateLimitPing,
    shownLimit: settings.rateLimitPing,
    clientOf: addressKey,
    onRefused: (receivedAt) => alive.trouble(receivedAt),
  });
  const sweep = createSweep({
    database,
    clock,
    log,
    isCertain: () => alive.isCertain(),
    oldestWaitingAt: () => pings.oldestWaitingAt(),
  });
  const authenticator = createAuthenticator({ database, clock, log });
  let listening = '';
  const api = buildApi({
    services: createServices({
      database,
      bus,
      clock,
      secretBox,
      nudge: (shard) => scheduler.nudge(shard),
      forgetToken: (tokenId) => authenticator.forget(tokenId),
      defaults: {
        regions: settings.regions.map((region) => region.code),
        checkInterval: settings.defaultCheckInterval,
      },
      regions: settings.regions,
      judgeTarget: targetJudge(settings),
      baseUrl: () => settings.baseUrl ?? listening,
      version: version(),
    }),
    authenticator,
    rateLimits: rateLimitsOf(settings, database),
    pings,
    clock,
    baseUrl: () => settings.baseUrl ?? listening,
    readiness: () => readiness({ settings, database, bus: localBus, scheduler }),
    metrics: registry,
    trustProxy: settings.trustProxy,
    log,
  });
  exposeStages(registry, { votes, judge, scheduler, bus: localBus });
  exposeHeartbeats(registry, { alive, pings, sweep });
  exposeInspections(registry, inspector);
  collectDefaultMetrics({ register: registry });

  scheduler.start();
  inspector.start();
  history.start();
  await api.listen({ host: settings.host, port: settings.port });
  const { port } = api.server.address() as { port: number };
  listening = `http://localhost:${port}`;
  // Its first mark may have to wait for the database; until then silence is not judged.
  void alive.start();
  sweep.start();
  const stop = async () => {
    // The last mark is of this moment: what nobody takes from now on lies after it.
    const lastMark = alive.stop();
    await Promise.all([api.close(), sweep.stop()]);
    await pings.close();
    await lastMark;
    const lastRounds = scheduler.stop(LAST_ROUNDS_MS);
    const lastInspections = inspector.stop();
    await bus.close();
    await Promise.all([lastRounds, lastInspections]);
    await Promise.all([judge.close(), history.stop(), authenticator.close()]);
    await database.close();
    lock?.release();
  };
  const address = { url: settings.baseUrl ?? listening, host: settings.host, port };
  return { address, stop };
}

/** A database on another machine may come up after us: it is waited for. One that must be mended is an error. */
async function openPatiently(settings: Config): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl === null) return openDatabase({ engine: 'sqlite', directory: dataDir });
  for (let attempt = 1; ; attempt++) {
    try {
      return await openDatabase({ engine: 'postgres', url: databaseUrl });
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || attempt === 60) throw error;
      log.warn({ attempt, reason: error.message }, 'Waiting for the database.');
      await sleep(clock, 1_000);
    }
  }
}

function startProbes(settings: Config): Promise<LocalBus> {
  return createLocalBus({
    regions: settings.probeRegions,
    workers: settings.probeWorkers,
    settings: {
      allowPrivateTargets: settings.allowPrivateTargets,
      rdapBootstrapFile: settings.rdapBootstrapFile,
    },
    environment: process.env,
    clock,
    log,
  });
}

async function secretKeys(settings: Config): Promise<string[]> {
  if (settings.secretKeys.length > 0) return [...settings.secretKeys];
  return [await openSecretKey(settings.dataDir, randomBytes)];
}

function rateLimitsOf(settings: Config, database: Database): RateLimits {
  const limits = {
    standard: settings.rateLimitStandard,
    monitor_check: settings.rateLimitMonitorCheck,
    check_url: settings.rateLimitCheckUrl,
    anonymous: settings.rateLimitAnonymous,
    ping: settings.rateLimitPing,
  };
  if (settings.rateLimits === 'off') return createUncountedRateLimits({ limits, clock });
  if (settings.databaseUrl === null) return createRateLimits({ limits, clock });
  return createRateLimits({ limits, clock, count: sharedCounters({ database, log }) });
}

function targetJudge(settings: Config): (host: string) => ReturnType<typeof judgeHostLiteral> {
  const parsed = parseAllowPrivateTargets(settings.allowPrivateTargets);
  if (!parsed.ok) throw new Error(`ALLOW_PRIVATE_TARGETS: ${parsed.message}`);
  const guard = createAddressGuard(parsed.value);
  return (host) => judgeHostLiteral(guard, host);
}

/** Not a log line: logs never hold tokens. */
function showFirstToken(token: string): void {
  process.stderr.write(
    `\nThis is the first start. Your API token, shown this once, has all permissions:\n\n  ${token}\n\n`,
  );
}

async function readiness(parts: {
  settings: Config;
  database: Database;
  bus: LocalBus;
  scheduler: Scheduler;
}): Promise<Readiness> {
  const { settings, bus, scheduler } = parts;
  const database = await parts.database.read
    .selectFrom('shard')
    .select('shard')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
  const scheduleLagMs = Math.round(scheduler.lagMs());
  const alive = bus.processes().filter((one) => one.pid !== null).length;
  const probes = Object.fromEntries(
    settings.regions.map(({ code }) => [code, settings.probeRegions.includes(code) ? alive : 0]),
  );
  const diskLow =
    settings.databaseUrl === null && (await freeBytes(settings.dataDir)) < DISK_LOW_BYTES;
  const ready = database && scheduleLagMs < LATE_MS;
  return { ready, database, scheduleLagMs, probes, diskLow };
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function startLag(registry: Registry): Histogram {
  return new Histogram({
    name: 'tocsin_round_start_lag_seconds',
    help: 'How late rounds start.',
    buckets: [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 5, 30],
    registers: [registry],
  });
}

function exposeStages(
  registry: Registry,
  stages: { votes: VoteCounts; judge: Judge; scheduler: Scheduler; bus: LocalBus },
): void {
  const { votes, judge, scheduler, bus } = stages;
  const checks = { name: 'tocsin_checks_total', help: 'Checks by their vote.', label: 'vote' };
  exposeCounts(registry, checks, () => votes);
  const rounds = { name: 'tocsin_rounds_total', help: 'Judged rounds.', label: 'outcome' };
  exposeCounts(registry, rounds, () => unprefixed(judge.counters, 'rounds_'));
  const slots = {
    name: 'tocsin_slots_total',
    help: 'Grid slots at which no round of their own began.',
    label: 'kind',
  };
  exposeCounts(registry, slots, () => unprefixed(scheduler.counters, 'slots_'));
  const schedule = {
    name: 'tocsin_schedule_total',
    help: 'What the scheduler did.',
    label: 'kind',
  };
  exposeCounts(registry, schedule, () => ({ ...scheduler.counters }));
  const value = (name: string, help: string, read: () => number) =>
    exposeValue(registry, name, help, read);
  value('tocsin_monitors', 'Monitors that this process looks at.', () => scheduler.monitors);
  value('tocsin_rounds_in_flight', 'Rounds whose checks are out.', () => scheduler.roundsInFlight);
  value('tocsin_rounds_waiting', 'Finished rounds that wait to be stored.', () => judge.waiting());
  value(
    'tocsin_schedule_lag_seconds',
    'How late the next round is.',
    () => scheduler.lagMs() / 1000,
  );
  value(
    'tocsin_probe_processes',
    'Probe processes that are alive.',
    () => bus.processes().filter((one) => one.pid !== null).length,
  );
}

function exposeHeartbeats(
  registry: Registry,
  { alive, pings, sweep }: { alive: Alive; pings: PingIngest; sweep: Sweep },
): void {
  const outcomes = { name: 'tocsin_pings_total', help: 'Pings by outcome.', label: 'outcome' };
  exposeCounts(registry, outcomes, () => unprefixed(pings.counters, 'pings_'));
  const listening = {
    name: 'tocsin_listening_total',
    help: 'Times in which pings may have been lost, and what else made silence uncertain.',
    label: 'kind',
  };
  exposeCounts(registry, listening, () => ({ ...alive.counters }));
  const silence = {
    name: 'tocsin_silence_total',
    help: 'Looks at jobs whose time may be over, and those that failed.',
    label: 'kind',
  };
  exposeCounts(registry, silence, () => ({ ...sweep.counters }));
}

function exposeInspections(registry: Registry, { counters, underWay }: Inspector): void {
  const looks = {
    name: 'tocsin_inspections_total',
    help: 'Looks at certificates, DNS records and registrations; those that found nothing out, and failures of ours.',
    label: 'kind',
  };
  exposeCounts(registry, looks, () => ({ ...counters }));
  exposeValue(
    registry,
    'tocsin_inspections_under_way',
    'Inspections that are being made or recorded.',
    underWay,
  );
}

function unprefixed(counts: object, prefix: string): Record<string, number> {
  const entries = Object.entries(counts).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(
    entries.map(([name, count]) => [name.slice(prefix.length), count as number]),
  );
}

function version(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function isForPeople(error: unknown): boolean {
  const { code, name } = error as { code?: string; name?: string };
  return FOR_PEOPLE.has(code ?? '') || FOR_PEOPLE.has(name ?? '');
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as { code?: string; port?: number };
  if (code !== 'EADDRINUSE') return error.message;
  return `port ${port} is already in use. Stop what listens there, or set PORT to another one.`;
}

/** The first signal drains, a second one or a drain that takes too long ends at once. */
function endOnSignal(stop: () => Promise<void>): void {
  let ending = false;
  const end = (signal: string) => {
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal }, 'Tocsin is stopping.');
    setTimeout(() => {
      log.error({}, 'Stopping took too long; what was not yet stored is lost.');
      process.exit(1);
    }, DRAIN_MS).unref();
    stop().then(
      () => {
        log.info({}, 'Tocsin has stopped.');
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ error }, 'Stopping failed.');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
