import { silentLog } from '../../src/lib/log.ts';
import { createNotifier } from '../../src/alerting/notifier.ts';
import { createDeliveryWorker } from '../../src/alerting/delivery/index.ts';
import type { HttpResponse } from '../../src/net/http-client.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { secretBox } from '../support/deliveries.ts';
import { links, MINUTE } from '../support/delivery-worker.ts';
import { createMortal } from './mortal.ts';
import type { Death, Mortal, Step } from './mortal.ts';
import type { Story } from './stories.ts';
import { createTown } from './town.ts';
import type { Town } from './town.ts';

/** In place of what the product does, to see that a fault is found. */
export interface Doubles {
  createNotifier?: typeof createNotifier;
  /** How a process sends, around what its receiver does. */
  sending?(life: Mortal, receive: () => Promise<HttpResponse>): Promise<HttpResponse>;
}

export interface Lived {
  town: Town;
  /** Of the first process; it died at the last one, if it did. */
  steps: readonly Step[];
  hasDied: boolean;
  /** What the processes logged as their own faults. */
  errors: unknown[];
}

const EVERY_MS = 1_000;
/** What is told of later by itself is told by then. */
const SETTLED_MINUTES = 120;
const PATIENCE_MS = 20_000;

/** Tells the whole story by a process that may die, and by another one from then on. */
export async function live(
  database: Database,
  story: Story,
  { death, ...doubles }: Doubles & { death?: Death } = {},
): Promise<Lived> {
  const town = await createTown(database, story);
  const { clock, deeds } = town;
  const begin = clock.now();
  const errors: unknown[] = [];
  const first = createMortal(death);
  let life = first;
  let teller = startTeller(town, life, errors, doubles);
  const deadline = performance.now() + PATIENCE_MS;

  async function passUntil(at: number): Promise<void> {
    for (;;) {
      await quiet();
      if (life.isDead()) {
        life = createMortal();
        teller = startTeller(town, life, errors, doubles);
        await quiet();
      }
      const due = Math.min(await nextDue(database), at);
      if (due > clock.now()) clock.freeze(due - clock.now());
      else if (due === at) return;
      await clock.advance(EVERY_MS);
      if (performance.now() > deadline) throw new Error('The story does not come to its end.');
    }
  }

  /** Real time for what Postgres takes, in which the other clock must not run ahead. */
  async function quiet(): Promise<void> {
    do await turn();
    while (!life.isDead() && (life.busy() > 0 || teller.underWay() > 0));
  }

  for (const { minute, happen } of deeds) {
    await passUntil(begin + minute * MINUTE);
    await happen();
  }
  await passUntil(begin + SETTLED_MINUTES * MINUTE);
  await teller.stop();
  return { town, steps: first.steps, hasDied: first.isDead(), errors };
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** The stages that tell others, as main puts them together. */
function startTeller(town: Town, life: Mortal, errors: unknown[], doubles: Doubles) {
  const clock = life.clock(town.clock);
  const database = life.database(town.database, clock);
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) };
  const send = (receive: () => Promise<HttpResponse>) =>
    doubles.sending?.(life, receive) ?? life.sending(receive);
  const bell = town.bell(send);
  const worker = createDeliveryWorker({
    database,
    secretBox,
    tools: {
      http: {
        request: ({ url, headers, body }) =>
          send(async () => town.takePost(url, headers['webhook-id']!, String(body))),
      },
      mailer: null,
      vapid: () => Promise.reject(new Error('There is no key here.')),
      now: clock.now,
    },
    links,
    clock,
    log,
    random: () => 0.5,
    version: '1.2.3',
    channelType: (type) => (type === bell.type ? bell : undefined),
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
  notifier.start();
  worker.start();
  return {
    underWay: () => worker.underWay(),
    stop: () => Promise.all([notifier.stop(), worker.stop()]),
  };
}

/** When anything is to be done next, epoch ms; what a dead process holds is nobody's until its lease ends. */
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
