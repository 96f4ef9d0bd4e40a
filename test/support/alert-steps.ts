import type { Alert, AlertStep, Member, Recipient } from '../../src/alerting/policy/contract.ts';
import type { GroupingWindows, RoutedChannel } from '../../src/alerting/policy/routing.ts';
import { POLICIES } from '../../src/alerting/policy/index.ts';
import { stepAlert } from '../../src/alerting/policy/step-alert.ts';

export const NOW = Date.UTC(2030, 0, 10, 12);
export const MINUTE = 60_000;

export const channel = (
  destinationId: number,
  more: Partial<RoutedChannel> = {},
): RoutedChannel => ({
  id: destinationId,
  destinationId,
  personId: null,
  type: 'slack',
  keepsIncidents: false,
  isDefault: true,
  severities: ['critical', 'warning', 'info'],
  quietHours: null,
  ...more,
});
export const OPS = channel(1);
export const BOSS = channel(2);
export const NIGHT = { from: '11:00', to: '13:00', timezone: 'UTC', allow_critical: true };

export const ALERT: Alert = {
  id: 9,
  kind: 'single',
  openedAt: NOW,
  sharedCause: 'a',
  notifiedAt: null,
};
export const member = (incidentId: number, more: Partial<Member> = {}): Member => ({
  incidentId,
  monitorId: incidentId,
  severity: 'critical',
  startedAt: NOW - 10_000,
  endedAt: null,
  endSeenAt: more.endedAt ?? null,
  endHeldUntil: null,
  isAcknowledged: false,
  joinedAt: NOW,
  hasSuccessor: false,
  heldUntil: null,
  renotified: [],
  targets: [{ channel: OPS, afterMinutes: 0, reminderMinutes: null }],
  ...more,
});
export const recipient = (destinationId: number, more: Partial<Recipient> = {}): Recipient => ({
  destinationId,
  notifiedAt: NOW,
  lastNotifiedAt: NOW,
  severity: 'critical',
  incidents: new Map(),
  ends: new Set(),
  ...more,
});

/**
 * A recipient whose last message named all incidents that had joined and that its routes give it, or no route any more,
 * unless it says which ones.
 */
function informed(one: Recipient, members: readonly Member[]): Recipient {
  if (one.incidents.size > 0) return one;
  const named = members.filter(
    ({ joinedAt, targets }) =>
      joinedAt <= one.lastNotifiedAt &&
      (targets.length === 0 ||
        targets.some(({ channel: { destinationId } }) => destinationId === one.destinationId)),
  );
  const times = named.map(({ incidentId }) => [incidentId, one.lastNotifiedAt] as const);
  const over = named.filter(({ endSeenAt }) => (endSeenAt ?? Infinity) < one.lastNotifiedAt);
  const ends = new Set(over.map(({ incidentId }) => incidentId));
  return { ...one, incidents: new Map(times), ends };
}

export function step(
  members: Member[],
  recipients: Recipient[] = [],
  {
    alert = {},
    channels = [OPS],
    windows = new Map(),
    now = NOW,
  }: {
    alert?: Partial<Alert>;
    channels?: RoutedChannel[];
    windows?: GroupingWindows;
    now?: number;
  } = {},
): AlertStep {
  const byDestination = new Map(channels.map((one) => [one.destinationId, one]));
  const reach = { channels: byDestination, windows };
  const known = {
    alert: { ...ALERT, ...alert },
    members,
    recipients: recipients.map((one) => informed(one, members)),
  };
  return stepAlert(known, reach, POLICIES, now);
}
export const said = ({ notifications }: AlertStep) =>
  notifications.map(({ destinationId, kind, incidentIds }) => [destinationId, kind, incidentIds]);
export const routed = (
  one: RoutedChannel,
  more: { afterMinutes?: number; reminderMinutes?: number } = {},
) => ({
  targets: [{ channel: one, afterMinutes: 0, reminderMinutes: null, ...more }],
});

/** First the channel of operations, and ten minutes later the boss. */
export const ESCALATED = {
  targets: [
    { channel: OPS, afterMinutes: 0, reminderMinutes: null },
    { channel: BOSS, afterMinutes: 10, reminderMinutes: null },
  ],
};
