import type { Registry } from 'prom-client';
import type { ChannelTools } from '../alerting/channels/index.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../alerting/delivery/worker.ts';
import { contactOf, createVapid } from '../alerting/delivery/vapid.ts';
import type { AlertLinks } from '../alerting/message/index.ts';
import { createNotifier } from '../alerting/notifier.ts';
import { createMaintenanceScheduler } from '../engine/maintenance/scheduler.ts';
import { exposeCount, exposeCounts, exposeValue } from '../lib/metrics.ts';
import { soleProbeHost } from '../model/check.ts';
import { createSubscriberLinks } from '../status-page/subscribers/addresses.ts';
import { clock } from './clock.ts';
import type { Outside } from './outside.ts';
import type { Parts } from './resources.ts';

export type Alerting = ReturnType<typeof createAlerting>;

/** Alerting stage: turns events into notifications. */
export function createAlerting(
  parts: Parts,
  {
    links,
    outside,
  }: { links: AlertLinks; outside: Pick<Outside, 'createHttpClient' | 'createMailer'> },
) {
  const { settings, database, keys, probes, secretBox, baseUrl, version, log, registry } = parts;
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
    subscriptionToken: createSubscriberLinks(keys).manageToken,
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
    vantage: () => soleProbeHost(regionCodes, probes.vantageOf),
    onDeliveries: () => worker.wake(),
  });
  // The notifier finds released alerts by itself at its next run.
  const maintenance = createMaintenanceScheduler({ database, clock, log, onEnd: () => undefined });
  exposeAlerting(registry, { worker, notifier });
  return {
    /** Tools that services need to test a channel. */
    tools,
    /** Messages to channels and webhook endpoints, and mails, that this process sent. */
    messagesSent: () => worker.counters.delivered + worker.mails.sent,
    start() {
      maintenance.start();
      notifier.start();
      worker.start();
    },
    wake: () => worker.wake(),
    /** Ends work in progress; unrecorded deliveries are sent again later. Never rejects. */
    async stop() {
      await Promise.all([maintenance.stop(), notifier.stop(), worker.stop()]);
    },
  };
}

function exposeAlerting(
  registry: Registry,
  { worker, notifier }: { worker: DeliveryWorker; notifier: ReturnType<typeof createNotifier> },
): void {
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
