import { z } from 'zod';
import { oneOf, settingsObject, timeOfDay, timeZone, yesOrNo } from '../lib/schemas.ts';
import { SEVERITIES } from '../model/condition.ts';
import { settingsAsSent, type SettingsFault } from './content-settings.ts';

/** Words of these settings for kinds of channels; `webhook` is the webhook endpoints of the team. */
export const NOTIFICATION_KINDS = ['email', 'sms', 'slack', 'discord', 'teams', 'webhook'] as const;
export type NotificationKindWord = (typeof NOTIFICATION_KINDS)[number];

const SOME_SEVERITIES = `must be a list of ${SEVERITIES.join(', ')}, each at most once; an empty list for none`;

const severityList = z
  .array(oneOf(SEVERITIES), { error: SOME_SEVERITIES })
  .refine((list) => new Set(list).size === list.length, { error: SOME_SEVERITIES })
  .nullish()
  .meta({ override: { uniqueItems: true } });

const channels = settingsObject(
  Object.fromEntries(NOTIFICATION_KINDS.map((word) => [word, severityList])) as Record<
    NotificationKindWord,
    typeof severityList
  >,
  'must be an object such as {"email": ["critical"], "slack": ["critical", "warning"]}',
)
  .nullish()
  .meta({
    description:
      'The severities of which channels of a kind are notified; an empty list for none. A kind that is left out is not restricted. `teams` is Microsoft Teams, `webhook` the webhook endpoints of the team.',
  });

const quietHours = settingsObject(
  {
    enabled: yesOrNo().nullish().meta({ description: 'False turns them off; true unless given.' }),
    start: timeOfDay().nullish(),
    end: timeOfDay().nullish().meta({ description: 'Before `start`: on the next day.' }),
    timezone: timeZone().nullish().meta({ description: 'IANA name; UTC unless given.' }),
    bypass_critical: yesOrNo().nullish().meta({
      description: 'Whether critical messages are sent all the same; true unless given.',
    }),
  },
  'must be an object such as {"start": "22:00", "end": "07:00", "timezone": "Europe/Berlin"}',
)
  .nullish()
  .meta({ description: 'When messages to people wait. They are sent at the end if still true.' });

export const notificationSettings = settingsObject(
  {
    enabled: yesOrNo().nullish().meta({
      description:
        'False: no person is notified of this monitor. Webhooks, incidents and status pages go on.',
    }),
    channels,
    quiet_hours: quietHours,
  },
  'must be an object such as {"enabled": true, "channels": {"email": ["critical"]}}',
).meta({
  id: 'NotificationSettings',
  description:
    'Restricts who is notified of one monitor. A block that is sent replaces that block; blocks that are left out stay.',
});

/** How people are notified of a monitor, exactly as it was sent. A block that is absent or null restricts nothing. */
export type NotificationSettings = z.output<typeof notificationSettings>;

export const notificationInput = () =>
  settingsAsSent(notificationSettings, (settings) =>
    quietHoursFaults((settings as { quiet_hours?: unknown }).quiet_hours),
  );

/** What is missing of quiet hours that are on, or makes them endless. The schema reports wrong values. */
function quietHoursFaults(quiet: unknown): SettingsFault[] {
  if (typeof quiet !== 'object' || quiet === null || Array.isArray(quiet)) return [];
  const { enabled, start, end } = quiet as Record<string, unknown>;
  if (enabled === false) return [];
  const missing = Object.entries({ start, end }).filter(([, time]) => time == null);
  if (missing.length === 0)
    return start === end
      ? [
          [
            ['quiet_hours', 'end'],
            'must not be the same as start: to notify nobody at all, set enabled to false',
          ],
        ]
      : [];
  // An empty object is no quiet hours, like null.
  if (missing.length === 2 && enabled !== true) return [];
  return missing.map(([name]) => [
    ['quiet_hours', name],
    'is required, such as 22:00, unless enabled is false',
  ]);
}

/** The stored settings with the blocks that were sent in place of theirs. */
export function mergeNotificationSettings(
  stored: NotificationSettings | null,
  sent: NotificationSettings,
): NotificationSettings {
  return { ...stored, ...sent };
}
