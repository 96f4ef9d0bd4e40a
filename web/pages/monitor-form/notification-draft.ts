import type { NotificationSettings } from '../../app/api.gen.ts';

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

/** How people are notified of a monitor, as the form holds it. */
export interface NotificationDraft {
  isOn: boolean;
  levels: Record<Kind, Level>;
  /** Severities as they were stored, for levels that are "other". */
  stored: Partial<Record<Kind, Severity[]>>;
  isQuiet: boolean;
  from: string;
  to: string;
  zone: string;
  allowsCritical: boolean;
}

export function notificationDraft(
  settings: NotificationSettings | null,
  zone: string,
): NotificationDraft {
  const channels = settings?.channels ?? {};
  const quiet = settings?.quiet_hours ?? {};
  const hasTimes = (quiet.start ?? '') !== '' && (quiet.end ?? '') !== '';
  return {
    isOn: settings?.enabled ?? true,
    levels: Object.fromEntries(KINDS.map((kind) => [kind, levelOf(channels[kind])])) as Record<
      Kind,
      Level
    >,
    stored: Object.fromEntries(
      KINDS.flatMap((kind) => (channels[kind] ? [[kind, channels[kind]]] : [])),
    ),
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
