import type { Registry } from 'prom-client';
import type { Bus } from '../engine/bus/contract.ts';
import type { Config } from '../config/config.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { createMaintenanceScheduler } from '../engine/maintenance/scheduler.ts';
import { soleVantage } from '../model/check.ts';
import type { AlertLinks } from '../alerting/message/index.ts';
import type { ChannelTools } from '../alerting/channels/index.ts';
import { createNotifier } from '../alerting/notifier.ts';
import { contactOf, createVapid } from '../alerting/delivery/vapid.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../alerting/delivery/worker.ts';
import type { Database } from '../store/database/contract.ts';
import type { Outside } from './outside.ts';
import { exposeCount, exposeCounts, exposeValue } from '../lib/metrics.ts';

/** Alerting stage: turns events into notifications. */
export interface Alerting {
  /** Tools that services need to test a channel. */
  tools: ChannelTools;
  /** Messages to channels and webhook endpoints, and mails, that this process sent. */
  messagesSent(): number;
  start(): void;
  /** Messages were enqueued by this process. */
  wake(): void;
  /** Ends work in progress; unrecorded deliveries are sent again later. Never rejects. */
  stop(): Promise<void>;
}

export interface AlertingParts {
  database: Database;
  probes: Pick<Bus, 'vantageOf'>;
  outside: Pick<Outside, 'createHttpClient' | 'createMailer'>;
  secretBox: SecretBox;
  links: AlertLinks;
  baseUrl: () => string;
  version: string;
  log: Log;
  registry: Registry;
}

/** Builds the stage that tells others what happened, of the one process that plays all roles. */
export function createAlerting(settings: Config, parts: AlertingParts): Alerting {
  const { database, probes, outside, secretBox, links, baseUrl, version, log, registry } = parts;
  const { smtpUrl, mailFrom: from } = settings;
  const contact = () => contactOf(from, baseUrl());
  const vapid = createVapid({ database, secretBox, contact });
  const tools: ChannelTools = {
    http: outside.createHttpClient(settings),
    mailer: outside.createMailer(settings, baseUrl),
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
    openSignup: settings.openSignup,
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
  return {
    tools,
    messagesSent: () => worker.counters.delivered + worker.mails.sent,
    start() {
      maintenance.start();
      notifier.start();
      worker.start();
    },
    wake: () => worker.wake(),
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
  exposeCounts(registry, 'tocsin_deliveries_total', () => {
    const { delivered, postponed, failed, expired } = worker.counters;
    return { delivered, postponed, failed, expired };
  });
  exposeCount(registry, 'tocsin_destinations_disabled_total', () => worker.counters.deactivated);
  exposeValue(registry, 'tocsin_destinations_in_progress', () => worker.underWay());
  exposeCount(registry, 'tocsin_events_fanned_out_total', () => notifier.counters.events);
  exposeCount(registry, 'tocsin_alerts_evaluated_total', () => notifier.counters.alerts);
  exposeCount(registry, 'tocsin_notifier_failures_total', () => notifier.counters.failures);
  exposeCounts(registry, 'tocsin_mails_total', () => ({ ...worker.mails }));
  exposeCounts(registry, 'tocsin_subscriber_messages_total', () => {
    const { delivered, postponed, failed } = worker.subscribers;
    return { delivered, postponed, failed };
  });
  exposeCount(registry, 'tocsin_subscriptions_ended_total', () => worker.subscribers.ended);
}
