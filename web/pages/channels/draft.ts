import type { AlertChannel, ChannelSetting, NotificationChannel } from '../../app/api.gen.ts';

export type Weekday = (typeof WEEKDAYS)[number];
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Setting of a type of channel, as a form needs it. */
export type SettingField = Pick<
  ChannelSetting,
  'name' | 'kind' | 'required' | 'secret' | 'description' | 'example' | 'choices'
>;

/** Quiet hours while they are edited. */
export type QuietDraft = ReturnType<typeof newQuietHours>;

/** Channel while it is edited: settings are texts. */
export type ChannelDraft = ReturnType<typeof draftOf>;

export const NEW_CHANNEL: ChannelDraft = {
  name: '',
  enabled: true,
  is_default: true,
  severities: ['critical', 'warning'],
  quiet_hours: null,
  timezone: '',
  settings: {},
};

/** Quiet hours that a form begins with: weekday nights. */
export function newQuietHours(timezone: string) {
  /** None of them stand for every day. */
  const days: Weekday[] = [];
  return { from: '22:00', to: '07:00', days, timezone, allow_critical: true };
}

/** Setting that the team's e-mail channel has; a person's own one has none. */
export const ADDRESSES: SettingField = {
  name: 'addresses',
  kind: 'emails',
  required: true,
  secret: false,
  description: '',
  example: ['oncall@example.com'],
  choices: null,
};

export function draftOf(channel: AlertChannel | NotificationChannel) {
  const { name, enabled, severities, quiet_hours: quiet, timezone, settings } = channel;
  return {
    name,
    enabled,
    is_default: 'is_default' in channel ? channel.is_default : false,
    severities: [...severities],
    quiet_hours: quiet && { ...quiet, days: [...(quiet.days ?? [])] },
    timezone: timezone ?? '',
    settings: Object.fromEntries(
      Object.entries(settings ?? {}).map(([key, value]) => [key, textOf(value)]),
    ),
  };
}

function textOf(value: string | number | string[] | null): string {
  if (value === null) return '';
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** Body for the API. What is left empty is null, which unsets it. */
export function bodyOf(draft: ChannelDraft, fields: readonly SettingField[], isOfTeam: boolean) {
  const { name, enabled, is_default, severities, quiet_hours: quiet, timezone, settings } = draft;
  return {
    name: name.trim() === '' ? null : name,
    enabled,
    ...(isOfTeam && { is_default }),
    severities,
    quiet_hours: quiet && { ...quiet, days: quiet.days.length === 0 ? null : quiet.days },
    timezone: timezone === '' ? null : timezone,
    ...(fields.length > 0 && {
      settings: Object.fromEntries(
        fields.map((field) => [field.name, valueOf(field, settings[field.name] ?? '')]),
      ),
    }),
  };
}

/** A number that is none is sent as it was typed, so that the API says what is wrong. */
function valueOf({ kind }: SettingField, text: string): string | number | string[] | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (kind === 'number') return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
  if (kind === 'emails') return trimmed.split(/[\s,;]+/);
  return trimmed;
}
