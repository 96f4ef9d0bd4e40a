import type { Registry } from 'prom-client';
import { buildApi } from '../api/app.ts';
import type { Config } from '../config/config.ts';
import type { Dashboard } from '../dashboard/dashboard.ts';
import {
  type ClientKeys,
  sharedCounters,
  createRateLimits,
  createUncountedRateLimits,
  type RateLimits,
} from '../identity/rate-limits.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import {
  createAddressGuard,
  evaluateHostLiteral,
  parseAllowPrivateTargets,
} from '../net/address-guard.ts';
import type { AlertLinks } from '../alerting/message/index.ts';
import type { InstallationFacts } from '../resources/installation/service.ts';
import { createRegions } from '../model/regions.ts';
import { createSpendCheck } from '../resources/checks/check-limits.ts';
import { checkLimits } from '../model/outgoing.ts';
import { createServices } from '../resources/services.ts';
import { settingFacts } from '../config/facts.ts';
import type { Database } from '../store/database/contract.ts';
import type { InstallationHealth } from '../engine/installation-health/watch.ts';
import type { LiveFeed } from '../live/feed.ts';
import type { Alerting } from './alerting.ts';
import type { AnsweredCounter } from './answered.ts';
import type { Checking } from './checking.ts';
import type { Heartbeats } from './heartbeats.ts';
import { monitorMetrics } from './monitor-metrics.ts';
import type { People } from './people.ts';
import type { StatusPages } from './status-pages.ts';
import { freeBytes, readiness } from './readiness.ts';
import type { FirstStart } from './first-start.ts';
import type { Reports } from './reports.ts';
import type { Resources } from './resources.ts';

export interface HttpParts {
  resources: Resources;
  checking: Checking;
  heartbeats: Heartbeats;
  people: People;
  alerting: Alerting;
  statusPages: StatusPages;
  reports: Reports;
  answered: AnsweredCounter;
  live: LiveFeed;
  health: InstallationHealth;
  alertLinks: AlertLinks;
  clientKeys: ClientKeys;
  dashboard: Dashboard;
  firstStart: Pick<FirstStart, 'remove'>;
  /** Monitors of that shard were edited. */
  wakeScheduler: (shard: number) => void;
  baseUrl: () => string;
  version: string;
  registry: Registry;
  log: Log;
}

/** Builds the HTTP server over the services, without listening. */
export function createHttp(settings: Config, parts: HttpParts): ReturnType<typeof buildApi> {
  const { resources, checking, heartbeats, people, alerting, baseUrl, log } = parts;
  const { database, probes, plans, secretBox } = resources;
  const { bus, scheduler, regions, overload } = checking;
  const { authenticator, signIn, oauth, mailQueue, passwords } = people;
  const rateLimits = createLimits(settings, database, log);
  return buildApi({
    services: createServices({
      database,
      bus,
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
      domains: parts.statusPages.domains,
      reportPrinter: parts.reports.printer,
      reportLinks: parts.reports.links,
      alertLinks: parts.alertLinks,
      channelTools: alerting.tools,
      mailQueue,
      live: parts.live,
      keys: resources.keys,
      passwords,
      signInOffer: () => signIn.offer,
      onSetup: () => void parts.firstStart.remove(),
      baseUrl,
      installation: () => installationFacts(settings),
      version: parts.version,
    }),
    authenticator,
    signIn,
    oauth,
    rateLimits,
    clientKeys: parts.clientKeys,
    plans,
    toolServer: { keys: resources.keys, version: parts.version },
    pings: heartbeats.pings,
    statusPages: { ...parts.statusPages.public, passwords },
    dashboard: { builds: parts.dashboard, version: parts.version },
    clock,
    baseUrl,
    readiness: () =>
      readiness({
        settings,
        database,
        probes,
        scheduler,
        regions,
        overload,
        health: parts.health,
      }),
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

function createLimits(settings: Config, database: Database, log: Log): RateLimits {
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
