import type { Transaction } from 'kysely';
import {
  channelType,
  type ChannelSettings,
  type ChannelType,
} from '../../alerting/channels/index.ts';
import { openIfPossible } from '../../lib/columns.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { adjustQueue } from '../../store/alerting/delivery-outcomes.ts';
import type { Schema } from '../../store/database/schema.ts';
import { channelOwner } from '../../store/database/sealed-columns.ts';
import type { ChannelColumns, ChannelWithState } from '../../store/resources/alert-channels.ts';
import { applyInput, columnsOf, settingsOf, type FieldInput } from '../common/fields.ts';
import type { Findings } from '../common/input.ts';
import { isoOrNull } from '../common/time.ts';
import { TEAM_CHANNEL_FIELDS, type Channel } from './fields.ts';
import {
  resolveSettings,
  viewTypeSettings,
  type ChannelRules,
  type SettingsInput,
} from './settings.ts';

/** The settings of a stored channel, opened. */
export function channelOf(row: ChannelWithState, box: SecretBox): Channel {
  return settingsOf(
    TEAM_CHANNEL_FIELDS,
    row,
    openIfPossible(box.of('alert_channel', channelOwner(row))),
  );
}

/** The columns of these fields. */
export function channelColumns(
  channel: Channel,
  owner: Parameters<typeof channelOwner>[0],
  box: SecretBox,
  names?: readonly (keyof Channel)[],
): ChannelColumns {
  return columnsOf(
    TEAM_CHANNEL_FIELDS,
    channel,
    box.of('alert_channel', channelOwner(owner)).seal,
    names,
  );
}

/**
 * A channel with an input's fields over it. Whatever is wrong goes to the findings.
 *
 * @param stored null for a new channel.
 */
export function applyChannelInput(
  type: Pick<ChannelType, 'title' | 'fields'>,
  stored: Channel | null,
  input: Omit<FieldInput<Channel>, 'settings'> & SettingsInput,
  rules: ChannelRules,
  findings: Findings,
): Channel {
  const { settings: _settings, fieldNames: _names, ...fields } = input;
  const channel = applyInput(TEAM_CHANNEL_FIELDS, stored, fields);
  return {
    ...channel,
    name: channel.name || type.title,
    settings: resolveSettings(type, stored?.settings ?? null, input, rules, findings),
  };
}

/** The type of a new channel. Throws where there is none, as the other fields mean nothing then. */
export function requireType(
  type: string | null | undefined,
  types: readonly string[],
  findings: Findings,
): string {
  if (type != null) return type;
  if (!findings.has('type'))
    findings.add('type', `is required: it must be one of ${types.join(', ')}`);
  throw findings.asError();
}

/** Applies a change to the queue: nothing that waits is sent once a channel is disabled. */
export async function followChange(
  tx: Transaction<Schema>,
  { destination_id: destinationId }: Pick<ChannelWithState, 'destination_id'>,
  { enabled }: Channel,
  changed: readonly (keyof Channel)[],
  now: number,
): Promise<void> {
  const isOn = changed.includes('enabled') ? enabled : null;
  await adjustQueue(tx, destinationId, { isOn, isMoved: changed.includes('settings') }, now);
}

/** What keeps a channel that is on from working, in sentences; empty in most cases. */
export function channelWarnings(
  type: string,
  { enabled }: Pick<Channel, 'enabled'>,
  canMail: boolean,
): string[] {
  if (type !== 'email' || !enabled || canMail) return [];
  return [
    'enabled is true, but this installation sends no mail: its operator must set SMTP_URL, see docs/mail.md.',
  ];
}

/** Columns that the settings of a channel are read from. */
export type StoredChannelSettings = Pick<
  ChannelWithState,
  'type' | 'settings' | 'team_id' | 'person_id'
>;

/** The settings of a row as answers show them; null where the type or the key is not known. */
export function viewStoredSettings(
  row: StoredChannelSettings,
  box: SecretBox,
): ChannelSettings | null {
  const type = channelType(row.type);
  const open = openIfPossible(box.of('alert_channel', channelOwner(row)));
  const opened = row.settings === null ? undefined : open(row.settings, 'settings');
  if (type === undefined || opened === undefined) return null;
  return viewTypeSettings(type, JSON.parse(opened) as ChannelSettings);
}

/** The state of a channel's queue in answers. */
export function viewChannelState(
  row: Pick<ChannelWithState, 'last_delivered_at' | 'failing_since' | 'last_error'>,
) {
  return {
    last_delivered_at: isoOrNull(row.last_delivered_at),
    failing_since: isoOrNull(row.failing_since),
    last_error: row.last_error,
  };
}
