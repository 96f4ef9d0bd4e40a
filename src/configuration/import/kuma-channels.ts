import { Channels } from './channels.ts';
import type { Draft } from './draft.ts';
import { idOf, jsonIn, type KumaTables, type Row } from './kuma-tables.ts';
import { Notes, quoted, thing } from './notes.ts';
import { isOn, objectOf, textOf, type Given } from './values.ts';

/** A type of ours with the settings that a configuration of Uptime Kuma holds. */
type Settings = (config: Row, notes: Notes) => Given;

const TYPES: Readonly<Record<string, readonly [type: string, settings: Settings]>> = {
  slack: ['slack', ({ slackwebhookURL: url }) => ({ webhook_url: url })],
  discord: ['discord', (config) => ({ webhook_url: discordAddress(config) })],
  teams: ['microsoft_teams', ({ webhookUrl: url }) => ({ webhook_url: url })],
  mattermost: ['mattermost', ({ mattermostWebhookUrl: url }) => ({ webhook_url: url })],
  GoogleChat: ['google_chat', ({ googleChatWebhookURL: url }) => ({ webhook_url: url })],
  telegram: ['telegram', telegram],
  smtp: ['email', mail],
  ntfy: ['ntfy', ntfy],
  gotify: [
    'gotify',
    (config) => ({
      server_url: config['gotifyserverurl'],
      token: config['gotifyapplicationToken'],
    }),
  ],
  pushover: [
    'pushover',
    (config) => ({ token: config['pushoverapptoken'], user: config['pushoveruserkey'] }),
  ],
  PagerDuty: ['pagerduty', pagerduty],
  Opsgenie: [
    'opsgenie',
    (config) => ({ api_key: config['opsgenieApiKey'], region: config['opsgenieRegion'] }),
  ],
  twilio: ['sms', twilio],
  webhook: ['webhook', webhook],
};

/** Adds the notifications, by their ids. @param defaults ids of those that monitors without a route are notified by. */
export function addKumaChannels(
  draft: Draft,
  { notification }: KumaTables,
  defaults: readonly string[],
): Channels {
  const channels = new Channels(draft);
  for (const row of notification) {
    const config = { ...row, ...objectOf(jsonIn(row['config'])) };
    const id = idOf(row['id']);
    const name = textOf(row['name']) ?? textOf(config['name']) ?? '';
    const source = thing('notification', id, name);
    const type = textOf(config['type']) ?? '';
    const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (known === undefined) {
      draft.leaveOut(source, `Tocsin has no channels of the type ${quoted(type || 'none')}.`);
      continue;
    }
    const notes = new Notes();
    channels.add(id, {
      source,
      name,
      enabled: row['active'] == null || isOn(row['active']),
      isDefault: defaults.includes(id),
      type: known[0],
      settings: known[1](config, notes),
      notes,
    });
  }
  return channels;
}

function discordAddress(config: Row): unknown {
  const address = URL.parse(textOf(config['discordWebhookUrl']) ?? '');
  const thread = textOf(config['threadId']);
  if (address === null || config['discordChannelType'] !== 'postToThread' || !thread)
    return config['discordWebhookUrl'];
  address.searchParams.set('thread_id', thread);
  return address.href;
}

function telegram(config: Row, notes: Notes): Given {
  const server = textOf(config['telegramServerUrl']) ?? '';
  if (!/^(|https:\/\/api\.telegram\.org\/?)$/.test(server))
    notes.change('It goes to api.telegram.org instead of a server of your own.');
  return {
    bot_token: config['telegramBotToken'],
    chat_id: config['telegramChatID'],
    thread_id: config['telegramMessageThreadID'],
  };
}

function mail(config: Row, notes: Notes): Given {
  notes.remark('Mail goes by the SMTP server of this installation (SMTP_URL).');
  const recipients = [config['smtpTo'], config['smtpCC'], config['smtpBCC']];
  return { addresses: recipients.map((part) => textOf(part) ?? '').join(',') };
}

function ntfy(config: Row, notes: Notes): Given {
  const method = textOf(config['ntfyAuthenticationMethod']);
  if (method === 'usernamePassword' || (method === undefined && config['ntfyusername']))
    notes.change('It signed in by a user name: give it an access token of ntfy instead.');
  return {
    server_url: config['ntfyserverurl'],
    topic: config['ntfytopic'],
    token: method === 'usernamePassword' ? undefined : config['ntfyaccesstoken'],
  };
}

function pagerduty(config: Row): Given {
  const host = URL.parse(textOf(config['pagerdutyIntegrationUrl']) ?? '')?.hostname ?? '';
  return {
    routing_key: config['pagerdutyIntegrationKey'],
    region: host.includes('.eu.') ? 'eu' : undefined,
  };
}

function twilio(config: Row): Given {
  return {
    to: config['twilioToNumber'],
    from: textOf(config['twilioMessagingServiceSID']) || config['twilioFromNumber'],
    account_sid: config['twilioAccountSID'],
    auth_token: config['twilioAuthToken'],
    api_key_sid: config['twilioApiKey'],
  };
}

function webhook(config: Row, notes: Notes): Given {
  const headers = Object.entries(objectOf(jsonIn(config['webhookAdditionalHeaders'])));
  const [, authorization] = headers.find(([name]) => /^authorization$/i.test(name)) ?? [];
  const [, bearer] = /^Bearer (\S+)$/i.exec(textOf(authorization) ?? '') ?? [];
  if (headers.length > (bearer === undefined ? 0 : 1))
    notes.change('Its headers are left out: an endpoint has one, in auth_header_name.');
  return { url: config['webhookURL'], bearer };
}
