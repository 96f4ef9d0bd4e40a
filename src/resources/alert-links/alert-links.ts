import { z } from 'zod';
import { channelType } from '../../alerting/channels/index.ts';
import { type AlertLinks, messageIncidentOf } from '../../alerting/message/index.ts';
import { outageOf, unobservedOf } from '../../engine/history/stored-uptime.ts';
import { type Role, roleMay } from '../../identity/caller.ts';
import { type AuditActor, personActor } from '../../model/audit.ts';
import { SEVERITIES } from '../../model/condition.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import {
  type AlertIncidentRow,
  type SentAlert,
  acknowledgeIncidents,
  unacknowledgedIncidents,
  sentAlerts,
  findSentAlert,
} from '../../store/alerting/alert-view.ts';
import type { Database, Db, Tx } from '../../store/database/contract.ts';
import { incidentChanges } from '../../store/engine/incident-changes.ts';
import { lockStates } from '../../store/engine/monitor-state.ts';
import { type IncidentRow, findIncident } from '../../store/resources/incidents.ts';
import { auditAs } from '../audit-log/entry.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { Problem } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { type Call, noun } from '../common/operation.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import {
  acknowledgedOfLink,
  auditedIncident,
  incidentTarget,
  wholeSeconds,
} from '../incidents/facts.ts';

/** Maximum number of incidents shown; more are counted. */
const MAX_SHOWN = 100;

const incident = z
  .object({
    id: z.int(),
    monitor: z.string().meta({ description: 'Its friendly name, else its url.' }),
    url: z.string().nullable().meta({ description: 'Null for push monitors: theirs is a secret.' }),
    type: z.string(),
    severity: z.enum(SEVERITIES),
    status: z.enum(['open', 'resolved']),
    root_cause: z.string().nullable(),
    regions: z.array(z.string()).meta({ description: 'Those that failed.' }),
    vantage: z.string().nullable().meta({
      description:
        'Name of the machine that checked for all regions; null when there were several.',
    }),
    evidence: z.string().nullable().meta({ description: 'What was seen, in a line.' }),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    unobserved_seconds: z.int().nullable().meta({
      description: 'How much of its duration until now nothing was observed: that is no downtime.',
    }),
    ...acknowledgedOfLink.shape,
  })
  .meta({ id: 'AlertIncident', description: 'An incident, as the page of an alert shows it.' });

const incidentList = z.array(incident).meta({
  description: `Those that are open first, then the newest first; at most ${MAX_SHOWN}.`,
});

/** Token of the example, which the tests replace by a valid one. */
export const EXAMPLE_ALERT_TOKEN = 'AQAAAAAAAQAAAAAAAQBxKvQAx3cM1yqTn0bVd5uL2eWkZA';

const outage = {
  id: 1,
  monitor: 'Shop',
  url: 'https://shop.example.com',
  type: 'uptime',
  severity: 'critical',
  status: 'open',
  root_cause: 'HTTP 503 Service Unavailable',
  regions: ['ash'],
  vantage: null,
  evidence: 'ash failed at 203.0.113.7 after 120 ms',
  started_at: '2030-01-01T00:00:00.000Z',
  ended_at: null,
  unobserved_seconds: null,
  ...acknowledgedOfLink.example,
};

const TOKEN = 'must be the text behind ?token= in the link of the message';

export const alertLinkQuery = z.object({
  token: z
    .string({ error: 'must be given once' })
    .optional()
    .meta({ description: 'Of the link in a message.' }),
});

/** Body of the button on the page of a link. */
export const acknowledgeInput = z.object({
  token: z.string({ error: TOKEN }).min(1, { error: TOKEN }),
});

const incompleteInput = z.object({ token: acknowledgeInput.shape.token.nullish() });

export interface AlertLinkDeps extends CollectionDeps {
  alertLinks: Pick<AlertLinks, 'read'>;
}

type OpenAlert = SentAlert & { channel: NonNullable<SentAlert['channel']> };

/**
 * Actions for everybody who has the link of a message, signed in or not: they see its alert and acknowledge it. Unknown and
 * expired links are refused, and those whose channel is no longer used; the refusal says which it is.
 */
export function createAlertLinkService({ database, clock, alertLinks }: AlertLinkDeps) {
  /** The alert of a link that may be used now. */
  async function openLink(db: Db, token: string): Promise<OpenAlert> {
    const link = alertLinks.read(token, clock.now());
    if (link === 'expired') throw expired();
    const sent = link && (await findSentAlert(db, link.alertId, link.destinationId));
    if (sent == null)
      throw new Problem(
        'not_found',
        'There is no such alert: take the whole link. If that is what you did, the alert is gone; sign in to see the incidents of your team.',
      );
    const { channel } = sent;
    if (channel === null)
      throw new Problem(
        'forbidden',
        'The channel that this link was sent to is not used for the team any more: sign in to see its incidents.',
      );
    return { ...sent, channel };
  }

  async function acknowledgeAll(tx: Tx, sent: OpenAlert, address: string): Promise<number> {
    const { alert, channel } = sent;
    // Locks the states first, in the order of rounds: else a verdict and a person could wait for each other.
    const seen = await unacknowledgedIncidents(tx, sent);
    const monitors = [...new Set(seen.map(({ monitor_id: id }) => id))];
    await lockStates(tx, monitors);
    const rows = await unacknowledgedIncidents(tx, sent);
    if (rows.length === 0) return 0;
    const now = clock.now();
    const by = channel.person?.id ?? null;
    const ids = rows.map(({ id }) => id);
    await acknowledgeIncidents(tx, ids, by, now);
    const description = `${nameOf(channel)} acknowledged the incident by a link${whereSent(channel)}.`;
    const entry = { team_id: alert.team_id, type: 'acknowledged', description, person_id: by };
    await incidentChanges(tx).insertActivities(
      ids.map((id) => ({ ...entry, incident_id: id, created_at: now })),
    );
    for (const row of rows) await note(tx, sent, row, { address, now });
    return rows.length;
  }

  return {
    async getAlertLink({ query }: Call) {
      const { token = '' } = readQuery(alertLinkQuery, query);
      const sent = await openLink(database.read, token);
      const { alert, team, channel } = sent;
      const { total, open, waiting, worst } = await sentAlerts(database.read).countIncidents(sent);
      const { incidents, unobserved } = await viewIncidents(database, sent, clock.now());
      return {
        team: team.name,
        kind: alert.kind,
        severity: SEVERITIES[worst ?? 2],
        shared_cause: alert.shared_cause,
        opened_at: isoTime(alert.opened_at),
        over_at: isoOrNull(alert.over_at),
        sent_to: channel.person?.name ?? titleOf(channel),
        timezone: channel.timezone,
        incidents_count: total,
        open_count: open,
        can_acknowledge: waiting > 0 && mayAcknowledge(channel),
        unobserved_seconds: unobserved,
        incidents,
      };
    },

    /**
     * Acknowledges all open incidents of the alert that the channel of the link was notified of. Those that are acknowledged already keep their author.
     *
     * @param address of the client, for the audit log.
     */
    async acknowledgeAlertLink({ clientAddress: address, body }: Call) {
      const findings = new Findings();
      const { token } = readBody(incompleteInput, body, findings);
      if (token == null && !findings.has('token')) findings.add('token', TOKEN);
      findings.throwIfAny();
      const { count, sent } = await database.transaction(async (tx) => {
        const link = await openLink(tx, token as string);
        if (!mayAcknowledge(link.channel))
          throw new Problem(
            'forbidden',
            `Your role in this team, ${link.channel.person!.role}, does not include the "update" permission: ask an owner or admin of the team.`,
          );
        return { count: await acknowledgeAll(tx, link, address), sent: link };
      });
      const { total, open } = await sentAlerts(database.read).countIncidents(sent);
      return {
        success: true,
        message: messageOf(count, total, open),
        incidents: (await viewIncidents(database, sent, clock.now())).incidents,
      };
    },
  };
}

function messageOf(count: number, total: number, open: number): string {
  if (count > 1) return `${count} incidents are acknowledged.`;
  if (count === 1) return 'The incident is acknowledged.';
  const [what, verb] = total === 1 ? ['The incident', 'is'] : ['The incidents', 'are'];
  return `${what} ${verb} ${open === 0 ? 'over' : 'acknowledged already'}.`;
}

/** Records one incident in the audit log, as when people acknowledge one by one. */
async function note(
  tx: Tx,
  { alert, channel }: OpenAlert,
  row: IncidentRow,
  { address, now }: { address: string; now: number },
): Promise<void> {
  const changed = (await findIncident(tx, alert.team_id, row.id))!;
  const { person } = channel;
  const actor: AuditActor =
    person === null
      ? { personId: null, name: titleOf(channel), via: 'link', address }
      : personActor(person, 'link', address);
  const [before, after] = [auditedIncident(row), auditedIncident(changed)];
  const change = { verb: 'acknowledged', target: incidentTarget(changed), before, after };
  await auditAs(tx, actor, { ...change, teamId: alert.team_id }, now);
}

/** The incidents, and how many seconds of those that go on, or else of all, nothing was observed. */
async function viewIncidents(database: Database, sent: SentAlert, now: number) {
  const rows = await sentAlerts(database.read).incidents(sent, MAX_SHOWN);
  const unobserved = await unobservedOf(database, rows.map(outageOf), now);
  const open = rows.filter(({ ended_at }) => ended_at === null);
  const counted = open.length > 0 ? open : rows;
  const ids = rows.map(({ id }) => id);
  const kept = Map.groupBy(
    await sentAlerts(database.read).evidenceOf(ids),
    ({ incident_id: incidentId }) => incidentId,
  );
  return {
    unobserved: wholeSeconds(unobserved(counted.map(({ id }) => id))),
    incidents: rows.map((row) => {
      const evidence = (kept.get(row.id) ?? []).map((one) => one.evidence);
      return {
        ...viewIncident(row, evidence, now),
        unobserved_seconds: wholeSeconds(unobserved([row.id])),
      };
    }),
  };
}

/** An incident as messages show it. */
function viewIncident(row: AlertIncidentRow, evidence: string[], now: number) {
  const shown = messageIncidentOf(
    {
      incident: row,
      incidentId: row.id,
      monitorId: row.monitor_id,
      monitor: {
        type: row.monitor_type as MonitorType,
        name: row.monitor_friendly_name,
        url: row.monitor_url,
      },
      evidence,
      ending: null,
    },
    now,
  );
  return {
    id: row.id,
    monitor: shown.name,
    url: shown.url,
    type: row.type,
    severity: row.severity,
    status: row.ended_at === null ? 'open' : 'resolved',
    root_cause: row.root_cause,
    regions: shown.regions,
    vantage: shown.vantage ?? null,
    evidence: shown.evidence,
    started_at: isoTime(row.started_at),
    ended_at: isoOrNull(row.ended_at),
    ...acknowledgedOfLink.view(row),
  };
}

/** Whether the readers of a channel may acknowledge: for a personal channel, the role of its owner decides. */
function mayAcknowledge({ person }: OpenAlert['channel']): boolean {
  return person === null || roleMay(person.role as Role, 'update');
}

function nameOf({ person }: OpenAlert['channel']): string {
  return person?.name ?? 'Somebody';
}

function whereSent(channel: OpenAlert['channel']): string {
  return channel.person === null ? ` sent to ${titleOf(channel)}` : '';
}

/** `#ops (Slack)`. */
function titleOf({ name, type }: Pick<OpenAlert['channel'], 'name' | 'type'>): string {
  return `${name} (${channelType(type)?.title ?? type})`;
}

function expired(): Problem {
  const findings = new Findings();
  findings.add('token', 'has expired: sign in to see the incidents of your team');
  return findings.asError();
}

export const alertLinks = noun('Alerts', createAlertLinkService, {
  getAlertLink: {
    at: 'GET /alert-links',
    needs: 'nobody',
    summary: 'See the alert of a link',
    description:
      'For the page that the links of messages lead to. Nobody needs to be signed in: the link is enough. One that is unknown, or whose alert is gone, is 404; one that has expired is 422; one whose channel is not used for the team any more is 403.',
    query: alertLinkQuery,
    answer: z
      .object({
        team: z.string().meta({ description: 'Name of the team.' }),
        kind: z.enum(['single', 'storm', 'flapping']).meta({
          description:
            'One incident, several with a shared cause, or a monitor that goes down and comes back again and again.',
        }),
        severity: z.enum(SEVERITIES),
        shared_cause: z.string().nullable().meta({ description: 'Of several.' }),
        opened_at: z.iso.datetime(),
        over_at: z.iso.datetime().nullable(),
        sent_to: z.string().meta({
          description: 'Whom the link was sent to: the name of a person, or a channel of the team.',
        }),
        timezone: z.string().nullable().meta({
          description: 'In which its messages tell times; null where nobody has chosen one.',
        }),
        incidents_count: z.int(),
        open_count: z.int(),
        unobserved_seconds: z.int().nullable().meta({
          description:
            'Of its open incidents together, or else of all: time in which none of them was observed.',
        }),
        can_acknowledge: z.boolean().meta({
          description:
            'Whether an incident waits to be acknowledged, and whoever the link was sent to may.',
        }),
        incidents: incidentList,
      })
      .meta({ id: 'SentAlert', description: 'An alert that people were notified of.' }),
    example: {
      query: `token=${EXAMPLE_ALERT_TOKEN}`,
      answer: {
        team: 'My team',
        kind: 'single',
        severity: 'critical',
        shared_cause: null,
        opened_at: '2030-01-01T00:00:00.000Z',
        over_at: null,
        sent_to: '#ops (Slack)',
        timezone: 'Europe/Berlin',
        incidents_count: 1,
        open_count: 1,
        can_acknowledge: true,
        unobserved_seconds: null,
        incidents: [outage],
      },
    },
    refusals: ['not_found', 'forbidden'],
  },
  acknowledgeAlertLink: {
    at: 'POST /alert-links/acknowledge',
    needs: 'nobody',
    summary: 'Acknowledge by a link',
    description:
      "Acknowledges all incidents of the alert that are open, in the name of the person whose channel the link was sent to; nobody's where it was a channel of the team. Their reminders end. Whoever acknowledged first stays the one who did. A link that is unknown, or whose alert is gone, is 404; one that has expired is 422; one whose channel is not used for the team any more, or of somebody whose role may not change incidents, is 403.",
    body: acknowledgeInput,
    answer: z
      .object({ success: z.literal(true), message: z.string(), incidents: incidentList })
      .meta({ id: 'AcknowledgedAlert', description: 'The incidents as they are now.' }),
    example: {
      body: { token: EXAMPLE_ALERT_TOKEN },
      answer: {
        success: true,
        message: 'The incident is acknowledged.',
        incidents: [{ ...outage, acknowledged_at: '2030-01-01T00:02:00.000Z' }],
      },
    },
    refusals: ['not_found', 'forbidden'],
  },
});
