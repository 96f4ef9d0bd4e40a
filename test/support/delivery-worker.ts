import type { Clock } from '../../src/lib/clock.ts';
import { silentLog, type Log } from '../../src/lib/log.ts';
import { createAlertLinks } from '../../src/alerting/message/index.ts';
import type {
  ChannelDelivery,
  ChannelOutcome,
  ChannelType,
} from '../../src/alerting/channels/index.ts';
import { createDeliveryWorker } from '../../src/alerting/delivery/worker.ts';
import type { HttpResponse, HttpClient, HttpRequest } from '../../src/net/http-client.ts';
import type { Mailer } from '../../src/net/mail.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { secretBox } from './deliveries.ts';
import { waitUntil } from './event-loop.ts';
import { createFakeClock } from './fake-clock.ts';
import { wrapDatabase } from './wrapped-database.ts';

export const START = Date.UTC(2030, 0, 1);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export const links = createAlertLinks({
  keys: ['a key for tests'],
  baseUrl: () => 'https://up.example.com',
});

/** A delivery worker wired as in main.ts, except for the given parts. */
export function workerOn(
  database: Database,
  options: {
    http: HttpClient;
    clock: Clock;
    channelType?: (type: string) => ChannelType | undefined;
    errors?: unknown[];
    /** Sends mails; without it none are sent. */
    mailer?: Mailer;
    log?: Log;
    /** Clock of the database, which leases use; that of the worker by default. */
    databaseClock?: Clock;
    intervalMs?: number;
    openSignup?: boolean;
  },
) {
  const { http, clock, channelType, errors, mailer = null, databaseClock = clock } = options;
  const { intervalMs } = options;
  const log = { ...silentLog, error: (fields: object) => void errors?.push(fields) };
  return createDeliveryWorker({
    database: wrapDatabase(database, { now: async () => databaseClock.now() }),
    secretBox,
    tools: {
      http,
      mailer,
      vapid: () => Promise.reject(new Error('No VAPID key is configured.')),
      now: () => clock.now(),
    },
    links,
    subscriptionToken: (id) => `token-of-${id}`,
    clock,
    log: options.log ?? log,
    random: () => 0.5,
    version: '1.2.3',
    openSignup: options.openSignup ?? false,
    ...(channelType !== undefined && { channelType }),
    ...(intervalMs !== undefined && { intervalMs }),
  });
}

/** A response with that status. */
export const answer = (status: number, headers: Record<string, string> = {}): HttpResponse => ({
  ok: true,
  status,
  headers,
  body: Buffer.from(`status ${status}`),
});

export const REFUSED: HttpResponse = {
  ok: false,
  failure: { code: 'connection_refused', text: 'Connection refused by 192.0.2.1 port 443' },
};

/** Requests that wait until the test answers them. */
export function holding() {
  const held: { request: HttpRequest; id: string; end(answer: HttpResponse): void }[] = [];
  const take = (request: HttpRequest) =>
    new Promise<HttpResponse>((end) => {
      held.push({ request, id: request.headers['webhook-id']!, end });
    });
  return { held, take };
}

/** A channel type whose provider is the test. */
export function bell(
  ring: (delivery: ChannelDelivery) => ChannelOutcome | Promise<ChannelOutcome>,
  keepsIncidents = false,
): ChannelType {
  return {
    type: 'bell',
    title: 'Bell',
    scopes: ['team', 'person'],
    keepsIncidents,
    fields: {},
    send: async (_settings, delivery) => ring(delivery),
  };
}

export interface Sent {
  url: string;
  id: string;
  body: string;
  second: number;
}

/** Starts workers on one database with scripted endpoints and a fake clock. */
export function startWorkers(
  database: Database,
  options: {
    count?: number;
    channelType?: (type: string) => ChannelType | undefined;
    /** Offset of each worker's wall clock; none by default. */
    aheadMs?: readonly number[];
    databaseClock?: Clock;
    log?: Log;
    mailer?: Mailer;
    openSignup?: boolean;
  } = {},
) {
  const clock = createFakeClock({ now: START });
  const errors: unknown[] = [];
  const sent: Sent[] = [];
  const script: {
    answer(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
  } = { answer: () => answer(200) };
  const http: HttpClient = {
    async request(request) {
      const second = (clock.now() - START) / SECOND;
      const id = request.headers['webhook-id']!;
      sent.push({ url: request.url, id, body: String(request.body), second });
      return script.answer(request);
    },
  };
  const { count = 1, aheadMs = [], databaseClock = clock, ...more } = options;
  const workers = Array.from({ length: count }, (_, index) => {
    const own = { ...clock, now: () => clock.now() + (aheadMs[index] ?? 0) };
    return workerOn(database, { http, clock: own, errors, databaseClock, ...more });
  });
  for (const worker of workers) worker.start();
  const underWay = () => workers.reduce((sum, worker) => sum + worker.underWay(), 0);
  /** Waits until only `hanging` deliveries are in flight and each worker waits for its next poll. */
  const rest = (hanging = 0) =>
    waitUntil(() => underWay() <= hanging && clock.pending().timers >= workers.length + underWay());
  return {
    clock,
    sent,
    script,
    errors,
    workers,
    counters: workers[0]!.counters,
    rest,
    underWay,
    /** Advances in steps of the workers' polling interval. */
    async pass(milliseconds: number, hanging = 0): Promise<void> {
      await rest(hanging);
      const end = clock.now() + milliseconds;
      while (clock.now() < end) {
        await clock.advance(Math.min(250, end - clock.now()));
        await rest(hanging);
      }
    },
    /** Advances in one step, as if no worker ran meanwhile. */
    async leap(milliseconds: number): Promise<void> {
      await rest();
      clock.freeze(milliseconds);
      await clock.advance(1);
      await rest();
    },
    stop: () => Promise.all(workers.map((worker) => worker.stop())),
  };
}
