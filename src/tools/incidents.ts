import { z } from 'zod';
import { updateAnswer } from '../resources/announcements/announcement.ts';
import { DETAILS_OF_TOOLS, incident as answer } from '../resources/incidents/facts.ts';
import { incidentDetail as detailAnswer } from '../resources/incidents/detail.ts';
import { name, nameOf } from './common.ts';
import {
  as,
  count,
  detailed,
  list,
  made,
  part,
  shown,
  target,
  team,
  time,
  type Table,
  type View,
} from './shown.ts';
import { fromTarget, fromTeam, targetText } from './target-text.ts';
import { byId, finalTool, listTool, viewTool, type Tool } from './tool.ts';

const incident = shown(answer, {
  id: true,
  monitor_id: true,
  monitor: made(name, ({ monitor }) => nameOf(monitor)),
  type: true,
  severity: true,
  status: true,
  root_cause: target(),
  started_at: true,
  ended_at: true,
  duration_seconds: 'Null while it is open.',
  acknowledged_at: true,
  regions: made(
    z.array(z.string()).nullable().meta({
      description: 'Regions that see it, for a problem that only some see; else null.',
    }),
    ({ region }) => region?.split(',').map((one) => one.trim()) ?? null,
  ),
  ...detailed(DETAILS_OF_TOOLS),
});

type Detail = z.output<typeof detailAnswer>;
type Evidence = Detail['evidence'][number];

const certificate = { subject: target(), issuer: target(), valid_to: true } as const;

/** What a region saw. */
const evidence: Table<Evidence> = {
  region: 'Null for an inspection, which has none.',
  checked_at: true,
  failure_code: as('failure.code', { description: 'Null where nothing failed.' }),
  failure: target({ from: 'failure.text' }),
  failures: count(
    'attempts',
    'Failed checks in the rounds that confirmed the problem, counted up to 10.',
  ),
  status_code: true,
  timings: part(
    { dns_ms: true, tcp_ms: true, tls_ms: true, ttfb_ms: true, total_ms: true },
    {
      description:
        'Name resolution, connecting, TLS, time to the first byte, and all; null for what did not happen or end.',
    },
  ),
  ...detailed({
    failed_at: made(z.array(time), ({ attempts }: Evidence, { itemLimit }) =>
      attempts.slice(-itemLimit),
    ),
    vantage: team(80, {
      description: 'Machine that ran the check. Regions with the same one are one place.',
    }),
    remote_address: true,
    status_line: target(),
    headers_total: made(z.int(), ({ headers }: Evidence) => Object.keys(headers ?? {}).length),
    headers: made(z.array(targetText), viewHeaders),
    body: target(),
    redirects: list(target()),
    tls: part({
      ...certificate,
      protocol: true,
      cipher: true,
      valid_from: true,
      chain_total: count('chain', 'Number of further certificates.'),
      chain: list(certificate),
    }),
  }),
};

function viewHeaders({ headers }: Evidence, { itemLimit, textLimit }: View) {
  return Object.entries(headers ?? {})
    .slice(0, itemLimit)
    .map(([header, value]) => fromTarget(`${header}: ${value}`, textLimit));
}

/** Characters of a line of an incident's log. */
const ACTIVITY_LENGTH = 300;

const incidentDetail = shown(detailAnswer, {
  ...incident.fields,
  unobserved_seconds: 'How much of its duration nothing was observed: say no downtime for it.',
  evidence_total: count('evidence', 'Number of results when it opened.'),
  evidence_failed: made(
    z.int().meta({ description: 'Number of these that saw a failure.' }),
    ({ evidence: all }) => all.filter(({ failure }) => failure !== null).length,
  ),
  evidence: list<Evidence>(evidence, {
    order: (all) => all.toSorted((a, b) => Number(a.failure === null) - Number(b.failure === null)),
    description:
      'What each region saw when it opened, failures first. Empty for what no check detected.',
  }),
  activities_total: count('activities'),
  activities: list<Detail['activities'][number]>(
    {
      type: z.string(),
      // It may quote the root cause.
      text: target({ from: 'description', most: ACTIVITY_LENGTH }),
      member: made(
        z.string().nullable().meta({ description: 'Null when Tocsin itself did it.' }),
        ({ user }) => user && fromTeam(user.name ?? `#${user.id}`, 80),
      ),
      created_at: true,
    },
    { order: (lines) => lines.toReversed(), description: 'Its log, newest line first.' },
  ),
});

const acknowledged = {
  schema: incident.schema,
  view: (acknowledgement: { incident: z.output<typeof answer> }, view: View) =>
    incident.view(acknowledgement.incident, view),
};

const announced = shown(updateAnswer, {
  id: true,
  state: true,
  text: team(undefined, {
    description: 'Null for an automatic update, which pages word in their language.',
  }),
  status_pages_total: count('status_pages', 'Number of status pages that show it.'),
  status_pages: list(true, { description: 'Ids of status pages.' }),
  member_id: as('user_id', { description: 'Author; null for an automatic one.' }),
  edited_at: true,
  created_at: true,
});

const INCIDENT_PATH = byId('incident_id', 'Id of the incident, from list_incidents.');

export const INCIDENT_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_incidents',
    operation: 'listIncidents',
    description:
      'Lists incidents, newest first: what is down now (status open) and what happened (start_date and end_date, UTC days). Filter by monitor, type and severity; for the longest ones sort by duration, direction desc. Use get_incident for the evidence of one.',
    hasDetail: true,
    items: 'incidents',
    item: incident,
  }),
  viewTool({
    name: 'get_incident',
    operation: 'getIncident',
    description:
      'Shows one incident, why it counts as a problem (evidence: what each region saw when it opened, failures first) and its log. With detail also the headers and body that the target answered, redirects and certificate.',
    path: INCIDENT_PATH,
    hasDetail: true,
    content: incidentDetail,
    summary: (content) => {
      const { evidence_total: total, evidence_failed: failed } = content;
      const seen = total === 0 ? '' : ` ${failed} of ${total} results saw a failure.`;
      return `${sentenceOf(content)}${seen}`;
    },
  }),
  viewTool({
    name: 'create_incident',
    operation: 'createIncident',
    description:
      'Records an incident of type manual for a monitor, for problems that checks do not see. It changes no status, sends no alert, and does not show on status pages by itself: use add_incident_update for that. severity is critical by default.',
    content: incident,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'update_incident',
    operation: 'updateIncident',
    description:
      'Changes the root cause of an incident, or reopens a resolved one (status open). Only the given fields change. To end one, use resolve_incident.',
    path: INCIDENT_PATH,
    content: incident,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'acknowledge_incident',
    operation: 'acknowledgeIncident',
    isAdditive: true,
    description:
      'Shows the team that somebody works on an incident, and stops its reminders. The first acknowledgement stays.',
    path: INCIDENT_PATH,
    isIdempotent: true,
    content: acknowledged,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'resolve_incident',
    operation: 'resolveIncident',
    description:
      'Ends an incident now. Detected ones end by themselves when checks succeed; while the target still fails, the monitor keeps its status and a new incident can open. Automatic announcements on status pages end with it; end what a person announced with add_incident_update, state resolved.',
    path: INCIDENT_PATH,
    isIdempotent: true,
    content: incident,
    summary: sentenceOf,
  }),
  finalTool({
    name: 'delete_incident',
    operation: 'deleteIncident',
    description:
      'Deletes an incident with its log and evidence, such as one that was recorded by mistake. To end it and keep the record, use resolve_incident.',
    path: INCIDENT_PATH,
    shows: 'get_incident',
    effect: 'delete the incident with its log and evidence',
  }),
  listTool({
    name: 'list_incident_updates',
    operation: 'listIncidentUpdates',
    description:
      'Lists what visitors of status pages can read about an incident, newest first. Empty for one that no page shows.',
    path: INCIDENT_PATH,
    items: 'updates',
    item: announced,
  }),
  finalTool({
    name: 'add_incident_update',
    operation: 'createIncidentUpdate',
    isOpenWorld: true,
    description:
      'Publishes an update about an incident: visitors of the status pages read it at once, and subscribers are notified unless notify is false. A person approves the text first. state is investigating, identified, monitoring or resolved; resolved ends the announcement and not the incident (resolve_incident does).',
    path: INCIDENT_PATH,
    hiddenFields: ['template_id'],
    required: ['state', 'text'],
    shows: 'get_incident',
    effect: 'publish this update to visitors and subscribers of the status pages',
    done: announced,
  }),
];

function sentenceOf({
  id,
  type,
  severity,
  monitor,
  started_at: startedAt,
  ended_at: endedAt,
  acknowledged_at: acknowledgedAt,
}: ReturnType<typeof incident.view>): string {
  const state = endedAt === null ? `open since ${startedAt}` : `resolved since ${endedAt}`;
  const known = acknowledgedAt === null ? '' : `, acknowledged at ${acknowledgedAt}`;
  return `Incident ${id} (${type}, ${severity}) of ${monitor} is ${state}${known}.`;
}
