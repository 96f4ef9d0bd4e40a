import { z } from 'zod';
import { pick } from '../resources/common/answer.ts';
import type { incidentDetail as incidentDetailAnswer } from '../resources/incidents/detail.ts';
import {
  DETAILS_OF_TOOLS,
  FIELDS_OF_TOOLS,
  incidentFields,
  type incident as answer,
} from '../resources/incidents/facts.ts';
import { name, nameOf, time, withShortTimes } from './common.ts';
import { EVIDENCE_FIELDS, viewEvidence } from './incident-evidence.ts';
import { fromTarget, fromTeam, targetText } from './target-text.ts';
import { listTool, finalTool, viewTool, type Tool, type View } from './tool.ts';

/** What tools read of an incident and of its log as the API answers it. */
type IncidentAnswer = z.output<typeof answer>;
type IncidentDetailAnswer = z.output<typeof incidentDetailAnswer>;
type ActivityAnswer = IncidentDetailAnswer['activities'][number];

const DETAILS = pick(incidentFields, DETAILS_OF_TOOLS);

const incident = z.object({
  ...withShortTimes(pick(incidentFields, FIELDS_OF_TOOLS)),
  monitor: name,
  root_cause: targetText.nullable(),
  regions: z.array(z.string()).nullable().meta({
    description: 'Regions that see it, for a problem that only some see; else null.',
  }),
  ...z.object(withShortTimes(DETAILS)).partial().shape,
});

const activity = z.object({
  type: z.string(),
  text: targetText,
  member: z.string().nullable().meta({ description: 'Null when Tocsin itself did it.' }),
  created_at: time,
});

const incidentDetail = incident.extend({
  unobserved_seconds: z.int().nullable().meta({
    description: 'How much of its duration nothing was observed: say no downtime for it.',
  }),
  ...EVIDENCE_FIELDS,
  activities_total: z.int(),
  activities: z.array(activity).meta({ description: 'Its log, newest line first.' }),
});

/** Characters of a line of an incident's log. */
const ACTIVITY_LENGTH = 300;

const INCIDENT_PATH = {
  id: { argument: 'incident_id', description: 'Id of the incident, from list_incidents.' },
};

export const INCIDENT_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_incidents',
    operation: 'listIncidents',
    description:
      'Lists incidents, newest first: what is down now (status open) and what happened (start_date and end_date, UTC days). Filter by monitor, type and severity; for the longest ones sort by duration, direction desc. Use get_incident for the evidence of one.',
    hasDetail: true,
    items: 'incidents',
    item: incident,
    viewItem: viewIncident,
  }),
  viewTool({
    name: 'get_incident',
    operation: 'getIncident',
    description:
      'Shows one incident, why it counts as a problem (evidence: what each region saw when it opened, failures first) and its log. With detail also the headers and body that the target answered, redirects and certificate.',
    path: INCIDENT_PATH,
    hasDetail: true,
    output: incidentDetail,
    view: (answer: IncidentDetailAnswer, view) => ({
      ...viewIncident(answer, view),
      unobserved_seconds: answer.unobserved_seconds,
      ...viewEvidence(answer.evidence, view),
      activities_total: answer.activities.length,
      activities: answer.activities
        .toReversed()
        .slice(0, view.itemLimit)
        .map((line) => viewActivity(line, view)),
    }),
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
    output: incident,
    view: viewIncident,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'update_incident',
    operation: 'updateIncident',
    description:
      'Changes the root cause of an incident, or reopens a resolved one (status open). Only the given fields change. To end one, use resolve_incident.',
    path: INCIDENT_PATH,
    output: incident,
    view: viewIncident,
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
    output: incident,
    view: (answer: { incident: IncidentAnswer }, view) => viewIncident(answer.incident, view),
    summary: sentenceOf,
  }),
  viewTool({
    name: 'resolve_incident',
    operation: 'resolveIncident',
    description:
      'Ends an incident now. Detected ones end by themselves when checks succeed; while the target still fails, the monitor keeps its status and a new incident can open. Automatic announcements on status pages end with it; end what a person announced with add_incident_update, state resolved.',
    path: INCIDENT_PATH,
    isIdempotent: true,
    output: incident,
    view: viewIncident,
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
];

function viewIncident(
  answer: IncidentAnswer,
  { detail, textLimit }: View,
): z.input<typeof incident> {
  return {
    ...pick(answer, FIELDS_OF_TOOLS),
    monitor: nameOf(answer.monitor),
    root_cause: fromTarget(answer.root_cause, textLimit),
    regions: answer.region?.split(',').map((region) => region.trim()) ?? null,
    ...(detail && pick(answer, DETAILS_OF_TOOLS)),
  };
}

/** A line may quote the root cause. */
function viewActivity(
  { type, description, user, created_at: createdAt }: ActivityAnswer,
  { textLimit }: View,
): z.input<typeof activity> {
  return {
    type,
    text: fromTarget(description, Math.min(textLimit, ACTIVITY_LENGTH)),
    member: user === null ? null : fromTeam(user.name ?? `#${user.id}`, 80),
    created_at: createdAt,
  };
}

function sentenceOf({
  id,
  type,
  severity,
  monitor,
  started_at: startedAt,
  ended_at: endedAt,
  acknowledged_at: acknowledgedAt,
}: z.output<typeof incident>): string {
  const state = endedAt === null ? `open since ${startedAt}` : `resolved since ${endedAt}`;
  const known = acknowledgedAt === null ? '' : `, acknowledged at ${acknowledgedAt}`;
  return `Incident ${id} (${type}, ${severity}) of ${monitor} is ${state}${known}.`;
}
