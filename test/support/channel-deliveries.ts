import type { ChannelDelivery, ChannelTools } from '../../src/alerting/channels/index.ts';
import type { Message, MessageContent, MessageIncident } from '../../src/alerting/message/index.ts';
import type { HttpClient } from '../../src/net/http-client.ts';
import { notice as sampleNotice, trouble as sampleTrouble } from './notices.ts';

/** Time of these messages: 2026-03-01, 08:02 UTC. */
export const NOTICED_AT = Date.UTC(2026, 2, 1, 8, 2);

/** A shop that answered HTTP 503 and is still down. */
export const trouble = (changes: Partial<MessageIncident> = {}): MessageIncident =>
  sampleTrouble({
    incidentId: 7,
    monitorId: 3,
    url: 'https://shop.example.com/',
    cause: 'HTTP 503',
    regions: ['ash', 'nbg'],
    startedAt: NOTICED_AT,
    evidence: 'ash: HTTP 503 from 203.0.113.7 after 120 ms',
    ...changes,
  });

/** The content of an alarm about one incident by default. */
export const notice = (changes: Partial<MessageContent> = {}): MessageContent =>
  sampleNotice({
    at: NOTICED_AT,
    alert: { id: 5, kind: 'single', sharedCause: null },
    troubles: [trouble()],
    ...changes,
  });

/** The recovery of the same shop, nine minutes later. */
export function recoveryNotice(changes: Partial<MessageContent> = {}): MessageContent {
  return notice({
    kind: 'recovery',
    at: NOTICED_AT + 9 * 60_000,
    troubles: [trouble({ endedAt: NOTICED_AT + 9 * 60_000 })],
    ...changes,
  });
}

/** A storm of that many shops behind one address. */
export function stormNotice(count: number, changes: Partial<MessageContent> = {}): MessageContent {
  const troubles = Array.from({ length: Math.min(count, 50) }, (_, index) =>
    trouble({ incidentId: index + 1, monitorId: index + 1, name: `Shop ${index + 1}` }),
  );
  return notice({
    alert: { id: 5, kind: 'storm', sharedCause: 'the address 203.0.113.7' },
    troubles,
    troubleCount: count,
    ...changes,
  });
}

/** The rendered alarm, written by hand, since no channel depends on how messages are rendered. */
export function message(changes: Partial<Message> = {}): Message {
  return {
    subject: 'Shop is down since 08:02 UTC',
    lines: ['Shop is down since 08:02 UTC.', 'Cause: HTTP 503.'],
    short: 'Shop is down since 08:02 UTC: HTTP 503',
    facts: [
      { name: 'Cause', value: 'HTTP 503' },
      { name: 'Regions', value: 'ash, nbg' },
    ],
    tone: 'critical',
    links: {
      details: 'https://up.example.com/alert?token=abc',
      acknowledge: 'https://up.example.com/alert?token=abc&acknowledge=1',
    },
    text: 'Shop is down since 08:02 UTC.\n\nhttps://up.example.com/alert?token=abc\n',
    html: '<p>Shop is down since 08:02 UTC.</p>',
    ...changes,
  };
}

/** The rendered recovery, without a link to acknowledge. */
export function recoveryMessage(changes: Partial<Message> = {}): Message {
  return message({
    subject: 'Shop is up again after 9 minutes',
    lines: ['Shop is up again.', 'It was down for 9 minutes.'],
    short: 'Shop is up again after 9 minutes',
    facts: [{ name: 'Lasted', value: '9 minutes' }],
    tone: 'good',
    links: { details: 'https://up.example.com/alert?token=abc', acknowledge: null },
    text: 'Shop is up again.\n\nhttps://up.example.com/alert?token=abc\n',
    html: '<p>Shop is up again.</p>',
    ...changes,
  });
}

/** A rendered storm, with a line and a fact per monitor. */
export function stormMessage(count: number, changes: Partial<Message> = {}): Message {
  const names = Array.from({ length: count }, (_, index) => `Shop ${index + 1}`);
  return message({
    subject: `${count} monitors are down since 08:02 UTC`,
    lines: names.map((name) => `${name}: HTTP 503`),
    short: `${count} monitors are down since 08:02 UTC`,
    facts: names.map((name) => ({ name, value: 'HTTP 503' })),
    ...changes,
  });
}

/** The delivery of an alarm that opens an incident at the provider. */
export function channelDelivery(changes: Partial<ChannelDelivery> = {}): ChannelDelivery {
  return {
    id: 'msg_1f0e',
    dedupKey: 'tocsin-alert-5',
    action: 'trigger',
    content: notice(),
    message: message(),
    ...changes,
  };
}

/** The delivery of its recovery. */
export function recoveryDelivery(changes: Partial<ChannelDelivery> = {}): ChannelDelivery {
  return channelDelivery({
    id: 'msg_2a7c',
    action: 'resolve',
    content: recoveryNotice(),
    message: recoveryMessage(),
    ...changes,
  });
}

/** The delivery of a storm of that many monitors. */
export function stormDelivery(
  count: number,
  changes: Partial<ChannelDelivery> = {},
): ChannelDelivery {
  return channelDelivery({
    id: 'msg_3b9d',
    content: stormNotice(count),
    message: stormMessage(count),
    ...changes,
  });
}

/** Tools of a channel in tests: one client, no mail server, and a fixed time. */
export function channelTools(http: HttpClient, changes: Partial<ChannelTools> = {}): ChannelTools {
  return {
    http,
    mailer: null,
    vapid: () => Promise.reject(new Error('This test has no key pair.')),
    now: () => NOTICED_AT,
    ...changes,
  };
}
