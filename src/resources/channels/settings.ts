import { z } from 'zod';
import {
  channelType,
  type ChannelField,
  type ChannelSettings,
  type ChannelType,
} from '../../alerting/channels/index.ts';
import { openIfPossible, readColumn, sealedJson } from '../../lib/columns.ts';
import { oneOf, text, unknownKey, wholeNumber } from '../../lib/schemas.ts';
import { MASK, type SecretBox } from '../../lib/secret-box.ts';
import type { WithState } from '../../store/alerting/destinations.ts';
import { channelOwner } from '../../store/database/sealed-columns.ts';
import { outputOf, UNKNOWN_SECRET } from '../common/fields.ts';
import type { Findings } from '../common/input.ts';
import { time } from '../common/reference-schemas.ts';
import { isoOrNull } from '../common/time.ts';
import { webhookUrlFault, type WebhookRules } from '../webhooks/fields.ts';
import { TEAM_CHANNEL_FIELDS } from './fields.ts';

/** The installation's rules for urls in settings. */
export type ChannelRules = WebhookRules;

type ChannelRow = WithState<'alert_channel'>;
type Sealed = Pick<ChannelRow, 'type' | 'settings' | 'team_id' | 'person_id'>;

export function secretsOf(box: SecretBox, owner: Pick<Sealed, 'team_id' | 'person_id'>) {
  return box.of('alert_channel', channelOwner(owner));
}

/** The settings of a stored channel; null where it has none, undefined when no key of SECRET_KEY opens them. */
export function openSettings(row: Sealed, box: SecretBox): ChannelSettings | null | undefined {
  const open = openIfPossible(secretsOf(box, row));
  return readColumn(sealedJson, row.settings, open, 'settings') as
    | ChannelSettings
    | null
    | undefined;
}

/** What is shown of a type; nothing of one that a newer release knows, as any of its fields may be a secret. */
export const shownType = (word: string): Pick<ChannelType, 'fields'> =>
  channelType(word) ?? { fields: {} };

/** The settings of a stored channel that an export shows; null or undefined of one that can't be opened, or whose type is not known. */
export function exportedSettings(row: Sealed, box: SecretBox) {
  const opened = channelType(row.type) && openSettings(row, box);
  return opened && viewTypeSettings(shownType(row.type), opened);
}

/** What channels of teams and of people show besides their fields. */
export const MORE_OF_CHANNEL = {
  settings: outputOf(TEAM_CHANNEL_FIELDS.settings).meta({
    description: 'All settings of its type. A secret that is set shows as eight bullets.',
  }),
  warnings: z.array(z.string()).meta({
    description:
      'What keeps a channel that is on from working, such as e-mail without SMTP_URL. Empty in most cases.',
  }),
  last_delivered_at: time.nullable(),
  failing_since: time.nullable().meta({
    description: 'Since when nothing gets through; null while all is well.',
  }),
  last_error: z.string().nullable().meta({ description: 'Why the newest attempt failed.' }),
};

type State = Pick<ChannelRow, 'last_delivered_at' | 'failing_since' | 'last_error'>;

/** The state of a channel's queue in answers. */
export function viewChannelState({ last_delivered_at, failing_since, last_error }: State) {
  return {
    last_delivered_at: isoOrNull(last_delivered_at),
    failing_since: isoOrNull(failing_since),
    last_error,
  };
}

/** What keeps a channel that is on from working, in sentences; empty in most cases. */
export function channelWarnings(type: string, enabled: boolean, canMail: boolean): string[] {
  if (type !== 'email' || !enabled || canMail) return [];
  return [
    'enabled is true, but this installation sends no mail: its operator must set SMTP_URL, see docs/mail.md.',
  ];
}

/** Settings of a request. */
export interface SettingsInput {
  settings?: Record<string, unknown> | null | undefined;
  /** Fields that errors are reported on, by setting, where it is not `settings.<key>`. */
  fieldNames?: Readonly<Record<string, string>>;
}

/**
 * The settings of a channel after an input. Keys that are left out are kept. Findings name `settings.<key>`.
 *
 * @param stored null for a new channel, and for one whose settings no key of SECRET_KEY opens.
 */
export function resolveSettings(
  { fields }: Pick<ChannelType, 'fields'>,
  stored: ChannelSettings | null,
  { settings: sent, fieldNames = {} }: SettingsInput,
  rules: ChannelRules,
  findings: Findings,
): ChannelSettings {
  // Settings that are no object hold nothing to check.
  if (findings.has('settings')) return {};
  const known = Object.keys(fields);
  for (const name of Object.keys(sent ?? {})) {
    if (!known.includes(name)) findings.add(`settings.${name}`, unknownKey(known));
  }
  const entries = Object.entries(fields).map(([name, field]) => {
    const former = stored?.[name] ?? null;
    const value =
      sent !== null && sent !== undefined && Object.hasOwn(sent, name) ? sent[name] : former;
    const at = fieldNames[name] ?? `settings.${name}`;
    return [name, resolveField(field, { at, known: former, value }, rules, findings)];
  });
  const settings = Object.fromEntries(entries) as ChannelSettings;
  requireSecretsAgain({ fields }, { stored, sent, settings }, findings);
  return settings;
}

/** Reports secrets that must be sent again: else callers could have a stored one sent to a server of their own. */
function requireSecretsAgain(
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
      // Without a url, the provider's own server is used.
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
    if (!field.optional) findings.add(at, `is required: ${lowerFirst(field.description)}`);
    return null;
  }
  if (value === MASK && field.secret) {
    if (known === null) findings.add(at, UNKNOWN_SECRET);
    return known;
  }
  // Stored values were checked when they were sent.
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

/** A url that is shown must not hold a query, which may be a secret. */
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

/** The settings in answers: all of the type's fields, a secret as eight bullets. */
export function viewTypeSettings(
  { fields }: Pick<ChannelType, 'fields'>,
  settings: ChannelSettings | null | undefined,
): ChannelSettings {
  const shown = Object.entries(fields).map(([name, field]) => {
    const value = settings?.[name] ?? null;
    return [name, field.secret && value !== null ? MASK : value];
  });
  return Object.fromEntries(shown) as ChannelSettings;
}

/**
 * The settings in the audit log: secrets as eight bullets, and whether they were replaced.
 *
 * @param former the settings before the change; undefined for none.
 */
export function auditedSettings(
  type: Pick<ChannelType, 'fields'>,
  settings: ChannelSettings | null | undefined,
  former?: { settings: ChannelSettings | null | undefined },
): object {
  const shown = viewTypeSettings(type, settings);
  if (former === undefined) return shown;
  const marked = Object.entries(shown).map(([name, value]) => {
    const isReplaced = value === MASK && settings?.[name] !== former.settings?.[name];
    return [name, isReplaced ? `${MASK} (replaced)` : value];
  });
  return Object.fromEntries(marked);
}
