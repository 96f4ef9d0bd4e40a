/**
 * The ways to reach people: one file for each type of channel, and one line in this list. A type says which fields it is
 * configured with and sends one message; `answer.ts` makes its request and classifies the answer, and the queue decides
 * when to try again.
 */
import { canonicalHostOf } from '../../lib/url-host.ts';
import type { ChannelSettings, ChannelType } from './contract.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { googleChat } from './google-chat.ts';
import { gotify } from './gotify.ts';
import { mattermost } from './mattermost.ts';
import { isGoneFromTeams, microsoftTeams } from './microsoft-teams.ts';
import { ntfy } from './ntfy.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { pushover } from './pushover.ts';
import { isGoneFromSlack, slack } from './slack.ts';
import { sendTextTo, sms } from './sms.ts';
import { telegram } from './telegram.ts';
import { webPush } from './web-push.ts';

export { outcomeOf, TIMEOUT_MS } from './answer.ts';
export { defineChannel } from './contract.ts';
export { isGoneFromSlack, isGoneFromTeams, sendTextTo };
export type {
  ChannelDelivery,
  ChannelField,
  ChannelOutcome,
  ChannelSettings,
  ChannelTools,
  ChannelType,
} from './contract.ts';

/** All types of channels, in the order of the reference and the forms. */
export const CHANNEL_TYPES: readonly ChannelType[] = [
  email,
  slack,
  discord,
  microsoftTeams,
  telegram,
  pagerduty,
  opsgenie,
  ntfy,
  pushover,
  gotify,
  mattermost,
  googleChat,
  sms,
  webPush,
];

const byType = new Map(CHANNEL_TYPES.map((channel) => [channel.type, channel]));

export function channelType(type: string): ChannelType | undefined {
  return byType.get(type);
}

/** Host of a channel that has an address of the team's choice; null for others. */
export function hostOfChannel(
  type: string,
  settings: ChannelSettings | null | undefined,
): string | null {
  const fields = Object.entries(channelType(type)?.fields ?? {});
  const urls = fields.flatMap(([name, { kind }]) => (kind === 'url' ? [settings?.[name]] : []));
  const [url] = urls.filter((one) => typeof one === 'string');
  return url === undefined ? null : canonicalHostOf(url);
}
