import { describe, expect, test } from 'vitest';
import { bell, links } from '../../../test/support/delivery-worker.ts';
import { secretBox } from '../../../test/support/deliveries.ts';
import type { Database } from '../../store/database/contract.ts';
import type { LoadedChannel } from '../../store/alerting/deliveries.ts';
import { sendToChannel, type ChannelMessage } from './channel-sender.ts';
import type { ChannelDelivery, ChannelSettings, ChannelType } from '../channels/index.ts';
import { MESSAGE_KINDS, type MessageContent, type MessageKind } from '../message/content.ts';

const NO_DATABASE = {} as Database;

const NOW = Date.UTC(2030, 0, 1, 12);

function contentOf(kind: MessageKind): MessageContent {
  return {
    kind,
    team: { id: 1, name: 'Harbour' },
    severity: 'critical',
    at: NOW,
    alert: { id: 7, kind: 'single', sharedCause: null },
    troubles: [
      {
        incidentId: 3,
        monitorId: 5,
        name: 'Shop',
        url: 'https://shop.example.com',
        type: 'uptime',
        severity: 'critical',
        cause: 'HTTP 503',
        regions: ['ash'],
        startedAt: NOW - 60_000,
        endedAt: kind === 'recovery' ? NOW : null,
        ending: null,
        acknowledged: false,
        evidence: null,
      },
    ],
    troubleCount: 1,
    headline: null,
    text: null,
    silence: null,
  };
}

function send(
  options: {
    channel?: Partial<LoadedChannel['channel']>;
    person?: LoadedChannel['person'];
    message?: Partial<ChannelMessage>;
    type?: Partial<ChannelType> | undefined;
  } = {},
) {
  const sent: { settings: ChannelSettings; delivery: ChannelDelivery }[] = [];
  const type: ChannelType = {
    ...bell(() => ({ outcome: 'delivered', statusCode: 200 })),
    send: async (settings, delivery) => {
      sent.push({ settings, delivery });
      return { outcome: 'delivered', statusCode: 200 };
    },
    ...options.type,
  };
  const destination = {
    id: 11,
    kind: 'channel',
    channel: {
      type: 'bell',
      settings: secretBox.of('alert_channel', 'team 1').seal('{"room":"ops"}', 'settings'),
      person_id: null,
      team_id: 1,
      ...options.channel,
    },
    person: options.person ?? null,
    timezone: 'Europe/Berlin',
  } as LoadedChannel;
  const message = {
    messageId: 'msg_1',
    content: contentOf('alarm'),
    alertId: 7,
    alertOpenedAt: 123,
    ...options.message,
  };
  const tools = {
    http: { request: () => Promise.reject(new Error('Nothing is asked for here.')) },
    mailer: null,
    vapid: () => Promise.reject(new Error('There is no key here.')),
    now: () => NOW,
  };
  const channelType = (name: string) => (['bell', 'email'].includes(name) ? type : undefined);
  const signal = new AbortController().signal;
  const outcome = sendToChannel(
    destination,
    message,
    { tools, links, secretBox, channelType, openSignup: false, database: NO_DATABASE },
    signal,
  );
  return outcome.then((result) => ({ ...result, sent }));
}

test('a channel gets its settings, the message in its zone, and links of its own', async () => {
  const { outcome, sent } = await send();
  expect(outcome).toBe('delivered');
  expect(sent).toMatchObject([
    {
      settings: { room: 'ops' },
      delivery: { id: 'msg_1', dedupKey: 'tocsin-alert-7-123', action: 'trigger' },
    },
  ]);
  const { message } = sent[0]!.delivery;
  // 11:59 UTC.
  expect(message.text).toContain('12:59');
  for (const link of [message.links.details, message.links.acknowledge]) {
    const token = new URL(link!).searchParams.get('token')!;
    expect(links.read(token, NOW)).toEqual({ alertId: 7, destinationId: 11 });
  }
});

test('what is of no alert has no links and no key', async () => {
  const { sent } = await send({ message: { alertId: null, alertOpenedAt: null } });
  const { dedupKey, message } = sent[0]!.delivery;
  expect([dedupKey, message.links.details, message.links.acknowledge]).toEqual([null, null, null]);
});

test('a provider opens, updates and closes one incident', async () => {
  const actions = await Promise.all(
    MESSAGE_KINDS.map(async (kind) => {
      const { sent } = await send({ message: { content: contentOf(kind) } });
      return [kind, sent[0]!.delivery.action, sent[0]!.delivery.dedupKey];
    }),
  );
  const key = 'tocsin-alert-7-123';
  expect(actions).toEqual([
    ['alarm', 'trigger', key],
    ['update', 'trigger', key],
    ['reminder', 'trigger', key],
    ['escalation', 'trigger', key],
    ['recovery', 'resolve', key],
    ['blind_spot', 'inform', key],
    ['notice', 'inform', key],
    ['test', 'inform', key],
  ]);
});

describe('a personal e-mail channel without settings', () => {
  const channel = { type: 'email', settings: null, team_id: null, person_id: 4 };

  test('goes to the own address', async () => {
    const person = { email: 'ada@example.org', emailVerified: true };
    const { sent } = await send({ channel, person });
    expect(sent[0]!.settings).toEqual({ addresses: ['ada@example.org'] });
  });

  test('but not to one that nobody confirmed [30.17]', async () => {
    const person = { email: 'ada@example.org', emailVerified: false };
    const { outcome, reason, sent } = await send({ channel, person });
    expect([outcome, sent]).toEqual(['refused', []]);
    expect(reason).toContain('is not confirmed');
  });
});

test.each([
  // A process of a newer release may know it.
  ['of a type that is not known', { type: 'pigeon' }, 'failed', /no channel of type pigeon/],
  ['that is not set up', { settings: null }, 'refused', /not set up/],
])('a channel %s says so', async (_, channel, outcome, reason) => {
  expect(await send({ channel })).toMatchObject({
    outcome,
    reason: expect.stringMatching(reason),
    sent: [],
  });
});

test('settings that no key opens are an error', async () => {
  await expect(send({ channel: { settings: 'v1.00000000.AAAA' } })).rejects.toThrow('former key');
});

test('what the provider says is passed on', async () => {
  const outcome = {
    outcome: 'failed',
    reason: 'Bell is busy.',
    statusCode: 429,
    retryAfterMs: 5_000,
  } as const;
  const { sent: _, ...result } = await send({ type: { send: async () => outcome } });
  expect(result).toEqual({ ...outcome, response: null });
});
