import type { Severity } from '../../model/condition.ts';
import type { QuietHours, RoutedChannel } from './channel.ts';
import type { EscalationStep, Route } from './routing.ts';

/** Columns of a route; lists are JSON. */
interface StoredRoute {
  monitors: string;
  groups: string;
  tags: string;
  severities: string;
  channels: string;
  users: string;
  reminder_minutes: number | null;
  escalation: string;
}

/** Columns of a channel; severities and quiet hours are JSON. */
interface StoredChannel {
  id: number;
  destination_id: number;
  person_id: number | null;
  type: string;
  is_default: number;
  severities: string;
  quiet_hours: string | null;
}

export function routeFrom(row: StoredRoute): Route {
  return {
    monitors: JSON.parse(row.monitors) as number[],
    groups: JSON.parse(row.groups) as number[],
    tags: JSON.parse(row.tags) as string[],
    severities: JSON.parse(row.severities) as Severity[],
    channels: JSON.parse(row.channels) as number[],
    users: JSON.parse(row.users) as number[],
    reminderMinutes: row.reminder_minutes,
    escalation: JSON.parse(row.escalation) as EscalationStep[],
  };
}

export function channelFrom(row: StoredChannel, keepsIncidents: boolean): RoutedChannel {
  return {
    id: row.id,
    destinationId: row.destination_id,
    personId: row.person_id,
    type: row.type,
    keepsIncidents,
    isDefault: row.is_default === 1 && row.person_id === null,
    severities: JSON.parse(row.severities) as Severity[],
    quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHours),
  };
}
