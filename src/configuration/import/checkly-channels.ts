import { Channels, NO_CHANNEL } from './channels.ts';
import type { Draft } from './draft.ts';
import { Notes, thing } from './notes.ts';
import { isOn, listOf, objectOf, textOf, type Given } from './values.ts';

/** Channels of Checkly that have one of ours, with its settings. */
const CHANNELS: Readonly<Record<string, (config: Given) => [string, Given] | null>> = {
  EMAIL: ({ address }) => ['email', { addresses: address }],
  // Their own documents have both names.
  SLACK: ({ url, webhookUrl }) => ['slack', { webhook_url: url ?? webhookUrl }],
  PAGERDUTY: ({ serviceKey }) => ['pagerduty', { routing_key: serviceKey }],
  OPSGENIE: ({ apiKey, region }) => [
    'opsgenie',
    { api_key: apiKey, region: textOf(region)?.toLowerCase() === 'eu' ? 'eu' : undefined },
  ],
  WEBHOOK({ webhookType, url }) {
    if (webhookType === 'WEBHOOK_DISCORD') return ['discord', { webhook_url: url }];
    return webhookType === 'WEBHOOK_MSTEAMS' ? ['microsoft_teams', { webhook_url: url }] : null;
  },
};

/** Adds the alert channels of an account, by their ids. */
export function addChecklyChannels(draft: Draft, all: readonly Given[]): Channels {
  const channels = new Channels(draft);
  for (const given of all) {
    const [type, id] = [textOf(given['type']) ?? '', textOf(given['id']) ?? ''];
    const config = objectOf(given['config']);
    const name =
      textOf(config['name'] ?? config['address'] ?? config['channel']) ?? type.toLowerCase();
    const source = thing('alert channel', id, name);
    const known = Object.hasOwn(CHANNELS, type) ? CHANNELS[type]!(config) : null;
    if (known === null) {
      channels.leaveOut(id, source, NO_CHANNEL);
      continue;
    }
    const notes = new Notes();
    if (given['sendDegraded'] === false) notes.change('It is notified of warnings, too.');
    channels.add(id, { source, notes, name: name || type, type: known[0], settings: known[1] });
  }
  return channels;
}

/** Ids of the channels to which checks or groups are subscribed. */
export const subscribedBy = (...given: readonly Given[]) =>
  given
    .flatMap((one) => listOf(one['alertChannelSubscriptions']).map(objectOf))
    .filter(({ activated }) => isOn(activated))
    .map(({ alertChannelId }) => alertChannelId);
