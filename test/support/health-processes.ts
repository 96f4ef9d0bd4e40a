import { onTestFinished } from 'vitest';
import { notifyOperators } from '../../src/alerting/notify/system-messages.ts';
import {
  InstallationHealth,
  type InstallationHealthDependencies,
  type SelfObservation,
} from '../../src/engine/installation-health/watch.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { HttpRequest, HttpResponse } from '../../src/net/http-client.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { settlePeople } from './people.ts';
import { updateRows } from './rows.ts';

const SECOND = 1_000;
export const PING = 'https://hc.example.com/ping/secret';
export const WEBHOOK = 'https://ops.example.com/hook';
export const ACCEPTED: HttpResponse = { ok: true, status: 200, headers: {}, body: Buffer.alloc(0) };
export const REFUSED: HttpResponse = { ...ACCEPTED, status: 503 };

export const WELL: SelfObservation = {
  lagMs: 0,
  checksDue: 40,
  checksLate: 0,
  probes: { ash: 1 },
  freeBytes: 10_000_000_000,
  isRefusingFiles: false,
  failingDiscoveries: [],
};

/** A process that watches the installation, with scripted observations and a network that records what is called. */
export interface HealthProcess {
  /** Requests that were made and not taken yet. */
  calls: HttpRequest[];
  /** Messages of the log. */
  lines: string[];
  sees: SelfObservation;
  answer(request: HttpRequest): HttpResponse;
  /** Calls of a URL since the last time. */
  take(url: string): HttpRequest[];
  health: InstallationHealth;
}

/** A process on the database. It ends after the test. */
export function openProcess(
  database: Database,
  id: string,
  clock: FakeClock,
  changes: Partial<InstallationHealthDependencies> = {},
): HealthProcess {
  const calls: HttpRequest[] = [];
  const lines: string[] = [];
  const log = (fields: object, message: string) => void lines.push(message);
  const opened: HealthProcess = {
    calls,
    lines,
    sees: WELL,
    answer: () => ACCEPTED,
    take: (url: string) => {
      const taken = calls.filter((call) => call.url.startsWith(url));
      for (const call of taken) calls.splice(calls.indexOf(call), 1);
      return taken;
    },
    health: new InstallationHealth({
      database,
      clock,
      log: { ...silentLog, info: log, warn: log, error: log },
      processId: id,
      name: `${id}:3000`,
      roles: ['api', 'scheduler', 'worker'],
      version: '0.0.0',
      baseUrl: () => 'https://up.example.com',
      regions: ['ash'],
      observe: async () => opened.sees,
      notify: (tx, message, now) => notifyOperators(tx, message, { now, mail: true }),
      onDeliveries: () => {},
      http: {
        async request(request) {
          calls.push(request);
          return opened.answer(request);
        },
      },
      watchdog: { url: PING, intervalMs: 60 * SECOND },
      operatorWebhook: null,
      databaseNow: async () => clock.now(),
      ...changes,
    }),
  };
  onTestFinished(() => opened.health.stop());
  return opened;
}

/** A database with people and an owner of all shards. */
export async function openWorld(open: () => Promise<Database>) {
  const database = await open();
  const clock = createFakeClock();
  await settlePeople(database, clock.now());
  await updateRows(database, 'person', { email_verified: 1 });
  await updateRows(database, 'shard', { owner: 'a', lease_until: clock.now() * 2 });
  return { database, clock };
}

/** Runs each process every 5 s for so long. */
export async function pass(
  clock: FakeClock,
  seconds: number,
  ...running: HealthProcess[]
): Promise<void> {
  for (let second = 0; second < seconds; second += 5) {
    await clock.advance(5 * SECOND);
    for (const { health } of running) await health.run();
  }
}

/** As if all that waits had been sent. */
export const sendAll = (database: Database) =>
  updateRows(database, 'destination', { next_at: null });

/** Headlines of the messages that were enqueued, each once for each admin. */
export async function messages(database: Database): Promise<string[]> {
  const rows = await database.read.selectFrom('delivery').select('body').orderBy('id').execute();
  return rows.map(({ body }) => (JSON.parse(body) as { headline: string }).headline);
}

export const LATE = { ...WELL, lagMs: 45_000 };
export const statusOf = ({ body }: HttpRequest) =>
  (JSON.parse(String(body)) as { status: string }).status;
