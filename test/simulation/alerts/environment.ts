import type { ChannelDelivery } from '../../../src/alerting/channels/index.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { giveChannel, giveEndpoint } from '../../support/deliveries.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { TEAM } from '../operator.ts';
import type { Random } from '../random.ts';
import type { AlertScenario, DeliveryDisruption } from './scenario.ts';
import { createReceiver } from './receiver.ts';
import { CHANNEL_TYPE, type Receivers } from './alerting.ts';

/** The receivers of a world: a webhook endpoint and a channel of the team. */
export interface AlertEnvironment {
  receivers: Receivers;
  /** Ids of their delivery queues. */
  destinations: { endpoint: number; channel: number };
}

export interface AlertEnvironmentOptions {
  scenario: AlertScenario;
  database: Database;
  clock: FakeClock;
  random: Random;
  /** Applies a disruption while a delivery is in flight. */
  disruptDelivery(disruption: DeliveryDisruption): void;
}

export async function createAlertEnvironment(
  options: AlertEnvironmentOptions,
): Promise<AlertEnvironment> {
  const { scenario, database, clock, random, disruptDelivery } = options;
  await giveTeam(database, clock.now());
  const deliveryDisruptions = [...scenario.deliveryDisruptions];
  const arrived = () => {
    if (deliveryDisruptions[0] !== undefined && deliveryDisruptions[0].at <= clock.monotonic())
      disruptDelivery(deliveryDisruptions.shift()!);
  };
  const receiverOf = <Content>(name: 'endpoint' | 'channel') =>
    createReceiver<Content>(scenario[name], { clock, random: random.fork(name), arrived });
  const { destinationId: endpoint } = await giveEndpoint(database, TEAM, ENDPOINT_URL);
  const { destinationId: channel } = await giveChannel(database, TEAM, {
    type: CHANNEL_TYPE,
    isDefault: true,
  });
  return {
    receivers: {
      endpoint: receiverOf<string>('endpoint'),
      channel: receiverOf<ChannelDelivery['content']>('channel'),
    },
    destinations: { endpoint, channel },
  };
}

const ENDPOINT_URL = 'https://hooks.example.com/';

async function giveTeam(database: Database, now: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .insertInto('team')
      .values({
        id: TEAM,
        name: 'The team',
        slug: 'team',
        personal_team: 0,
        plan: null,
        deleted_at: null,
        created_at: now,
        updated_at: now,
      })
      .execute(),
  );
}

/** Longest time to wait for delayed messages: a flapping monitor counts as stable after half an hour. */
const SETTLE_MS = 45 * 60_000;
const STEP_MS = 12_000;

/** Advances the clock until nothing is left to deliver, and leaps over idle time. */
export async function settle(database: Database, clock: FakeClock): Promise<void> {
  const until = clock.now() + SETTLE_MS;
  while (clock.now() < until) {
    const at = await nextDue(database);
    if (at === null || at > until) return;
    if (at > clock.now()) clock.freeze(at - clock.now());
    await clock.advance(STEP_MS);
  }
}

/** Whether a request to a receiver is in flight. */
export async function isServed({ read }: Database): Promise<boolean> {
  const served = await read
    .selectFrom('destination')
    .select('id')
    .where('leased_until', 'is not', null)
    .executeTakeFirst();
  return served !== undefined;
}

async function nextDue({ read }: Database): Promise<number | null> {
  const rows = await Promise.all([
    read
      .selectFrom('event')
      .select(({ fn }) => fn.min('fan_out_at').as('at'))
      .executeTakeFirst(),
    read
      .selectFrom('alert')
      .select(({ fn }) => fn.min('next_at').as('at'))
      .executeTakeFirst(),
    read
      .selectFrom('destination')
      .select(({ fn }) => fn.min('next_at').as('at'))
      .executeTakeFirst(),
  ]);
  const times = rows.flatMap((row) => row?.at ?? []);
  return times.length === 0 ? null : Math.min(...times);
}
