import { z } from 'zod';
import { WEEKDAYS, type QuietHours } from '../../alerting/policy/index.ts';
import { timeZone } from '../../lib/schemas.ts';
import { oneOf, yesOrNo } from '../../lib/schemas.ts';

/** The days on which quiet hours may begin. */
export const QUIET_DAYS = WEEKDAYS;

const SOME_DAYS = `must be a list of one or more of ${WEEKDAYS.join(', ')}, each at most once`;

/** When a channel wants to be left alone, as people send it. */
export function quietHoursInput() {
  return z
    .object(
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
        allow_critical: yesOrNo()
          .nullish()
          .meta({ description: 'Whether what is critical comes all the same; true, if left out.' }),
      },
      { error: 'must be an object with from, to and timezone, or null for none' },
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
    })
    .meta({
      description:
        'When what is not critical waits. `to` before `from` is on the next day. What is still open at the end is told then.',
    });
}

function timeOfDay() {
  const error = 'must be a time of day from 00:00 to 23:59, such as 22:00';
  return z.string({ error }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error });
}

/** As the API shows it, from what is stored. */
export function viewQuietHours(stored: string | null): QuietHours | null {
  return stored === null ? null : (JSON.parse(stored) as QuietHours);
}
