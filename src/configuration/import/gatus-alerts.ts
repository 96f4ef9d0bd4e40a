import { Channels, NO_CHANNEL } from './channels.ts';
import type { Draft } from './draft.ts';
import { secondsOf } from './duration.ts';
import { Notes, thing } from './notes.ts';
import { resolved, type VariableSyntax } from './variables.ts';
import { isOn, listOf, numberOf, objectOf, textOf, type Given } from './values.ts';

/** `$NAME` and `${NAME}`, as `os.Expand` of Go reads them; Gatus takes `$$` for a dollar sign. */
export const GATUS_VARIABLES: VariableSyntax = {
  service: 'gatus',
  pattern: /\$(?:\{([^}]*)\}|([A-Za-z_]\w*))/,
  dollar: '$$',
};

/** Providers of Gatus with a channel of ours: its type, and the name at Gatus of each of its settings. */
const PROVIDERS: Readonly<Record<string, { type: string; settings: Record<string, string> }>> = {
  discord: { type: 'discord', settings: { webhook_url: 'webhook-url' } },
  email: { type: 'email', settings: { addresses: 'to' } },
  googlechat: { type: 'google_chat', settings: { webhook_url: 'webhook-url' } },
  gotify: { type: 'gotify', settings: { server_url: 'server-url', token: 'token' } },
  mattermost: { type: 'mattermost', settings: { webhook_url: 'webhook-url' } },
  ntfy: { type: 'ntfy', settings: { server_url: 'url', topic: 'topic', token: 'token' } },
  opsgenie: { type: 'opsgenie', settings: { api_key: 'api-key' } },
  pagerduty: { type: 'pagerduty', settings: { routing_key: 'integration-key' } },
  pushover: { type: 'pushover', settings: { token: 'application-token', user: 'user-key' } },
  slack: { type: 'slack', settings: { webhook_url: 'webhook-url' } },
  teams: { type: 'microsoft_teams', settings: { webhook_url: 'webhook-url' } },
  'teams-workflows': { type: 'microsoft_teams', settings: { webhook_url: 'webhook-url' } },
  telegram: { type: 'telegram', settings: { bot_token: 'token', chat_id: 'id' } },
  twilio: {
    type: 'sms',
    settings: { account_sid: 'sid', auth_token: 'token', from: 'from', to: 'to' },
  },
};

/** Gatus 5, alerting/alert/alert.go. */
const THRESHOLDS = { failure: 3, success: 2 };

/** The alert channels of a configuration, and the routes that lead its endpoints to them. */
export class GatusAlerts {
  readonly #alerting: Given;
  /** By provider, and by provider and group where a group has a channel of its own. */
  readonly channels: Channels;

  constructor(draft: Draft, alerting: Given) {
    this.#alerting = alerting;
    this.channels = new Channels(draft);
    for (const [provider, given] of Object.entries(alerting)) {
      const config = objectOf(given);
      if (Object.keys(config).length === 0) continue;
      this.#addChannel(provider, null, config);
      for (const override of listOf(config['overrides']).map(objectOf)) {
        const group = textOf(override['group']);
        if (group !== undefined) this.#addChannel(provider, group, { ...config, ...override });
      }
    }
  }

  /** The thresholds of an endpoint by its alerts, and who is notified of it. */
  read(endpoint: Given, notes: Notes) {
    const alerts = listOf(endpoint['alerts']).map((given) => {
      const alert = objectOf(given);
      const type = textOf(alert['type']) ?? '';
      return { ...objectOf(objectOf(this.#alerting[type])['default-alert']), ...alert, type };
    }) as (Given & { type: string })[];
    const active = alerts.filter(({ enabled }) => enabled === undefined || isOn(enabled));
    if (active.some((alert) => Object.keys(objectOf(alert['provider-override'])).length > 0))
      notes.change('What its alerts override for themselves (provider-override) is left out.');
    const lowest = (name: 'failure' | 'success') => {
      const given = active.map((alert) => numberOf(alert[`${name}-threshold`]) ?? 0);
      const counts = given.map((count) => (count > 0 ? count : THRESHOLDS[name]));
      if (new Set(counts).size > 1)
        notes.change(`Of the ${name}-thresholds of its alerts, the lowest one counts for all.`);
      return counts.length === 0 ? undefined : Math.min(...counts);
    };
    const reminders = active
      .map((alert) => Math.round((secondsOf(alert['minimum-reminder-interval']) ?? 0) / 60))
      .filter((minutes) => minutes > 0);
    return {
      thresholds: { failure: lowest('failure'), recovery: lowest('success') },
      routing: {
        channels: this.#channelsOf(active, textOf(endpoint['group']) ?? '', notes),
        reminderMinutes: reminders.length === 0 ? null : Math.min(...reminders, 1_440),
      },
    };
  }

  #channelsOf(alerts: readonly { type: string }[], group: string, notes: Notes): string[] {
    const types = [...new Set(alerts.map(({ type }) => type))];
    const missing = types.filter((type) => !this.channels.keys.has(type));
    if (missing.length > 0)
      notes.change(
        `Its alerts of type ${missing.join(', ')} reach nobody: alerting is not in the file, or has no such type.`,
      );
    const keys = types.map(
      (type) => this.channels.keys.get(`${type}/${group}`) ?? this.channels.keys.get(type),
    );
    if (keys.includes(null))
      notes.change('Some of its alerts reach nobody: their channels are left out.');
    return [...new Set(keys)].filter((key) => key != null);
  }

  #addChannel(provider: string, group: string | null, config: Given): void {
    const known = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
    const name = group === null ? provider : `${provider} ${group}`;
    const source = thing('alerting', null, name);
    const id = group === null ? provider : `${provider}/${group}`;
    if (known === undefined) return this.channels.leaveOut(id, source, NO_CHANNEL);
    const notes = new Notes();
    const settings = Object.fromEntries(
      Object.entries(known.settings).map(([ours, theirs]) => {
        const options = { syntax: GATUS_VARIABLES, place: [name, ours], notes };
        return [ours, resolved(config[theirs], options)];
      }),
    );
    this.channels.add(id, { source, notes, name, settings, type: known.type });
  }
}
