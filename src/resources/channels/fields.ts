import { z } from 'zod';
import {
  CHANNEL_TYPES,
  type ChannelSettings,
  type ChannelType,
} from '../../alerting/channels/index.ts';
import type { QuietHours } from '../../alerting/policy/index.ts';
import { flag, json, plain, sealedJson } from '../../lib/columns.ts';
import { nameText, oneOf, settingsSizeFault, timeZone, yesOrNo } from '../../lib/schemas.ts';
import { SEVERITIES, type Severity } from '../../model/condition.ts';
import type { Fields } from '../common/fields.ts';
import { quietHours, quietHoursInput } from './quiet-hours.ts';

/** Settings of a channel. */
export interface Channel {
  /** Empty for the title of its type. */
  name: string;
  enabled: boolean;
  is_default: boolean;
  severities: Severity[];
  quiet_hours: QuietHours | null;
  timezone: string | null;
  /**
   * The settings of its type. Undefined when no key of SECRET_KEY opens them; null for a person's e-mail channel, which
   * uses their own address.
   */
  settings: ChannelSettings | null | undefined;
}

/** The settings of a person's channel; routes do not apply to it. */
export type PersonalChannel = Omit<Channel, 'is_default'>;

const TEAM_TYPES = CHANNEL_TYPES.filter(({ scopes }) => scopes.includes('team'));
export const TEAM_CHANNEL_TYPES = namesOf(TEAM_TYPES);

/** E-mail of a person goes to their own address, so that nobody has others written to: it has no settings. */
export const PERSONAL_TYPES = CHANNEL_TYPES.filter(({ scopes }) => scopes.includes('person')).map(
  (type) => (type.type === 'email' ? { ...type, fields: {} } : type),
);
export const PERSONAL_CHANNEL_TYPES = namesOf(PERSONAL_TYPES);

function namesOf(types: readonly ChannelType[]) {
  return types.map(({ type }) => type) as [string, ...string[]];
}

/** All fields of a team's channel (contract 34.7). */
export const TEAM_CHANNEL_FIELDS = channelFields(TEAM_TYPES);

const { is_default: _ofTeams, ...personalFields } = channelFields(PERSONAL_TYPES);
/** All fields of a person's channel (contract 34.15). */
export const PERSONAL_CHANNEL_FIELDS: Fields<PersonalChannel> = personalFields;

function channelFields(types: readonly ChannelType[]): Fields<Channel> {
  return {
    name: {
      codec: plain,
      input: nameText(100),
      output: z.string(),
      unset: '',
      meaning: 'The name of the channel in lists. The title of its type unless set.',
    },
    enabled: {
      codec: flag,
      input: yesOrNo(),
      output: z.boolean(),
      unset: true,
      meaning: 'Whether messages are sent.',
    },
    is_default: {
      codec: flag,
      input: yesOrNo(),
      output: z.boolean(),
      unset: true,
      meaning: 'Whether it is notified of what no route matches.',
    },
    severities: {
      codec: json,
      input: severitiesInput(),
      output: z.array(z.enum(SEVERITIES)),
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
      codec: plain,
      input: timeZone(),
      output: z.string(),
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
        }),
      output: z.record(
        z.string(),
        z.union([z.string(), z.number(), z.array(z.string()), z.null()]),
      ),
      meaning: settingsMeaning(types),
      secret: true,
    },
  };
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
      ([name, field]) => `\`${name}\`${field.required ? '' : ' (optional)'}`,
    );
    return `\`${type}\`: ${names.length === 0 ? 'none' : names.join(', ')}`;
  });
  return `By type. ${lines.join('; ')}. A key that is left out of an update is kept, null unsets an optional one, and eight bullets keep a secret.`;
}
