import type { ChannelFields, ChannelType } from '../../alerting/channels/index.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { ChannelWithState } from '../../store/resources/alert-channels.ts';
import { defaultSettings } from '../common/fields.ts';
import { channelOf, channelWarnings } from './channel.ts';
import { TEAM_CHANNEL_FIELDS, type Channel } from './fields.ts';

/** Properties of a person that decide about their channels. */
export interface ChannelOwner {
  /** Their own address. */
  email: string;
  canMail: boolean;
  /** Whether their address is confirmed: else no mail is sent there. */
  isConfirmed: boolean;
  hasEmailByDefault: boolean;
}

/** The e-mail channel that people have by default, as `store/resources/alert-channels.ts` inserts it. */
export const PERSONAL_EMAIL: Channel = {
  ...defaultSettings(TEAM_CHANNEL_FIELDS),
  name: 'E-mail',
  is_default: false,
};

/** A person's channel; null where it is not set up. E-mail is set up by default until it is removed. */
export function personalChannel(
  type: ChannelType,
  row: ChannelWithState | undefined,
  owner: ChannelOwner,
  box: SecretBox,
): Channel | null {
  if (row === undefined)
    return type.type === 'email' && owner.hasEmailByDefault ? PERSONAL_EMAIL : null;
  const isRemoved = row.enabled === 0 && row.settings === null;
  return isRemoved ? null : channelOf(row, box);
}

/** The settings of a channel that is not set up. */
export function unset({ title }: ChannelType): Channel {
  return { ...PERSONAL_EMAIL, name: title, enabled: false };
}

/** What keeps a channel that is on from working, in sentences. */
export function warningsOf(
  { type }: ChannelType,
  channel: Channel | null,
  { canMail, isConfirmed }: ChannelOwner,
): string[] {
  if (channel === null) return [];
  const unconfirmed = type === 'email' && channel.enabled && !isConfirmed;
  return [
    ...channelWarnings(type, channel, canMail),
    ...(unconfirmed
      ? ['verified is false: nothing is sent to your address until it is confirmed.']
      : []),
  ];
}

/** The settings of a type, for forms. */
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
