import { z } from 'zod';
import { channelType } from '../../alerting/channels/index.ts';
import {
  channelFrom,
  POLICIES,
  previewAlert,
  routeFrom,
  type Hold,
  type PreviewedTarget,
  type Route,
} from '../../alerting/policy/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { oneOf } from '../../lib/schemas.ts';
import {
  CONDITIONS,
  INCIDENT_TYPES,
  SEVERITIES,
  type IncidentType,
  type Severity,
} from '../../model/condition.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import { routesOfTeam } from '../../store/alerting/alert-facts.ts';
import type { Database } from '../../store/database/contract.ts';
import { alertedMonitors } from '../../store/engine/events.ts';
import { windowOccurrences } from '../../store/engine/maintenance.ts';
import { peopleStore } from '../../store/people/people.ts';
import {
  channelsOfTeam,
  peopleWithDefaultEmail,
  PERSONAL_EMAIL,
} from '../../store/resources/alert-channels.ts';
import { parentsOf } from '../../store/resources/dependencies.ts';
import { invalidField } from '../common/errors.ts';
import { queryNumber, readQuery, required } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { isoTime } from '../common/time.ts';

/** Disabled channels of a team that are read at most. */
const MAX_DISABLED = 500;

const UNKNOWN_MONITOR = 'must be the id of a monitor of your team';

const previewQuery = z.object({
  monitor_id: z
    .string({ error: required(`is required: it ${UNKNOWN_MONITOR}`, 'must be given once') })
    .pipe(queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number'))
    .meta({ override: { type: 'integer', minimum: 1 } }),
  type: oneOf(INCIDENT_TYPES)
    .optional()
    .meta({ description: 'Type of the incident; uptime by default.' }),
  severity: oneOf(SEVERITIES)
    .optional()
    .meta({ description: 'Severity of the incident; by default the worst of its type.' }),
});

/** Sentences about what keeps people from being notified, by the name of the policy or reason. */
const SENTENCES: Record<string, string> = {
  maintenance: 'The monitor is in maintenance: nobody is notified before it ends.',
  paused: 'The monitor is paused: nobody is notified of it.',
  dependencies: 'A monitor that it depends on is down, or it is not known yet whether it is.',
  monitor_quiet_hours: 'These are quiet hours of the monitor.',
  quiet_hours: 'These are quiet hours of the channel.',
  disabled: 'The channel is disabled.',
  severity: 'The channel does not receive incidents of this severity.',
  monitor_settings: 'The notification settings of the monitor leave this channel out.',
};

interface PreviewDeps {
  database: Pick<Database, 'read'>;
  clock: Pick<Clock, 'now'>;
  mailQueue: Pick<MailQueue, 'isConfigured'>;
}

interface NamedRoute extends Route {
  id: number;
  name: string;
}

/** Shows who would be notified of an incident that began now. */
function createAlertRoutePreview(deps: PreviewDeps) {
  const { clock, mailQueue } = deps;
  const { read } = deps.database;

  /** Channels that can be notified, disabled ones, and their names by id. */
  async function readChannels(teamId: number) {
    const mail = mailQueue.isConfigured;
    const [enabled, disabled, byDefault] = await Promise.all([
      channelsOfTeam(read, teamId),
      read
        .selectFrom('alert_channel')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('enabled', '=', 0)
        .orderBy('created_at')
        .orderBy('id')
        .limit(MAX_DISABLED)
        .execute(),
      mail ? peopleWithDefaultEmail(read, teamId) : [],
    ]);
    // Their channels are stored with the first notification.
    const unstored = byDefault.map(({ id }) => ({
      ...PERSONAL_EMAIL,
      quiet_hours: null,
      id: -id,
      destination_id: -id,
      person_id: id,
      type: 'email',
    }));
    const usable = [...enabled.filter(({ type }) => mail || type !== 'email'), ...unstored];
    return {
      channels: usable.map(routed),
      disabled: disabled.map(routed),
      names: new Map([...usable, ...disabled].map(({ id, name }) => [id, name])),
    };
  }

  return async ({ caller, query }: Call) => {
    const wanted = readQuery(previewQuery, query);
    const { monitor_id: id, type = 'uptime', severity = worstOfType(type) } = wanted;
    const monitor = (await alertedMonitors(read, [id])).get(id);
    if (monitor?.teamId !== caller.team.id) throw invalidField('monitor_id', UNKNOWN_MONITOR);
    const now = clock.now();
    const teamId = caller.team.id;
    const [{ names, ...channels }, routes, windows, parents, members] = await Promise.all([
      readChannels(teamId),
      routesOfTeam(read, teamId),
      windowOccurrences(read).openOfTeams([teamId], now),
      parentsOf(read, [id], now),
      peopleStore(read).listMembers(teamId),
    ]);
    const incident = {
      problemSeverity: severity,
      // As if all of its parents had been checked since.
      startedAt: 0,
      endedAt: null,
      notifiableAt: now,
      awaitsSuccessor: false,
      monitor,
      windows,
      parents: parents.get(id) ?? [],
      outages: null,
    };
    const named = routes.map((row): NamedRoute => ({
      ...routeFrom(row),
      id: row.id,
      name: row.name,
    }));
    const question = { monitor, severity, incident, routes: named, ...channels };
    const { holds, targets } = previewAlert(question, POLICIES, now);
    const people = new Map(members.map((member) => [member.id, member.name]));
    return {
      monitor_id: id,
      type,
      severity,
      holds: holds.map(viewHold),
      data: targets.map((target) => viewTarget(target, names, people)),
    };
  };
}

function routed(row: Parameters<typeof channelFrom>[0]) {
  return channelFrom(row, channelType(row.type)?.keepsIncidents ?? false);
}

/** The worst severity of incidents of a type. */
function worstOfType(type: IncidentType): Severity {
  const severities: Severity[] = Object.values(CONDITIONS)
    .filter((condition) => condition.type === type)
    .map((condition) => condition.severity);
  return SEVERITIES.find((one) => severities.includes(one))!;
}

function viewTarget(
  target: PreviewedTarget<NamedRoute>,
  names: ReadonlyMap<number, string>,
  people: ReadonlyMap<number, string>,
) {
  const { channel, afterMinutes, reminderMinutes, routes, holds, leftOut } = target;
  const { id, type, personId } = channel;
  return {
    channel: { id: id > 0 ? id : null, name: names.get(id) ?? type, type },
    user: personId === null ? null : { id: personId, name: people.get(personId) ?? null },
    after_minutes: afterMinutes,
    reminder_minutes: reminderMinutes,
    routes: routes.map((route) => ({ id: route.id, name: route.name })),
    is_notified: leftOut === null,
    left_out: leftOut && { code: leftOut, text: SENTENCES[leftOut] ?? leftOut },
    holds: holds.map(viewHold),
  };
}

function viewHold({ policy, until }: Hold) {
  return { code: policy, text: SENTENCES[policy] ?? policy, until: isoTime(until) };
}

const reason = { code: z.string(), text: z.string().meta({ description: 'A sentence.' }) };

const hold = z
  .object({
    ...reason,
    until: z.iso.datetime().meta({ description: 'When it is evaluated again.' }),
  })
  .meta({ id: 'AlertHold', description: 'What would make a notification wait.' });

const target = z
  .object({
    channel: z.object({
      id: z.int().nullable().meta({
        description: 'Null for an e-mail channel that a person has by default.',
      }),
      name: z.string(),
      type: z.string(),
    }),
    user: z
      .object({ id: z.int(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'Whose own channel it is; null for a channel of the team.' }),
    after_minutes: z.int().min(0).meta({
      description: 'Time after the first notification, unless somebody acknowledges; 0 is at once.',
    }),
    reminder_minutes: z.int().nullable().meta({ description: 'Time between reminders.' }),
    routes: z.array(z.object({ id: z.int(), name: z.string() })).meta({
      description: 'Routes that name it; empty where no route matches and the defaults count.',
    }),
    is_notified: z.boolean(),
    left_out: z
      .object({ ...reason, code: z.enum(['disabled', 'severity', 'monitor_settings']) })
      .nullable()
      .meta({ description: 'Why it is not notified; null where it is.' }),
    holds: z.array(hold).meta({ description: 'What would make its notification wait.' }),
  })
  .meta({ id: 'PreviewedTarget', description: 'A channel that routes name.' });

export const previewAlertRoutes = noun('Alerts', createAlertRoutePreview, {
  previewAlertRoutes: {
    at: 'GET /alert-routes/preview',
    role: 'admin',
    summary: 'Preview who would be notified',
    description:
      'Who would be notified if an incident of a monitor began now and nobody acknowledged it, in the order in which they are notified. Decided by the same policies as notifications; grouping with other incidents is not foreseen.',
    query: previewQuery,
    answer: z
      .object({
        monitor_id: z.int(),
        type: z.enum(INCIDENT_TYPES),
        severity: z.enum(SEVERITIES),
        holds: z.array(hold).meta({ description: 'What would make all notifications wait.' }),
        data: z.array(target),
      })
      .meta({ id: 'AlertPreview', description: 'Who would be notified of an incident.' }),
    example: {
      query: 'monitor_id=1&type=uptime',
      answer: {
        monitor_id: 1,
        type: 'uptime',
        severity: 'critical',
        holds: [],
        data: [
          {
            channel: { id: 1, name: 'On call', type: 'ntfy' },
            user: null,
            after_minutes: 0,
            reminder_minutes: 30,
            routes: [{ id: 1, name: 'Shop' }],
            is_notified: true,
            left_out: null,
            holds: [],
          },
        ],
      },
    },
  },
});
