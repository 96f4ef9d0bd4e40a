import type { ChannelFields, ChannelType } from '../../alerting/channels/index.ts';
import {
  PERSONAL_EMAIL,
  type ChannelColumns,
  type ChannelWithState,
} from '../../store/resources/alert-channels.ts';
import { CHANNEL_SEVERITIES } from './channel-input.ts';

/** What is true of all channels of a person. */
export interface ChannelOwner {
  canMail: boolean;
  /** Whether mails to their address are sent at all. */
  isConfirmed: boolean;
  hasEmailByDefault: boolean;
}

/** Null where it is not set up; e-mail is by default, as long as nobody removed it. */
export function columnsOf(
  type: ChannelType,
  row: ChannelWithState | undefined,
  owner: ChannelOwner,
): ChannelColumns | null {
  if (row === undefined)
    return type.type === 'email' && owner.hasEmailByDefault ? PERSONAL_EMAIL : null;
  if (row.enabled === 0 && row.settings === null) return null;
  const { name, enabled, is_default, settings, severities, quiet_hours, timezone } = row;
  return { name, enabled, is_default, settings, severities, quiet_hours, timezone };
}

/** What a channel that is not set up shows of itself. */
export function unset({ title }: ChannelType): ChannelColumns {
  const severities = JSON.stringify(CHANNEL_SEVERITIES);
  return { ...PERSONAL_EMAIL, name: title, enabled: 0, severities };
}

/** What has to be filled in, for forms. */
export function viewFields(fields: ChannelFields) {
  return Object.entries(fields).map(([name, field]) => ({
    name,
    kind: field.kind,
    required: field.required,
    secret: field.secret,
    description: field.description,
    example: field.example,
    choices: field.kind === 'choice' ? field.choices : null,
  }));
}
