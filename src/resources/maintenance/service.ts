import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { loadRecurrences } from '../../lib/recurrence.ts';
import {
  nextRunAt,
  occurrencesAfter,
  scheduleOf,
  startedAndNext,
  stateOf,
  coverageOf,
  type Coverage,
} from '../../engine/maintenance/window.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  cutOccurrences,
  endActiveOccurrences,
  insertOccurrences,
  releaseHeld,
  openOccurrences,
  type MaintenanceOccurrence,
} from '../../store/engine/maintenance.ts';
import {
  countLiveWindows,
  deleteWindow,
  findWindow,
  insertWindow,
  listWindows,
  lockWindow,
  setNextRunAt,
  updateWindow,
  type MaintenanceWindowRow,
} from '../../store/resources/maintenance-windows.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  existingGroups,
  existingMonitors,
  monitorsOfTeam,
} from '../../store/resources/scoped-monitors.ts';
import { audit } from '../audit-log/entry.ts';
import { Problem } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { oneOf } from '../../lib/schemas.ts';
import { columnsOf, settingsOf, settingsReader, viewSettings } from '../common/fields.ts';
import { finderOf } from '../common/find.ts';
import { WINDOW_FIELDS, type WindowSettings } from './fields.ts';
import { checkTimes, startedWindow, startInput, timesInZone, type StartInput } from './input.ts';
import { PAGE_QUERY, pageOf, pagingOf } from '../common/page.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import type { Call } from '../common/operation.ts';

/** Maximum number of scheduled and active windows per team: all of them are evaluated with every incident. */
export const MAX_WINDOWS = 500;
/** Maximum number of past occurrences that are stored with a new window: three months, one an hour. */
const MAX_PAST_OCCURRENCES = 2_500;
/** Fields that determine when a window recurs. */
const SCHEDULE_FIELDS = ['starts_at', 'ends_at', 'rrule', 'timezone'];

const readSettings = settingsReader(WINDOW_FIELDS);

export const maintenanceListQuery = z.object({
  ...PAGE_QUERY,
  sort: oneOf(['name', 'starts_at', 'created_at']).optional(),
});

/** Operations on maintenance windows. Throws InvalidInput for an invalid body; ids of other teams are not found. */
export function createMaintenanceService(deps: { database: Database; clock: Pick<Clock, 'now'> }) {
  const { database, clock } = deps;

  const write = teamWriter(database, 'editor');

  async function views(
    db: Kysely<Schema>,
    { team }: Caller,
    rows: readonly MaintenanceWindowRow[],
  ) {
    const now = clock.now();
    const ids = rows.map((row) => row.id);
    const times = await openOccurrences(db, ids, now);
    const covered = coverageOf(rows.length === 0 ? [] : await monitorsOfTeam(db, team.id));
    return rows.map((row) => view(row, { times: times.get(row.id) ?? [], covered, now }));
  }

  async function shown(db: Kysely<Schema>, caller: Caller, id: number) {
    const [one] = await views(db, caller, [await mustFind(db, caller, id)]);
    return one!;
  }

  async function add(
    tx: Transaction<Schema>,
    caller: Caller,
    { settings, verb, now }: { settings: WindowSettings; verb: string; now: number },
  ): Promise<object> {
    const id = await insertWindow(tx, caller.team.id, columnsOf(WINDOW_FIELDS, settings), now);
    const all = await occurrences(settings, settings.starts_at - 1);
    await insertOccurrences(tx, id, startedAndNext(all, now, MAX_PAST_OCCURRENCES));
    await scheduleNextRun(tx, id, settings, now);
    const change = { verb, target: targetOf(id, settings), after: asSet(settings) };
    await audit(tx, caller, change, now);
    return shown(tx, caller, id);
  }

  return {
    /** Unless sorted, scheduled and active windows come before those that are over. */
    async listMaintenanceWindows({ caller, query, address }: Call) {
      const paging = pagingOf(readQuery(maintenanceListQuery, query), 'live');
      const { rows, total } = await listWindows(database.read, caller.team.id, paging);
      return pageOf(await views(database.read, caller, rows), total, paging, address);
    },

    async getMaintenanceWindow({ caller, id }: Call) {
      return shown(database.read, caller, id);
    },

    createMaintenanceWindow: ({ caller, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const now = clock.now();
        const findings = new Findings();
        const settings = await settingsAfter(tx, caller, null, { body, now, findings });
        await checkLimit(tx, caller, findings);
        findings.throwIfAny();
        return add(tx, caller, { settings, verb: 'created', now });
      }),

    /** Starts a window now. It ends after a given time at the latest. */
    startMaintenance: ({ caller, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const now = clock.now();
        const findings = new Findings();
        const settings = startedWindow(readBody(startInput, body, findings) as StartInput, now);
        await checkScope(tx, caller, settings, null, findings);
        await checkLimit(tx, caller, findings);
        findings.throwIfAny();
        return add(tx, caller, { settings, verb: 'started', now });
      }),

    /** Changes the fields that are present. Past occurrences stay as they were. */
    updateMaintenanceWindow: ({ caller, id, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const stored = settingsOf(WINDOW_FIELDS, await mustLock(tx, caller, id));
        const now = clock.now();
        const findings = new Findings();
        const settings = await settingsAfter(tx, caller, stored, { body, now, findings });
        findings.throwIfAny();
        if (isDeepStrictEqual(stored, settings)) return shown(tx, caller, id);
        await updateWindow(tx, id, columnsOf(WINDOW_FIELDS, settings), now);
        if (movesOccurrences(stored, settings)) await replaceOccurrences(tx, id, settings, now);
        await scheduleNextRun(tx, id, settings, now);
        await releaseHeld(tx, caller.team.id, now);
        const change = {
          verb: 'updated',
          target: targetOf(id, settings),
          before: asSet(stored),
          after: asSet(settings),
        };
        await audit(tx, caller, change, now);
        return shown(tx, caller, id);
      }),

    /** Ends the active occurrence; throws a Problem (conflict) when there is none. */
    endMaintenance: ({ caller, id }: Call) =>
      write(caller, 'update', async (tx) => {
        const row = await mustLock(tx, caller, id);
        const now = clock.now();
        const { activeUntil } = stateOf(await occurrencesOf(tx, id, now), now);
        if (activeUntil === null) throw notActive();
        await endActiveOccurrences(tx, id, now);
        await scheduleNextRun(tx, id, row, now);
        await releaseHeld(tx, caller.team.id, now);
        const change = {
          verb: 'ended',
          target: targetOf(id, row),
          before: { active_until: isoTime(activeUntil) },
          after: { active_until: isoTime(now) },
        };
        await audit(tx, caller, change, now);
        return shown(tx, caller, id);
      }),

    async deleteMaintenanceWindow({ caller, id }: Call) {
      await write(caller, 'delete', async (tx) => {
        const stored = settingsOf(WINDOW_FIELDS, await mustLock(tx, caller, id));
        const now = clock.now();
        await cutOccurrences(tx, id, now);
        await deleteWindow(tx, id, now);
        await releaseHeld(tx, caller.team.id, now);
        const change = { verb: 'deleted', target: targetOf(id, stored), before: asSet(stored) };
        await audit(tx, caller, change, now);
      });
    },
  };
}

const mustFind = finderOf('maintenance window', findWindow);
const mustLock = finderOf('maintenance window', lockWindow);

/** Settings that a body asks for. They are of use only when nothing was found. */
async function settingsAfter(
  tx: Transaction<Schema>,
  caller: Caller,
  stored: WindowSettings | null,
  { body, now, findings }: { body: unknown; now: number; findings: Findings },
): Promise<WindowSettings> {
  const settings = readSettings(timesInZone(body, stored), stored, findings);
  checkTimes(settings, stored, now, findings);
  await checkScope(tx, caller, settings, stored, findings);
  const { starts_at: startsAt, rrule } = settings;
  const isComplete = !SCHEDULE_FIELDS.some((name) => findings.has(name));
  if (rrule !== null && isComplete && (await occurrences(settings, startsAt - 1)).next().done)
    findings.add('rrule', 'must occur at least once after starts_at: no day matches it');
  return settings;
}

/** Reports ids of other teams. Monitors and groups in the stored settings may have been deleted since. */
async function checkScope(
  tx: Transaction<Schema>,
  caller: Caller,
  settings: WindowSettings,
  stored: WindowSettings | null,
  findings: Findings,
): Promise<void> {
  const teamId = caller.team.id;
  const known = {
    monitors: await existingMonitors(tx, teamId, settings.monitors),
    groups: await existingGroups(tx, teamId, settings.groups),
  };
  for (const [field, what] of [
    ['monitors', 'monitor'],
    ['groups', 'group'],
  ] as const) {
    for (const [index, id] of settings[field].entries()) {
      if (known[field].has(id) || stored?.[field].includes(id)) continue;
      findings.add(`${field}.${index}`, `must be the id of a ${what} of your team`);
    }
  }
}

/** Stores the occurrences of changed settings. Time that has passed stays as it was. */
async function replaceOccurrences(
  tx: Transaction<Schema>,
  id: number,
  settings: WindowSettings,
  now: number,
): Promise<void> {
  await cutOccurrences(tx, id, now);
  const { starts_at: startsAt, ends_at: endsAt, rrule } = settings;
  // A single occurrence may be recorded afterwards; recurring ones change from now on.
  const isSingle = rrule === null;
  const all = await occurrences(settings, isSingle ? startsAt - 1 : now - (endsAt - startsAt));
  const times = startedAndNext(all, now, MAX_PAST_OCCURRENCES);
  const fromNow = ({ from, to }: MaintenanceOccurrence) => ({ from: Math.max(from, now), to });
  await insertOccurrences(tx, id, isSingle ? times : times.map(fromNow));
}

async function scheduleNextRun(
  tx: Transaction<Schema>,
  id: number,
  { good_rounds: goodRounds }: Pick<WindowSettings, 'good_rounds'>,
  now: number,
): Promise<void> {
  const times = await occurrencesOf(tx, id, now);
  await setNextRunAt(tx, id, nextRunAt(times, now, goodRounds !== null));
}

/** The stored occurrences that have not ended. */
async function occurrencesOf(tx: Transaction<Schema>, id: number, now: number) {
  return (await openOccurrences(tx, [id], now)).get(id) ?? [];
}

/** Whether a change affects more than the name and the early end. */
function movesOccurrences(before: WindowSettings, after: WindowSettings): boolean {
  const { name, good_rounds } = before;
  return !isDeepStrictEqual(before, { ...after, name, good_rounds });
}

async function occurrences(settings: WindowSettings, after: number) {
  const recurrences = settings.rrule === null ? null : await loadRecurrences();
  return occurrencesAfter(scheduleOf(settings), after, recurrences);
}

async function checkLimit(
  tx: Transaction<Schema>,
  caller: Caller,
  findings: Findings,
): Promise<void> {
  if ((await countLiveWindows(tx, caller.team.id)) < MAX_WINDOWS) return;
  findings.add(
    'maintenance_windows',
    `must not be more than ${MAX_WINDOWS} in a team that are to come or active: delete one that is no longer needed`,
  );
}

function notActive(): Problem {
  return new Problem(
    'conflict',
    'This maintenance window is not active now: there is nothing to end. Delete it if it is no longer wanted.',
  );
}

const asSet = (settings: WindowSettings) => viewSettings(WINDOW_FIELDS, settings);

function targetOf(id: number, { name }: Pick<WindowSettings, 'name'>) {
  return { type: 'maintenance_window', id, name } as const;
}

const NOTHING_COVERED =
  'This window covers no monitor at the moment: check its monitors, groups and tags. Tags match by exact text.';

/** What the view of a window needs beside its row. */
interface WindowContext {
  times: readonly MaintenanceOccurrence[];
  covered: Coverage;
  now: number;
}

function view(row: MaintenanceWindowRow, { times, covered, now }: WindowContext): object {
  const { status, activeUntil, next } = stateOf(times, now);
  const settings = settingsOf(WINDOW_FIELDS, row);
  const monitorsCovered = covered(settings);
  return {
    id: row.id,
    ...asSet(settings),
    monitors_covered: monitorsCovered,
    warnings: monitorsCovered === 0 ? [NOTHING_COVERED] : [],
    status,
    active_until: isoOrNull(activeUntil),
    next_starts_at: isoOrNull(next?.from ?? null),
    next_ends_at: isoOrNull(next?.to ?? null),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
