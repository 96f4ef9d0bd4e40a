import { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { openDashboard } from '../dashboard/dashboard.ts';
import { buildPlaces } from '../dashboard/ensure-build.ts';
import { systemClock as clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createAlertLinks } from '../alerting/message/index.ts';
import { createAlerting, type Alerting } from './alerting.ts';
import { createChecking, type Checking } from './checking.ts';
import { createAnsweredCounter, type AnsweredCounter } from './answered.ts';
import { FirstStart, terminalOf } from './first-start.ts';
import { createHttp } from './http.ts';
import { createClientKeys } from '../identity/client-keys.ts';
import { createHeartbeats, type Heartbeats } from './heartbeats.ts';
import { createPeople, type People } from './people.ts';
import { exposeInstallation } from './installation-metrics.ts';
import { exposeProcess } from './metrics.ts';
import { NETWORK, type Outside } from './outside.ts';
import { createStatusPages, type StatusPages } from './status-pages.ts';
import { createLive } from './live.ts';
import type { LiveFeed } from '../live/feed.ts';
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
  /** Requests that were answered. */
  answered: AnsweredCounter;
  dashboard: ReturnType<typeof openDashboard>;
  http: ReturnType<typeof createHttp>;
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
  const common = { ...resources, baseUrl, clientKeys, version, registry, log };
  const alertLinks = createAlertLinks({ keys: resources.keys, baseUrl });
  const checking = await createChecking(settings, common);
  const heartbeats = createHeartbeats(settings, common);
  const alerting = createAlerting(settings, { ...common, links: alertLinks, outside });
  const people = createPeople(settings, common);
  const statusPages = createStatusPages(settings, {
    ...common,
    mailQueue: people.mailQueue,
    onDeliveries: () => alerting.wake(),
  });
  const reports = createReports({
    ...common,
    openSignup: settings.openSignup,
    mailQueue: people.mailQueue,
    onDeliveries: () => alerting.wake(),
  });
  const live = createLive(common);
  const stages = { checking, heartbeats, alerting, people, statusPages, reports, live };
  const answered = createAnsweredCounter(registry);
  const terminal = terminalOf([process.stderr, process.stdout]);
  const { database, observation } = resources;
  const firstStart = new FirstStart({ dataDir: settings.dataDir, database, clock, log, terminal });
  // Is built meanwhile: nothing waits for it but its pages.
  const dashboard = openDashboard({ places: buildPlaces(settings.dataDir), log });
  const http = createHttp(settings, {
    ...common,
    resources,
    ...stages,
    answered,
    alertLinks,
    dashboard,
    firstStart,
  });
  exposeInstallation(registry, { database, counts: observation.counts, version, clock });
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
