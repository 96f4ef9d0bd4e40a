import {
  readinessBody,
  type Readiness,
  createSystemServer,
  type SystemServer,
} from '../api/system-server.ts';
import type { AlertLinks } from '../alerting/message/index.ts';
import { buildApi } from '../api/app.ts';
import { settingFacts, type Config } from '../config/config.ts';
import type { Dashboard } from '../dashboard/dashboard.ts';
import type { InstallationHealth } from '../engine/installation-health/watch.ts';
import {
  sharedCounters,
  createRateLimits,
  createUncountedRateLimits,
  type RateLimits,
} from '../identity/rate-limits.ts';
import type { LiveFeed } from '../live/feed.ts';
import { checkLimits } from '../model/outgoing.ts';
import { createRegions } from '../model/regions.ts';
import {
  createAddressGuard,
  evaluateHostLiteral,
  parseAllowPrivateTargets,
} from '../net/address-guard.ts';
import type { ReportLinks } from '../report/links.ts';
import type { ReportPrinter } from '../report/pdf/printer.ts';
import { createSpendCheck } from '../resources/checks/check-limits.ts';
import type { InstallationFacts } from '../resources/installation.ts';
import { createServices, type Services } from '../resources/services.ts';
import type { Alerting } from './alerting.ts';
import type { Checking } from './checking.ts';
import { clock } from './clock.ts';
import type { FirstStart } from './first-start.ts';
import type { Heartbeats } from './heartbeats.ts';
import { freeBytes, probesByRegion } from './installation-health.ts';
import type { AnsweredCounter } from './metrics.ts';
import { monitorMetrics } from './monitor-metrics.ts';
import type { People } from './people.ts';
import type { Parts } from './resources.ts';
import type { StatusPages } from './status-pages.ts';

interface HttpParts extends Parts {
  checking: Checking;
  heartbeats: Heartbeats;
  people: People;
  alerting: Alerting;
  statusPages: StatusPages;
  reports: { printer: ReportPrinter; links: ReportLinks };
  answered: AnsweredCounter;
  live: LiveFeed;
  health: Pick<InstallationHealth, 'problems'>;
  alertLinks: AlertLinks;
  dashboard: Dashboard;
  firstStart: Pick<FirstStart, 'remove'>;
  rateLimits: RateLimits;
  /** Monitors of that shard were edited. */
  wakeScheduler: (shard: number) => void;
}

/** What the API does, without HTTP. */
export function createApiServices(
  parts: Omit<HttpParts, 'answered' | 'dashboard' | 'health' | 'heartbeats'>,
): Services {
  const { settings, database, plans, secretBox, keys, baseUrl, version } = parts;
  const { statusPages, reports, checking, rateLimits } = parts;
  const { authenticator, signIn, mailQueue, passwords } = parts.people;
  return createServices({
    database,
    bus: checking.bus,
    clock,
    secretBox,
    wakeScheduler: parts.wakeScheduler,
    forget: (who) => authenticator.forget(who),
    defaults: {
      regions: settings.regions.map((region) => region.code),
      checkInterval: settings.defaultCheckInterval,
    },
    regions: createRegions(settings.regions, settings.privateRegions),
    targetRule: targetRule(settings),
    allowHttpWebhooks: settings.allowHttpWebhooks,
    plans,
    spendCheck: createSpendCheck(rateLimits),
    openSignup: settings.openSignup,
    domains: statusPages.domains,
    reportPrinter: reports.printer,
    reportLinks: reports.links,
    alertLinks: parts.alertLinks,
    channelTools: parts.alerting.tools,
    mailQueue,
    live: parts.live,
    keys,
    passwords,
    signInOffer: () => signIn.offer,
    onSetup: () => void parts.firstStart.remove(),
    baseUrl,
    installation: () => installationFacts(settings),
    version,
  });
}

/** Builds the HTTP server over the services, without listening. */
export function createHttp(parts: HttpParts & { services: Services }): ReturnType<typeof buildApi> {
  const { settings, database, plans, keys, clientKeys, baseUrl, version, log } = parts;
  const { services, statusPages, rateLimits } = parts;
  const { authenticator, signIn, oauth, passwords } = parts.people;
  return buildApi({
    services,
    authenticator,
    signIn,
    oauth,
    rateLimits,
    clientKeys,
    plans,
    toolServer: { keys, version },
    pings: parts.heartbeats.pings,
    statusPages: { ...statusPages.public, passwords },
    dashboard: { builds: parts.dashboard, version },
    clock,
    baseUrl,
    readiness: () => readiness(parts),
    metrics: parts.registry,
    metricsToken: settings.metricsToken,
    monitorMetrics: (filter) => monitorMetrics(database, filter, clock.now()),
    trustProxy: settings.trustProxy,
    onAnswered: parts.answered.count,
    log,
  });
}

async function installationFacts(settings: Config): Promise<InstallationFacts> {
  return {
    freeBytes: await freeBytes(settings.dataDir).catch(() => null),
    signInProviders: [
      ...(settings.oidcIssuer === null ? [] : [settings.oidcName]),
      ...(settings.githubClientId === null ? [] : ['GitHub']),
      ...(settings.googleClientId === null ? [] : ['Google']),
    ],
    settings: settingFacts(settings),
  };
}

/** Rate limits of the API, counted for all processes of the installation. */
export function createLimits({
  settings,
  database,
  log,
}: Pick<Parts, 'settings' | 'database' | 'log'>): RateLimits {
  const limits = {
    standard: settings.rateLimitStandard,
    monitor_check: settings.rateLimitMonitorCheck,
    check_url: settings.rateLimitCheckUrl,
    webhook_test: settings.rateLimitWebhookTest,
    subscriber_import: settings.rateLimitSubscriberImport,
    tool_server: settings.rateLimitToolServer,
    session: settings.rateLimitSession,
    auth: settings.rateLimitAuth,
    auth_mail: settings.rateLimitAuth,
    sign_in: settings.rateLimitAuth,
    sign_in_hour: settings.rateLimitAuthHour,
    sign_in_client: settings.rateLimitAuthClient,
    register_client: settings.rateLimitRegisterClient,
    refresh_token: settings.rateLimitRefreshToken,
    anonymous: settings.rateLimitAnonymous,
    web: settings.rateLimitWeb,
    ping: settings.rateLimitPing,
    ...checkLimits(
      settings.rateLimitMonitorCheck + settings.rateLimitCheckUrl,
      settings.openSignup,
    ),
  };
  if (settings.rateLimits === 'off') return createUncountedRateLimits({ limits, clock });
  if (settings.databaseUrl === null) return createRateLimits({ limits, clock });
  return createRateLimits({ limits, clock, count: sharedCounters({ database, log }) });
}

function targetRule(settings: Config): (host: string) => ReturnType<typeof evaluateHostLiteral> {
  const parsed = parseAllowPrivateTargets(settings.allowPrivateTargets);
  if (!parsed.ok) throw new Error(`ALLOW_PRIVATE_TARGETS: ${parsed.message}`);
  const guard = createAddressGuard(parsed.value);
  return (host) => evaluateHostLiteral(guard, host);
}

/** Builds the HTTP server of a process that has a database and no API. */
export function createSystemHttp(
  parts: Parts & { checking: Checking; health: Pick<InstallationHealth, 'problems'> },
): SystemServer {
  const { settings, registry, log } = parts;
  return createSystemServer({
    async readiness() {
      const found = await readiness(parts);
      return { ready: found.ready, body: readinessBody(found) };
    },
    metrics: registry,
    metricsToken: settings.metricsToken,
    log,
  });
}

const DISK_LOW_BYTES = 500 * 1024 * 1024;
/** Lateness of rounds from which another process should take over. */
const MAX_READY_LAG_MS = 30_000;

async function readiness(
  parts: Pick<Parts, 'settings' | 'database' | 'probes'> & {
    checking: Pick<Checking, 'scheduler' | 'regions' | 'overload'>;
    health: Pick<InstallationHealth, 'problems'>;
  },
): Promise<Readiness> {
  const { settings, probes, checking } = parts;
  const { roles, natsUrls, databaseUrl, dataDir } = settings;
  const database = await parts.database.read
    .selectFrom('shard')
    .select('shard')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
  const scheduler = roles.includes('scheduler') ? checking.scheduler : null;
  const scheduleLagMs = scheduler && Math.round(scheduler.lagMs());
  const punctuality = scheduler?.punctuality();
  const diskLow = databaseUrl === null && (await freeBytes(dataDir)) < DISK_LOW_BYTES;
  return {
    ready: database && (scheduleLagMs ?? 0) < MAX_READY_LAG_MS,
    roles,
    database,
    scheduleLagMs,
    checksDue: punctuality?.due ?? null,
    checksLate: punctuality?.late ?? null,
    roundsInFlight: scheduler?.roundsInFlight ?? null,
    probes: probesByRegion(settings.regions, probes),
    overload: checking.overload.overload(),
    quarantinedRegions: [...checking.regions.quarantines().keys()].toSorted(),
    diskLow,
    problems: parts.health.problems(),
    isBusConnected: natsUrls === null ? null : probes.isBusConnected(),
  };
}
