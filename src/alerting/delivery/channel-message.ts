import type { SecretBox } from '../../lib/secret-box.ts';
import type { LoadedDestination } from '../../store/alerting/deliveries.ts';
import { type AlertLinks, type Message, type MessageContent, render } from '../message/index.ts';
import type {
  ChannelDelivery,
  ChannelSettings,
  ChannelTools,
  ChannelType,
} from '../channels/index.ts';
import type { SendOutcome } from './attempt.ts';
import { contentOf, type NextMessage } from './next-message.ts';

export type LoadedChannel = Extract<LoadedDestination, { kind: 'channel' }>;

/** A message for one channel, before it is rendered. */
export interface ChannelMessage {
  messageId: string;
  content: MessageContent;
  alertId: number | null;
  /** When that alert began, epoch ms; null where it is gone. */
  alertOpenedAt: number | null;
}

export interface ChannelSenderTools {
  tools: ChannelTools;
  links: AlertLinks;
  secretBox: SecretBox;
  /** Undefined for a type that this version does not know. */
  channelType: (type: string) => ChannelType | undefined;
}

/** Returns null for a delivery whose stored body is no message. */
export function channelMessageOf({
  head,
  delivery,
  gapMessage,
}: Pick<NextMessage, 'head' | 'delivery' | 'gapMessage'>): ChannelMessage | null {
  if (gapMessage !== null) {
    const { messageId, content } = gapMessage;
    return { messageId, content, alertId: null, alertOpenedAt: null };
  }
  const { messageId, body, alertId, alertOpenedAt } = delivery ?? head;
  const content = contentOf(body);
  return content === null ? null : { messageId, content, alertId, alertOpenedAt };
}

/** Makes one attempt: renders the message in the reader's time zone and hands it to the provider. Throws SecretUnreadable. */
export async function sendToChannel(
  destination: LoadedChannel,
  message: ChannelMessage | null,
  { tools, links, secretBox, channelType }: ChannelSenderTools,
  signal: AbortSignal,
): Promise<SendOutcome> {
  if (message === null) return refused('The stored message can not be read.');
  const { channel } = destination;
  const type = channelType(channel.type);
  if (type === undefined)
    return refused(`This version of Tocsin has no channel of type ${channel.type}.`);
  const settings = settingsOf(destination, secretBox);
  if (typeof settings === 'string') return refused(settings);
  const outcome = await type.send(
    settings,
    deliveryOf(destination, message, links, tools.now()),
    tools,
    signal,
  );
  return {
    outcome: outcome.outcome,
    reason: outcome.outcome === 'delivered' ? null : outcome.reason,
    statusCode: outcome.statusCode,
    retryAfterMs: outcome.outcome === 'failed' ? outcome.retryAfterMs : null,
    response: null,
  };
}

function refused(reason: string): SendOutcome {
  return { outcome: 'refused', reason, statusCode: null, retryAfterMs: null, response: null };
}

/** Returns the settings, or a sentence that says why there are none. E-mail goes to the person's own address by default. */
function settingsOf(
  { channel, person }: LoadedChannel,
  secretBox: SecretBox,
): ChannelSettings | string {
  if (channel.settings !== null) {
    const settings: unknown = JSON.parse(secretBox.open(channel.settings));
    return settings as ChannelSettings;
  }
  if (channel.type !== 'email' || person === null) return 'The channel is not set up.';
  if (!person.emailVerified)
    return 'The e-mail address of this person is not confirmed: nothing is sent there until it is.';
  return { addresses: [person.email] };
}

function deliveryOf(
  { id, timezone }: LoadedChannel,
  { messageId, content, alertId, alertOpenedAt }: ChannelMessage,
  links: AlertLinks,
  now: number,
): ChannelDelivery {
  const message = render(content, { timezone, links: linksOf(alertId, id, links, now) });
  return {
    id: messageId,
    dedupKey: alertId === null ? null : dedupKey(alertId, alertOpenedAt),
    action: ACTIONS[content.kind] ?? 'inform',
    content,
    message,
  };
}

function linksOf(
  alertId: number | null,
  destinationId: number,
  links: AlertLinks,
  now: number,
): Message['links'] {
  if (alertId === null) return { details: null, acknowledge: null };
  return {
    details: links.detailsUrl(alertId, destinationId, now),
    acknowledge: links.acknowledgeUrl(alertId, destinationId, now),
  };
}

/** Contains the time, since a database that was restored from a backup assigns ids again. */
function dedupKey(alertId: number, openedAt: number | null): string {
  return openedAt === null ? `tocsin-alert-${alertId}` : `tocsin-alert-${alertId}-${openedAt}`;
}

const ACTIONS: Partial<Record<MessageContent['kind'], ChannelDelivery['action']>> = {
  alarm: 'trigger',
  update: 'trigger',
  reminder: 'trigger',
  escalation: 'trigger',
  recovery: 'resolve',
};
