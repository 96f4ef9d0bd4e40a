import type { ChannelDelivery } from '../../../src/alerting/channels/index.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { giveChannel, giveEndpoint } from '../../support/deliveries.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { TEAM } from '../operator.ts';
import type { Random } from '../random.ts';
import { FURTHER_CHANNELS } from './scenario.ts';
import type { AlertScenario, DeliveryDisruption, WorldRoute } from './scenario.ts';
import { createReceiver } from './receiver.ts';
import { CHANNEL_TYPE, type Receivers } from './alerting.ts';
import { createRoutes } from './routes.ts';
import { GROUP, PARENT_GROUP } from '../maintenance/scenario.ts';

/** The receivers of a world: a webhook endpoint and channels of the team, of which the first may fail. */
export interface AlertEnvironment {
  receivers: Receivers;
  /** Ids of their delivery queues. */
  destinations: { endpoint: number; channel: number; further: number[] };
  routes: readonly WorldRoute[];
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
  await giveGroups(database, clock.now());
  const deliveryDisruptions = [...scenario.deliveryDisruptions];
  const arrived = () => {
    if (deliveryDisruptions[0] !== undefined && deliveryDisruptions[0].at <= clock.monotonic())
      disruptDelivery(deliveryDisruptions.shift()!);
  };
  const receiverOf = <Content>(name: 'endpoint' | 'channel') =>
    createReceiver<Content>(scenario[name], { clock, random: random.fork(name), arrived });
  const { destinationId: endpoint } = await giveEndpoint(database, TEAM, ENDPOINT_URL);
  const type = CHANNEL_TYPE;
  const first = await giveChannel(database, TEAM, { type, isDefault: true });
  const further: (typeof first)[] = [];
  for (let left = FURTHER_CHANNELS; left > 0; left -= 1)
    further.push(await giveChannel(database, TEAM, { type, settings: { isFurther: true } }));
  const { routes } = scenario;
  const channelIds = [first, ...further].map(({ id }) => id);
  await createRoutes(database, routes, channelIds, clock.now());
  return {
    receivers: {
      endpoint: receiverOf<string>('endpoint'),
      channel: receiverOf<ChannelDelivery['content']>('channel'),
    },
    destinations: {
      endpoint,
      channel: first.destinationId,
      further: further.map(({ destinationId }) => destinationId),
    },
    routes,
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
        created_at: now,
        updated_at: now,
      })
      .execute(),
  );
}

/** The groups that windows and routes name. */
async function giveGroups(database: Database, now: number): Promise<void> {
  const named = { team_id: TEAM, created_at: now, updated_at: now };
  await database.transaction(async (tx) => {
    const groups = [
      {
        ...named,
        id: PARENT_GROUP,
        parent_id: null,
        name: 'All of it',
        description: null,
        sort_order: 0,
      },
      {
        ...named,
        id: GROUP,
        parent_id: PARENT_GROUP,
        name: 'A part',
        description: null,
        sort_order: 1,
      },
    ];
    await tx.insertInto('monitor_group').values(groups).execute();
  });
}

/** Longest time to wait for delayed messages: a flapping monitor counts as stable after half an hour. */
const SETTLE_MS = 45 * 60_000;
const STEP_MS = 12_000;

/** Advances the clock until nothing is left to deliver, and leaps over idle time. Reminders, which never end, are off. */
export async function settle(database: Database, clock: FakeClock): Promise<void> {
  await database.transaction((tx) =>
    tx.updateTable('alert_route').set({ reminder_minutes: null }).execute(),
  );
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
