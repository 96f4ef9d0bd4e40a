import { addChannel, addRoutes, type Routing } from './channels.ts';
import { nameOf } from './common.ts';
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

/** The alert channels of an account, and the routes that lead checks to them. */
export class ChecklyChannels {
  readonly #draft: Draft;
  /** Keys by ids. */
  readonly #channels = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #routings: Routing[] = [];

  constructor(draft: Draft, channels: readonly Given[]) {
    this.#draft = draft;
    for (const channel of channels) this.#add(channel);
  }

  /** Leads a monitor to the channels to which a check or its group is subscribed. */
  subscribe(subscriptions: readonly unknown[], monitor: string): void {
    const keys = subscriptions
      .map(objectOf)
      .filter(({ activated }) => isOn(activated))
      .flatMap(({ alertChannelId }) => this.#channels.get(textOf(alertChannelId) ?? '') ?? []);
    this.#routings.push({ key: monitor, channels: [...new Set(keys)], reminderMinutes: null });
  }

  addRoutes(): void {
    addRoutes(this.#draft, this.#routings, { defaults: [], names: this.#names });
  }

  #add(given: Given): void {
    const [type, id] = [textOf(given['type']) ?? '', textOf(given['id']) ?? ''];
    const config = objectOf(given['config']);
    const name =
      textOf(config['name'] ?? config['address'] ?? config['channel']) ?? type.toLowerCase();
    const source = thing('alert channel', id, name);
    const known = Object.hasOwn(CHANNELS, type) ? CHANNELS[type]!(config) : null;
    if (known === null) {
      const reason = 'Tocsin has no channel of this kind: a webhook endpoint can take its place.';
      return this.#draft.leaveOut(source, reason);
    }
    const notes = new Notes();
    if (given['sendDegraded'] === false) notes.change('It is notified of warnings, too.');
    const channel = {
      source,
      notes,
      name: nameOf(name, 100, type, notes),
      type: known[0],
      settings: known[1],
    };
    const key = addChannel(this.#draft, { ...channel, enabled: true, isDefault: false });
    if (key === null) return;
    this.#channels.set(id, key);
    this.#names.set(key, name);
  }
}

/** Subscriptions of a check, or of its group. */
export const subscriptionsOf = (given: Given) => listOf(given['alertChannelSubscriptions']);
