import { z } from 'zod';
import {
  CHANNEL_TYPES,
  type ChannelSettings,
  type ChannelType,
} from '../../alerting/channels/index.ts';
import { WEEKDAYS, type QuietHours } from '../../alerting/policy/index.ts';
import { flag, json, sealedJson } from '../../lib/columns.ts';
import {
  nameText,
  oneOf,
  settingsObject,
  settingsSizeFault,
  timeOfDay,
  timeZone,
  yesOrNo,
} from '../../lib/schemas.ts';
import { SEVERITIES } from '../../model/condition.ts';
import { fieldTable, type SettingsOf } from '../common/fields.ts';

const SOME_DAYS = `must be a list of one or more of ${WEEKDAYS.join(', ')}, each at most once`;

/** Quiet hours in answers. */
const quietHours = z
  .object({
    from: z.string(),
    to: z.string(),
    days: z.array(z.enum(WEEKDAYS)).optional(),
    timezone: z.string(),
    allow_critical: z.boolean(),
  })
  .meta({ id: 'QuietHours', description: 'When what is not critical waits.' });

const TEAM_TYPES = CHANNEL_TYPES.filter(({ scopes }) => scopes.includes('team'));
const TEAM_CHANNEL_TYPES = namesOf(TEAM_TYPES);

/** E-mail of a person goes to their own address, so that nobody has others written to: it has no settings. */
export const PERSONAL_TYPES = CHANNEL_TYPES.filter(({ scopes }) => scopes.includes('person')).map(
  (type) => (type.type === 'email' ? { ...type, fields: {} } : type),
);
export const PERSONAL_CHANNEL_TYPES = namesOf(PERSONAL_TYPES);

function namesOf(types: readonly ChannelType[]) {
  return types.map(({ type }) => type) as [string, ...string[]];
}

export const teamChannelType = oneOf(TEAM_CHANNEL_TYPES, {
  webhook: 'for webhooks, use /webhook-endpoints',
});

/** All fields of a team's channel (contract 34.7). */
export const TEAM_CHANNEL_FIELDS = fieldTable({
  type: {
    input: teamChannelType,
    required: `it must be one of ${TEAM_CHANNEL_TYPES.join(', ')}`,
    fixed: 'Create another channel for another type',
  },
  ...channelFields(TEAM_TYPES),
});

/** All fields of a person's channel (contract 34.15), and `is_default`, which is not theirs to set. */
export const PERSONAL_COLUMNS = channelFields(PERSONAL_TYPES);
const { is_default: _ofTeams, ...personalFields } = PERSONAL_COLUMNS;
export const PERSONAL_CHANNEL_FIELDS = fieldTable(personalFields);

/** Settings of a person's channel, to which routes do not apply. */
export type PersonalChannel = SettingsOf<typeof PERSONAL_CHANNEL_FIELDS>;

/** Settings of a channel. Those of its type are null for a person's e-mail channel, which uses their own address. */
export type Channel = SettingsOf<typeof PERSONAL_COLUMNS>;

function channelFields(types: readonly ChannelType[]) {
  return fieldTable({
    name: {
      input: nameText(100),
      unset: '',
      meaning: 'The name of the channel in lists. The title of its type unless set.',
    },
    enabled: {
      codec: flag,
      input: yesOrNo(),
      unset: true,
      meaning: 'Whether messages are sent.',
    },
    is_default: {
      codec: flag,
      input: yesOrNo(),
      unset: true,
      meaning: 'Whether it is notified of what no route matches.',
    },
    severities: {
      codec: json,
      input: severitiesInput(),
      unset: ['critical', 'warning'],
      meaning: 'The severities that it is notified of. `critical` and `warning` unless set.',
    },
    quiet_hours: {
      codec: json,
      input: quietHoursInput(),
      output: quietHours,
      meaning:
        'When what is not critical waits. `to` before `from` is on the next day. What is still open at the end is sent then.',
    },
    timezone: {
      input: timeZone(),
      meaning: "IANA name of the times in messages. The person's own, or UTC, unless set.",
    },
    settings: {
      codec: sealedJson,
      input: z
        .record(z.string(), z.unknown(), {
          error: "must be an object with the settings of the channel's type",
        })
        .superRefine((settings, context) => {
          const message = settingsSizeFault(settings);
          if (message !== null) context.addIssue({ code: 'custom', message });
        }) as z.ZodType<unknown> as z.ZodType<ChannelSettings>, // settings.ts judges them by their type.
      output: z.record(
        z.string(),
        z.union([z.string(), z.number(), z.array(z.string()), z.null()]),
      ),
      meaning: settingsMeaning(types),
      secret: true,
    },
  });
}

/** A list of severities, none twice. */
export function severitiesInput() {
  const error = `must be a list of one or more of ${SEVERITIES.join(', ')}, each at most once`;
  return z
    .array(oneOf(SEVERITIES), { error })
    .min(1, { error })
    .refine((list) => new Set(list).size === list.length, { error })
    .meta({ override: { uniqueItems: true } });
}

/** The settings of all types, for the reference (Markdown). */
function settingsMeaning(types: readonly ChannelType[]): string {
  const lines = types.map(({ type, fields }) => {
    const names = Object.entries(fields).map(
      ([name, field]) => `\`${name}\`${field.optional ? ' (optional)' : ''}`,
    );
    return `\`${type}\`: ${names.length === 0 ? 'none' : names.join(', ')}`;
  });
  return `By type. ${lines.join('; ')}. A key that is left out of an update is kept, null unsets an optional one, and eight bullets keep a secret.`;
}

/** Quiet hours in requests. */
function quietHoursInput() {
  return settingsObject(
    {
      from: timeOfDay(),
      to: timeOfDay(),
      days: z
        .array(oneOf(WEEKDAYS), { error: SOME_DAYS })
        .min(1, { error: SOME_DAYS })
        .refine((days) => new Set(days).size === days.length, { error: SOME_DAYS })
        .nullish()
        .meta({
          description: 'The days on which it begins; every day, if left out.',
          override: { uniqueItems: true },
        }),
      timezone: timeZone().meta({ description: 'IANA name of the zone of `from` and `to`.' }),
      allow_critical: yesOrNo().nullish().meta({
        description: 'Whether critical alerts are sent all the same; true, if left out.',
      }),
    },
    'must be an object with from, to and timezone, or null for none',
  )
    .superRefine((quiet, context) => {
      if (quiet.from !== quiet.to) return;
      const message =
        'must not be the same as from: to be told nothing at all, disable the channel';
      context.addIssue({ code: 'custom', path: ['to'], message });
    })
    .transform(({ from: begin, to, days, timezone, allow_critical }): QuietHours => {
      const quiet = { from: begin, to, timezone, allow_critical: allow_critical ?? true };
      return days == null ? quiet : { ...quiet, days };
    });
}
