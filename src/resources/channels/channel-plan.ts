import { makeQueueDue } from '../../store/alerting/delivery-outcomes.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { ChannelType } from '../../alerting/channels/index.ts';
import type { ChannelColumns, ChannelWithState } from '../../store/resources/alert-channels.ts';
import { cancelPending } from '../../store/alerting/delivery-log.ts';
import type { Schema } from '../../store/database/schema.ts';
import { clearFailures } from '../../store/resources/webhook-endpoints.ts';
import {
  CHANNEL_SEVERITIES,
  openSettings,
  resolveSettings,
  sealSettings,
  viewSettings,
  type channelFields,
  type ChannelRules,
} from './channel-input.ts';
import { MASK } from '../../lib/secret-box.ts';
import type { Findings } from '../common/input.ts';
import { viewQuietHours } from './quiet-hours-input.ts';
import { isoOrNull } from '../common/time.ts';

type ChannelInput = {
  [Name in keyof ReturnType<typeof channelFields>]?: z.output<
    ReturnType<typeof channelFields>[Name]
  >;
} & { is_default?: boolean | null | undefined };

/**
 * The columns of a channel after an input, of which only what is present changes; null stands for what a field is
 * unless given. What is wrong goes to the findings.
 *
 * @param stored null for a new channel.
 */
export function planChannel(
  type: Pick<ChannelType, 'title' | 'fields'>,
  stored: ChannelColumns | null,
  input: ChannelInput,
  deps: { secretBox: SecretBox; rules: ChannelRules },
  findings: Findings,
): ChannelColumns {
  const known = openSettings(deps.secretBox, stored?.settings ?? null);
  const settings = resolveSettings(type, known, input.settings, deps.rules, findings);
  const isSame = stored !== null && stored.settings !== null && isDeepStrictEqual(settings, known);
  return {
    name: sentOr(input.name, stored?.name, type.title),
    enabled: Number(sentOr(input.enabled, stored && stored.enabled === 1, true)),
    is_default: Number(sentOr(input.is_default, stored && stored.is_default === 1, true)),
    // Sealed anew it would look like a change.
    settings: isSame ? stored.settings : sealSettings(deps.secretBox, settings),
    severities: jsonOr(input.severities, stored?.severities, CHANNEL_SEVERITIES)!,
    quiet_hours: jsonOr(input.quiet_hours, stored?.quiet_hours, null),
    timezone: sentOr(input.timezone, stored?.timezone, null),
  };
}

function sentOr<Value>(
  sent: Value | null | undefined,
  stored: Value | null | undefined,
  byDefault: Value,
): Value {
  if (sent === undefined) return stored === undefined || stored === null ? byDefault : stored;
  return sent ?? byDefault;
}

function jsonOr(
  sent: unknown,
  stored: string | null | undefined,
  byDefault: unknown,
): string | null {
  if (sent === undefined && stored !== undefined) return stored;
  const value = sent ?? byDefault;
  return value === null ? null : JSON.stringify(value);
}

/** The columns that differ from what is stored. */
export function changedColumns(
  stored: ChannelColumns,
  wanted: ChannelColumns,
): Partial<ChannelColumns> {
  const names = Object.keys(wanted) as (keyof ChannelColumns)[];
  return Object.fromEntries(
    names.filter((name) => stored[name] !== wanted[name]).map((name) => [name, wanted[name]]),
  );
}

/** What a change means for what waits to be sent: nothing of it comes from a channel that is switched off. */
export async function followChange(
  tx: Transaction<Schema>,
  { destination_id: destinationId }: Pick<ChannelWithState, 'destination_id'>,
  changed: Partial<ChannelColumns>,
  now: number,
): Promise<void> {
  if (changed.enabled === 0) await cancelPending(tx, destinationId, now);
  if (changed.enabled === 1) await clearFailures(tx, destinationId);
  if (changed.settings !== undefined) await makeQueueDue(tx, destinationId, now);
}

/** What the audit log shows of settings: no secrets, and yet that one was replaced. */
export function auditedSettings(
  { fields }: Pick<ChannelType, 'fields'>,
  row: Pick<ChannelColumns, 'settings'>,
  before: Pick<ChannelColumns, 'settings'> | undefined,
  secretBox: SecretBox,
): object {
  const settings = openSettings(secretBox, row.settings);
  const shown = viewSettings({ fields }, settings);
  if (before === undefined) return shown;
  const former = openSettings(secretBox, before.settings);
  const marked = Object.entries(shown).map(([name, value]) => {
    const isReplaced = value === MASK && settings?.[name] !== former?.[name];
    return [name, isReplaced ? `${MASK} (replaced)` : value];
  });
  return Object.fromEntries(marked);
}

/** What all channels show of themselves. */
export function viewChannelColumns(
  { fields }: Pick<ChannelType, 'fields'>,
  row: ChannelColumns,
  secretBox: SecretBox,
) {
  return {
    name: row.name,
    enabled: row.enabled === 1,
    severities: JSON.parse(row.severities) as string[],
    quiet_hours: viewQuietHours(row.quiet_hours),
    timezone: row.timezone,
    settings: viewSettings({ fields }, openSettings(secretBox, row.settings)),
  };
}

/** How sending to a channel goes. */
export function viewChannelState(
  row: Pick<ChannelWithState, 'last_delivered_at' | 'failing_since' | 'last_error'>,
) {
  return {
    last_delivered_at: isoOrNull(row.last_delivered_at),
    failing_since: isoOrNull(row.failing_since),
    last_error: row.last_error,
  };
}
