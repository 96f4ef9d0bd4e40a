import type { Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import { channelsOfTeam, ensurePersonalEmail } from '../../store/resources/alert-channels.ts';
import { routesOfTeam } from '../../store/alerting/alert-steps.ts';
import type { Schema } from '../../store/database/schema.ts';
import { teamName } from '../../store/people/teams.ts';
import { channelType } from '../channels/registry.ts';
import type { QuietHours } from './quiet-hours.ts';
import type { EscalationStep, Route, RoutedChannel } from './route.ts';

/** All that may be told of what happens in a team, and how it is routed. */
export interface Audience {
  team: { id: number; name: string };
  channels: RoutedChannel[];
  routes: Route[];
}

/** @param mail whether mail can be sent: else nobody is told by it. */
export async function audienceOf(
  tx: Transaction<Schema>,
  teamId: number,
  { mail, now }: { mail: boolean; now: number },
): Promise<Audience> {
  if (mail) await ensurePersonalEmail(tx, teamId, now);
  const channels = await channelsOfTeam(tx, teamId);
  const routes = await routesOfTeam(tx, teamId);
  return {
    team: { id: teamId, name: await teamName(tx, teamId) },
    channels: channels
      .filter(({ type }) => mail || type !== 'email')
      .map((row) => ({
        id: row.id,
        destinationId: row.destination_id,
        personId: row.person_id,
        type: row.type,
        keepsIncidents: channelType(row.type)?.keepsIncidents ?? false,
        isDefault: row.is_default === 1 && row.person_id === null,
        severities: JSON.parse(row.severities) as Severity[],
        quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHours),
      })),
    routes: routes.map((row) => ({
      monitors: JSON.parse(row.monitors) as number[],
      groups: JSON.parse(row.groups) as number[],
      tags: JSON.parse(row.tags) as string[],
      severities: JSON.parse(row.severities) as Severity[],
      channels: JSON.parse(row.channels) as number[],
      users: JSON.parse(row.users) as number[],
      reminderMinutes: row.reminder_minutes,
      escalation: JSON.parse(row.escalation) as EscalationStep[],
    })),
  };
}
