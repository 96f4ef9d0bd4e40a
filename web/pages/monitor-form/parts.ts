import type { NotificationSettings, Region } from '../../app/api.gen.ts';

/** What the form holds otherwise than the API: durations, lists, regions, and who is notified. Pure. */

/** Duration as people write it: a number, and a unit. */
export interface Amount {
  text: string;
  unit: Unit;
}

export const UNIT_SECONDS = { s: 1, min: 60, h: 3_600, d: 86_400 } as const;
export type Unit = keyof typeof UNIT_SECONDS;
const UNITS: readonly Unit[] = ['d', 'h', 'min', 's'];

/** Writes seconds in the largest unit that needs no fraction; empty for null. */
export function amountOf(seconds: number | null, unit: Unit = 'min'): Amount {
  if (seconds === null) return { text: '', unit };
  const fitting = UNITS.find((one) => seconds !== 0 && seconds % UNIT_SECONDS[one] === 0) ?? 's';
  return { text: String(seconds / UNIT_SECONDS[fitting]), unit: fitting };
}

/** Seconds of an amount; null for none. Text that is no number stays as it is: the API says what is wrong with it. */
export function secondsOf({ text, unit }: Amount): number | string | null {
  const number = numberOf(text);
  return typeof number === 'number' ? number * UNIT_SECONDS[unit] : number;
}

/** Number of a text; null for none, and the text itself where it is no number. */
export function numberOf(text: string): number | string | null {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}

export function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}

export function listOf(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean);
}

type Offered = Pick<Region, 'code' | 'is_private'>;

/** Regions that all teams share: what a monitor is checked from unless it names others. */
function sharedOf(offered: readonly Offered[]): string[] {
  return offered.filter((region) => region.is_private !== true).map(({ code }) => code);
}

/** Codes of the regions that are ticked. @param draft as in a draft: empty for all shared regions. */
export function chosenRegions(draft: readonly string[], offered: readonly Offered[]): string[] {
  return draft.length === 0 ? sharedOf(offered) : [...draft];
}

/**
 * Regions of a draft after a tick was changed, in the order in which they are offered; null where none would be left.
 * Exactly the shared ones become all, so that one that is added later takes part.
 */
export function toggledRegions(
  draft: readonly string[],
  offered: readonly Offered[],
  change: { code: string; isOn: boolean },
): string[] | null {
  const chosen = chosenRegions(draft, offered);
  const next = offered
    .map(({ code }) => code)
    .filter((code) => (code === change.code ? change.isOn : chosen.includes(code)));
  if (next.length === 0) return null;
  const shared = sharedOf(offered);
  const isDefault = next.length === shared.length && next.every((code) => shared.includes(code));
  return isDefault ? [] : next;
}

type Severity = 'critical' | 'warning' | 'info';
export const KINDS = ['email', 'sms', 'slack', 'discord', 'teams', 'webhook'] as const;
export type Kind = (typeof KINDS)[number];

/** Severities that a kind of channel is notified of. */
export const LEVELS = {
  all: null,
  warning: ['critical', 'warning'],
  critical: ['critical'],
  none: [],
} as const satisfies Record<string, readonly Severity[] | null>;
/** A level, or severities that were set by the API and are none of the levels. */
export type Level = keyof typeof LEVELS | 'other';

export type NotificationDraft = ReturnType<typeof notificationDraft>;

/** How people are notified of a monitor, as the form holds it. */
export function notificationDraft(settings: NotificationSettings | null, zone: string) {
  const channels = settings?.channels ?? {};
  const quiet = settings?.quiet_hours ?? {};
  const hasTimes = (quiet.start ?? '') !== '' && (quiet.end ?? '') !== '';
  return {
    isOn: settings?.enabled ?? true,
    levels: Object.fromEntries(KINDS.map((kind) => [kind, levelOf(channels[kind])])) as Record<
      Kind,
      Level
    >,
    /** Severities as they were stored, for levels that are "other". */
    stored: Object.fromEntries(
      KINDS.flatMap((kind) => (channels[kind] ? [[kind, channels[kind]]] : [])),
    ) as Partial<Record<Kind, Severity[]>>,
    isQuiet: hasTimes && (quiet.enabled ?? true),
    from: quiet.start ?? '22:00',
    to: quiet.end ?? '07:00',
    zone: quiet.timezone ?? zone,
    allowsCritical: quiet.bypass_critical ?? true,
  };
}

function levelOf(severities: readonly Severity[] | null | undefined): Level {
  if (severities == null || severities.length === 3) return 'all';
  const found = Object.entries(LEVELS).find(
    ([, list]) =>
      list !== null &&
      list.length === severities.length &&
      list.every((severity) => (severities as readonly string[]).includes(severity)),
  );
  return (found?.[0] as Level | undefined) ?? 'other';
}

/** Settings of the API; null when nothing is restricted. */
export function notificationSettings(draft: NotificationDraft): NotificationSettings | null {
  const channels = Object.fromEntries(
    KINDS.flatMap((kind) => {
      const level = draft.levels[kind];
      const severities = level === 'other' ? draft.stored[kind] : LEVELS[level];
      return severities == null ? [] : [[kind, [...severities]]];
    }),
  );
  const isRestricted = Object.keys(channels).length > 0;
  if (draft.isOn && !isRestricted && !draft.isQuiet) return null;
  return {
    enabled: draft.isOn,
    channels: isRestricted ? channels : null,
    quiet_hours: draft.isQuiet
      ? {
          enabled: true,
          start: draft.from,
          end: draft.to,
          timezone: draft.zone,
          bypass_critical: draft.allowsCritical,
        }
      : null,
  };
}

/** Messages by the API's fields. */
export type Errors = Record<string, string[]>;

/** Errors of fields that were left, and of what is inside of them. */
export function errorsOfLeft(errors: Errors, left: ReadonlySet<string>): Errors {
  return Object.fromEntries(
    Object.entries(errors).filter(([field]) =>
      [...left].some((name) => field === name || field.startsWith(`${name}.`)),
    ),
  );
}
