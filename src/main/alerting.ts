import type { Registry } from 'prom-client';
import type { Bus } from '../engine/bus/contract.ts';
import type { Config } from '../config/config.ts';
import { systemClock as clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { createMaintenanceScheduler } from '../engine/maintenance/scheduler.ts';
import { soleVantage } from '../model/check.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../net/address-guard.ts';
import { createMailer } from '../net/mail.ts';
import { createHttpClient } from '../net/http-client.ts';
import { createResolver } from '../net/resolver.ts';
import type { AlertLinks } from '../alerting/message/index.ts';
import type { ChannelTools } from '../alerting/channels/index.ts';
import { createNotifier } from '../alerting/notifier.ts';
import { contactOf, createDeliveryWorker, createVapid } from '../alerting/delivery/index.ts';
import type { DeliveryWorker } from '../alerting/delivery/index.ts';
import type { Database } from '../store/database/contract.ts';
import { exposeCounts, exposeValue } from '../lib/metrics.ts';

/** Alerting stage: turns events into notifications. */
export interface Alerting {
  /** Tools that services need to test a channel. */
  tools: ChannelTools;
  start(): void;
  /** Ends work in progress; unrecorded deliveries are sent again later. Never rejects. */
  stop(): Promise<void>;
}

export interface AlertingParts {
  database: Database;
  probes: Pick<Bus, 'vantageOf'>;
  secretBox: SecretBox;
  links: AlertLinks;
  baseUrl: () => string;
  version: string;
  log: Log;
  registry: Registry;
}

/** Builds the stage that tells others what happened, of the one process that plays all roles. */
export function createAlerting(settings: Config, parts: AlertingParts): Alerting {
  const { database, probes, secretBox, links, baseUrl, version, log, registry } = parts;
  const { smtpUrl, mailFrom: from } = settings;
  const rule = parseAllowPrivateTargets(settings.allowPrivateTargets);
  if (!rule.ok) throw new Error(`ALLOW_PRIVATE_TARGETS: ${rule.message}`);
  const http = createHttpClient({
    resolver: createResolver({ clock, servers: settings.dnsServers }),
    guard: createAddressGuard(rule.value),
    clock,
  });
  const contact = () => contactOf(from, baseUrl());
  const vapid = createVapid({ database, secretBox, contact });
  const tools: ChannelTools = {
    http,
    mailer: smtpUrl === null ? null : createMailer({ smtpUrl, from, baseUrl, clock }),
    vapid: () => vapid.keys(),
    now: () => clock.now(),
  };
  const worker = createDeliveryWorker({
    database,
    secretBox,
    tools,
    links,
    clock,
    log,
    random: Math.random,
    version,
  });
  const regionCodes = settings.regions.map(({ code }) => code);
  const notifier = createNotifier({
    database,
    clock,
    log,
    mail: smtpUrl !== null,
    vantage: () => soleVantage(regionCodes, probes.vantageOf),
    onDeliveries: () => worker.wake(),
  });
  // The notifier finds released alerts by itself at its next run.
  const maintenance = createMaintenanceScheduler({ database, clock, log, onEnd: () => undefined });
  exposeAlerting(registry, { worker, notifier });
  if (smtpUrl !== null) exposeMails(registry, worker);
  return {
    tools,
    start() {
      maintenance.start();
      notifier.start();
      worker.start();
    },
    async stop() {
      await Promise.all([maintenance.stop(), notifier.stop(), worker.stop()]);
    },
  };
}

function exposeAlerting(
  registry: Registry,
  stages: {
    worker: DeliveryWorker;
    notifier: ReturnType<typeof createNotifier>;
  },
): void {
  const { worker, notifier } = stages;
  const deliveries = {
    name: 'tocsin_deliveries_total',
    help: 'Delivery attempts to webhook endpoints and channels by outcome, expired deliveries, and disabled destinations.',
    label: 'outcome',
  };
  exposeCounts(registry, deliveries, () => ({ ...worker.counters }));
  exposeValue(
    registry,
    'tocsin_destinations_under_way',
    'Webhook endpoints, channels and mails with a delivery in progress.',
    () => worker.underWay(),
  );
  const handed = {
    name: 'tocsin_events_handed_on_total',
    help: 'Events fanned out, runs of alerts, and internal failures.',
    label: 'kind',
  };
  exposeCounts(registry, handed, () => ({ ...notifier.counters }));
}

function exposeMails(registry: Registry, { mails }: DeliveryWorker): void {
  const outcomes = {
    name: 'tocsin_mails_total',
    help: 'Mails by what became of them; those that are tried again count each time.',
    label: 'outcome',
  };
  exposeCounts(registry, outcomes, () => ({ ...mails }));
}
