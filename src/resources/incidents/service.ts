import type { Kysely, Transaction } from 'kysely';
import type { Caller } from '../../identity/caller.ts';
import { activityBy, type PersonAction } from '../../engine/record/activity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { IncidentType, Tracks } from '../../model/condition.ts';
import type { MonitorState } from '../../model/state.ts';
import { notifyReopened } from '../../store/alerting/alert-reopen.ts';
import { markIncidentRemoved } from '../../store/alerting/alert-removals.ts';
import { wakeAlertsOfIncidents } from '../../store/alerting/alerts.ts';
import type { Database } from '../../store/database/contract.ts';
import { isUniqueViolation } from '../../store/database/errors.ts';
import { insertActivities } from '../../store/engine/incident-changes.ts';
import {
  deleteIncident,
  editIncident,
  insertManualIncident,
  type IncidentEdit,
} from '../../store/resources/incident-edits.ts';
import {
  findIncident,
  listActivities,
  listEvidence,
  listIncidents,
  type IncidentRow,
} from '../../store/resources/incidents.ts';
import { setDue } from '../../store/engine/heartbeats.ts';
import { lockStates, writeStates } from '../../store/engine/monitor-state.ts';
import { findMonitor } from '../../store/resources/monitors.ts';
import type { Schema } from '../../store/database/schema.ts';
import { closeIncident, reopenIncident } from '../../engine/record/tracks.ts';
import { auditedIncident, incidentTarget } from './audit.ts';
import { audit } from '../audit-log/entry.ts';
import { authorise, notFound, Problem } from '../common/errors.ts';
import {
  incidentListQuery,
  monitorIncidentListQuery,
  NO_MONITOR,
  planIncident,
  readUpdate,
  type PlannedIncident,
  type WantedUpdate,
} from './input.ts';
import { viewActivity, viewEvidence, viewIncident } from './view.ts';
import { Findings, readQuery } from '../common/input.ts';
import type { ViewDeps } from '../monitors/view.ts';
import { pageOf, pagingOf, type ListAddress } from '../common/page.ts';

const DAY_MS = 86_400_000;

/**
 * What callers may do with incidents. Bodies and queries are taken as they came: what is wrong with them is an
 * InvalidInput; incidents of other teams and of deleted monitors are not found.
 */
export interface IncidentService {
  /** All of the team's, or those of one monitor. */
  list(caller: Caller, query: object, address: ListAddress, monitorId?: number): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  /** Of type `manual`: the status of its monitor stays, and nobody is told by webhook. */
  create(caller: Caller, body: unknown): Promise<object>;
  /** Only the keys that are present change. Opening one again beside another open one of its kind is a conflict. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  resolve(caller: Caller, id: number): Promise<object>;
  /** The first one who does stays the one who did. */
  acknowledge(caller: Caller, id: number): Promise<object>;
  delete(caller: Caller, id: number): Promise<void>;
}

/** What a person's call makes of an incident; null when everything is so already. */
interface Change {
  edit: IncidentEdit;
  deeds: PersonAction[];
  /** What it does to the monitor's condition, for an automatic incident. */
  tracks?: (tracks: Tracks, row: IncidentRow) => Tracks;
}

export interface IncidentServiceDeps extends ViewDeps {
  database: Database;
  clock: Pick<Clock, 'now'>;
}

export function createIncidentService(deps: IncidentServiceDeps): IncidentService {
  const { database, clock } = deps;
  const view = (row: IncidentRow) => viewIncident(row, deps);

  /**
   * One transaction on one incident. The monitor's state is locked first, in the same order as rounds do: so a verdict and
   * a person never wait for each other, and the incident read after it is the one that is changed.
   */
  async function withIncident<T>(
    caller: Caller,
    id: number,
    work: (
      tx: Transaction<Schema>,
      row: IncidentRow,
      state: MonitorState | undefined,
    ) => Promise<T>,
  ): Promise<T> {
    const { monitor_id } = await mustFind(database.read, caller, id);
    return database.transaction(async (tx) => {
      const states = await lockStates(tx, [monitor_id]);
      return work(tx, await mustFind(tx, caller, id), states.get(monitor_id));
    });
  }

  /** Answers the incident as it is then, and whether anything changed. */
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
      await writeTracks(tx, row, state, planned.tracks);
      await log(tx, caller, id, planned.deeds, now);
      if (planned.edit.ended_at === null) await notifyReopened(tx, row, now);
      // Those who were told of it hear that it is over.
      await wakeAlertsOfIncidents(tx, [id], now);
      const changed = await mustFind(tx, caller, id);
      const target = incidentTarget(changed);
      const [before, after] = [auditedIncident(row), auditedIncident(changed)];
      await audit(tx, caller, { verb: verbOf(planned.deeds), target, before, after }, now);
      return { row: changed, isChange: true };
    });
  }

  async function writeTracks(
    tx: Transaction<Schema>,
    row: IncidentRow,
    state: MonitorState | undefined,
    changeTracks: Change['tracks'],
  ): Promise<void> {
    if (state === undefined || changeTracks === undefined) return;
    const tracks = changeTracks(state.tracks, row);
    if (tracks === state.tracks) return;
    await writeStates(tx, [{ before: state, after: { ...state, tracks } }]);
    // A job that stays silent is expected once more, so that its incident can open anew.
    if (row.type === 'heartbeat') await setDue(tx, row.monitor_id, clock.now());
  }

  return {
    async list(caller, query, address, monitorId) {
      authorise(caller, 'read');
      if (monitorId !== undefined && !(await isMonitor(database.read, caller, monitorId))) {
        throw notFound('monitor');
      }
      const wanted =
        monitorId === undefined
          ? readQuery(incidentListQuery, query)
          : { ...readQuery(monitorIncidentListQuery, query), monitor_id: monitorId };
      const paging = pagingOf(wanted, 'started_at');
      const filter = {
        monitorId: wanted.monitor_id ?? null,
        status: wanted.status ?? null,
        type: wanted.type ?? null,
        severity: wanted.severity ?? null,
        startedFrom: wanted.start_date ?? null,
        startedBefore: wanted.end_date === undefined ? null : wanted.end_date + DAY_MS,
      };
      const { rows, total } = await listIncidents(database, caller.team.id, filter, paging);
      return pageOf(rows.map(view), total, paging, address);
    },

    async get(caller, id) {
      authorise(caller, 'read');
      const row = await mustFind(database.read, caller, id);
      const [activities, evidence] = await Promise.all([
        listActivities(database.read, caller.team.id, id),
        listEvidence(database.read, caller.team.id, id),
      ]);
      return {
        ...view(row),
        activities: activities.map(viewActivity),
        evidence: evidence.map(viewEvidence),
      };
    },

    async create(caller, body) {
      authorise(caller, 'create');
      const now = clock.now();
      const planned = await planIncident(body, now, (id) => isMonitor(database.read, caller, id));
      const row = await database.transaction(async (tx) => {
        // It may have been deleted since it was looked for; with its state locked, it can't be any more.
        await lockStates(tx, [planned.monitorId]);
        if (!(await isMonitor(tx, caller, planned.monitorId))) throw unknownMonitor();
        const id = await insertManualIncident(tx, { teamId: caller.team.id, ...planned }, now);
        await log(tx, caller, id, deedsOf(planned), now);
        const recorded = await mustFind(tx, caller, id);
        const target = incidentTarget(recorded);
        const after = auditedIncident(recorded);
        await audit(tx, caller, { verb: 'created', target, after }, now);
        return recorded;
      });
      return view(row);
    },

    async update(caller, id, body) {
      authorise(caller, 'update');
      await mustFind(database.read, caller, id);
      const wanted = readUpdate(body);
      try {
        const { row } = await change(caller, id, (found, now) => planUpdate(found, wanted, now));
        return view(row);
      } catch (error) {
        throw isUniqueViolation(error) ? anotherIsOpen() : error;
      }
    },

    async resolve(caller, id) {
      authorise(caller, 'update');
      const { row } = await change(caller, id, (found, now) =>
        planUpdate(found, { status: 'resolved' }, now),
      );
      return view(row);
    },

    async acknowledge(caller, id) {
      authorise(caller, 'update');
      const { row, isChange } = await change(caller, id, (found, now) =>
        found.acknowledged_at === null
          ? {
              edit: { acknowledged_at: now, acknowledged_by: caller.person.id },
              deeds: [{ type: 'acknowledged' }],
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

    async delete(caller, id) {
      authorise(caller, 'delete');
      await withIncident(caller, id, async (tx, row, state) => {
        if (row.ended_at === null) await writeTracks(tx, row, state, closed);
        await markIncidentRemoved(tx, row, clock.now());
        await deleteIncident(tx, id);
        const target = incidentTarget(row);
        const before = auditedIncident(row);
        await audit(tx, caller, { verb: 'deleted', target, before }, clock.now());
      });
    },
  };
}

/** What an update changes of an incident; null when nothing. */
function planUpdate(row: IncidentRow, wanted: WantedUpdate, now: number): Change | null {
  const change: Change = { edit: {}, deeds: [] };
  const { status, root_cause: rootCause } = wanted;
  if (rootCause !== undefined && rootCause !== row.root_cause) {
    change.edit.root_cause = rootCause;
    change.deeds.push({ type: 'root_cause_changed', rootCause });
  }
  if (status === 'resolved' && row.ended_at === null) {
    change.edit.ended_at = Math.max(row.started_at, now);
    change.deeds.push({ type: 'resolved' });
    change.tracks = closed;
  }
  if (status === 'open' && row.ended_at !== null) {
    // Whoever acknowledged it did so before: reminders and escalation begin anew.
    const anew = { ended_at: null, acknowledged_at: null, acknowledged_by: null };
    change.edit = { ...change.edit, ...anew };
    change.deeds.push({ type: 'reopened' });
    change.tracks = (tracks, { type, id }) => reopenIncident(tracks, type as IncidentType, id);
  }
  return change.deeds.length === 0 ? null : change;
}

/** Its condition lasts, and the end of the incident is sent to webhook endpoints when that ends. */
function closed(tracks: Tracks, { id, type, started_at: startedAt }: IncidentRow): Tracks {
  return closeIncident(tracks, type as IncidentType, { id, startedAt });
}

/** The audit log's word for it; several deeds at once, or a new root cause, are an update. */
function verbOf(deeds: readonly PersonAction[]): string {
  const [only, ...others] = deeds;
  const isUpdate = only === undefined || others.length > 0 || only.type === 'root_cause_changed';
  return isUpdate ? 'updated' : only.type;
}

function deedsOf({ rootCause, endedAt }: PlannedIncident): PersonAction[] {
  const opened: PersonAction = { type: 'opened', rootCause };
  return endedAt === null ? [opened] : [opened, { type: 'resolved' }];
}

async function log(
  tx: Transaction<Schema>,
  { person, team }: Caller,
  incidentId: number,
  deeds: PersonAction[],
  now: number,
): Promise<void> {
  const ids = { team_id: team.id, incident_id: incidentId, person_id: person.id };
  const rows = deeds.map((deed) => ({
    ...ids,
    ...activityBy(person.name, deed),
    created_at: now,
  }));
  await insertActivities(tx, rows);
}

async function mustFind(db: Kysely<Schema>, caller: Caller, id: number): Promise<IncidentRow> {
  const row = await findIncident(db, caller.team.id, id);
  if (row === undefined) throw notFound('incident');
  return row;
}

async function isMonitor(db: Kysely<Schema>, caller: Caller, id: number): Promise<boolean> {
  return (await findMonitor(db, caller.team.id, id)) !== undefined;
}

function unknownMonitor(): Problem {
  const findings = new Findings();
  findings.add('monitor_id', NO_MONITOR);
  return findings.asError();
}

function anotherIsOpen(): Problem {
  return new Problem(
    'conflict',
    'Another incident of this type is open for this monitor. Resolve that one first, or leave this one resolved.',
  );
}
