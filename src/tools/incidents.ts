import type { z } from 'zod';
import { updateAnswer } from '../resources/announcements/announcement.ts';
import { DETAILS_OF_TOOLS, incident as answer } from '../resources/incidents/facts.ts';
import { incidentDetail as detailAnswer } from '../resources/incidents/detail.ts';
import { nameOf } from './common.ts';
import { as, count, detailed, list, made, part, shown, target, team, type View } from './shown.ts';
import { fromTarget, fromTeam } from './target-text.ts';
import { finalTool, listTool, viewTool, type Tool } from './tool.ts';

const incident = shown(answer, {
  id: true,
  monitor_id: true,
  monitor: made(({ monitor }) => nameOf(monitor)),
  type: true,
  severity: true,
  status: true,
  root_cause: target(),
  started_at: true,
  ended_at: true,
  duration_seconds: true,
  acknowledged_at: true,
  regions: made(({ region }) => region?.split(',').map((one) => one.trim()) ?? null),
  ...detailed(DETAILS_OF_TOOLS),
});

type Detail = z.output<typeof detailAnswer>;
type Evidence = Detail['evidence'][number];

const certificate = { subject: target(), issuer: target(), valid_to: true } as const;

/** Results that saw the same: the first one, with the regions and machines of all and their different pages. */
interface Seen extends Evidence {
  regions: string[];
  vantages: string[];
  bodies: Set<string | null>;
}

const seenBy = shown(detailAnswer.shape.evidence.element as unknown as z.ZodType<Seen>, {
  regions: made(({ regions }: Seen) => regions),
  checked_at: true,
  failure_code: as('failure.code'),
  failure: target({ from: 'failure.text' }),
  failures: count('attempts'),
  status_code: true,
  ...detailed({
    vantages: made(({ vantages }: Seen) => vantages),
    remote_address: true,
    status_line: target(),
    headers_total: made(({ headers }: Evidence) => Object.keys(headers ?? {}).length),
    headers: made(viewHeaders),
    body: target(),
    other_bodies: made(({ bodies }: Seen) => bodies.size - 1),
    redirects: list(target()),
    tls: part({
      ...certificate,
      protocol: true,
      cipher: true,
      valid_from: true,
      chain_total: count('chain'),
      chain: list(certificate),
    }),
  }),
});

function viewHeaders({ headers }: Evidence, { itemLimit, textLimit }: View) {
  return Object.entries(headers ?? {})
    .slice(0, itemLimit)
    .map(([header, value]) => fromTarget(`${header}: ${value}`, textLimit));
}

/** Evidence in which what several regions saw is said once, failures first. */
function grouped(all: readonly Evidence[]): Seen[] {
  const groups = new Map<string, Seen>();
  for (const one of all) {
    const key = JSON.stringify([one.failure, one.status_code, one.status_line]);
    const group = groups.get(key) ?? { ...one, regions: [], vantages: [], bodies: new Set() };
    if (one.region !== null) group.regions.push(one.region);
    if (one.vantage !== null && !group.vantages.includes(one.vantage))
      group.vantages.push(fromTeam(one.vantage, 80));
    group.bodies.add(one.body);
    groups.set(key, group);
  }
  return [...groups.values()].toSorted(
    (a, b) => Number(a.failure === null) - Number(b.failure === null),
  );
}

/** Characters of a line of an incident's log. */
const ACTIVITY_LENGTH = 300;

const incidentDetail = shown(detailAnswer, {
  ...incident.fields,
  unobserved_seconds: true,
  evidence_total: count('evidence'),
  evidence_failed: made(
    ({ evidence: all }) => all.filter(({ failure }) => failure !== null).length,
  ),
  evidence: made(({ evidence: all }, view) =>
    grouped(all)
      .slice(0, view.itemLimit)
      .map((one) => seenBy.view(one, view)),
  ),
  ...detailed({
    timings: list<Evidence>(
      {
        region: true,
        dns_ms: as('timings.dns_ms'),
        tcp_ms: as('timings.tcp_ms'),
        tls_ms: as('timings.tls_ms'),
        ttfb_ms: as('timings.ttfb_ms'),
        total_ms: as('timings.total_ms'),
      },
      { from: 'evidence' },
    ),
  }),
  activities_total: count('activities'),
  activities: list<Detail['activities'][number]>(
    {
      type: true,
      // It may quote the root cause.
      text: target({ from: 'description', most: ACTIVITY_LENGTH }),
      member: made(({ user }) => user && fromTeam(user.name ?? `#${user.id}`, 80)),
      created_at: true,
    },
    { order: (lines) => lines.toReversed() },
  ),
});

const acknowledged = {
  view: (acknowledgement: { incident: z.output<typeof answer> }, view: View) =>
    incident.view(acknowledgement.incident, view),
};

const announced = shown(updateAnswer, {
  id: true,
  state: true,
  text: team(undefined),
  status_pages_total: count('status_pages'),
  status_pages: list(true),
  member_id: as('user_id'),
  edited_at: true,
  created_at: true,
});

export const INCIDENT_PATH = {
  id: { argument: 'incident_id', description: 'Id, or name of the monitor' },
};

export const INCIDENT_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_incidents',
    description:
      'Lists incidents, newest first: what is down now (status open) and what happened (start_date, end_date: UTC days). For the longest sort by duration, direction desc.',
    hasDetail: true,
    item: incident,
  }),
  viewTool({
    name: 'get_incident',
    description:
      'Shows an incident, what the regions saw when it opened, and its log; with detail also what the target answered.',
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
    description:
      'Records an incident of type manual, for problems that checks do not see. It alerts nobody.',
    content: incident,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'update_incident',
    description: 'Changes the root cause of an incident, or reopens a resolved one.',
    path: INCIDENT_PATH,
    content: incident,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'acknowledge_incident',
    isAdditive: true,
    description: 'Shows the team that somebody works on an incident, and stops its reminders.',
    path: INCIDENT_PATH,
    isIdempotent: true,
    content: acknowledged,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'resolve_incident',
    description:
      'Ends an incident now. Detected ones end by themselves; while the target still fails, a new one can open.',
    path: INCIDENT_PATH,
    isIdempotent: true,
    content: incident,
    summary: sentenceOf,
  }),
  finalTool({
    name: 'delete_incident',
    path: INCIDENT_PATH,
    shows: 'get_incident',
    effect: 'delete the incident with its log and evidence',
  }),
  listTool({
    name: 'list_incident_updates',
    description: 'Lists what visitors of status pages can read about an incident, newest first.',
    path: INCIDENT_PATH,
    items: 'updates',
    item: announced,
  }),
  finalTool({
    name: 'add_incident_update',
    operation: 'createIncidentUpdate',
    isOpenWorld: true,
    description:
      'Publishes an update about an incident to visitors of the status pages and, unless notify is false, to subscribers.',
    path: INCIDENT_PATH,
    hiddenFields: ['template_id'],
    says: {
      state: 'investigating, identified, monitoring or resolved, which ends the announcement alone',
    },
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
