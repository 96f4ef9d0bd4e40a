import { z } from 'zod';
import { pathsOf, settingsSizeFault } from '../lib/schemas.ts';
import { hasNoContent } from './content-check.ts';

/** What is wrong with a value inside settings. */
export type SettingsFault = [path: (string | number)[], message: string];

/**
 * Schema of a settings object in requests. Settings come back as they were sent, empty ones too: the schema only reports
 * what is wrong, and its own output is dropped. An empty list in place of an object is null.
 *
 * @param furtherFaults what the schema can't express; called with settings of any shape.
 */
export function settingsAsSent<Settings>(
  schema: z.ZodType,
  furtherFaults: (settings: unknown) => SettingsFault[],
) {
  return z
    .unknown()
    .superRefine((settings, context) => {
      if (hasNoContent(settings, null)) return;
      const refuse = (path: PropertyKey[], message: string) =>
        context.addIssue({ code: 'custom', path, message });
      const tooLarge = settingsSizeFault(settings);
      if (tooLarge !== null) return refuse([], tooLarge);
      for (const issue of schema.safeParse(settings).error?.issues ?? []) {
        for (const path of pathsOf(issue)) refuse(path, issue.message);
      }
      for (const [path, message] of furtherFaults(settings)) refuse(path, message);
    })
    .transform((settings) =>
      Array.isArray(settings) ? null : (settings as Settings | null | undefined),
    )
    .optional();
}
