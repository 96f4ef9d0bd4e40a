import module from 'node:module';
import type { Config } from '../config/config.ts';
import type { Role } from '../config/types.ts';
import { ensureOwner } from '../identity/bootstrap.ts';
import type { Log } from '../lib/log.ts';
import { collectStartOfThread } from '../lib/start-memory.ts';
import type { OperatorContext } from '../operator/command.ts';
import { openOperatorSocket } from '../operator/server.ts';
import { readInstallationTotals } from '../store/resources/installation-totals.ts';
import { build, type Service } from './build.ts';
import { clock } from './clock.ts';
import { endOnSignal } from './signals.ts';
import { startSummary, stopSummary } from './summary.ts';

/** Maximum time for rounds under way to end. The bus aborts their checks when it closes, normally at once. */
const LAST_ROUNDS_MS = 7_000;

/** Starts the stages of this process's roles and listens. Rejects when the address is not available. */
export async function start(service: Service) {
  const { settings, address, log } = service;
  const { paused } = settings;
  if (!paused && plays(service, 'scheduler')) startScheduler(service.checking);
  if (plays(service, 'api')) service.statusPages.startServing();
  const port = await listen(service);
  if (paused) {
    // Log: The server was started with `PAUSED=true` or `--paused`. Restart it without to go on.
    log.warn({}, 'Tocsin is paused: it checks nothing and sends nothing.');
  } else {
    // Comes after the server listens: what the stages send holds links with its address.
    if (plays(service, 'api')) startHeartbeats(service);
    if (plays(service, 'worker')) startWorker(service);
    service.health.start();
  }
  const operator = await openOperatorAccess(service);
  // The process serves by now: a database that is away for a moment must not end it.
  const totals = await readInstallationTotals(service.resources.database).catch(() => null);
  if (plays(service, 'api')) {
    // Log: The secrets of the first start stay in their file; the next start announces them.
    await service.firstStart
      .announce(address.baseUrl())
      .catch((error: unknown) => log.warn({ error }, 'The state of set-up could not be read.'));
  }
  return {
    address: { url: address.baseUrl(), host: settings.host, port },
    summary: startSummary(service, totals),
    /** Stops all stages in order. Resolves to the fields of the line that sums up the time since the start. */
    stop: async () => {
      await stop(service, operator);
      return stopSummary(service);
    },
  };
}

function plays({ settings }: Service, role: Role): boolean {
  return settings.roles.includes(role);
}

function startScheduler(checking: Service['checking']): void {
  checking.scheduler.start();
  checking.selfCheck.start();
  checking.overload.start();
  checking.networkDiagnosis.start();
  checking.inspector.start();
}

/** Whoever receives pings also evaluates which ones are missing: nobody else knows that nothing came. */
function startHeartbeats({ heartbeats }: Service): void {
  // The first mark may have to wait for the database; until then no missing ping is evaluated.
  void heartbeats.alive.start();
  heartbeats.sweep.start();
}

function startWorker({ checking, alerting, statusPages, reports, discovery, files }: Service) {
  checking.history.start();
  checking.budgets.start();
  alerting.start();
  statusPages.start();
  reports.start();
  files?.start();
  discovery?.start();
}

/** @returns the port, which differs from PORT where that is 0. */
async function listen(service: Service): Promise<number> {
  const { settings, address, resources, http } = service;
  const { host } = settings;
  address.setPort(settings.port);
  // Comes first, so that ADMIN_TOKEN is valid from the first request on.
  if (plays(service, 'api')) {
    await ensureOwner({ database: resources.database, clock }, settings, (secrets) =>
      service.firstStart.keep(secrets, address.baseUrl()),
    );
  }
  await http.listen({ host, port: settings.port });
  const { port } = http.server.address() as { port: number };
  address.setPort(port);
  return port;
}

/** Opens the socket of the command line; null with DATABASE_URL, where the command line opens the database itself. */
async function openOperatorAccess(service: Service) {
  const { settings, version, address, resources, people, log } = service;
  const { lock, database, plans } = resources;
  if (lock === null) return null;
  const context: OperatorContext = {
    database,
    migrated: [],
    newer: database.newer,
    clock,
    forget: (who) => people.authenticator.forget(who),
    plans,
    keys: async () => resources.keys,
    baseUrl: address.baseUrl,
    version,
    configuration: service.configuration,
  };
  return openOperatorSocket({ context, log }, settings.dataDir);
}

/** Gives its monitors back, stops accepting requests, then ends and stores work in progress; closes the database last. */
async function stop(service: Service, operator: Awaited<ReturnType<typeof openOperatorAccess>>) {
  const {
    resources,
    checking,
    heartbeats,
    people,
    alerting,
    statusPages,
    reports,
    dashboard,
    live,
    http,
    firstStart,
    files,
    discovery,
  } = service;
  // First of all: other processes take over its monitors at once, however long the rest takes.
  const lastRounds = checking.scheduler.stop(LAST_ROUNDS_MS);
  firstStart.stop();
  await operator?.close();
  await files?.stop();
  await discovery?.stop();
  await service.health.stop();
  // The last mark is taken now, since pings are no longer received from here on.
  const lastMark = heartbeats.alive.stop();
  await Promise.all([dashboard?.stop(), http.close(), heartbeats.sweep.stop()]);
  await people.signIn.close();
  const lastDeliveries = alerting.stop();
  await heartbeats.pings.close();
  await lastMark;
  checking.selfCheck.stop();
  checking.overload.stop();
  checking.networkDiagnosis.stop();
  const lastInspections = checking.inspector.stop();
  await checking.bus.close();
  await Promise.all([lastRounds, lastInspections]);
  await Promise.all([
    checking.recorder.close(),
    checking.history.stop(),
    checking.budgets.stop(),
    people.authenticator.close(),
    lastDeliveries,
    statusPages.stop(),
    reports.stop(),
    live.stop(),
  ]);
  resources.followedClock.stop();
  await resources.database.close();
  resources.lock?.release();
}

/** Runs a process with a database. Resolves once it has started; rejects with the reason why it could not. */
export async function runServer(config: Config, log: Log): Promise<void> {
  const service = await build(config, log);
  collectStartOfThread();
  const starting = start(service);
  // It serves and leases shards before it has started: a signal then must not end it like a crash.
  endOnSignal(async () => (await starting).stop(), log);
  const { address, summary } = await starting;
  // Log: Summary of the start, of which a terminal shows some. Secrets are not among its settings.
  // The counts are null if the database was busy.
  log.info(summary, 'Tocsin started.');
  log.info(address, 'Tocsin is listening.');
  // The first start writes more than a thousand files, which can take as long as all before.
  module.flushCompileCache();
}
