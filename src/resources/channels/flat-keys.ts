import { z } from 'zod';
import type { ChannelSettings, ChannelType } from '../../alerting/channels/index.ts';
import { MASK } from '../../lib/secret-box.ts';
import type { Findings } from '../common/input.ts';
import { viewTypeSettings } from './settings.ts';

/**
 * Settings of personal channels that also stand beside `settings`, as clients of this API write and read them, and the
 * setting that each is.
 */
const FLAT_SETTINGS = { webhook_url: 'webhook_url', phone_number: 'to' } as const;

/** All flat keys. `email` and `verified` belong to the e-mail channel, which has no settings. */
export const FLAT_KEYS = [...Object.keys(FLAT_SETTINGS), 'email', 'verified'];

type Fielded = Pick<ChannelType, 'type' | 'fields'>;

/** The flat keys of a type that are settings, with the setting of each. */
function flatSettingsOf({ fields }: Fielded): [key: string, setting: string][] {
  return Object.entries(FLAT_SETTINGS).filter(([, setting]) => Object.hasOwn(fields, setting));
}

/** Schemas of the flat keys that a type takes. Settings are judged where they are resolved. */
export function flatShape(type: Fielded): z.ZodRawShape {
  const keys = flatSettingsOf(type).map(([key]) => key);
  if (type.type === 'email') keys.push('email');
  return Object.fromEntries(keys.map((key) => [key, z.unknown().optional()]));
}

type Sent = Record<string, unknown> | null | undefined;

/** Settings of an input, and the field that errors of a setting are reported on where it is not `settings.<key>`. */
export interface FlatInput {
  settings: Sent;
  fieldNames: Readonly<Record<string, string>>;
}

/**
 * Puts the flat keys of an input into its settings. Clients send back what they read, so that one of the two may be stale:
 * the one that differs from what is stored counts.
 */
export function resolveFlatKeys(
  type: Fielded,
  stored: ChannelSettings | null,
  input: { settings?: Sent } & Record<string, unknown>,
  findings: Findings,
): FlatInput {
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

/** The flat keys in answers, of those that apply to the type. Secrets show as eight bullets. */
export function viewFlatKeys(
  type: Fielded,
  settings: ChannelSettings | null | undefined,
  { email, isConfirmed }: { email: string; isConfirmed: boolean },
): Record<string, unknown> {
  if (type.type === 'email') return { email, verified: isConfirmed };
  const shown = viewTypeSettings(type, settings);
  return Object.fromEntries(flatSettingsOf(type).map(([key, setting]) => [key, shown[setting]]));
}
