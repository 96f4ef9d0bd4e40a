import { z } from 'zod';
import { SecretUnreadable, type SecretBox } from '../../lib/secret-box.ts';
import { SEVERITIES } from '../../model/condition.ts';
import type { ChannelField, ChannelSettings, ChannelType } from '../../alerting/channels/index.ts';
import { MASK } from '../../lib/secret-box.ts';
import { timeZone } from '../../lib/schemas.ts';
import type { Findings } from '../common/input.ts';
import { nameText, oneOf, text, wholeNumber, yesOrNo } from '../../lib/schemas.ts';
import { quietHoursInput } from './quiet-hours-input.ts';
import { webhookUrlFault, type WebhookRules } from '../webhooks/input.ts';

const SOME_SEVERITIES = `must be a list of one or more of ${SEVERITIES.join(', ')}, each at most once`;
const SETTINGS = "must be an object with the settings of the channel's type";

/** What channels are told of unless somebody says otherwise. */
export const CHANNEL_SEVERITIES = ['critical', 'warning'] as const;

/** A list of severities, none twice. */
export function severitiesInput() {
  return z
    .array(oneOf(SEVERITIES), { error: SOME_SEVERITIES })
    .min(1, { error: SOME_SEVERITIES })
    .refine((list) => new Set(list).size === list.length, { error: SOME_SEVERITIES })
    .meta({ override: { uniqueItems: true } });
}

/** What people send for any channel, of a team or their own; its type says what `settings` holds. */
export function channelFields(types: readonly ChannelType[]) {
  return {
    name: nameText(100).nullish().meta({ description: 'The title of its type, if left out.' }),
    enabled: yesOrNo().nullish().meta({ description: 'true, if left out.' }),
    severities: severitiesInput()
      .nullish()
      .meta({ description: '`critical` and `warning`, if left out.' }),
    quiet_hours: quietHoursInput().nullish(),
    timezone: timeZone().nullish().meta({
      description: "IANA name of the times in messages; the person's own, or UTC, if left out.",
    }),
    settings: z
      .record(z.string(), z.unknown(), { error: SETTINGS })
      .nullish()
      .meta({ description: settingsDescription(types) }),
  };
}

/** The settings of all types, for the reference (Markdown). */
function settingsDescription(types: readonly ChannelType[]): string {
  const lines = types.map(({ type, fields }) => {
    const names = Object.entries(fields).map(
      ([name, field]) => `\`${name}\`${field.required ? '' : ' (optional)'}`,
    );
    return `\`${type}\`: ${names.length === 0 ? 'none' : names.join(', ')}`;
  });
  return `By type. ${lines.join('; ')}. A key that is left out of an update is kept, null unsets an optional one, and eight bullets keep a secret.`;
}

/** What urls in settings are judged by. */
export type ChannelRules = WebhookRules;

/**
 * The settings of a channel after an input: by key, so that what is left out is kept. Findings are about
 * `settings.<key>`, and about `settings` where something required is lacking in none at all.
 *
 * @param stored null for a new channel, and for one whose settings no key opens any more.
 * @param sent undefined or null where no settings were sent.
 */
export function resolveSettings(
  { fields }: Pick<ChannelType, 'fields'>,
  stored: ChannelSettings | null,
  sent: Record<string, unknown> | null | undefined,
  rules: ChannelRules,
  findings: Findings,
): ChannelSettings {
  // Settings that are no object hold nothing that could be judged.
  if (findings.has('settings')) return {};
  const entries = Object.entries(fields).map(([name, field]) => {
    const known = stored?.[name] ?? null;
    const value =
      sent !== null && sent !== undefined && Object.hasOwn(sent, name) ? sent[name] : known;
    return [name, resolveField(field, { at: `settings.${name}`, known, value }, rules, findings)];
  });
  const settings = Object.fromEntries(entries) as ChannelSettings;
  demandSecretsAgain({ fields }, { stored, sent, settings }, findings);
  return settings;
}

/** Whoever may not see a stored secret could else have it sent to a server of their own. */
function demandSecretsAgain(
  { fields }: Pick<ChannelType, 'fields'>,
  {
    stored,
    sent,
    settings,
  }: Record<'stored' | 'settings', ChannelSettings | null> & {
    sent: Record<string, unknown> | null | undefined;
  },
  findings: Findings,
): void {
  const names = Object.keys(fields);
  const moved = names.find(
    (name) =>
      fields[name]!.kind === 'url' &&
      !fields[name]!.secret &&
      stored !== null &&
      // Left out it is the provider's own, which is nobody's choice.
      (settings?.[name] ?? null) !== null &&
      originOf(settings?.[name]) !== originOf(stored[name]),
  );
  if (moved === undefined || findings.has(`settings.${moved}`)) return;
  for (const name of names) {
    const isKept = sent?.[name] === undefined || sent[name] === MASK;
    if (!fields[name]!.secret || !isKept || (stored?.[name] ?? null) === null) continue;
    findings.add(
      `settings.${name}`,
      `must be sent, too, when ${moved} becomes that of another server: what is stored is for the former one`,
    );
  }
}

function originOf(url: Stored | undefined): string | null {
  return typeof url === 'string' ? (URL.parse(url)?.origin ?? url) : null;
}

type Stored = ChannelSettings[string];

function resolveField(
  field: ChannelField,
  { at, known, value }: { at: string; known: Stored; value: unknown },
  rules: ChannelRules,
  findings: Findings,
): Stored {
  if (value === null || value === undefined) {
    if (field.required) findings.add(at, `is required: ${lowerFirst(field.description)}`);
    return null;
  }
  if (value === MASK && field.secret) {
    if (known === null)
      findings.add(
        at,
        'is a placeholder, and nothing is stored that it could stand for: send the value itself',
      );
    return known;
  }
  // What is stored was judged when it was sent.
  if (value === known) return known;
  const read = schemaOf(field, rules).safeParse(value);
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues) findings.add([at, ...path].join('.'), message);
  return null;
}

function schemaOf(field: ChannelField, rules: ChannelRules): z.ZodType<Exclude<Stored, null>> {
  switch (field.kind) {
    case 'text':
      return textSetting(field);
    case 'url':
      return urlSetting(rules, field.secret);
    case 'choice':
      return oneOf(field.choices);
    case 'number':
      return wholeNumber(field.minimum, field.maximum);
    case 'emails':
      return emailsSetting(field.maximum);
  }
}

function textSetting({ maximum, pattern, must }: Extract<ChannelField, { kind: 'text' }>) {
  const plain = text(maximum).refine((value) => !/\p{Cc}/u.test(value), {
    error: 'must not hold control characters',
  });
  if (pattern === undefined) return plain;
  return plain.refine((value) => pattern.test(value), {
    error: must ?? 'must have the form that the provider gives it',
  });
}

/** One that is shown may not hold what had better not be. */
function urlSetting(rules: ChannelRules, isSecret: boolean) {
  return z
    .string({ error: 'must be an absolute https URL, such as https://example.com/hook' })
    .superRefine((url, context) => {
      const fault = webhookUrlFault(url, rules);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
      else if (!isSecret && /[?#]/.test(url))
        context.addIssue({ code: 'custom', message: 'must have no query: the address is shown' });
    });
}

function emailsSetting(maximum: number) {
  const list = `must be a list of 1 to ${maximum} e-mail addresses, each at most once`;
  const one = 'must be an e-mail address, such as ed@example.com';
  return z
    .array(
      z
        .string({ error: one })
        .max(254, { error: one })
        .regex(/^[^\s@,;<>"\0]+@[^\s@,;<>"\0]+$/, { error: one })
        .refine((value) => value.isWellFormed() && !/\p{Cc}/u.test(value), { error: one }),
      { error: list },
    )
    .min(1, { error: list })
    .max(maximum, { error: list })
    .refine(
      (addresses) =>
        new Set(addresses.map((address) => address.toLowerCase())).size === addresses.length,
      { error: list },
    );
}

function lowerFirst(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

/** As they are stored. */
export function sealSettings(secretBox: SecretBox, settings: ChannelSettings): string {
  return secretBox.seal(JSON.stringify(settings));
}

/** Null where there are none, and where no key of SECRET_KEY opens them any more. */
export function openSettings(secretBox: SecretBox, sealed: string | null): ChannelSettings | null {
  if (sealed === null) return null;
  try {
    return JSON.parse(secretBox.open(sealed)) as ChannelSettings;
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

/** As the API shows them: all of the type's fields, a secret as eight bullets. */
export function viewSettings(
  { fields }: Pick<ChannelType, 'fields'>,
  settings: ChannelSettings | null,
): ChannelSettings {
  const shown = Object.entries(fields).map(([name, field]) => {
    const value = settings?.[name] ?? null;
    return [name, field.secret && value !== null ? MASK : value];
  });
  return Object.fromEntries(shown) as ChannelSettings;
}
