import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { buildApi } from './api/app.ts';
import { countVotes } from './bus/counted.ts';
import type { VoteCounts } from './bus/counted.ts';
import { createLocalBus } from './bus/local.ts';
import type { LocalBus } from './bus/local.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { createAlive } from './heartbeat/alive.ts';
import { createIngest } from './heartbeat/ingest.ts';
import { createSweep } from './heartbeat/sweep.ts';
import { createHistoryJobs } from './history/jobs.ts';
import { createAuthenticator } from './identity/authenticate.ts';
import { ensureOwner } from './identity/bootstrap.ts';
import { firstStartText } from './identity/first-start.ts';
import { createMailQueue } from './identity/mail-queue.ts';
import type { MailQueue } from './identity/mail-queue.ts';
import { createMailWorker } from './identity/mail-worker.ts';
import type { MailWorker } from './identity/mail-worker.ts';
import { tellOfLostPlans } from './identity/lost-plans.ts';
import { FULL_PLANS } from './identity/plans.ts';
import { openPlans } from './identity/plans-file.ts';
import { addressKey, createRateLimits, createUncountedRateLimits } from './identity/rate-limits.ts';
import type { RateLimits } from './identity/rate-limits.ts';
import { openSecretKey } from './identity/secret-key.ts';
import { signInSecrets } from './identity/session-cookie.ts';
import { createSignIn } from './identity/sign-in.ts';
import { sharedCounters } from './identity/shared-counters.ts';
import { sleep, systemClock as clock } from './lib/clock.ts';
import { createLog } from './lib/log.ts';
import { createSecretBox } from './lib/secret-box.ts';
import type { SecretBox } from './lib/secret-box.ts';
import {
  createAddressGuard,
  judgeHostLiteral,
  parseAllowPrivateTargets,
} from './net/address-guard.ts';
import { createMailer } from './net/mail.ts';
import { createInspector } from './inspect/inspector.ts';
import { createAlerting } from './main/alerting.ts';
import { createAlertLinks } from './notify/alert-link.ts';
import { createScheduler } from './schedule/scheduler.ts';
import { createSelfCheck } from './schedule/self-check.ts';
import { openOperatorSocket } from './operator/server.ts';
import { finishRestore } from './operator/restore.ts';
import { createServices } from './service/services.ts';
import type { Database } from './store/contract.ts';
import { openDatabase } from './store/database.ts';
import type { OpenDatabase } from './store/database.ts';
import { DatabaseUnavailable } from './store/errors.ts';
import { lockDirectory } from './store/process-lock.ts';
import {
  exposeHeartbeats,
  exposeInspections,
  exposeMails,
  exposeRegions,
  exposeStages,
  startLag,
} from './main/metrics.ts';
import { readiness } from './main/readiness.ts';
import { createJudge } from './verdict/judge.ts';
import { createRegionTracker } from './verdict/region-tracker.ts';

/** A process that was told to end does so within 10 s (completions, section 12). */
const DRAIN_MS = 9_000;
/** How long rounds that were aborted may take to be handed on. */
const LAST_ROUNDS_MS = 2_000;

/**
 * Errors whose message says all there is to say, by name or code; those of Postgres are a wrong user or password, and
 * a database that is not there. The others are faults, and their stack is wanted.
 */
const FOR_PEOPLE = new Set([
  'DataFolderError',
  'SecretKeyError',
  'OwnerSettingError',
  'PlansFileError',
  'DatabaseUnavailable',
  'MailServerUrlError',
  'NewerDatabaseError',
  'EADDRINUSE',
  'EACCES',
  '28P01',
  '28000',
  '3D000',
]);

// What is created from here on (the database, the socket, copies) is nobody else's to read.
process.umask(0o077);

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
  const plans = settings.plansFile === null ? FULL_PLANS : await openPlans(settings.plansFile);
  const lock = settings.databaseUrl === null ? lockDirectory(settings.dataDir) : null;
  if (lock !== null) await finishRestore(settings.dataDir);
  // The probe process starts meanwhile.
  const [database, localBus] = await Promise.all([openPatiently(settings), startProbes(settings)]);
  await tellOfLostPlans({ database, plans, log });
  const keys = await secretKeys(settings);
  const secretBox = createSecretBox(keys);
  const secrets = signInSecrets(keys);
  const registry = new Registry();
  const votes: VoteCounts = { up: 0, down: 0, unknown: 0 };
  const bus = countVotes(localBus, votes);
  const regionCodes = settings.regions.map(({ code }) => code);
  const regions = createRegionTracker({ database, clock, log, regions: regionCodes });
  await regions.load();
  const judge = createJudge({ database, clock, log, regions });
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
  const selfCheck = createSelfCheck({
    bus: localBus,
    clock,
    log,
    regions: settings.probeRegions,
    targets: settings.selfCheckTargets ?? [],
    tracker: regions,
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
  let listening = '';
  const baseUrl = () => settings.baseUrl ?? listening;
  const alertLinks = createAlertLinks({ keys, baseUrl });
  const alerting = createAlerting(settings, {
    database,
    secretBox,
    links: alertLinks,
    baseUrl,
    version: version(),
    log,
    registry,
  });
  const mails = mailsOf(settings, { database, secretBox, baseUrl });
  const authenticator = createAuthenticator({
    database,
    clock,
    log,
    cookies: () => ({
      secret: secrets[0]!.value,
      isSecure: baseUrl().startsWith('https:'),
    }),
  });
  const signIn = createSignIn({
    database,
    clock,
    log,
    authenticator,
    mailQueue: mails.queue,
    settings,
    secrets,
    baseUrl,
  });
  const api = buildApi({
    services: createServices({
      database,
      bus,
      clock,
      secretBox,
      nudge: (shard) => scheduler.nudge(shard),
      forget: (who) => authenticator.forget(who),
      defaults: {
        regions: settings.regions.map((region) => region.code),
        checkInterval: settings.defaultCheckInterval,
      },
      regions: settings.regions,
      judgeTarget: targetJudge(settings),
      allowHttpWebhooks: settings.allowHttpWebhooks,
      plans,
      alertLinks,
      channelTools: alerting.tools,
      mailQueue: mails.queue,
      baseUrl,
      version: version(),
    }),
    authenticator,
    signIn,
    signInOffer: () => signIn.ways,
    rateLimits: rateLimitsOf(settings, database),
    plans,
    pings,
    clock,
    baseUrl,
    readiness: () => readiness({ settings, database, bus: localBus, scheduler, regions }),
    metrics: registry,
    trustProxy: settings.trustProxy,
    log,
  });
  exposeStages(registry, { votes, judge, scheduler, bus: localBus });
  exposeHeartbeats(registry, { alive, pings, sweep });
  exposeRegions(registry, regionCodes, regions);
  exposeInspections(registry, inspector);
  if (mails.worker !== null) exposeMails(registry, mails.worker);
  collectDefaultMetrics({ register: registry });

  scheduler.start();
  selfCheck.start();
  inspector.start();
  history.start();
  // Whoever is answered at all may already use ADMIN_TOKEN.
  const owner = await ensureOwner({ database, clock }, settings);
  let { port } = settings;
  try {
    await api.listen({ host: settings.host, port });
    port = (api.server.address() as { port: number }).port;
  } finally {
    listening = `http://localhost:${port}`;
    // What is shown this once is shown also when the port is taken. Not a log line: logs never hold tokens.
    process.stderr.write(firstStartText(owner, baseUrl()));
  }
  // Its first mark may have to wait for the database; until then silence is not judged.
  void alive.start();
  sweep.start();
  // Its links hold the address that was just found.
  mails.worker?.start();
  alerting.start();
  const operator =
    lock === null
      ? null
      : await openOperatorSocket(
          {
            context: {
              database,
              migrated: [],
              clock,
              forget: (who) => authenticator.forget(who),
              plans,
              baseUrl,
              version: version(),
            },
            log,
          },
          settings.dataDir,
        );
  const stop = async () => {
    await operator?.close();
    // The last mark is of this moment: what nobody takes from now on lies after it.
    const lastMark = alive.stop();
    await Promise.all([api.close(), sweep.stop()]);
    await signIn.close();
    const lastMails = mails.worker?.stop();
    const lastDeliveries = alerting.stop();
    await pings.close();
    await lastMark;
    selfCheck.stop();
    const lastRounds = scheduler.stop(LAST_ROUNDS_MS);
    const lastInspections = inspector.stop();
    await bus.close();
    await Promise.all([lastRounds, lastInspections]);
    await Promise.all([
      judge.close(),
      history.stop(),
      authenticator.close(),
      lastMails,
      lastDeliveries,
    ]);
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
    webhook_test: settings.rateLimitWebhookTest,
    session: settings.rateLimitSession,
    auth: settings.rateLimitAuth,
    auth_hour: settings.rateLimitAuthHour,
    anonymous: settings.rateLimitAnonymous,
    ping: settings.rateLimitPing,
  };
  if (settings.rateLimits === 'off') return createUncountedRateLimits({ limits, clock });
  if (settings.databaseUrl === null) return createRateLimits({ limits, clock });
  return createRateLimits({ limits, clock, count: sharedCounters({ database, log }) });
}

/** Without SMTP_URL there is a queue that takes nothing, and nobody who sends. */
function mailsOf(
  settings: Config,
  parts: { database: Database; secretBox: SecretBox; baseUrl: () => string },
): { queue: MailQueue; worker: MailWorker | null } {
  const { database, secretBox, baseUrl } = parts;
  const { smtpUrl, mailFrom: from } = settings;
  const queue = createMailQueue({ secretBox, isConfigured: smtpUrl !== null });
  if (smtpUrl === null) return { queue, worker: null };
  const mailer = createMailer({ smtpUrl, from, baseUrl, clock });
  return { queue, worker: createMailWorker({ database, secretBox, mailer, clock, log }) };
}

function targetJudge(settings: Config): (host: string) => ReturnType<typeof judgeHostLiteral> {
  const parsed = parseAllowPrivateTargets(settings.allowPrivateTargets);
  if (!parsed.ok) throw new Error(`ALLOW_PRIVATE_TARGETS: ${parsed.message}`);
  const guard = createAddressGuard(parsed.value);
  return (host) => judgeHostLiteral(guard, host);
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
