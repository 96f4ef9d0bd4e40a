import { Registry } from 'prom-client';
import type { SystemServer } from '../api/system-server.ts';
import type { Config } from '../config/config.ts';
import type { Role } from '../config/types.ts';
import { openDashboard } from '../dashboard/dashboard.ts';
import { buildPlaces } from '../dashboard/ensure-build.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import { createAlertLinks } from '../alerting/message/index.ts';
import { createAlerting, type Alerting } from './alerting.ts';
import { createChecking, type Checking } from './checking.ts';
import { createAnsweredCounter, type AnsweredCounter } from './answered.ts';
import { FirstStart, terminalOf } from './first-start.ts';
import { createHttp } from './http.ts';
import { createSystemHttp } from './system-http.ts';
import { createClientKeys } from '../identity/rate-limits.ts';
import { createHeartbeats, type Heartbeats } from './heartbeats.ts';
import { createPeople, type People } from './people.ts';
import { exposeInstallation } from './installation-metrics.ts';
import { exposeProcess } from './process-metrics.ts';
import { exposeFleet, exposeOwnProbes } from './probe-metrics.ts';
import { NETWORK, type Outside } from './outside.ts';
import { createStatusPages, type StatusPages } from './status-pages.ts';
import { createLive } from './live.ts';
import type { LiveFeed } from '../live/feed.ts';
import type { InstallationHealth } from '../engine/installation-health/watch.ts';
import { createHealth } from './installation-health.ts';
import { createReports, type Reports } from './reports.ts';
import { openResources, type Resources } from './resources.ts';
import { readVersion } from '../lib/version.ts';

/** All stages of the service. */
export interface Service {
  settings: Config;
  version: string;
  address: Address;
  resources: Resources;
  checking: Checking;
  heartbeats: Heartbeats;
  people: People;
  alerting: Alerting;
  statusPages: StatusPages;
  reports: Reports;
  live: LiveFeed;
  health: InstallationHealth;
  /** Requests that were answered. */
  answered: AnsweredCounter;
  /** Null without the role api. */
  dashboard: ReturnType<typeof openDashboard> | null;
  /** Only the routes of operators without the role api. */
  http: ReturnType<typeof createHttp> | SystemServer;
  firstStart: FirstStart;
  log: Log;
}

/** Builds all stages with their dependencies, without starting them. */
export async function build(
  settings: Config,
  log: Log,
  outside: Outside = NETWORK,
): Promise<Service> {
  const version = readVersion();
  const address = createAddress(settings);
  const registry = new Registry();
  const resources = await openResources(settings, log, outside);
  const { baseUrl } = address;
  const clientKeys = createClientKeys(resources.keys[0]!);
  const plays = (role: Role) => settings.roles.includes(role);
  /** Metrics of stages that this process does not start are left out. */
  const registryOf = (role: Role) => (plays(role) ? registry : new Registry());
  const common = { ...resources, baseUrl, clientKeys, version, log };
  const ofApi = { ...common, registry: registryOf('api') };
  const ofWorker = { ...common, registry: registryOf('worker') };
  const alertLinks = createAlertLinks({ keys: resources.keys, baseUrl });
  const checking = await createChecking(settings, {
    ...common,
    registry: registryOf('scheduler'),
  });
  const heartbeats = createHeartbeats(settings, ofApi);
  const alerting = createAlerting(settings, { ...ofWorker, links: alertLinks, outside });
  const people = createPeople(settings, common);
  const delivering = {
    mailQueue: people.mailQueue,
    // Workers in other processes find what was enqueued at their next look.
    onDeliveries: () => {
      if (plays('worker')) alerting.wake();
    },
  };
  const statusPages = createStatusPages(settings, { ...ofApi, ...delivering });
  const reports = createReports({ ...common, ...delivering, openSignup: settings.openSignup });
  const live = createLive(ofApi);
  const health = createHealth(settings, {
    ...common,
    registry,
    checking,
    outside,
    onDeliveries: delivering.onDeliveries,
  });
  const stages = { checking, heartbeats, alerting, people, statusPages, reports, live, health };
  const answered = createAnsweredCounter(registryOf('api'));
  const terminal = terminalOf([process.stderr, process.stdout]);
  const { database, observation, probes } = resources;
  const firstStart = new FirstStart({ dataDir: settings.dataDir, database, clock, log, terminal });
  // Is built meanwhile: nothing waits for it but its pages.
  const dashboard = plays('api')
    ? openDashboard({ places: buildPlaces(settings.dataDir), log })
    : null;
  const systemParts = { settings, ...common, registry, checking, health };
  const http =
    dashboard === null
      ? createSystemHttp(systemParts)
      : createHttp(settings, {
          ...common,
          registry,
          resources,
          ...stages,
          answered,
          alertLinks,
          dashboard,
          firstStart,
          // Schedulers in other processes find edits at their next look.
          wakeScheduler: (shard) => {
            if (plays('scheduler')) checking.scheduler.wake(shard);
          },
        });
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
    firstStart,
    log,
  };
}

/** Public address of this service. */
interface Address {
  /** BASE_URL, or `http://localhost` with the port; without a trailing slash. */
  baseUrl(): string;
  /** Sets the port this service listens on. */
  setPort(port: number): void;
}

function createAddress({ baseUrl }: { baseUrl: string | null }): Address {
  let here = '';
  return {
    baseUrl: () => baseUrl ?? here,
    setPort(port) {
      here = `http://localhost:${port}`;
    },
  };
}
