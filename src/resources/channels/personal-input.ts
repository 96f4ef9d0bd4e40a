import { z } from 'zod';
import type { ChannelSettings, ChannelType } from '../../alerting/channels/index.ts';
import { oneOf } from '../../lib/schemas.ts';
import { MASK } from '../../lib/secret-box.ts';
import { inputReader, type FieldInput } from '../common/fields.ts';
import { markRead } from '../common/ignored-fields.ts';
import type { Findings } from '../common/input.ts';
import {
  PERSONAL_CHANNEL_FIELDS,
  PERSONAL_CHANNEL_TYPES,
  PERSONAL_TYPES,
  type PersonalChannel,
} from './fields.ts';
import { viewTypeSettings, type SettingsInput } from './settings.ts';

/**
 * Settings of personal channels that also stand beside `settings`, as clients of this API write and read them, and the
 * setting that each is.
 */
const FLAT_SETTINGS = { webhook_url: 'webhook_url', phone_number: 'to' } as const;

/** All flat keys. `email` and `verified` belong to the e-mail channel, which has no settings. */
const FLAT_KEYS = [...Object.keys(FLAT_SETTINGS), 'email', 'verified'];

type Fielded = Pick<ChannelType, 'type' | 'fields'>;

/** The flat keys of a type that are settings, with the setting of each. */
function flatSettingsOf({ fields }: Fielded): [key: string, setting: string][] {
  return Object.entries(FLAT_SETTINGS).filter(([, setting]) => Object.hasOwn(fields, setting));
}

/** Schemas of the flat keys that a type takes. Settings are judged where they are resolved. */
function flatShape(type: Fielded): z.ZodRawShape {
  const keys = flatSettingsOf(type).map(([key]) => key);
  if (type.type === 'email') keys.push('email');
  return Object.fromEntries(keys.map((key) => [key, z.unknown().optional()]));
}

/** Readers of a body, by type of channel. */
const READERS = new Map(
  PERSONAL_TYPES.map((type) => {
    const more = { type: oneOf(PERSONAL_CHANNEL_TYPES).nullish(), ...flatShape(type) };
    return [type.type, inputReader(PERSONAL_CHANNEL_FIELDS, more)];
  }),
);
const readUnknown = inputReader(PERSONAL_CHANNEL_FIELDS, {
  type: oneOf(PERSONAL_CHANNEL_TYPES).nullish(),
});

/** The fields of a request, flat keys included. */
export type PersonalInput = FieldInput<PersonalChannel> &
  Record<string, unknown> & { type?: string | null };

/**
 * Reads a body for a channel of a type. Flat keys of other types are ignored, and named in the answer unless they are
 * empty: clients send all of them.
 *
 * @param type a word of the path, or what the body names (`typeIn`).
 */
export function readInput(type: unknown, body: unknown, findings: Findings): PersonalInput {
  const read = (typeof type === 'string' && READERS.get(type)) || readUnknown;
  const input = read(body, findings);
  const given = (body ?? {}) as Record<string, unknown>;
  markRead(
    given,
    FLAT_KEYS.filter((key) => given[key] === null || given[key] === ''),
  );
  return input as PersonalInput;
}

type Sent = Record<string, unknown> | null | undefined;

/**
 * Puts the flat keys of an input into its settings. Clients send back what they read, so that one of the two may be stale:
 * the one that differs from what is stored counts.
 */
export function resolveFlatKeys(
  type: Fielded,
  stored: ChannelSettings | null,
  input: { settings?: Sent } & Record<string, unknown>,
  findings: Findings,
): SettingsInput {
  const settings: Record<string, unknown> = { ...input.settings };
  const fieldNames: Record<string, string> = {};
  for (const [key, setting] of flatSettingsOf(type)) {
    const flat = input[key];
    if (flat === undefined) continue;
    const nested = settings[setting];
    const isNew = (value: unknown) =>
      value !== undefined && value !== MASK && value !== (stored?.[setting] ?? null);
    if (isNew(flat) && isNew(nested) && flat !== nested)
      findings.add(key, `must be the same as settings.${setting}: leave one of the two out`);
    if (nested !== undefined && !isNew(flat)) continue;
    settings[setting] = flat;
    fieldNames[setting] = key;
  }
  const hasSettings = input.settings !== undefined || Object.keys(settings).length > 0;
  return { settings: hasSettings ? settings : undefined, fieldNames };
}

/** Reports an address that is not the person's own: a new one has to be confirmed first. */
export function requireOwnAddress(sent: unknown, own: string, findings: Findings): void {
  if (sent === undefined || sent === null) return;
  if (typeof sent === 'string' && sent.toLowerCase() === own.toLowerCase()) return;
  findings.add(
    'email',
    `must be your own address, ${own}: change that on the account page, where links to both addresses confirm it`,
  );
}

/** Where e-mail goes, and whether that is confirmed: else none is sent. */
export interface OwnAddress {
  email: string;
  isConfirmed: boolean;
}

/** The flat keys in answers, of those that apply to the type. Secrets show as eight bullets. */
export function viewFlatKeys(
  type: Fielded,
  settings: ChannelSettings | null | undefined,
  { email, isConfirmed }: OwnAddress,
): Record<string, unknown> {
  if (type.type === 'email') return { email, verified: isConfirmed };
  const shown = viewTypeSettings(type, settings);
  return Object.fromEntries(flatSettingsOf(type).map(([key, setting]) => [key, shown[setting]]));
}
