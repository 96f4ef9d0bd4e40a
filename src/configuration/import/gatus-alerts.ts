import { addChannel, addRoutes, type Routing } from './channels.ts';
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
  readonly #draft: Draft;
  readonly #alerting: Given;
  /** Keys by provider, and by provider and group where a group has a channel of its own; null where it is left out. */
  readonly #channels = new Map<string, string | null>();
  readonly #names = new Map<string, string>();
  readonly #routings: Routing[] = [];

  constructor(draft: Draft, alerting: Given) {
    this.#draft = draft;
    this.#alerting = alerting;
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

  route(monitor: string, routing: Omit<Routing, 'key'>): void {
    this.#routings.push({ key: monitor, ...routing });
  }

  /** Adds the routes: an endpoint without an alert notifies nobody at Gatus. */
  addRoutes(): void {
    addRoutes(this.#draft, this.#routings, { defaults: [], names: this.#names });
  }

  #channelsOf(alerts: readonly { type: string }[], group: string, notes: Notes): string[] {
    const types = [...new Set(alerts.map(({ type }) => type))];
    const missing = types.filter((type) => !this.#channels.has(type));
    if (missing.length > 0)
      notes.change(
        `Its alerts of type ${missing.join(', ')} reach nobody: alerting is not in the file, or has no such type.`,
      );
    const keys = types.map(
      (type) => this.#channels.get(`${type}/${group}`) ?? this.#channels.get(type),
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
    const notes = new Notes();
    let key: string | null = null;
    if (known === undefined) {
      const reason = 'Tocsin has no channel of this kind: a webhook endpoint can take its place.';
      this.#draft.leaveOut(source, reason);
    } else {
      const settings = Object.fromEntries(
        Object.entries(known.settings).map(([ours, theirs]) => {
          const value = resolved(config[theirs], {
            syntax: GATUS_VARIABLES,
            place: [name, ours],
            notes,
          });
          return [ours, value];
        }),
      );
      const channel = { source, notes, name, settings, type: known.type };
      key = addChannel(this.#draft, { ...channel, enabled: true, isDefault: false });
    }
    this.#channels.set(id, key);
    if (key !== null) this.#names.set(key, name);
  }
}
