import { createClientKeys } from '../identity/rate-limits.ts';
import { Registry } from 'prom-client';
import { createAlertLinks } from '../alerting/message/index.ts';
import type { Config } from '../config/config.ts';
import type { Role } from '../config/types.ts';
import { buildPlaces } from '../dashboard/builds.ts';
import { openDashboard } from '../dashboard/dashboard.ts';
import type { Log } from '../lib/log.ts';
import { exposeCount, exposeValue } from '../lib/metrics.ts';
import { readVersion } from '../lib/version.ts';
import { createLiveFeed, type LiveFeed } from '../live/feed.ts';
import { createReportLinks } from '../report/links.ts';
import { createReportPrinter } from '../report/pdf/printer.ts';
import { createReportRuns } from '../report/runs.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import { createAlerting } from './alerting.ts';
import { createConfigurationFolder, type ConfigurationFolder } from './configuration-folder.ts';
import type { Discoveries } from './discovery.ts';
import { createChecking } from './checking.ts';
import { clock } from './clock.ts';
import { FirstStart, terminalOf } from './first-start.ts';
import { createHeartbeats } from './heartbeats.ts';
import { createApiServices, createHttp, createLimits, createSystemHttp } from './http.ts';
import { createHealth } from './installation-health.ts';
import { exposeInstallation } from './installation-metrics.ts';
import { createAnsweredCounter, exposeProcess, exposeFleet, exposeOwnProbes } from './metrics.ts';
import { NETWORK, type Outside } from './outside.ts';
import { createPeople } from './people.ts';
import { openResources, type Parts } from './resources.ts';
import { createStatusPages } from './status-pages.ts';

export type Service = Awaited<ReturnType<typeof build>>;

/** Builds all stages with their dependencies, without starting them. */
export async function build(settings: Config, log: Log, outside: Outside = NETWORK) {
  const version = readVersion();
  const address = createAddress(settings);
  const registry = new Registry();
  const resources = await openResources(settings, log, outside);
  const { database, observation, probes, keys } = resources;
  const { baseUrl } = address;
  const clientKeys = createClientKeys(keys[0]!);
  const plays = (role: Role) => settings.roles.includes(role);
  const common = { ...resources, settings, baseUrl, clientKeys, version, registry, log };
  const partsOf = (role: Role): Parts =>
    plays(role) ? common : { ...common, registry: new Registry() };
  const links = createAlertLinks({ keys, baseUrl });
  const checking = await createChecking(partsOf('scheduler'));
  const heartbeats = createHeartbeats(partsOf('api'));
  const alerting = createAlerting(partsOf('worker'), { links, outside });
  const people = createPeople(common);
  const delivering = {
    mailQueue: people.mailQueue,
    // Workers in other processes find what was enqueued at their next look.
    onDeliveries: () => {
      if (plays('worker')) alerting.wake();
    },
  };
  const statusPages = createStatusPages({ ...partsOf('api'), ...delivering });
  const reports = createReports({ ...common, ...delivering });
  const live = createLive(partsOf('api'));
  let files: ConfigurationFolder | null = null;
  const isRefusingFiles = () => files?.isFailing() ?? false;
  const discovers = plays('worker') && settings.discover !== null;
  let discovery: Discoveries | null = null;
  const failingDiscoveries = () => discovery?.failing() ?? [];
  const health = createHealth({
    ...common,
    ...delivering,
    checking,
    outside,
    failingDiscoveries,
    isRefusingFiles,
  });
  const stages = { checking, heartbeats, alerting, people, statusPages, reports, live, health };
  const answered = createAnsweredCounter(partsOf('api').registry);
  const terminal = terminalOf([process.stderr, process.stdout]);
  const firstStart = new FirstStart({ dataDir: settings.dataDir, database, clock, log, terminal });
  // Is built meanwhile: nothing waits for it but its pages. Without the role api there are only the routes of operators.
  const dashboard = plays('api')
    ? openDashboard({ places: buildPlaces(settings.dataDir), log })
    : null;
  const parts = {
    ...common,
    ...stages,
    answered,
    alertLinks: links,
    firstStart,
    rateLimits: createLimits(common),
    // Schedulers in other processes find edits at their next look.
    wakeScheduler(shard: number) {
      if (plays('scheduler')) checking.scheduler.wake(shard);
    },
  };
  const followsFiles = plays('worker') && settings.configDir !== null;
  const hasServices = dashboard !== null || discovers || followsFiles;
  const services = hasServices ? createApiServices(parts) : null;
  if (discovers && services !== null) {
    // Brings a parser of YAML.
    const { createDiscoveries } = await import('./discovery.ts');
    discovery = createDiscoveries({ settings, clock, log }, services.configuration);
  }
  if (followsFiles && services !== null)
    files = createConfigurationFolder({ settings, log }, services.configuration);
  const http =
    dashboard === null || services === null
      ? createSystemHttp({ ...common, ...stages })
      : createHttp({ ...parts, dashboard, services });
  exposeInstallation(registry, { database, counts: observation.counts, version, clock });
  if (plays('probe')) exposeOwnProbes(registry, () => probes.processes());
  const regions = [...settings.regions, ...settings.privateRegions];
  exposeFleet(registry, { probes, regions: regions.map(({ code }) => code) });
  exposeProcess(registry);
  return {
    settings,
    version,
    address,
    resources,
    ...stages,
    answered,
    dashboard,
    http,
    /** Follows CONFIG_DIR; null without. */
    files,
    discovery,
    /** Configuration sets, for the operator; null without the role api. */
    configuration: services?.configuration ?? null,
    firstStart,
    log,
  };
}

/** Public address of this service: BASE_URL, or `http://localhost` with the port; without a trailing slash. */
function createAddress({ baseUrl }: { baseUrl: string | null }) {
  let here = '';
  return {
    baseUrl: () => baseUrl ?? here,
    setPort(port: number) {
      here = `http://localhost:${port}`;
    },
  };
}

/** Live stage: hands changes to the event streams that are open. */
function createLive(parts: Parts): LiveFeed {
  const live = createLiveFeed({ ...parts, clock });
  exposeValue(parts.registry, 'tocsin_event_streams_open', () => live.openStreams);
  exposeCount(parts.registry, 'tocsin_events_sent_total', () => live.sent);
  return live;
}

/** Report stage: makes reports in the background, and mails saved ones when they are due. */
function createReports(parts: Parts & { mailQueue: MailQueue; onDeliveries: () => void }) {
  const links = createReportLinks(parts);
  const printer = createReportPrinter();
  const { openSignup } = parts.settings;
  const runs = createReportRuns({ ...parts, openSignup, clock, links, printer });
  return { links, printer, start: () => runs.start(), stop: () => runs.stop() };
}
