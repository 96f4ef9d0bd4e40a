import { z } from 'zod';
import { json, plain } from '../../lib/columns.ts';
import {
  nameText,
  oneOf,
  settingsObject,
  text,
  timeZone,
  wholeNumber,
  yesOrNo,
} from '../../lib/schemas.ts';
import { parseHost } from '../../net/host.ts';
import {
  PAGE_LANGUAGES,
  type PageLanguage,
  type PageSettings,
  type ShowAutomatic,
} from '../../status-page/facts/model.ts';
import type { Fields } from '../common/fields.ts';

/** Settings of a page, without its access, services and groups. */
export interface PageFields {
  name: string;
  slug: string;
  description: string | null;
  custom_domain: string | null;
  settings: PageSettings;
  language: PageLanguage;
  timezone: string;
  show_automatic: ShowAutomatic;
}

const MAX_CSS_BYTES = 32 * 1024;
/** Longest domain below which the record of its verification still has a valid name. */
const MAX_DOMAIN_LENGTH = 245;
const MAX_MINUTES = 1_440;

export const DEFAULT_SETTINGS: PageSettings = {
  show_uptime_percentage: true,
  show_response_time: true,
  show_incident_history: true,
  custom_css: null,
};

export const DEFAULT_SHOW_AUTOMATIC: ShowAutomatic = { after_minutes: 5 };

/** Fields of a status page (contract 41.2). */
export const PAGE_FIELDS: Fields<PageFields> = {
  name: {
    codec: plain,
    input: nameText(100),
    output: z.string(),
    unset: '',
    required: 'visitors know the page by it',
    meaning: 'Heading of the page.',
  },
  slug: {
    codec: plain,
    input: slug(),
    output: z.string(),
    unset: '',
    meaning:
      'Last part of its address, `/status/{slug}`: lower-case letters, digits and hyphens. Unique in the installation; made of the name unless set.',
  },
  description: {
    codec: plain,
    input: text(500),
    output: z.string(),
    meaning: 'Text below the heading, in the Markdown of updates.',
  },
  custom_domain: {
    codec: plain,
    input: domain(),
    output: z.string(),
    meaning:
      'Host name under which the page is served once `domain_verified` is true. Changing it starts a new verification.',
  },
  settings: {
    codec: json,
    input: settingsInput(),
    output: z.object({
      show_uptime_percentage: z.boolean(),
      show_response_time: z.boolean(),
      show_incident_history: z.boolean(),
      custom_css: z.string().nullable(),
    }),
    unset: DEFAULT_SETTINGS,
    meaning: 'Keys that are left out stay as they are; null restores the default.',
  },
  language: {
    codec: plain,
    input: oneOf(PAGE_LANGUAGES),
    output: z.enum(PAGE_LANGUAGES),
    unset: 'en',
    meaning: 'Language of everything on the page that people did not write.',
  },
  timezone: {
    codec: plain,
    input: timeZone(),
    output: z.string(),
    unset: 'UTC',
    meaning: 'IANA name of the zone in which days begin and times are shown.',
  },
  show_automatic: {
    codec: json,
    input: showAutomaticInput(),
    output: showAutomaticOutput(),
    unset: DEFAULT_SHOW_AUTOMATIC,
    meaning:
      'When an incident that was detected shows on the page without a person: `after_minutes`, 0 for at once, or `never`. Five minutes unless set.',
  },
};

/** The stored settings with those keys over them that were sent. Null and an empty text restore a default. */
export function mergedSettings(
  stored: PageSettings,
  sent: Readonly<Partial<Record<keyof PageSettings, unknown>>>,
): PageSettings {
  const changes = Object.entries(sent)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [
      name,
      value === null || value === '' ? DEFAULT_SETTINGS[name as keyof PageSettings] : value,
    ]);
  return { ...stored, ...Object.fromEntries(changes) };
}

function slug() {
  const error = 'must have 1 to 63 lower-case letters, digits and hyphens, no hyphen first or last';
  return z.string({ error }).regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, { error });
}

function domain() {
  const error = 'must be a host name of your own, such as status.example.com';
  return z
    .string({ error })
    .transform((name, context) => {
      const host = parseHost(name.trim());
      const isDomain = host?.kind === 'name' && /^(?:[a-z0-9_-]+\.)+[a-z0-9-]+$/.test(host.name);
      if (isDomain && host.name.length <= MAX_DOMAIN_LENGTH) return host.name;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({ override: { type: 'string', minLength: 1, maxLength: MAX_DOMAIN_LENGTH } });
}

function settingsInput() {
  const error = `must have at most ${MAX_CSS_BYTES / 1024} KiB of CSS`;
  const css = z
    .string({ error: 'must be text' })
    .refine((value) => Buffer.byteLength(value) <= MAX_CSS_BYTES, { error })
    .refine((value) => !value.includes('\0') && value.isWellFormed(), {
      error: 'must not hold a NUL character or half a character',
    })
    .meta({ override: { maxLength: MAX_CSS_BYTES } });
  return settingsObject(
    {
      show_uptime_percentage: yesOrNo().nullish(),
      show_response_time: yesOrNo().nullish(),
      show_incident_history: yesOrNo().nullish(),
      custom_css: css.nullish().meta({
        description:
          'CSS for the page. Properties and selectors are those of an allow-list; addresses of other places are refused.',
      }),
    },
    'must be an object',
  );
}

export function showAutomaticInput() {
  const error = `must be {"after_minutes": 0 to ${MAX_MINUTES}} or {"never": true}`;
  return z.union(
    [
      z.strictObject({ after_minutes: wholeNumber(0, MAX_MINUTES) }),
      z.strictObject({ never: z.literal(true) }),
    ],
    { error },
  );
}

export function showAutomaticOutput() {
  return z.union([z.object({ after_minutes: z.int() }), z.object({ never: z.literal(true) })]);
}
