import type { Clock } from '../../../src/lib/clock.ts';
import type { Log } from '../../../src/lib/log.ts';
import { createAlertLinks } from '../../../src/alerting/message/index.ts';
import {
  outcomeOf,
  type ChannelDelivery,
  type ChannelType,
} from '../../../src/alerting/channels/index.ts';
import { createMaintenanceScheduler } from '../../../src/engine/maintenance/scheduler.ts';
import { createNotifier } from '../../../src/alerting/notifier.ts';
import { createDeliveryWorker } from '../../../src/alerting/delivery/worker.ts';
import type { HttpResponse } from '../../../src/net/http-client.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { secretBox } from '../../support/deliveries.ts';
import { never, type ProcessInstance } from '../process-instance.ts';
import type { Random } from '../random.ts';
import type { Receiver } from './receiver.ts';

/** The alerting stages of one process instance, wired as in main.ts. */
export interface Alerting {
  start(): void;
  stop(): Promise<void>;
}

/** The receivers of events and messages. */
export interface Receivers {
  /** Request bodies as they were sent. */
  endpoint: Receiver<string>;
  channel: Receiver<ChannelDelivery['content']>;
}

export interface AlertingOptions {
  instance: ProcessInstance;
  clock: Clock;
  database: Database;
  log: Log;
  random: Random;
  receivers: Receivers;
  /** Whether the world has maintenance windows. */
  isMaintained: boolean;
  doubles: {
    createNotifier?: typeof createNotifier;
    createDeliveryWorker?: typeof createDeliveryWorker;
    createMaintenanceScheduler?: typeof createMaintenanceScheduler;
  };
}

const links = createAlertLinks({
  keys: ['a key of the simulation'],
  baseUrl: () => 'https://up.example.com',
});
export const CHANNEL_TYPE = 'stub';
/** Polling interval. The product's four polls per second would dominate the run time. */
const EVERY_MS = 2_000;

export function createAlerting(options: AlertingOptions): Alerting {
  const { instance, clock, database, log, random, receivers, doubles } = options;
  const crashable = async (work: () => Promise<HttpResponse>): Promise<HttpResponse> => {
    instance.crashPoint();
    if (!instance.isAlive()) return never();
    const answer = await work();
    instance.crashPoint();
    if (instance.frozen()) await instance.frozen();
    return instance.isAlive() ? answer : never();
  };
  const stubChannel: ChannelType = {
    type: CHANNEL_TYPE,
    title: 'Stub',
    scopes: ['team'],
    keepsIncidents: false,
    fields: {},
    async send({ isFurther = false }, { id, content: notice }, tools, signal) {
      if (isFurther) return { outcome: 'delivered', statusCode: 204 };
      const answer = await crashable(() => receivers.channel.take(id, notice, signal));
      return outcomeOf('The channel', answer, tools.now());
    },
  };
  const worker = (doubles.createDeliveryWorker ?? createDeliveryWorker)({
    database,
    secretBox,
    tools: {
      http: {
        request: ({ headers, body, signal }) =>
          crashable(() => receivers.endpoint.take(headers['webhook-id']!, String(body), signal!)),
      },
      mailer: null,
      vapid: () => Promise.reject(new Error('No VAPID key is configured.')),
      now: () => clock.now(),
    },
    openSignup: false,
    subscriptionToken: String,
    links,
    clock,
    log,
    random: () => random.next(),
    version: '1.2.3',
    channelType: (type) => (type === CHANNEL_TYPE ? stubChannel : undefined),
    intervalMs: EVERY_MS,
  });
  const notifier = (doubles.createNotifier ?? createNotifier)({
    database,
    clock,
    log,
    mail: false,
    onDeliveries: () => worker.wake(),
    everyMs: EVERY_MS,
  });
  const maintenance = options.isMaintained
    ? (doubles.createMaintenanceScheduler ?? createMaintenanceScheduler)({
        database,
        clock,
        log,
        onEnd: () => undefined,
      })
    : null;
  return {
    start() {
      maintenance?.start();
      notifier.start();
      worker.start();
    },
    async stop() {
      await Promise.all([maintenance?.stop(), notifier.stop(), worker.stop()]);
    },
  };
}
