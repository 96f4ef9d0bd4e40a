import { z } from 'zod';
import { flag, json } from '../../lib/columns.ts';
import { nameText, oneOf, settingsObject, text, timeZone, yesOrNo } from '../../lib/schemas.ts';
import { SUBSCRIBER_KINDS } from '../../model/outgoing.ts';
import { parseHost } from '../../net/host.ts';
import {
  DEFAULT_BRAND,
  PAGE_FONTS,
  PAGE_LANGUAGES,
  PAGE_LAYOUTS,
  type PageSettings,
} from '../../status-page/facts/model.ts';
import { fieldTable, type SettingsOf } from '../common/fields.ts';
import { accessInput, PUBLIC } from './access.ts';
import {
  groupsInput,
  monitorsInput,
  showAutomaticInput,
  showAutomaticOutput,
} from './arrangement.ts';

export const NO_SMS_CHANNEL = 'must be the id of an alert channel of type sms of your team';

const MAX_CSS_BYTES = 32 * 1024;
const MAX_LINK = 2_048;
/** Longest domain below which the record of its verification still has a valid name. */
const MAX_DOMAIN_LENGTH = 245;

export const DEFAULT_SETTINGS: PageSettings = {
  show_uptime_percentage: true,
  show_response_time: true,
  show_incident_history: true,
  custom_css: null,
};

/** Fields of a status page (contract 41.2). */
export const pageFields = fieldTable({
  name: {
    input: nameText(100),
    unset: '',
    required: 'visitors know the page by it',
    meaning: 'Heading of the page.',
  },
  slug: {
    input: slug(),
    unset: '',
    meaning:
      'Last part of its address, `/status/{slug}`: lower-case letters, digits and hyphens. Unique in the installation; made of the name unless set.',
  },
  description: {
    input: text(500),
    meaning: 'Text below the heading, in the Markdown of updates.',
  },
  custom_domain: {
    input: domain(),
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
  brand: {
    codec: json,
    input: brandInput(),
    output: z.object({
      accent: z.string().nullable(),
      font: z.enum(PAGE_FONTS),
      layout: z.enum(PAGE_LAYOUTS),
      links: z.object({
        site: z.string().nullable(),
        contact: z.string().nullable(),
        terms: z.string().nullable(),
      }),
    }),
    unset: DEFAULT_BRAND,
    meaning:
      'How the page and its mails look. Keys that are left out stay as they are; null restores the default.',
  },
  draft: {
    codec: flag,
    input: yesOrNo(),
    unset: false,
    meaning:
      'Whether the page is a draft: it does not exist for visitors, nothing is sent to its subscribers, and members of the team see its preview.',
  },
  language: {
    input: oneOf(PAGE_LANGUAGES),
    unset: 'en',
    meaning: 'Language of everything on the page that people did not write.',
  },
  timezone: {
    input: timeZone(),
    unset: 'UTC',
    meaning: 'IANA name of the zone in which days begin and times are shown.',
  },
  show_automatic: {
    codec: json,
    input: showAutomaticInput(),
    output: showAutomaticOutput(),
    unset: { after_minutes: 5 },
    meaning:
      'When an incident that was detected shows on the page without a person: `after_minutes`, 0 for at once, or `never`. Five minutes unless set.',
  },
  subscribe_by: {
    codec: json,
    input: z
      .array(oneOf(SUBSCRIBER_KINDS), {
        error: `must be a list of any of ${SUBSCRIBER_KINDS.join(', ')}`,
      })
      .refine((list) => new Set(list).size === list.length, { error: 'must not name a way twice' })
      .meta({ override: { uniqueItems: true } }),
    unset: ['email', 'slack', 'microsoft_teams'],
    meaning:
      'Ways in which visitors may subscribe, beside feeds: e-mail once the installation sends mail, `sms` with `sms_channel_id`. E-mail, Slack and Microsoft Teams unless set.',
  },
  sms_channel_id: {
    input: z.int({ error: NO_SMS_CHANNEL }).min(1, { error: NO_SMS_CHANNEL }),
    meaning:
      'Alert channel of type `sms` whose account and sender the text messages to subscribers have. Your provider charges each.',
    refers: 'alert_channels',
  },
  access: { apart: true, input: accessInput(), unset: PUBLIC },
  monitors: { apart: true, input: monitorsInput(), unset: [], refers: { id: 'monitors' } },
  groups: { apart: true, input: groupsInput(), unset: [], refers: { monitors: 'monitors' } },
});

export type StatusPageSettings = SettingsOf<typeof pageFields>;

/** A stored object with those keys over it that were sent, also within its objects. Null and an empty text restore a default. */
export function mergedKeys<Value extends object>(
  defaults: NoInfer<Value>,
  stored: NoInfer<Value>,
  sent: object,
): Value {
  const changes = Object.entries(sent).filter(([, value]) => value !== undefined);
  const merged = Object.fromEntries(
    changes.map(([name, value]) => {
      const [usual, former] = [defaults, stored].map((one) => one[name as keyof Value]);
      if (value === null || value === '') return [name, usual];
      return [name, isObject(value) ? mergedKeys(usual as object, former as object, value) : value];
    }),
  );
  return { ...stored, ...merged };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

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

function brandInput() {
  const color = 'must be a color as #rrggbb, such as #1f60d4';
  return settingsObject(
    {
      accent: z
        .string({ error: color })
        .regex(/^#[\da-f]{6}$/i, { error: color })
        .toLowerCase()
        .nullish()
        .meta({
          description:
            'Color of buttons, links and the line above the page. Where it could not be read, a darker or lighter one is derived; colors of states stay.',
        }),
      font: oneOf(PAGE_FONTS).nullish(),
      layout: oneOf(PAGE_LAYOUTS).nullish(),
      links: settingsObject(
        {
          site: link(
            ['http:', 'https:'],
            'must be an address such as https://example.com',
          ).nullish(),
          contact: link(
            ['http:', 'https:', 'mailto:'],
            'must be an address such as https://example.com/help or help@example.com',
          ).nullish(),
          terms: link(
            ['http:', 'https:'],
            'must be an address such as https://example.com/terms',
          ).nullish(),
        },
        'must be an object',
      ).nullish(),
    },
    'must be an object',
  );
}

/** A link of these protocols. A mail address becomes one with `mailto:`. */
function link(protocols: readonly string[], error: string) {
  return z
    .string({ error })
    .max(MAX_LINK, { error })
    .transform((value, context) => {
      const isMail = protocols.includes('mailto:') && /^[^\s:/@]+@[^\s:/@]+$/.test(value);
      const url = URL.parse(isMail ? `mailto:${value}` : value);
      const isKnown = url !== null && protocols.includes(url.protocol);
      if (isKnown && url.username === '' && url.password === '') return url.href;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({ override: { type: 'string', minLength: 1, maxLength: MAX_LINK } });
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
