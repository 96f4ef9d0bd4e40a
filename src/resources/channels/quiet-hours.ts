import { z } from 'zod';
import { WEEKDAYS, type QuietHours } from '../../alerting/policy/index.ts';
import { oneOf, settingsObject, timeOfDay, timeZone, yesOrNo } from '../../lib/schemas.ts';

const SOME_DAYS = `must be a list of one or more of ${WEEKDAYS.join(', ')}, each at most once`;

/** Quiet hours in answers. */
export const quietHours = z
  .object({
    from: z.string(),
    to: z.string(),
    days: z.array(z.enum(WEEKDAYS)).optional(),
    timezone: z.string(),
    allow_critical: z.boolean(),
  })
  .meta({ id: 'QuietHours', description: 'When what is not critical waits.' });

/** Quiet hours in requests. */
export function quietHoursInput() {
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
