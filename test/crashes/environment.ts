import { callOf } from '../support/call.ts';
import { applyIncidentChanges } from '../../src/engine/record/record.ts';
import type { IncidentChange } from '../../src/model/incident.ts';
import { type ChannelType, outcomeOf } from '../../src/alerting/channels/index.ts';
import type { HttpResponse } from '../../src/net/http-client.ts';
import { createWebhookDeliveryService } from '../../src/resources/webhooks/deliveries.ts';
import { insertPersonChannel } from '../../src/store/resources/alert-channels.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { channelOwner } from '../../src/store/database/sealed-columns.ts';
import { createAlertStory } from '../support/alert-story.ts';
import { giveEndpoint, secretBox } from '../support/deliveries.ts';
import { answer, MINUTE } from '../support/delivery-worker.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { ending, opening } from '../support/incident-changes.ts';
import { callerOf } from '../support/people.ts';
import {
  UNREACHABLE_MINUTES,
  GONE_AFTER_MESSAGES,
  type ChannelName,
  type StoryEvent,
  type HookName,
  type ReceiverName,
  type Story,
} from './stories.ts';

/** A message as it reached its receiver, which runs on another machine and never crashes. */
export interface Arrival {
  id: string;
  content: string;
  isTaken: boolean;
}

/** A team with its monitors, the events of a story, and all receivers. */
export interface Environment {
  database: Database;
  clock: ReturnType<typeof createFakeClock>;
  /** Ids of the receivers' delivery queues. */
  destinations: ReadonlyMap<ReceiverName, number>;
  arrivals: ReadonlyMap<ReceiverName, Arrival[]>;
  events: { minute: number; apply(): Promise<void> }[];
  /** The receiver's side of a webhook request. */
  receivePost(url: string, id: string, body: string): HttpResponse;
  createChannelType(
    send: (receive: () => Promise<HttpResponse>) => Promise<HttpResponse>,
  ): ChannelType;
}

const HOOKS: readonly HookName[] = ['hook', 'slow hook', 'gone hook'];
const CHANNELS: readonly ChannelName[] = ['on call', 'boss', 'flaky'];

const settingsOf = (name: ReceiverName, owner: Parameters<typeof channelOwner>[0]) =>
  secretBox.of('alert_channel', channelOwner(owner)).seal(JSON.stringify({ name }), 'settings');

export async function createEnvironment(
  database: Database,
  { received, events }: Story,
): Promise<Environment> {
  const story = await createAlertStory(database);
  const clock = createFakeClock({ now: story.now() });
  const { personId, teamId } = story.people.alice;

  const destinations = new Map<ReceiverName, number>();
  const endpoints = new Map<ReceiverName, number>();
  for (const name of HOOKS.filter((one) => one in received)) {
    const url = `https://example.com/${encodeURIComponent(name)}`;
    const { id, destinationId } = await giveEndpoint(database, teamId, url);
    destinations.set(name, destinationId);
    endpoints.set(name, id);
  }
  const ids = new Map<ReceiverName, number>();
  for (const name of CHANNELS.filter((one) => one in received)) {
    const settings = settingsOf(name, { team_id: teamId, person_id: null });
    const id = await story.channel({ type: 'stub', name, settings });
    ids.set(name, id);
    destinations.set(name, await story.destinationOf('alert_channel', id));
  }
  if ('owner' in received) {
    const settings = settingsOf('owner', { team_id: null, person_id: personId });
    destinations.set('owner', await giveOwnChannel(database, personId, settings, story.now()));
  }
  const boss = ids.get('boss');
  if (ids.size > 0)
    await story.route({
      channels: JSON.stringify([ids.get('on call') ?? ids.get('flaky')]),
      reminder_minutes: 5,
      escalation: JSON.stringify(
        boss === undefined ? [] : [{ after_minutes: 8, channels: [boss], users: [] }],
      ),
    });

  const monitors = [];
  for (const name of ['Shop', 'Blog', 'Wiki', 'Feed'])
    monitors.push(await story.monitor({ friendly_name: name }));
  const [shop, ...site] = monitors as [number, ...number[]];

  async function change(
    ofMonitors: number[],
    changed: (of: { monitorId: number; teamId: number; at: number }) => IncidentChange,
  ): Promise<void> {
    const at = clock.now();
    const changes = ofMonitors.map((monitorId) => changed({ monitorId, teamId, at }));
    await database.transaction((tx) => applyIncidentChanges(tx, changes, at));
  }
  async function redeliver(): Promise<void> {
    const first = await database.read
      .selectFrom('delivery')
      .select('id')
      .where('destination_id', '=', destinations.get('hook')!)
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const service = createWebhookDeliveryService({ database, clock, openSignup: false });
    await service.redeliverWebhook(
      callOf(callerOf({ personId, teamId }), {
        id: endpoints.get('hook')!,
        ids: { delivery: first.id },
      }),
    );
  }
  const actions: Record<StoryEvent, () => Promise<void>> = {
    'shop fails': () => change([shop], opening),
    'shop recovers': () => change([shop], ending),
    'site fails': () =>
      change(site, (of) => opening({ ...of, trouble: { address: '203.0.113.7' } })),
    'site recovers': () => change(site, ending),
    redeliver,
  };

  const arrivals = new Map<ReceiverName, Arrival[]>(
    [...destinations.keys()].map((name) => [name, []]),
  );
  function take(name: ReceiverName, id: string, content: string): HttpResponse {
    const earlier = arrivals.get(name)!;
    const minute = (clock.now() - story.now()) / MINUTE;
    const status = statusOf(name, id, earlier, minute);
    earlier.push({ id, content, isTaken: status === 200 });
    return answer(status);
  }

  return {
    database,
    clock,
    destinations,
    arrivals,
    events: events.map(([minute, event]) => ({ minute, apply: actions[event] })),
    receivePost: (url, id, body) =>
      take(decodeURIComponent(new URL(url).pathname.slice(1)) as ReceiverName, id, body),
    createChannelType: (send) => ({
      type: 'stub',
      title: 'Stub',
      scopes: ['team', 'person'],
      keepsIncidents: false,
      fields: {},
      async send(settings, { id, content: notice }, tools) {
        const name = settings['name'] as ReceiverName;
        const response = await send(async () => take(name, id, JSON.stringify(notice)));
        return outcomeOf('The channel', response, tools.now());
      },
    }),
  };
}

function statusOf(name: ReceiverName, id: string, earlier: Arrival[], minute: number): number {
  const others = earlier.filter((one) => one.id !== id);
  if (name === 'slow hook') return others.length < earlier.length ? 200 : 503;
  if (name === 'gone hook') return others.length < GONE_AFTER_MESSAGES ? 200 : 410;
  if (name === 'flaky') return minute < UNREACHABLE_MINUTES ? 503 : 200;
  return 200;
}

async function giveOwnChannel(
  database: Database,
  personId: number,
  settings: string,
  now: number,
): Promise<number> {
  await database.transaction((tx) =>
    insertPersonChannel(
      tx,
      { personId, type: 'stub' },
      {
        name: 'Own',
        enabled: 1,
        is_default: 0,
        settings,
        severities: '["critical","warning"]',
        quiet_hours: null,
        timezone: null,
      },
      now,
    ),
  );
  const row = await database.read
    .selectFrom('alert_channel')
    .select('destination_id')
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow();
  return row.destination_id;
}
