import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { outageOf, unobservedOf } from '../../engine/history/stored-uptime.ts';
import { closeIncident, reopenIncident } from '../../engine/record/confirmations.ts';
import { activityBy, type PersonAction } from '../../engine/record/event.ts';
import type { Clock } from '../../lib/clock.ts';
import { spendingsOfAction } from '../../model/budgets.ts';
import { foundBy, type Confirmations, type IncidentType } from '../../model/condition.ts';
import type { MonitorState } from '../../model/state.ts';
import {
  notifyReopened,
  scheduleAlertsOfIncidents,
  markIncidentRemoved,
} from '../../store/alerting/alerts.ts';
import type { Database, Db, Tx } from '../../store/database/contract.ts';
import { isUniqueViolation } from '../../store/database/errors.ts';
import { setDue } from '../../store/engine/heartbeats.ts';
import { MAX_LOG_ENTRIES, incidentChanges } from '../../store/engine/incident-changes.ts';
import { lockStates, writeStates } from '../../store/engine/monitor-state.ts';
import { spendBudgets } from '../../store/people/budgets.ts';
import {
  acknowledgement,
  deleteIncident,
  editIncident,
  findIncident,
  insertManualIncident,
  listActivities,
  listEvidence,
  listIncidents,
  NOT_ACKNOWLEDGED,
  type IncidentEdit,
  type IncidentRow,
} from '../../store/resources/incidents.ts';
import { findMonitor } from '../../store/resources/monitors.ts';
import { recordChange } from '../common/change.ts';
import { invalidField, Problem } from '../common/errors.ts';
import { finderOf } from '../common/find.ts';
import { readBody, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { pageOf, pagingOf } from '../common/page.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { requireMonitor } from '../monitors/find.ts';
import type { ViewDeps } from '../monitors/view.ts';
import {
  activity,
  EXAMPLE_ACTIVITY,
  incidentDetail,
  viewActivity,
  viewEvidence,
} from './detail.ts';
import {
  ACKNOWLEDGED_EXAMPLE,
  auditedIncident,
  EXAMPLE_INCIDENT,
  incident,
  incidentTarget,
  viewIncident,
  wholeSeconds,
} from './facts.ts';
import {
  incidentCreateBody,
  incidentListQuery,
  incidentNoteBody,
  incidentUpdateBody,
  monitorIncidentListQuery,
  readIncident,
  UNKNOWN_MONITOR,
} from './input.ts';

/** Change of an incident by a person. */
interface Change {
  edit: IncidentEdit;
  actions: PersonAction[];
  /** Change of the monitor's condition, for a detected incident. */
  confirmations?: (confirmations: Confirmations, row: IncidentRow) => Confirmations;
}

interface IncidentServiceDeps extends ViewDeps {
  database: Database;
  clock: Pick<Clock, 'now'>;
  /** OPEN_SIGNUP: fewer incidents can be created by hand then. */
  openSignup: boolean;
}

/** Incidents of a team. Throws InvalidInput for a wrong body or query, and `not_found` for ids of other teams. */
export function createIncidentService(deps: IncidentServiceDeps) {
  const { database, clock } = deps;
  const view = (row: IncidentRow) => viewIncident(row, deps);

  /**
   * Runs a transaction on an incident. Locks the monitor's state first, in the order of rounds, to avoid deadlocks, and
   * then reads the incident.
   */
  async function withIncident<T>(
    caller: Caller,
    id: number,
    work: (tx: Tx, row: IncidentRow, state: MonitorState | undefined) => Promise<T>,
  ): Promise<T> {
    const { monitor_id } = await requireIncident(database.read, caller, id);
    return database.transaction(async (tx) => {
      const states = await lockStates(tx, [monitor_id]);
      return work(tx, await requireIncident(tx, caller, id), states.get(monitor_id));
    });
  }

  /** @param plan null when nothing changes. @returns the incident after the change. */
  function change(
    caller: Caller,
    id: number,
    plan: (row: IncidentRow, now: number) => Change | null,
  ): Promise<{ row: IncidentRow; isChange: boolean }> {
    return withIncident(caller, id, async (tx, row, state) => {
      const now = clock.now();
      const planned = plan(row, now);
      if (planned === null) return { row, isChange: false };
      await editIncident(tx, id, planned.edit, now);
      await writeConfirmations(tx, row, state, planned.confirmations);
      await log(tx, caller, id, planned.actions, now);
      if (planned.edit.ended_at === null) await notifyReopened(tx, row, now);
      // Notifies those who know of the incident.
      await scheduleAlertsOfIncidents(tx, [id], now);
      const changed = await requireIncident(tx, caller, id);
      const target = incidentTarget(changed);
      const [before, after] = [auditedIncident(row), auditedIncident(changed)];
      await recordChange(tx, caller, { verb: verbOf(planned.actions), target, before, after }, now);
      return { row: changed, isChange: true };
    });
  }

  async function writeConfirmations(
    tx: Tx,
    row: IncidentRow,
    state: MonitorState | undefined,
    changeConfirmations: Change['confirmations'],
  ): Promise<void> {
    if (state === undefined || changeConfirmations === undefined) return;
    const confirmations = changeConfirmations(state.confirmations, row);
    if (confirmations === state.confirmations) return;
    await writeStates(tx, [{ before: state, after: { ...state, confirmations } }]);
    // Makes the deadline due again, so that an incident can open while the job is still silent.
    if (foundBy(row.type) === 'pings') await setDue(tx, row.monitor_id, clock.now());
  }

  async function list({ caller, address }: Call, wanted: z.output<typeof incidentListQuery>) {
    const paging = pagingOf(wanted, 'started_at');
    const filter = {
      monitorId: wanted.monitor_id ?? null,
      status: wanted.status ?? null,
      type: wanted.type ?? null,
      severity: wanted.severity ?? null,
      startedFrom: wanted.start_date ?? null,
      startedBefore: wanted.end_date ?? null,
    };
    const { rows, total } = await listIncidents(database, caller.team.id, filter, paging);
    return pageOf(rows.map(view), total, paging, address);
  }

  return {
    listIncidents: (call: Call) => list(call, readQuery(incidentListQuery, call.query)),

    async listMonitorIncidents(call: Call) {
      const { caller, id, query } = call;
      await requireMonitor(database.read, caller, id);
      return list(call, { ...readQuery(monitorIncidentListQuery, query), monitor_id: id });
    },

    async getIncident({ caller, id }: Call) {
      const row = await requireIncident(database.read, caller, id);
      const now = clock.now();
      const [activities, evidence, unobserved] = await Promise.all([
        listActivities(database.read, caller.team.id, id),
        listEvidence(database.read, caller.team.id, id),
        unobservedOf(database, [outageOf(row)], now),
      ]);
      return {
        ...view(row),
        unobserved_seconds: wholeSeconds(unobserved([id])),
        activities: activities.map((one) => viewActivity(one)),
        evidence: evidence.map(viewEvidence),
      };
    },

    /** Creates a `manual` incident: it changes no status and sends no webhook event. */
    async createIncident({ caller, body }: Call) {
      const now = clock.now();
      const planned = await readIncident(body, now, (id) => isMonitor(database.read, caller, id));
      const row = await database.transaction(async (tx) => {
        // Locking the state keeps the monitor from being deleted; it may be deleted already.
        await lockStates(tx, [planned.monitor_id]);
        if (!(await isMonitor(tx, caller, planned.monitor_id)))
          throw invalidField('monitor_id', UNKNOWN_MONITOR);
        const id = await insertManualIncident(tx, { team_id: caller.team.id, ...planned }, now);
        const opened = { type: 'opened', rootCause: planned.root_cause } as const;
        const isOpen = planned.ended_at === null;
        await log(tx, caller, id, isOpen ? [opened] : [opened, { type: 'resolved' }], now);
        const recorded = await requireIncident(tx, caller, id);
        const target = incidentTarget(recorded);
        const after = auditedIncident(recorded);
        await recordChange(tx, caller, { verb: 'created', target, after }, now);
        const who = { personId: caller.person.id, teamId: caller.team.id };
        await spendBudgets(tx, spendingsOfAction('incident', who, deps), now);
        return recorded;
      });
      return view(row);
    },

    /** Changes the given fields. Throws `conflict` on reopening while another incident of its type is open. */
    async updateIncident({ caller, id, body }: Call) {
      await requireIncident(database.read, caller, id);
      const wanted = readBody(incidentUpdateBody, body);
      try {
        const { row } = await change(caller, id, (found, now) => planUpdate(found, wanted, now));
        return view(row);
      } catch (error) {
        throw isUniqueViolation(error) ? anotherIsOpen() : error;
      }
    },

    async resolveIncident({ caller, id }: Call) {
      const { row } = await change(caller, id, (found, now) =>
        planUpdate(found, { status: 'resolved' }, now),
      );
      return view(row);
    },

    /** Keeps the first acknowledgement. */
    async acknowledgeIncident({ caller, id }: Call) {
      const { row, isChange } = await change(caller, id, (found, now) =>
        found.acknowledged_at === null
          ? {
              edit: acknowledgement(caller.person.id, now),
              actions: [{ type: 'acknowledged' }],
            }
          : null,
      );
      return {
        success: true,
        message: isChange
          ? 'The incident is acknowledged.'
          : 'The incident is acknowledged already.',
        incident: view(row),
      };
    },

    async deleteIncident({ caller, id }: Call) {
      await withIncident(caller, id, async (tx, row, state) => {
        if (row.ended_at === null) await writeConfirmations(tx, row, state, closed);
        await markIncidentRemoved(tx, row, clock.now());
        await deleteIncident(tx, id);
        const target = incidentTarget(row);
        const before = auditedIncident(row);
        await recordChange(tx, caller, { verb: 'deleted', target, before }, clock.now());
      });
    },

    /** Adds a note to the log, for the team alone. Throws `conflict` when the log is full. */
    async createIncidentNote({ caller, id, body }: Call) {
      await requireIncident(database.read, caller, id);
      const { text = '' } = readBody(incidentNoteBody, body);
      const now = clock.now();
      const added = await withIncident(caller, id, async (tx, row) => {
        const note = { teamId: caller.team.id, incidentId: id, personId: caller.person.id, text };
        const noteId = await incidentChanges(tx).insertNote(note, now);
        if (noteId === null)
          throw new Problem(
            'conflict',
            `The log of this incident is full: it has ${MAX_LOG_ENTRIES} entries. Write into its root cause instead.`,
          );
        // Changes the incident, so that it is read again by those who see it.
        await editIncident(tx, id, {}, now);
        const entry = { verb: 'noted', target: incidentTarget(row), after: { note: text } };
        await recordChange(tx, caller, entry, now);
        return noteId;
      });
      return viewActivity({
        id: added,
        type: 'note',
        description: text,
        created_at: now,
        person_id: caller.person.id,
        person_name: caller.person.name,
      });
    },
  };
}

/** Change that an update asks for; null when nothing changes. */
function planUpdate(row: IncidentRow, wanted: z.output<typeof incidentUpdateBody>, now: number) {
  const change: Change = { edit: {}, actions: [] };
  const { status, root_cause: rootCause } = wanted;
  if (rootCause !== undefined && rootCause !== row.root_cause) {
    change.edit.root_cause = rootCause;
    change.actions.push({ type: 'root_cause_changed', rootCause });
  }
  if (status === 'resolved' && row.ended_at === null) {
    change.edit.ended_at = Math.max(row.started_at, now);
    change.actions.push({ type: 'resolved' });
    change.confirmations = closed;
  }
  if (status === 'open' && row.ended_at !== null) {
    // Reminders and escalations start again.
    Object.assign(change.edit, { ended_at: null, ...NOT_ACKNOWLEDGED });
    change.actions.push({ type: 'reopened' });
    change.confirmations = (confirmations, { type, id }) =>
      reopenIncident(confirmations, type as IncidentType, id);
  }
  return change.actions.length === 0 ? null : change;
}

/** Closes the incident while its condition lasts; its end is sent to webhook endpoints when the condition ends. */
function closed(confirmations: Confirmations, { id, type, started_at: startedAt }: IncidentRow) {
  return closeIncident(confirmations, type as IncidentType, { id, startedAt });
}

/** Audit verb; several actions, or a new root cause, are an update. */
function verbOf(actions: readonly PersonAction[]): string {
  const [only, ...others] = actions;
  const isUpdate = only === undefined || others.length > 0 || only.type === 'root_cause_changed';
  return isUpdate ? 'updated' : only.type;
}

async function log(
  tx: Tx,
  { person, team }: Caller,
  incidentId: number,
  actions: PersonAction[],
  now: number,
): Promise<void> {
  const ids = { team_id: team.id, incident_id: incidentId, person_id: person.id };
  const rows = actions.map((action) => ({
    ...ids,
    ...activityBy(person.name, action),
    created_at: now,
  }));
  await incidentChanges(tx).insertActivities(rows);
}

const requireIncident = finderOf('incident', findIncident);

async function isMonitor(db: Db, caller: Caller, id: number): Promise<boolean> {
  return (await findMonitor(db, caller.team.id, id)) !== undefined;
}

function anotherIsOpen(): Problem {
  return new Problem(
    'conflict',
    'Another incident of this type is open for this monitor. Resolve that one first, or leave this one resolved.',
  );
}

const incidentPage = pageSchema(incident, 'IncidentPage');

const acknowledged = z
  .object({ success: z.literal(true), message: z.string(), incident })
  .meta({ id: 'Acknowledgement', description: 'Acknowledged incident.' });

const RESOLVED = {
  ...EXAMPLE_INCIDENT,
  status: 'resolved',
  ended_at: '2030-01-01T00:16:00.000Z',
  duration: 16,
  duration_seconds: 960,
  updated_at: '2030-01-01T00:16:00.000Z',
};

const NOTE = 'The disk of the primary is full. Moving it now.';

const MANUALLY =
  'If the target still fails, the monitor keeps its status, and a new incident opens once the failure threshold is reached again.';
const ORDER =
  'Newest first by default. A `sort` without `direction` is ascending; equal values are sorted by id, and nulls come last.';

export const incidents = noun('Incidents', createIncidentService, {
  listIncidents: {
    at: 'GET /incidents',
    summary: 'List incidents',
    description: ORDER,
    query: incidentListQuery,
    answer: incidentPage,
    example: { query: 'status=open', answer: pageExample('/incidents', [EXAMPLE_INCIDENT]) },
  },
  createIncident: {
    at: 'POST /incidents',
    summary: 'Record an incident',
    description:
      'Creates an incident of type `manual`. It changes no status, and any number of them may be open. `monitor_id`, `started_at` and `status` are required, times may be at most 5 minutes in the future, and `ended_at` is for `resolved` only.',
    body: incidentCreateBody,
    answer: incident,
    example: {
      body: {
        monitor_id: 1,
        started_at: '2025-01-01T00:00:00Z',
        status: 'open',
        severity: 'warning',
        root_cause: 'The database is being moved',
      },
      answer: EXAMPLE_INCIDENT,
    },
  },
  getIncident: {
    at: 'GET /incidents/:id',
    summary: 'Get an incident',
    answer: incidentDetail,
    example: {
      answer: {
        ...EXAMPLE_INCIDENT,
        unobserved_seconds: null,
        activities: [EXAMPLE_ACTIVITY],
        evidence: [],
      },
    },
  },
  updateIncident: {
    at: 'PUT /incidents/:id',
    summary: 'Update an incident',
    description: `Changes only the given fields. The status \`resolved\` is the same as the action resolve; \`open\` reopens a resolved incident without changing the status of its monitor. ${MANUALLY}`,
    body: incidentUpdateBody,
    answer: incident,
    example: {
      body: { root_cause: 'The database was moved' },
      answer: {
        ...EXAMPLE_INCIDENT,
        root_cause: 'The database was moved',
        updated_at: '2030-01-01T00:05:00.000Z',
      },
    },
    refusals: ['conflict'],
  },
  deleteIncident: {
    at: 'DELETE /incidents/:id',
    summary: 'Delete an incident',
    description: `Deletes its log and evidence too. ${MANUALLY}`,
  },
  resolveIncident: {
    at: 'POST /incidents/:id/resolve',
    needs: 'update',
    summary: 'Resolve an incident',
    description: `Ends it now; a resolved one does not change. ${MANUALLY}`,
    answer: incident,
    example: { answer: RESOLVED },
  },
  acknowledgeIncident: {
    at: 'POST /incidents/:id/acknowledge',
    needs: 'update',
    summary: 'Acknowledge an incident',
    description:
      'Shows the team that somebody is working on it, and stops reminders. The first acknowledgement stays. Resolved incidents can be acknowledged too.',
    answer: acknowledged,
    example: {
      answer: {
        success: true,
        message: 'The incident is acknowledged.',
        incident: ACKNOWLEDGED_EXAMPLE,
      },
    },
  },
  createIncidentNote: {
    at: 'POST /incidents/:id/notes',
    summary: 'Add a note to an incident',
    description:
      'Adds an entry of type `note` to its `activities`, for the team alone: notes are not on status pages, in reports, alerts or webhooks. They are not changed or deleted by themselves. A log takes notes up to 1,000 entries.',
    body: incidentNoteBody,
    answer: activity,
    example: {
      body: { text: NOTE },
      answer: {
        ...EXAMPLE_ACTIVITY,
        id: 2,
        type: 'note',
        description: NOTE,
        created_at: '2030-01-01T00:05:00.000Z',
      },
    },
    refusals: ['conflict'],
  },
  listMonitorIncidents: {
    at: 'GET /monitors/:id/incidents',
    summary: 'List the incidents of a monitor',
    description: ORDER,
    query: monitorIncidentListQuery,
    answer: incidentPage,
    example: { answer: pageExample('/monitors/1/incidents', [EXAMPLE_INCIDENT]) },
  },
});
