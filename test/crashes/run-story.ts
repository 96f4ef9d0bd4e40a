import type { Clock, Timer } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createNotifier } from '../../src/alerting/notifier.ts';
import type { HttpResponse } from '../../src/net/http-client.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { MINUTE, workerOn } from '../support/delivery-worker.ts';
import { turnOfTheEventLoop, waitUntil } from '../support/event-loop.ts';
import { createCrashingProcess } from './crashing-process.ts';
import type { Crash, CrashingProcess, Step } from './crashing-process.ts';
import type { Story } from './stories.ts';
import { createEnvironment } from './environment.ts';
import type { Environment } from './environment.ts';

/** Faulty parts that replace those of the product, to show that a fault is detected. */
export interface Doubles {
  createNotifier?: typeof createNotifier;
  /** How a process sends a message; `receive` is the receiver's side. */
  send?(process: CrashingProcess, receive: () => Promise<HttpResponse>): Promise<HttpResponse>;
}

export interface StoryRun {
  environment: Environment;
  /** Steps of the first process; if it crashed, it did so at the last one. */
  steps: readonly Step[];
  hasCrashed: boolean;
  /** Errors that the processes logged. */
  errors: unknown[];
}

const POLL_MS = 1_000;
/** All delayed messages are due within this time. */
const SETTLED_MINUTES = 120;
const STORY_TIMEOUT_MS = 120_000;

/** Runs a story with a process that may crash, and with a second one after that. */
export async function runStory(
  database: Database,
  story: Story,
  { crash, ...doubles }: Doubles & { crash?: Crash } = {},
): Promise<StoryRun> {
  const environment = await createEnvironment(database, story);
  const { clock, events } = environment;
  const begin = clock.now();
  const errors: unknown[] = [];
  const first = createCrashingProcess(crash);
  let process = first;
  let stages = startStages(environment, process, errors, doubles);
  const deadline = performance.now() + STORY_TIMEOUT_MS;

  async function advanceUntil(at: number): Promise<void> {
    for (;;) {
      await waitUntilIdle();
      if (process.hasCrashed()) {
        process = createCrashingProcess();
        stages = startStages(environment, process, errors, doubles);
        await waitUntilIdle();
      }
      const due = Math.min(await nextDue(database), at);
      if (due > clock.now()) clock.freeze(due - clock.now());
      else if (due === at) return;
      await clock.advance(POLL_MS);
      if (performance.now() > deadline) throw new Error('The story did not finish in time.');
    }
  }

  /** Waits in real time for Postgres; the virtual clock must not advance meanwhile. */
  async function waitUntilIdle(): Promise<void> {
    await turnOfTheEventLoop();
    await waitUntil(
      () => process.hasCrashed() || (process.openTransactions() === 0 && stages.underWay() === 0),
    );
  }

  for (const { minute, apply } of events) {
    await advanceUntil(begin + minute * MINUTE);
    await apply();
  }
  await advanceUntil(begin + SETTLED_MINUTES * MINUTE);
  await stages.stop();
  return { environment, steps: first.steps, hasCrashed: first.hasCrashed(), errors };
}

/** Starts the alerting stages of one process, wired as in main.ts. */
function startStages(
  environment: Environment,
  process: CrashingProcess,
  errors: unknown[],
  doubles: Doubles,
) {
  const clock = process.clock(environment.clock);
  const database = process.database(environment.database, clock);
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) };
  const send = (receive: () => Promise<HttpResponse>) =>
    doubles.send?.(process, receive) ?? process.send(receive);
  const stubType = environment.createChannelType(send);
  const worker = workerOn(database, {
    http: {
      request: ({ url, headers, body }) =>
        send(async () => environment.receivePost(url, headers['webhook-id']!, String(body))),
    },
    clock,
    log,
    channelType: (type) => (type === stubType.type ? stubType : undefined),
    intervalMs: POLL_MS,
  });
  const notifierClock = countCalls(clock);
  const notifier = (doubles.createNotifier ?? createNotifier)({
    database,
    clock: notifierClock.clock,
    log,
    mail: false,
    onDeliveries: () => worker.wake(),
    everyMs: POLL_MS,
  });
  notifier.start();
  worker.start();
  return {
    // The notifier waits for the clock, or for the database: reads of it are no transactions.
    underWay: () => worker.underWay() + (notifierClock.toCome() > 0 ? 0 : 1),
    stop: () => Promise.all([notifier.stop(), worker.stop()]),
  };
}

/** The same clock, and how many calls of it are to come. */
function countCalls(real: Clock): { clock: Clock; toCome(): number } {
  const timers = new Set<Timer>();
  let soon = 0;
  const clock: Clock = {
    ...real,
    after(milliseconds, call) {
      const timer = real.after(milliseconds, () => {
        timers.delete(timer);
        call();
      });
      timers.add(timer);
      return timer;
    },
    clear(timer) {
      if (timer) timers.delete(timer);
      real.clear(timer);
    },
    soon(call) {
      soon += 1;
      real.soon(() => {
        soon -= 1;
        call();
      });
    },
  };
  return { clock, toCome: () => timers.size + soon };
}

/** When the next work is due, epoch ms. A queue leased by a crashed process is due when its lease ends. */
async function nextDue({ read }: Database): Promise<number> {
  const event = await read
    .selectFrom('event')
    .select(({ fn }) => fn.min('fan_out_at').as('at'))
    .executeTakeFirst();
  const alert = await read
    .selectFrom('alert')
    .select(({ fn }) => fn.min('next_at').as('at'))
    .executeTakeFirst();
  const destinations = await read
    .selectFrom('destination')
    .select(['next_at', 'leased_until'])
    .where('next_at', 'is not', null)
    .execute();
  return Math.min(
    event?.at ?? Infinity,
    alert?.at ?? Infinity,
    ...destinations.map((one) => Math.max(one.next_at!, one.leased_until ?? 0)),
  );
}
